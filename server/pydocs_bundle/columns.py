"""Records as they are stored: field by field, so that what is alike stands together.

A frame holds the records of up to 128 entries as one JSON array that has an array for each field;
`RecordFrame` reads it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Final

from pydocs_bundle.docstrings import locate_docstring

if TYPE_CHECKING:
    from pydocs_bundle.records import Entry, SourceFile

__all__ = ["RECORDS_PER_FRAME", "write_columns"]

RECORDS_PER_FRAME: Final = 128


def write_columns(
    entries: Sequence[Entry], files: Sequence[SourceFile], popularities: Sequence[int]
) -> tuple[list[bytes], list[tuple[str, ...]]]:
    """The content of each frame, and the names of each entry.

    Distances instead of places, and fields instead of records, compress by a quarter.
    """
    children: list[list[int]] = [[] for _ in entries]
    for number, entry in enumerate(entries):
        if entry.parent >= 0:
            children[entry.parent].append(number)
    frames = [
        _frame(first, entries[first : first + RECORDS_PER_FRAME], files, children, popularities)
        for first in range(0, len(entries), RECORDS_PER_FRAME)
    ]
    return frames, [(entry.qualified_name, entry.public_name, *entry.aliases) for entry in entries]


def _frame(
    first: int,
    entries: Sequence[Entry],
    files: Sequence[SourceFile],
    children: Sequence[Sequence[int]],
    popularities: Sequence[int],
) -> bytes:
    names, kinds, numbers, starts, ends, lines, last_lines, *texts, decorators = zip(
        *entries, strict=True
    )
    del decorators  # they are in `DB`
    signatures, summaries, _, public_names, parents, flags, bases, aliases = texts
    ids = range(first, first + len(entries))
    replaced = [_replaced(*pair) for pair in zip(names, public_names, strict=True)]
    columns = (
        *(names, [front for front, _ in replaced], list(map(int, kinds)), list(map(int, flags))),
        *(signatures, summaries),
        *(_steps(numbers), _steps(starts), _distances(starts, ends)),
        *(_steps(lines), _distances(lines, last_lines)),
        [
            number - parent if parent >= 0 else 0
            for number, parent in zip(ids, parents, strict=True)
        ],
        *(bases, aliases),
        [_steps(children[number], number) if children[number] else () for number in ids],
        *zip(*(_docstring(entry, files) for entry in entries), strict=True),
        popularities[first : first + len(entries)],
        [length for _, length in replaced],
    )
    return json.dumps(columns, ensure_ascii=False, separators=(",", ":")).encode()


def _replaced(name: str, public_name: str) -> tuple[str, int]:
    """What stands in a public name for how many of the first characters of the qualified name.

    All names of a module have the same two mostly. Nothing for nothing: there is no public name.
    """
    if not public_name:
        return "", 0
    shared = 0
    while (dot := name.rfind(".", 0, len(name) - shared)) >= 0:
        if not public_name.endswith(name[dot:]):
            break
        shared = len(name) - dot
    return public_name[: len(public_name) - shared], len(name) - shared


def _steps(places: Iterable[int], before: int = 0) -> list[int]:
    return [place - last for last, place in pairwise(chain((before,), places))]


def _distances(starts: Iterable[int], ends: Iterable[int]) -> list[int]:
    return [end - start for start, end in zip(starts, ends, strict=True)]


def _docstring(entry: Entry, files: Sequence[SourceFile]) -> tuple[int, int, str]:
    """Where the docstring begins after the entry, its length, and its text if no span gives it."""
    if not entry.docstring:
        return 0, 0, ""
    source = files[entry.file].text
    span = locate_docstring(source, entry.start, entry.end, entry.docstring)
    if not span:
        return 0, 0, entry.docstring
    return span[0] - entry.start, span[1] - span[0], ""
