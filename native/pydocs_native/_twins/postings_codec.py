"""Numbers, payloads and posting lists as bytes.

A payload is how often a term stands in each field of one document. The most frequent of a section
stand in a table, and a posting says which row it means.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

__all__ = [
    "FIELDS",
    "Counts",
    "Cursor",
    "Payloads",
    "put_list",
    "put_number",
    "put_payload",
    "row_of",
]

FIELDS = 7
_ONCE = 0x80  # in the mask of fields: each of them has the term once
_CODED = 6  # rows that a posting names in its code
_RUN = 6  # the code of documents next to each other, all like the one before
_OTHER = 7  # the code of a posting that is followed by its payload
_MOST_PAYLOADS = _CODED + 0x7F
_LEAST_USES = 4
_LARGEST_BYTE = 0xFF
_LARGEST = (1 << 32) - 1

Counts = tuple[int, ...]


class Payloads:
    """The table of payloads of a section that has these.

    Args:
        counts: those of all postings.
    """

    def __init__(self, counts: Iterable[Counts]) -> None:
        uses = Counter(counts)
        frequent = sorted(
            (-number, row)
            for row, number in uses.items()
            if number >= _LEAST_USES and max(row) <= _LARGEST_BYTE
        )
        rows = [row for _, row in frequent[:_MOST_PAYLOADS]]
        self.rows = b"".join(map(bytes, rows))
        self.ranks = {row: rank for rank, row in enumerate(rows)}


def put_number(out: bytearray, value: int) -> None:
    """Appends `value`, seven bits a byte, lowest first."""
    while value >= 0x80:  # noqa: PLR2004 - the bit that says a number goes on
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)


def put_list(out: bytearray, postings: Sequence[tuple[int, Counts]], payloads: Payloads) -> None:
    """Appends a posting list."""
    following, last, more = 0, None, 0
    for document, counts in postings:
        if document == following and counts == last:
            more += 1
        else:
            _put_run(out, more)
            _put_posting(out, document - following, counts, payloads)
            more = 0
        following, last = document + 1, counts
    _put_run(out, more)


def _put_run(out: bytearray, more: int) -> None:
    if more:
        put_number(out, (more - 1) << 3 | _RUN)


def _put_posting(out: bytearray, distance: int, counts: Counts, payloads: Payloads) -> None:
    rank = payloads.ranks.get(counts)
    if rank is not None and rank < _CODED:
        put_number(out, distance << 3 | rank)
    else:
        put_number(out, distance << 3 | _OTHER)
        put_payload(out, None if rank is None else rank - _CODED, counts)


def put_payload(out: bytearray, row: int | None, counts: Counts) -> None:
    """Appends a payload: the number of its row, or else its counts."""
    if row is not None:
        put_number(out, row + 1)
        return
    mask = sum(1 << field for field, count in enumerate(counts) if count)
    out.append(0)
    if max(counts) == 1:
        out.append(mask | _ONCE)
        return
    out.append(mask)
    for count in filter(None, counts):
        put_number(out, count - 1)


class Cursor:
    """A place in bytes that are read from front to back.

    Args:
        view: the bytes.
        at: where to begin.
    """

    __slots__ = ("at", "view")

    def __init__(self, view: memoryview, at: int = 0) -> None:
        if at > len(view):
            raise _damaged("a block of terms lies outside")
        self.view = view
        self.at = at

    def byte(self) -> int:
        """Reads the next byte."""
        if self.at >= len(self.view):
            raise _damaged("a list ends in the middle of an item")
        self.at += 1
        return self.view[self.at - 1]

    def take(self, count: int) -> memoryview:
        """Reads the next `count` bytes."""
        if count > len(self.view) - self.at:
            raise _damaged("a list ends in the middle of an item")
        self.at += count
        return self.view[self.at - count : self.at]

    def number(self) -> int:
        """Reads the next number, as `put_number` wrote it."""
        value = 0
        for shift in range(0, 35, 7):
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:  # noqa: PLR2004 - the bit that says a number goes on
                if value > _LARGEST:
                    break
                return value
        raise _damaged("a number does not fit 32 bits")

    def payload(self, rows: Sequence[Counts], first: int = 0) -> Counts:
        """Reads what `put_payload` wrote; rows count from `first`."""
        if row := self.number():
            return row_of(rows, row - 1 + first)
        mask = self.byte()
        counts = [0] * FIELDS
        for field in range(FIELDS):
            if mask >> field & 1:
                counts[field] = 1 if mask & _ONCE else self.number() + 1
        return tuple(counts)

    def postings(self, frequency: int, rows: Sequence[Counts]) -> Iterator[tuple[int, Counts]]:
        """Reads a posting list: its documents, and how often each has the term."""
        following, left, last = 0, frequency, None
        while left > 0:
            number = self.number()
            distance, code = number >> 3, number & 7
            if code == _RUN:
                if last is None:
                    raise _damaged("a posting list begins with a run")
                document, more = following, distance
            else:
                last = self.payload(rows, _CODED) if code == _OTHER else row_of(rows, code)
                document, more = following + distance, 0
            left -= more + 1
            if left < 0:
                raise _damaged("a run is longer than its list")
            following = document + more + 1
            for each in range(document, following):
                yield each, last


def row_of(rows: Sequence[Counts], row: int) -> Counts:
    """The row of a table of payloads."""
    if row >= len(rows):
        raise _damaged("a posting has a payload that is not there")
    return rows[row]


def _damaged(problem: str) -> ValueError:
    return ValueError(f"a postings section is damaged: {problem}")
