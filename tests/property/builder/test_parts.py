"""However long a document is and wherever it is cut, its parts are all of it, in order."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from pydocs_builder.documented.documents import read_document
from pydocs_builder.documented.parts import cut_sections
from pydocs_bundle.records import SourceFile

LINES = st.sampled_from(
    ["", "", "word", "two words", "# One", "## Two", "```", "~~~", "    code", "- item", "ü" * 30]
)


@given(
    st.lists(LINES, max_size=60),
    st.sampled_from(["\n", "\r\n"]),
    st.integers(20, 200),
    st.sampled_from(["a.md", "a.rst"]),
)
@example(lines=["", "", "", "", "word", "ü" * 30], end="\r\n", most=20, path="a.md")
def test_parts_partition_the_file(lines: list[str], end: str, most: int, path: str) -> None:
    text = end.join(lines).encode()
    sections = read_document(SourceFile(path, text))

    parts = cut_sections(sections, most)

    assert b"".join(part.text for part in parts) == b"".join(one.text for one in sections)
    assert all(before.end == after.start for before, after in pairwise(parts))
    assert all(before.end_line < after.start_line for before, after in pairwise(parts))
    assert all(text[part.start : part.end] == part.text for part in parts)
    assert all(-1 <= part.parent < number for number, part in enumerate(parts))
    longest = max(map(len, lines), default=0) + len(end)
    assert all(len(part.text.decode()) <= max(most, longest) for part in parts)
