"""Long sections in parts: each small enough to be found and shown alone, none cut in a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from pydocs_builder.documented.documents import Section
from pydocs_builder.extracted.symbols import line_starts
from pydocs_bundle.records import Kind

__all__ = ["cut_sections"]

_FENCE: Final = re.compile(rb" {0,3}(?:`{3,}|~{3,})")


def cut_sections(sections: Sequence[Section], most: int) -> list[Section]:
    """The sections, those over `most` characters as parts that follow each other.

    A part has the title and the path of its section; all but the first have the first for parent.
    Parts end at a blank line outside of code where there is one in their second half, else at a
    line end.
    """
    cut: list[Section] = []
    places: list[int] = []
    for section in sections:
        first = len(cut)
        places.append(first)
        parent = places[section.parent] if section.parent >= 0 else -1
        for number, part in enumerate(_parts(section, most)):
            cut.append(part._replace(parent=first if number else parent))
    return cut


def _parts(section: Section, most: int) -> Iterator[Section]:
    starts = line_starts(section.text)
    # A cell's text is not its span of the file, so that no part of it has lines.
    if len(section.text) <= most or section.kind is not Kind.SECTION:
        yield section
        return
    lines = [section.text[start:end] for start, end in pairwise(starts)]
    ends = [*_ends(lines, most), len(lines)]
    for first, end in pairwise([0, *ends]):
        yield section._replace(
            start=section.start + starts[first],
            end=section.start + starts[end],
            start_line=section.start_line + first,
            end_line=section.start_line + end - 1,
            text=section.text[starts[first] : starts[end]],
        )


def _ends(lines: Sequence[bytes], most: int) -> Iterator[int]:
    """The numbers of the lines that parts begin with, but for the first."""
    sizes = [len(line.decode(errors="replace")) for line in lines]
    breaks = _breaks(lines)
    begin, size = 0, 0
    for number, length in enumerate(sizes):
        while size + length > most and number > begin:
            end = _best_end(begin, number, sizes, breaks)
            yield end
            begin, size = end, sum(sizes[end:number])
        size += length


def _best_end(begin: int, number: int, sizes: Sequence[int], breaks: frozenset[int]) -> int:
    """The last good place to end a part in its second half, else right here."""
    left = sum(sizes[begin:number]) / 2
    end = number
    while end > begin and left > 0:
        if end in breaks:
            return end
        end -= 1
        left -= sizes[end]
    return number


def _breaks(lines: Sequence[bytes]) -> frozenset[int]:
    """The lines that begin a paragraph, a list or a block of code: not within, not indented."""
    found: set[int] = set()
    fence = b""
    for number, line in enumerate(lines):
        after_blank = number > 0 and not lines[number - 1].strip()
        if after_blank and not fence and line.strip() and not line[:1].isspace():
            found.add(number)
        if match := _FENCE.match(line):
            mark = match[0].strip()
            if not fence:
                fence = mark
            elif mark.startswith(fence) and not line.strip().strip(fence[:1]):
                fence = b""
    return frozenset(found)
