from __future__ import annotations

import inspect
import json
from typing import Any

import pytest

from pydocs_server.mounted.catalog import Catalog
from pydocs_server.rendered.answer import count_tokens
from pydocs_server.wired.instructions import instructions
from pydocs_server.wired.parameters import ArgumentError, Parameter, checked
from pydocs_server.wired.tools import TOOLS, Tool, call

# Real tokenizers count JSON at about three characters to the token.
JSON_CHARACTERS_PER_TOKEN = 3


def test_definitions_and_instructions_cost_under_3000_tokens(catalog: Catalog) -> None:
    definitions = [
        {
            "name": tool.name,
            "title": tool.title,
            "description": tool.description,
            "inputSchema": tool.input_schema(),
            "outputSchema": tool.output_schema(),
            "annotations": {"readOnlyHint": True, "destructiveHint": False},
        }
        for tool in TOOLS.values()
    ]
    said = json.dumps(definitions, ensure_ascii=False, separators=(",", ":"))

    assert len(said) / JSON_CHARACTERS_PER_TOKEN + count_tokens(instructions(catalog)) < 3_000


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_the_function_takes_what_the_table_says(tool: Tool) -> None:
    signature = inspect.signature(tool.function())
    # Whoever starts the server chooses the numbers of the ranking, no caller does.
    taken = [name for name in signature.parameters if name not in {"catalog", "numbers"}]

    assert sorted(taken) == sorted(each.name for each in tool.parameters)
    for each in tool.parameters:
        default = signature.parameters[each.name].default
        if each.is_required:
            assert default is inspect.Parameter.empty
        else:
            assert default == each.default
            assert type(default) is type(each.default)


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_schemas_are_closed_and_give_defaults(tool: Tool) -> None:
    schema: dict[str, Any] = tool.input_schema()

    assert schema["additionalProperties"] is False
    assert set(schema.get("required", [])) | {
        name for name, each in schema["properties"].items() if "default" in each
    } == set(schema["properties"])


def test_definitions_are_the_same_bytes_each_time() -> None:
    once = json.dumps([tool.input_schema() for tool in TOOLS.values()])

    assert once == json.dumps([tool.input_schema() for tool in TOOLS.values()])


def test_a_call_reaches_its_tool(catalog: Catalog) -> None:
    assert "httpq.Client" in call(catalog, "get_symbol", {"target": "httpq.Client"}).text


def test_null_is_not_given(catalog: Catalog) -> None:
    answer = call(catalog, "glob", {"pattern": "*.md", "path": None, "head_limit": None})

    assert answer.structured["total"] == 1


def test_spellings_of_similar_tools_are_understood() -> None:
    tool = TOOLS["grep"]
    given = {"pattern": "x", "-i": True, "-A": 2, "-B": 1, "-C": 3, "-n": False}

    assert checked(tool.name, tool.parameters, given, tool.spellings) == {
        "pattern": "x",
        "ignore_case": True,
        "after": 2,
        "before": 1,
        "context": 3,
        "line_numbers": False,
    }


NUMBER = Parameter("number", "integer", "How many.", 1, minimum=1, maximum=1000)
WORD = Parameter("word", "string", "Which.", min_length=1)
CHOICE = Parameter("choice", "string", "", "a", choices=("a", "b"))
FLAG = Parameter("flag", "boolean", default=False)
WORDS = Parameter("words", "array", "", (), max_length=2)
ALL = (NUMBER, WORD, CHOICE, FLAG, WORDS)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({}, r"word is missing; call tool\(word=…\): Which\."),
        ({"word": ""}, "word is empty"),
        ({"word": "\0"}, "word is empty"),
        ({"word": 1}, "word is a string"),
        ({"word": "x" * 10_001}, "has 10,001 characters; at most 10,000 are taken"),
        ({"word": "x", "number": 0}, "a whole number from 1 to 1,000"),
        ({"word": "x", "number": 10**9}, "a whole number from 1 to 1,000"),
        ({"word": "x", "number": "5"}, "a whole number from 1 to 1,000"),
        ({"word": "x", "number": True}, "a whole number from 1 to 1,000"),
        ({"word": "x", "number": float("nan")}, "a whole number from 1 to 1,000"),
        ({"word": "x", "number": 10**400}, "a whole number from 1 to 1,000"),
        ({"word": "x", "choice": "c"}, "use one of a, b"),
        ({"word": "x", "flag": 1}, "true or false"),
        ({"word": "x", "words": "y"}, "a list of strings"),
        ({"word": "x", "words": ["a", "b", "c"]}, "has 3 items; give 0 to 2"),
        ({"word": "x", "words": ["a", None]}, "each of words is a string"),
        ({"word": "x", "\x1b[31m": 1}, r"no parameter '\\x1b\[31m'; it takes number, word"),
    ],
)
def test_wrong_arguments_say_what_is_taken(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ArgumentError, match=sentence):
        checked("tool", ALL, arguments, {})


def test_whole_floats_are_integers_as_in_json() -> None:
    assert checked("tool", ALL, {"word": "x", "number": 5.0}, {}) == {"word": "x", "number": 5}


def test_instructions_name_what_is_mounted(catalog: Catalog) -> None:
    said = instructions(catalog)

    assert "Project: shop 1.0." in said
    assert "httpq 0.28.1" in said
    assert "The next HTTP client" not in said
