"""Records as they are stored: field by field, so that what is alike stands together.

A frame holds the records of up to 128 entries as one JSON array that has an array for each field.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, Any, Final

from pydocs_bundle.docstrings import locate_docstring

if TYPE_CHECKING:
    from pydocs_bundle.records import Entry, SourceFile

__all__ = ["RECORDS_PER_FRAME", "Columns", "read_columns", "write_columns"]

RECORDS_PER_FRAME: Final = 128

Columns = list[list[Any]]
"""One list for each stored field, in the order of `write_columns`."""

_TYPES: Final = (
    *(str, str, int, int, str, str),
    *(int, int, int, int, int, int),
    *(list, list, list),
    *(int, int, str),
    *(int, int),
)
_NAMES: Final = 0
_PUBLIC_NAMES: Final = 1
_ITEMS: Final = {12: str, 13: str, 14: int}
# File, start and first line: each as its distance from the record before.
_RUNNING: Final = (6, 7, 9)


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


def read_columns(raw: bytes, count: int) -> Columns:
    """The fields of the `count` records of a frame, their types checked.

    Raises:
        ValueError: the frame holds something else; the message is a clause.
    """
    try:
        columns = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise ValueError("is not JSON") from error
    if not isinstance(columns, list) or set(map(type, columns)) != {list}:
        raise ValueError("has another shape")
    if [len(column) for column in columns] != [count] * len(_TYPES):
        raise ValueError("has another number of records or fields")
    for column, wanted in zip(columns, _TYPES, strict=True):
        if set(map(type, column)) != {wanted}:
            raise ValueError("has a field of another type")
    for number, wanted in _ITEMS.items():
        if not set(map(type, chain.from_iterable(columns[number]))) <= {wanted}:
            raise ValueError("has a field of another type")
    if b"\\ud" in raw.lower() and not _is_unicode(columns):
        raise ValueError("has half of a character")
    fronts, lengths = columns[_PUBLIC_NAMES], columns.pop()
    columns[_PUBLIC_NAMES] = [
        front + name[length:] if front or length else ""
        for name, front, length in zip(columns[_NAMES], fronts, lengths, strict=True)
    ]
    for number in _RUNNING:
        columns[number] = list(accumulate(columns[number]))
    return columns


def _is_unicode(columns: Columns) -> bool:
    """True unless a lone surrogate, which only an escape can bring in, hides in a string."""
    texts = [column for column, kind in zip(columns, _TYPES, strict=True) if kind is str]
    texts += [
        list(chain.from_iterable(columns[number])) for number, kind in _ITEMS.items() if kind is str
    ]
    try:
        "".join(map("".join, texts)).encode()
    except UnicodeEncodeError:
        return False
    return True
