"""The frames of a bundle's records: JSON, field by field, looked at record by record."""

from __future__ import annotations

import json
from itertools import accumulate, chain
from typing import Any, NoReturn

__all__ = ["RecordFrame"]

_TYPES = (
    *(str, str, int, int, str, str),
    *(int, int, int, int, int, int),
    *(list, list, list),
    *(int, int, str),
    *(int, int),
)
_ITEMS = {12: str, 13: str, 14: int}
# File, start and first line: each as its distance from the record before.
_RUNNING = (6, 7, 9)
_TOO_LARGE = 1 << 40
_LARGEST_BYTE = 0xFF
_SHAPE = "is not made of records"
_RANGE = "holds a value out of range"


class RecordFrame:
    """The records of one frame, its JSON checked whole.

    Args:
        raw: the content of the frame.
        count: how many records it holds.
        first: the number of its first record.
        entries: how many records there are in all.
        files: how many files.

    Raises:
        ValueError: the frame holds something else; the message is a clause.
    """

    def __init__(self, raw: bytes, count: int, *, first: int, entries: int, files: int) -> None:
        self._first = first
        self._entries = entries
        self._files = files
        self._count = count
        try:
            self._columns: list[list[Any]] = json.loads(
                raw.decode(), parse_int=_whole, parse_float=_refused, parse_constant=_refused
            )
        except (ValueError, RecursionError) as error:
            raise ValueError(_SHAPE) from error
        if not self._is_made_of_records():
            raise ValueError(_SHAPE)
        for number in _RUNNING:
            self._columns[number] = list(accumulate(self._columns[number]))

    def record(self, line: int) -> tuple[Any, ...]:
        """Gives the fields of the record of a line.

        Raises:
            ValueError: a value of it is out of range.
        """
        if line >= self._count:
            raise ValueError(_RANGE)
        *fields, replaced = (column[line] for column in self._columns)
        name, front, *front_fields, start, size, first_line, more, up = fields[:12]
        bases, aliases, steps, doc, doc_size, text, popularity = fields[12:]
        number = self._first + line
        parent = number - up if up else -1
        children = tuple(accumulate(steps, initial=number))[1:]
        end, doc_start = start + size, start + doc
        kind, flags, _, _, file = front_fields
        is_sound = (
            -1 <= parent < self._entries
            and all(0 <= child < self._entries for child in children)
            and 0 <= file < self._files
            and 0 <= start <= doc_start <= doc_start + doc_size <= end
            and 0 <= first_line <= first_line + more
            and all(0 <= each <= _LARGEST_BYTE for each in (kind, flags, popularity))
            and 0 <= replaced <= len(name)
        )
        if not is_sound:
            raise ValueError(_RANGE)
        public_name = front + name[replaced:] if front or replaced else ""
        return (
            *(number, name, public_name, *front_fields, start, end, first_line),
            *(first_line + more, parent, tuple(bases), tuple(aliases), children),
            *(doc_start, doc_start + doc_size, text, popularity),
        )

    def _is_made_of_records(self) -> bool:
        """Whether there is a list for each field, with so many values of its type."""
        columns = self._columns
        return (
            isinstance(columns, list)
            and len(columns) == len(_TYPES)
            and all(
                isinstance(column, list)
                and len(column) == self._count
                and set(map(type, column)) <= {wanted}
                for column, wanted in zip(columns, _TYPES, strict=True)
            )
            and all(
                set(map(type, chain.from_iterable(columns[number]))) <= {wanted}
                for number, wanted in _ITEMS.items()
            )
            and all(abs(number) < _TOO_LARGE for column in self._of(int) for number in column)
            and _is_unicode("".join(chain.from_iterable(self._of(str))))
        )

    def _of(self, wanted: type) -> list[list[Any]]:
        """The columns of a type, those of its lists joined."""
        own = [c for c, kind in zip(self._columns, _TYPES, strict=True) if kind is wanted]
        listed = [number for number, kind in _ITEMS.items() if kind is wanted]
        return own + [list(chain.from_iterable(self._columns[number])) for number in listed]


def _whole(digits: str) -> int:
    """A number; minus nothing is a fraction to some readers, and nobody writes it."""
    return _refused(digits) if digits == "-0" else int(digits)


def _refused(_: str) -> NoReturn:
    raise ValueError(_SHAPE)


def _is_unicode(text: str) -> bool:
    """True unless a lone surrogate, which only an escape can bring in, is in the text."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
