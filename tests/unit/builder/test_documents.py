from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pydocs_builder.documented.headings import markdown_headings, restructured_headings
from pydocs_bundle.records import BundleContent, Entry, Kind

Built = Callable[..., BundleContent]
INPUTS = Path(__file__).parents[2] / "inputs"


def sections(content: BundleContent) -> list[Entry]:
    return [one for one in content.entries if one.kind in (Kind.SECTION, Kind.CELL)]


def markdown(text: str) -> list[tuple[int, int, str]]:
    return [tuple(heading) for heading in markdown_headings(text.splitlines())]  # type: ignore[misc]


def restructured(text: str) -> list[tuple[int, int, str]]:
    return [tuple(heading) for heading in restructured_headings(text.splitlines())]  # type: ignore[misc]


def test_hash_in_code_is_no_heading(
    built_folder: Callable[[Path], BundleContent],
) -> None:
    content = built_folder(INPUTS / "md-hash-in-fences")
    found = sections(content)
    assert [one.qualified_name.partition(":")[2] for one in found] == ["Real", "After", "Last"]
    bodies = [text.body for text in content.texts]
    assert "# not a heading" in bodies[0]
    assert "# indented no" in bodies[0]
    assert bodies[2].endswith("# open fence no\n")


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("# One\n\n## Two ##\n### Three#\n", [(0, 1, "One"), (2, 2, "Two"), (3, 3, "Three#")]),
        ("One\n===\n\nTwo\n---\n", [(0, 1, "One"), (3, 2, "Two")]),
        ("Two\nlines\n---\n", [(0, 2, "Two lines")]),
        ("- item\n---\n", []),
        ("> quote\n---\n", []),
        ("text\n\n---\n", []),
        ("---\ntitle: X\n# no\n---\n# Yes\n", [(4, 1, "Yes")]),
        ("---\n\n# Yes\n", [(2, 1, "Yes")]),
        ("<!--\n# no\n-->\n# Yes\n", [(3, 1, "Yes")]),
        ("<pre>\n\n# no\n</pre>\n# Yes\n", [(4, 1, "Yes")]),
        ("<div>\n# no\n\n# Yes\n", [(3, 1, "Yes")]),
        ("#no\n####### no\n#\n", [(2, 1, "")]),
        ("text\n    # no\n", []),
        ("  ```\n# no\n ~~~\n  ```\n# Yes\n", [(4, 1, "Yes")]),
        ("``` a`b\n# Yes\n", [(1, 1, "Yes")]),
        ("# [`Client`](api.md) {#anchor}\n", [(0, 1, "Client")]),
        ("## [1.0](https://x/v0(a)...v1) [a][b] \\_x <a name='y'></a>Y\n", [(0, 2, "1.0 a _x Y")]),
        ("# A\n- ```sh\n  # no\n  ```\n# B\n", [(0, 1, "A"), (4, 1, "B")]),
        ("1. - ~~~\n     # no\n     ~~~\n# Yes\n", [(3, 1, "Yes")]),
        ("- ```\n  # never closed\n\n# Yes\n", [(3, 1, "Yes")]),
        ("- item\n\n    ```\n    # no\n    ```\n# Yes\n", [(5, 1, "Yes")]),
        (":::{warning}\n# no\n:::\n# Yes\n", [(3, 1, "Yes")]),
        ("::::{tab-set}\n:::{tab-item} X\n# no\n:::\n# no\n::::\n# Yes\n", [(6, 1, "Yes")]),
        ("```{note}\n# no\n```\n(target)=\n# Yes\n", [(4, 1, "Yes")]),
        ("+++\ntitle = 1\n# no\n+++\n# Yes\n", [(4, 1, "Yes")]),
        ("> # no\n> ```\n# Yes\n", [(2, 1, "Yes")]),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n", []),
        ("text <!-- open\n# Yes\n-->\n", [(1, 1, "Yes")]),
        ("`````md\n````\n# no\n````\n`````\n# Yes\n", [(5, 1, "Yes")]),
        ("### `#` C ###\n#\tTab\n", [(0, 3, "# C"), (1, 1, "Tab")]),
    ],
)
def test_markdown_headings_follow_commonmark(
    text: str, headings: list[tuple[int, int, str]]
) -> None:
    assert markdown(text) == headings


def test_restructured_levels_go_by_the_order_of_underlines() -> None:
    text = "=====\nTitle\n=====\n\nOne\n===\n\nSub\n---\n\nTwo\n===\n"
    assert restructured(text) == [(0, 1, "Title"), (4, 2, "One"), (7, 3, "Sub"), (10, 2, "Two")]


