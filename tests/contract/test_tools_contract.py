"""The document of the tools and their code say the same."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import pytest

from pydocs_server.answered.risk import RULE
from pydocs_server.cli import parser
from pydocs_server.wired.parameters import LONGEST_TEXT, Parameter
from pydocs_server.wired.tools import TOOLS, Tool
from pydocs_server.wired.toolsets import TOOLSETS

DOCUMENT = Path(__file__).parents[2] / "docs" / "tool-contracts.md"
SECTION = re.compile(r"^## (\S+)$", re.MULTILINE)
ROW = re.compile(r"^\| `(\w+)` \| (\w+) \| (.+?) \| (.*?)\| (.+) \|$", re.MULTILINE)


def sections() -> dict[str, str]:
    """The text of each tool's section, in the document's order."""
    _, *parts = SECTION.split(DOCUMENT.read_text("utf-8"))
    return {name: text for name, text in zip(parts[::2], parts[1::2], strict=True) if name in TOOLS}


def row(parameter: Parameter) -> tuple[str, str, str, str]:
    """What a parameter's row has to say, but for its meaning."""
    default = parameter.default
    shown = json.dumps(list(default) if isinstance(default, tuple) else default)
    return (
        parameter.name,
        parameter.type,
        "required" if parameter.is_required else f"`{shown}`",
        limits(parameter),
    )


def limits(parameter: Parameter) -> str:
    if parameter.choices:
        return ", ".join(f"`{choice}`" for choice in parameter.choices)
    if parameter.type == "integer":
        return f"{parameter.minimum:,} to {parameter.maximum:,}"
    if parameter.type == "array":
        return f"{parameter.min_length} to {parameter.max_length} strings"
    return "not empty" if parameter.min_length else ""


def test_the_document_has_the_nine_tools_in_their_order() -> None:
    assert list(sections()) == list(TOOLS)


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_the_document_has_each_parameter_with_default_and_limits(tool: Tool) -> None:
    documented = [
        (name, kind, default, limit.strip())
        for name, kind, default, limit, _ in ROW.findall(sections()[tool.name])
    ]

    assert documented == [row(parameter) for parameter in tool.parameters]


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_the_document_has_text_structured_content_and_an_example(tool: Tool) -> None:
    section = sections()[tool.name]

    assert "\nText: " in section
    assert "\n| structured | |\n" in section
    assert f"```python\n{tool.name}(" in section


@pytest.mark.parametrize("name", TOOLSETS)
def test_the_document_has_the_tools_of_each_set_with_their_parameters(name: str) -> None:
    _, *parts = SECTION.split(DOCUMENT.read_text("utf-8"))
    texts = dict(zip(parts[::2], parts[1::2], strict=True))
    tools = TOOLSETS[name]

    assert [each for each in texts if each in tools] == list(tools)
    for tool in tools.values():
        documented = [
            (name, kind, default, limit.strip())
            for name, kind, default, limit, _ in ROW.findall(texts[tool.name])
        ]
        assert documented == [row(parameter) for parameter in tool.parameters]
        assert "\nText: " in texts[tool.name]
        assert "\n| structured | |\n" in texts[tool.name]


def test_the_sets_that_serve_offers_are_those_there_are() -> None:
    (commands,) = (
        each
        for each in parser()._actions  # noqa: SLF001 - argparse tells no other way
        if isinstance(each, argparse._SubParsersAction)  # noqa: SLF001
    )
    toolset = next(
        each
        for each in commands.choices["serve"]._actions  # noqa: SLF001
        if "--toolset" in each.option_strings
    )

    assert list(toolset.choices or ()) == list(TOOLSETS)


def test_the_document_tells_the_rule_of_the_risk() -> None:
    text = DOCUMENT.read_text("utf-8").replace("\n", " ")

    for number in (3, 11, 41):
        assert f"below {number} " in RULE
        assert f"below {number} " in text


def test_the_document_names_the_other_spellings_and_the_longest_text() -> None:
    for spelling in TOOLS["grep"].spellings:
        assert f"`{spelling}`" in sections()["grep"]
    assert f"{LONGEST_TEXT:,} characters" in DOCUMENT.read_text("utf-8")
