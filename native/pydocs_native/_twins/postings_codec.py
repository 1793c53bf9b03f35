"""Numbers and postings as bytes.

A posting is the distance from the document before it and what the term does there, in one number:
`distance << 3 | code`. The codes are the payloads that make up nine tenths of all postings in real
packages; code 7 is followed by a mask of fields and their counts.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["FIELDS", "Cursor", "put_number", "put_posting"]

FIELDS = 7
_ONCE = 0x80  # in the mask of fields: each of them has the term once
_BODY = 4
_BODY_OFTEN = 6
_GENERAL = 7
_CODES: dict[tuple[int, ...], int] = {
    (0, 0, 0, 0, 1, 0, 0): 0,
    (0, 0, 0, 0, 2, 0, 0): 1,
    (0, 0, 0, 0, 3, 0, 0): 2,
    (0, 0, 0, 0, 4, 0, 0): 3,
    (0, 1, 0, 0, 0, 1, 0): 4,
    (0, 0, 0, 1, 1, 0, 0): 5,
}
_COUNTS = tuple(_CODES)
_LARGEST = (1 << 32) - 1


def put_number(out: bytearray, value: int) -> None:
    """Appends `value`, seven bits a byte, lowest first."""
    while value >= 0x80:  # noqa: PLR2004 - the bit that says a number goes on
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)


def put_posting(out: bytearray, distance: int, counts: tuple[int, ...]) -> None:
    """Appends the posting of the document `distance` after the one that could come next."""
    body = counts[_BODY]
    if (code := _CODES.get(counts)) is not None:
        put_number(out, distance << 3 | code)
    elif body == sum(counts):
        put_number(out, distance << 3 | _BODY_OFTEN)
        put_number(out, body - 5)
    else:
        put_number(out, distance << 3 | _GENERAL)
        mask = sum(1 << field for field, count in enumerate(counts) if count)
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
            raise ValueError("a postings section is damaged: a block of terms lies outside")
        self.view = view
        self.at = at

    def byte(self) -> int:
        """Reads the next byte."""
        if self.at >= len(self.view):
            raise ValueError("a postings section is damaged: a list ends in the middle of an item")
        self.at += 1
        return self.view[self.at - 1]

    def take(self, count: int) -> memoryview:
        """Reads the next `count` bytes."""
        if count > len(self.view) - self.at:
            raise ValueError("a postings section is damaged: a list ends in the middle of an item")
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
        raise ValueError("a postings section is damaged: a number does not fit 32 bits")

    def posting(self, weights: Sequence[float]) -> tuple[int, float]:
        """Reads one posting: the distance, and the weighted count of the term.

        Sums run in the order of the fields: the same bits on every machine.
        """
        number = self.number()
        return number >> 3, self._weighted(number & 7, weights)

    def _weighted(self, code: int, weights: Sequence[float]) -> float:
        if code < len(_COUNTS):
            return _weighted_sum(weights, _COUNTS[code])
        if code == _BODY_OFTEN:
            return weights[_BODY] * (self.number() + 5)
        mask = self.byte()
        counts = [0] * FIELDS
        for field in range(FIELDS):
            if mask >> field & 1:
                counts[field] = 1 if mask & _ONCE else self.number() + 1
        return _weighted_sum(weights, counts)


def _weighted_sum(weights: Sequence[float], counts: Sequence[int]) -> float:
    # Not `sum`: since Python 3.12 that rounds otherwise than one addition after the other.
    total = 0.0
    for weight, count in zip(weights, counts, strict=True):
        total += weight * count
    return total