@pytest.mark.parametrize(
    "text",
    [
        "para\nTitle\n=====\n",
        "text\n\n----\n\ntext\n",
        "::\n\n    Title\n    =====\n",
        "a  b\n== ==\n",
        "A long title\n==\n",
        "=====\nTitle\n",
        "日本\n==\n",
        "- item\n------\n",
        ">>> call()\n----------\n",
        ":field: x\n---------\n",
        ".. note:: x\n-----------\n",
        "=====  =====\nA      B\n=====  =====\nx      y\n=====  =====\n",
        "+---+---+\n| a | b |\n+===+===+\n",
        ".. code-block:: text\n\n   Title\n   =====\n",
    ],
)
def test_rules_tables_and_literal_blocks_are_no_titles(text: str) -> None:
    assert restructured(text) == []


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("T\n=\n", [(0, 1, "T")]),
        ("日本\n====\n", [(0, 1, "日本")]),
        ("1. First\n========\n", [(0, 1, "1. First")]),
        (":mod:`httpx`\n============\n", [(0, 1, "httpx")]),
        ("####\nPart\n####\n\nPart\n####\n", [(0, 1, "Part"), (4, 2, "Part")]),
    ],
)
def test_short_wide_numbered_and_overlined_titles_are_titles(
    text: str, headings: list[tuple[int, int, str]]
) -> None:
    assert restructured(text) == headings


def test_roles_and_code_marks_leave_the_title() -> None:
    assert restructured("The :mod:`httpx` ``x``\n======================\n") == [
        (0, 1, "The httpx x")
    ]


def test_sections_keep_their_path_of_headings_and_lines(built: Built) -> None:
    content = built(
        {
            "docs/guide.md": (
                "# Guide\nIntro. More.\n\n## Install\n\nRun it.\n\n### Linux\nx\n## Use\n"
            )
        }
    )
    found = sections(content)
    assert [(one.qualified_name, one.signature, one.start_line, one.end_line) for one in found] == [
        ("sample#docs/guide.md:Guide", "Guide", 1, 3),
        ("sample#docs/guide.md:Install", "Guide > Install", 4, 7),
        ("sample#docs/guide.md:Linux", "Guide > Install > Linux", 8, 9),
        ("sample#docs/guide.md:Use", "Guide > Use", 10, 10),
    ]
    assert found[0].summary == "Intro."
    assert content.entries[found[2].parent].qualified_name == "sample#docs/guide.md:Install"
    (text,) = (text for text in content.texts if text.name == "Linux")
    assert (text.heading, text.body, text.signature) == (
        "Guide > Install > Linux",
        "### Linux\nx\n",
        "",
    )


def test_repeated_headings_are_counted(built: Built) -> None:
    content = built({"a.md": "# A\n# A\n# A (2)\n# A\n"})
    names = [one.qualified_name for one in sections(content)]
    assert names == ["sample#a.md:A", "sample#a.md:A (3)", "sample#a.md:A (2)", "sample#a.md:A (4)"]


def test_text_above_the_first_heading_is_a_section(built: Built) -> None:
    content = built({"a.md": "---\ntitle: x\n---\nIntro.\n\n# One\n", "b.md": "\n\n# One\nx\n"})
    assert [(one.qualified_name, one.start_line) for one in sections(content)] == [
        ("sample#a.md:x", 1),
        ("sample#a.md:One", 6),
        ("sample#b.md:One", 1),
    ]


def test_metadata_in_front_of_a_document_is_its_title_and_no_summary(built: Built) -> None:
    content = built({"a.md": '---\ntitle: "My page"\nx: 1\n---\nIntro. More.\n\n## One\n'})
    assert [(one.signature, one.summary) for one in sections(content)] == [
        ("My page", "Intro."),
        ("My page > One", ""),
    ]


def test_document_of_any_encoding_has_its_headings(built: Built) -> None:
    text = "# Größe\n\nText.\n"
    content = built(
        {
            "a.md": text.encode("utf-16"),
            "b.md": text.encode("utf-16-le"),
            "c.md": text.encode("latin-1"),
            "d.md": b"\xef\xbb\xbf" + text.encode(),
            "e.md": text.replace("\n", "\r").encode(),
        }
    )
    assert [one.signature for one in sections(content)] == ["Größe"] * 5
    assert [note.partition(":")[0] for note in content.notes] == ["b.md", "c.md"]


def test_readme_at_the_top_has_a_short_name(built: Built) -> None:
    content = built({"README.md": "# Hello\n", "docs/README.md": "# Deep\n"})
    assert [one.qualified_name for one in sections(content)] == [
        "sample#readme:Hello",
        "sample#docs/README.md:Deep",
    ]


@pytest.mark.parametrize(
    ("readme", "path"),
    [("# Title\n\nText.\n", "README.md"), ("Title\n=====\n\n.. note:: x\n", "README.rst")],
)
def test_long_description_of_the_metadata_stands_in_for_a_readme(
    built: Built, readme: str, path: str
) -> None:
    content = built({"m.py": ""}, readme=readme)
    assert path in [file.path for file in content.files]
    assert [one.qualified_name for one in sections(content)] == ["sample#readme:Title"]


