"""The examples of the tools' document, over real bundles: they run, and say what it says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount
from pydocs_server.wired.analysis_tools import ANALYSIS_TOOLS
from pydocs_server.wired.tools import TOOLS
from pydocs_server.wired.toolsets import EVERY_TOOL

DOCUMENT: Final = (Path(__file__).parents[2] / "docs" / "tool-contracts.md").read_text("utf-8")
EXAMPLE: Final = re.compile(
    r"```python\n((?:\w+\([^\n]*\)\n)+)```\n(?:\n~~~text\n(.*?)\n~~~)?", re.DOTALL
)
KEYS: Final = re.compile(r"^\| ((?:`\w+`(?:, )?)+|a row|a file) \| .*\|$", re.MULTILINE)
FILE: Final = {"path", "package", "version", "address"}
ROW: Final = FILE | {
    "qualified_name",
    "public_name",
    "kind",
    "start_line",
    "end_line",
    "signature",
    "summary",
}
CLAIM: Final = re.compile(r"is_[a-z]+")


class Example(NamedTuple):
    name: str
    arguments: dict[str, object]
    answer: str


def examples() -> Iterator[Example]:
    for calls, answer in EXAMPLE.findall(DOCUMENT):
        for line in calls.splitlines():
            parsed = ast.parse(line, mode="eval").body
            assert isinstance(parsed, ast.Call)
            assert isinstance(parsed.func, ast.Name)
            arguments = {str(k.arg): ast.literal_eval(k.value) for k in parsed.keywords}
            yield Example(parsed.func.id, arguments, answer)


def documented(tool: str) -> set[str]:
    """The keys that the document gives a tool's structured answer."""
    section = DOCUMENT.partition(f"\n## {tool}\n")[2].partition("\n## ")[0]
    table = section.partition("| structured | |")[2]
    keys: set[str] = set()
    for listed in KEYS.findall(table):
        keys |= ROW if listed == "a row" else FILE if listed == "a file" else set()
        keys |= set(re.findall(r"`(\w+)`", listed))
    return keys


@pytest.fixture(scope="module")
def catalog(real_bundles: Path) -> Iterator[Catalog]:
    with mount([str(real_bundles)], strict=True) as mounted:
        yield mounted


def test_every_tool_has_an_example() -> None:
    assert {example.name for example in examples()} == {*TOOLS, *ANALYSIS_TOOLS}


@pytest.mark.parametrize(
    "example", list(examples()), ids=lambda each: f"{each.name}-{each.arguments}"
)
def test_an_example_gives_what_the_document_says(catalog: Catalog, example: Example) -> None:
    answer = EVERY_TOOL[example.name].answer(catalog, example.arguments)

    if example.answer:
        assert answer.text == example.answer
    assert answer.text
    unknown = {
        key for key in answer.structured.keys() - documented(example.name) if not CLAIM.match(key)
    }
    assert not unknown
