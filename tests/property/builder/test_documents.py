"""What holds of every text that is read: nothing is lost, and headings stand where they do."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from pydocs_builder.documented.headings import (
    front_matter,
    markdown_headings,
    restructured_headings,
)
from pydocs_builder.documented.notebooks import NotebookError, notebook_cells
from pydocs_builder.extracted.decode import decode_document, decode_source
from pydocs_builder.extracted.newer_syntax import needed_python
from pydocs_bundle.encodings import encoded
from pydocs_native import parse

MARKS = st.sampled_from(
    [
        "#",
        "##",
        " ",
        "```",
        "~~~",
        ":::{n}",
        "-",
        "- ",
        "1. ",
        "=",
        "===",
        "---",
        "a",
        "\t",
        "    ",
        "<!--",
        "-->",
        "<pre>",
        "</pre>",
        "<div>",
        ">",
        "`",
        "\\",
        "[x](y)",
        "+++",
        ".. n::",
        "日",
    ]
)
LINES = st.lists(st.lists(MARKS, max_size=5).map("".join), max_size=20)
KEYS = st.sampled_from(["cells", "worksheets", "cell_type", "source", "input", "level", "x"])
JSON = st.recursive(
    st.none() | st.text() | st.integers(),
    lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner),
)
CODE = st.sampled_from(
    ["f'", "t'", "{", "}", "'", '"', '"""', "\\", "x", " ", "\n", ":=", "type X = 1", "#"]
) | st.sampled_from(["except* E:", "except A, B:", "match x:\n  case 1: y"])
CODECS = st.sampled_from(
    ["utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1", "cp1252", "utf-16-le", "utf-16-be"]
)


@given(st.one_of(st.binary(max_size=200), st.tuples(st.text(max_size=50), CODECS)))
def test_what_is_read_without_loss_gives_the_bytes_back(raw: bytes | tuple[str, str]) -> None:
    if isinstance(raw, tuple):
        raw = raw[0].encode(raw[1], errors="ignore")
    for decoded in (decode_document(raw), decode_source(raw)):
        decoded.text.decode()
        if not decoded.is_lossy:
            assert encoded(decoded.text, decoded.encoding) == raw
        else:
            assert decoded.problem


@given(LINES)
def test_headings_are_lines_of_the_text_in_order(lines: list[str]) -> None:
    for found in (markdown_headings(lines), restructured_headings(lines)):
        places = [heading.line for heading in found]
        assert places == sorted(set(places))
        assert all(0 <= place < len(lines) for place in places)
        assert all(heading.level >= 1 for heading in found)
    first = front_matter(lines)
    assert 0 <= first <= len(lines)
    assert all(heading.line >= first for heading in markdown_headings(lines))


@given(LINES)
def test_what_is_fenced_has_no_heading(lines: list[str]) -> None:
    inner = [line for line in lines if "~" not in line]
    assert markdown_headings(["~" * 8, *inner, "~" * 8, "# Yes"])[-1].title == "Yes"
    assert len(markdown_headings(["~" * 8, *inner, "~" * 8])) == 0


@given(JSON)
def test_any_json_is_a_notebook_or_none(value: object) -> None:
    text = json.dumps(value)
    try:
        cells = notebook_cells(text)
    except NotebookError:
        return
    places = [(cell.start, cell.end) for cell in cells]
    assert places == sorted(places)
    for cell in cells:
        assert isinstance(json.loads(text[cell.start : cell.end]), dict)
        cell.source.encode()


@given(st.lists(CODE, max_size=15).map("".join))
def test_no_text_is_too_odd_to_say_what_it_needs(text: str) -> None:
    raw = text.encode()
    needed = needed_python(raw, parse(raw), 7)
    assert needed is None or (8 <= needed.minor <= 14 and 1 <= needed.line <= text.count("\n") + 1)
