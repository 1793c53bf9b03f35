"""Long sections are cut where a reader would, and nothing of them is lost."""

from __future__ import annotations

import json

from pydocs_builder.documented.documents import Section, read_document
from pydocs_builder.documented.parts import cut_sections
from pydocs_bundle.records import SourceFile


def parts_of(text: str, most: int, path: str = "a.md") -> list[Section]:
    return cut_sections(read_document(SourceFile(path, text.encode())), most)


def texts(parts: list[Section]) -> list[str]:
    return [part.text.decode() for part in parts]


def test_a_short_section_stays_whole() -> None:
    assert texts(parts_of("# A\n\nshort\n", 100)) == ["# A\n\nshort\n"]


def test_a_long_section_is_cut_at_a_blank_line() -> None:
    one, two = "a" * 60 + "\n", "b" * 60 + "\n"

    parts = parts_of(f"# T\n\n{one}\n{two}", 90)

    assert texts(parts) == [f"# T\n\n{one}\n", two]
    assert [(part.start_line, part.end_line) for part in parts] == [(1, 4), (5, 5)]


def test_parts_have_title_and_path_of_their_section_and_the_first_as_parent() -> None:
    text = "# T\n\n## S\n\n" + "word " * 30 + "\n\n" + "more " * 30 + "\n\n### Below\n\nlow\n"

    parts = parts_of(text, 200)

    assert [(part.heading, part.parent) for part in parts] == [
        ("T", -1),
        ("T > S", 0),
        ("T > S", 1),
        ("T > S > Below", 1),
    ]


def test_a_block_of_code_is_not_cut_while_there_is_another_place() -> None:
    prose = "p" * 80 + "\n"
    code = "```\n" + "x\n\ny\n" * 10 + "```\n"

    parts = parts_of(f"# T\n\n{prose}\n{code}", 130)

    assert texts(parts) == [f"# T\n\n{prose}\n", code]


def test_an_indented_block_is_not_cut_while_there_is_another_place() -> None:
    prose = "p" * 80 + "\n"
    code = "Then::\n\n    one\n\n    two\n"

    assert texts(parts_of(f"T\n====\n\n{prose}\n{code}", 110, "a.rst")) == [
        f"T\n====\n\n{prose}\n",
        code,
    ]


def test_a_line_is_never_cut() -> None:
    line = "w" * 500 + "\n"

    assert texts(parts_of(f"# T\n{line}{line}", 200)) == ["# T\n", line, line]


def test_text_without_a_good_place_is_cut_at_a_line_end() -> None:
    text = "# T\n" + "abcdefghi\n" * 30

    parts = parts_of(text, 200)

    assert "".join(texts(parts)) == text
    assert max(map(len, texts(parts))) <= 200


def test_cells_of_a_notebook_stay_whole() -> None:
    source = "x" * 400
    notebook = {"cells": [{"cell_type": "markdown", "source": source}], "nbformat": 4}

    assert texts(parts_of(json.dumps(notebook), 200, "a.ipynb")) == [source]