def test_long_plain_text_is_cut_at_blank_lines(built: Built) -> None:
    content = built({"notes.txt": "word\n\n" * 150})
    found = sections(content)
    assert [(one.start_line, one.end_line) for one in found] == [(1, 121), (122, 241), (242, 300)]
    assert [one.qualified_name for one in found][:2] == [
        "sample#notes.txt:notes",
        "sample#notes.txt:notes (2)",
    ]


def test_licences_and_requirements_are_files_without_sections(built: Built) -> None:
    content = built(
        {"LICENSE.md": "# MIT\n", "requirements.txt": "x==1\n", "legal/terms.md": "# Terms\n"},
        licence_files=("legal/terms.md",),
    )
    assert sections(content) == []
    assert len(content.files) == 3


def test_cells_of_format_3_are_read(built_folder: Callable[[Path], BundleContent]) -> None:
    content = built_folder(INPUTS / "notebook-v3-worksheets")
    bodies = [(text.name, text.heading, text.body) for text in content.texts]
    assert bodies == [
        ("Title", "Title", "Title"),
        ("cell 2", "Title", "text"),
        ("cell 3", "Title", "def v3():\n    pass"),
    ]
    assert {one.kind for one in sections(content)} == {Kind.CELL}


def test_cells_of_format_4_keep_headings_and_places(built: Built) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Größe\n", "text"], "metadata": {}},
        {"cell_type": "code", "source": "x = 'ü'", "outputs": [{"data": "# no"}]},
        {"cell_type": "markdown", "source": "## Deep"},
        {"cell_type": "code", "source": ["y = 2"]},
    ]
    notebook = {"nbformat": 4, "metadata": {"kernelspec": {"cells": []}}, "cells": cells}
    content = built({"n.ipynb": json.dumps(notebook, indent=1, ensure_ascii=False)})
    found = sections(content)
    assert [one.signature for one in found] == ["Größe", "Größe", "Größe > Deep", "Größe > Deep"]
    text = content.files[0].text
    for one, cell in zip(found, cells, strict=True):
        assert json.loads(text[one.start : one.end]) == cell
        assert text[: one.start].count(b"\n") + 1 == one.start_line
        assert text[: one.end].count(b"\n") + 1 == one.end_line
    assert [text.body for text in content.texts][1] == "x = 'ü'"


def test_cells_without_source_or_of_other_kinds_and_languages_are_cells(built: Built) -> None:
    cells: list[object] = [
        {"cell_type": "code", "source": ["x <- 1"]},
        {"cell_type": "raw", "source": "raw"},
        {"source": "no kind"},
        {"cell_type": "code"},
        {"cell_type": "markdown", "source": None},
        {
            "cell_type": "markdown",
            "source": "Title\n=====\n![a](attachment:x.png)",
            "attachments": {"x.png": {"image/png": "A" * 5000}},
        },
        7,
    ]
    kernel = {"kernelspec": {"language": "R", "name": "ir"}}
    content = built({"n.ipynb": json.dumps({"nbformat": 4, "metadata": kernel, "cells": cells})})
    assert [text.body for text in content.texts] == [
        "x <- 1",
        "raw",
        "no kind",
        "",
        "",
        "Title\n=====\n![a](attachment:x.png)",
    ]
    assert [text.name for text in content.texts][-1] == "Title"


def test_cells_of_format_2_are_read(built: Built) -> None:
    cells = [{"cell_type": "code", "input": "x = 1"}, {"cell_type": "html", "source": "<b>"}]
    content = built({"n.ipynb": json.dumps({"nbformat": 2, "worksheets": [{"cells": cells}]})})
    assert [text.body for text in content.texts] == ["x = 1", "<b>"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no json",
        "<<<<<<< HEAD\n{}\n",
        '{"cells": [{"cell_type": "code", "source": "y',
        "[]",
        "{}",
        '{"cells": 3}',
        '{"a": ' + "[" * 100_000,
        '{"cells": [1, 2]}',
    ],
)
def test_file_that_is_no_notebook_is_a_note(built: Built, text: str) -> None:
    content = built({"n.ipynb": text, "m.py": "def f(): ...\n"})
    assert sections(content) == []
    (note,) = content.notes
    assert note.startswith("n.ipynb: ")
    assert "m.f" in [one.qualified_name for one in content.entries]


def test_half_a_surrogate_pair_in_a_cell_is_replaced(built: Built) -> None:
    content = built({"n.ipynb": r'{"cells": [{"cell_type": "code", "source": "x = \ud800"}]}'})
    assert [text.body for text in content.texts] == ["x = ?"]


def test_document_that_is_no_text_is_a_note(built: Built) -> None:
    content = built({"a.md": b"# A\0\n"})
    assert content.files == ()
    assert len(content.notes) == 1
