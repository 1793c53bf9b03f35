"""The nearest vectors of a union of TQ sections: signs first, then the levels of the nearest."""

from __future__ import annotations

import heapq
import math
import struct
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from pydocs_native._twins.vectors_code import (
    BLOCK,
    HEADER,
    LARGEST,
    LEVELS,
    MOST_DIMENSIONS,
    ROW,
    SCALE,
    VERSION,
    WORD,
    code_place,
    padded,
    rotated,
    row_codes,
)

__all__ = ["Vectors"]

_SHORTLIST = 1024
_SHORTLIST_PER_RESULT = 16
_LARGE = 0.98
_LARGEST_COORDINATE = 2047
_LARGEST_SUM = (1 << 31) - 1
_ALL_KINDS = (1 << 64) - 1


class Vectors:
    """The union of mounted TQ sections.

    Args:
        sections: their bytes, read-only; None for a bundle without vectors.

    Raises:
        TypeError: a section is memory that can be written to.
        ValueError: a section is none, or two are of different encoders.
    """

    def __init__(self, sections: Sequence[bytes | memoryview | None]) -> None:
        self._sections: list[_Section | None] = []
        made_by: tuple[int, bytes] | None = None
        for index, section in enumerate(sections):
            read = None if section is None else _Section(index, section)
            self._sections.append(read)
            if read is None:
                continue
            made_by = made_by or (read.dimensions, read.encoder)
            if made_by != (read.dimensions, read.encoder):
                raise ValueError(
                    f"vectors section {index} is of another encoder than those before it"
                )
        self._dimensions = made_by[0] if made_by else None

    def row_counts(self) -> list[int]:
        """Gives how many vectors each section has."""
        return [len(section.records) if section else 0 for section in self._sections]

    def rows(self, section: int) -> list[tuple[int, int, int]]:
        """Gives `(record, kind, flags)` of a section's vectors."""
        self._check([section])
        read = self._sections[section]
        return list(read.marks()) if read else []

    def search(
        self,
        query: bytes,
        limit: int,
        *,
        sections: Sequence[int] | None = None,
        kinds: int = _ALL_KINDS,
        flags_excluded: int = 0,
    ) -> list[tuple[float, int, int]]:
        """Gives `(score, section, record)` of the nearest vectors, best first.

        The score is the cosine of the angle to the query, about. Exact among those whose signs
        are nearest: a shortlist of 1,024, or of 16 for each result.

        Args:
            query: a vector, 32-bit floats, little-endian.
            limit: how many results at most.
            sections: where they may come from.
            kinds: kinds they may have, bit `k` for kind `k`.
            flags_excluded: flags they may not have.

        Raises:
            ValueError: there is no such section, or the query has other dimensions.
        """
        self._check(sections or ())
        turned = self._query(query)
        if turned is None:
            return []
        wanted = range(len(self._sections)) if sections is None else frozenset(sections)
        rows = (
            (section.distance(row, turned), index, row)
            for index, section in enumerate(self._sections)
            if section is not None and index in wanted
            for row, (_, kind, flags) in enumerate(section.marks())
            if (kinds & _ALL_KINDS) >> kind & 1 and not flags & flags_excluded
        )
        shortlist = heapq.nsmallest(max(_SHORTLIST, limit * _SHORTLIST_PER_RESULT), rows)
        scored = []
        for _, index, row in shortlist:
            section = self._sections[index]
            if section is not None:
                scored.append((-section.product(row, turned), index, section.records[row]))
        best = heapq.nsmallest(limit, scored)
        return [(-product * turned.unit, index, record) for product, index, record in best]

    def scores(self, query: bytes, rows: Sequence[tuple[int, int]]) -> list[float | None]:
        """Gives the scores of some records' vectors, None where one has none.

        Args:
            query: a vector, 32-bit floats, little-endian.
            rows: section and record of each.

        Raises:
            ValueError: there is no such section, or the query has other dimensions.
        """
        self._check([section for section, _ in rows])
        turned = self._query(query)
        found: list[float | None] = []
        for index, record in rows:
            section = self._sections[index]
            row = section.find(record) if section is not None else None
            if section is None or row is None:
                found.append(None)
            else:
                found.append(section.product(row, turned) * turned.unit if turned else 0.0)
        return found

    def _check(self, sections: Sequence[int]) -> None:
        for section in sections:
            if not 0 <= section < len(self._sections):
                mounted = len(self._sections)
                raise ValueError(f"section {section} is not among the {mounted} mounted")

    def _query(self, query: bytes) -> _Query | None:
        if self._dimensions is None:
            return None
        if len(query) != self._dimensions * 4:
            raise ValueError(
                f"the query has {len(query)} bytes, and vectors of {self._dimensions} dimensions"
                f" take {self._dimensions * 4}"
            )
        coordinates = rotated(struct.unpack(f"<{self._dimensions}f", query))
        return None if coordinates is None else _Query(coordinates)


class _Query:
    """A query's vector, rotated and rounded."""

    def __init__(self, coordinates: list[float]) -> None:
        size = len(coordinates)
        most = float(min(_LARGEST_COORDINATE, _LARGEST_SUM // (LARGEST * size)))
        factor = most / max(map(abs, coordinates))
        self.coordinates = [math.floor(number * factor + 0.5) for number in coordinates]
        self.signs = sum(1 << bit for bit, number in enumerate(coordinates) if number < 0.0)
        self.large = sum(1 << b for b, number in enumerate(coordinates) if abs(number) >= _LARGE)
        self.unit = 1.0 / (SCALE * factor * size)


class _Section:
    """One section's parts."""

    def __init__(self, index: int, section: bytes | memoryview) -> None:
        view = memoryview(section)
        if not view.readonly:
            raise TypeError("memory that can be written to cannot be searched")
        view = view.cast("B")
        if len(view) < HEADER.size:
            raise ValueError(f"vectors section {index} is shorter than its header")
        version, self.dimensions, count, zero, self.encoder = HEADER.unpack_from(view)
        if version != VERSION:
            raise ValueError(f"vectors section {index} is not of version 1")
        if not 1 <= self.dimensions <= MOST_DIMENSIONS:
            raise ValueError(
                f"vectors section {index} has vectors of no dimension, or of more than 4096"
            )
        if zero or any(view[HEADER.size - 16 : HEADER.size]):
            raise ValueError(f"vectors section {index} has something where zeros belong")
        size = padded(self.dimensions)
        self._words = size // WORD
        self._half = size // 2
        self._row_codes = row_codes(size)
        signs = HEADER.size + count * ROW.size
        codes = signs + -(-count // BLOCK) * BLOCK * self._words * 8
        if codes + count * self._row_codes != len(view):
            raise ValueError(f"vectors section {index} has parts that do not add up to its length")
        self._rows = view[HEADER.size : signs]
        self._signs = view[signs:codes]
        self._codes = view[codes:]
        self.records = [record for record, *_ in ROW.iter_unpack(self._rows)]
        if any(one >= two for one, two in pairwise(self.records)):
            raise ValueError(f"vectors section {index} has records that are not in ascending order")

    def marks(self) -> Iterator[tuple[int, int, int]]:
        """Each vector's record, with the number of its kind and the bits of its flags."""
        for record, _, kind, flags in ROW.iter_unpack(self._rows):
            yield record, kind, flags

    def find(self, record: int) -> int | None:
        """The row of a record's vector."""
        row = bisect_left(self.records, record)
        return row if row < len(self.records) and self.records[row] == record else None

    def distance(self, row: int, query: _Query) -> int:
        """What the signs of a row weigh that are not the query's."""
        other = self._sign_bits(row) ^ query.signs
        return other.bit_count() + 2 * (other & query.large).bit_count()

    def product(self, row: int, query: _Query) -> int:
        """The product of a query and a row, in whole numbers."""
        codes = self._codes[row * self._row_codes : (row + 1) * self._row_codes]
        signs = self._sign_bits(row)
        total = 0
        for number, coordinate in enumerate(query.coordinates):
            place = code_place(number, 2 * self._half)
            low_bits = codes[place % self._half] >> 4 * (place // self._half) & 15
            fifth_bit = codes[self._half + number // 8] >> (number % 8) & 1
            level = LEVELS[low_bits | fifth_bit << 4]
            total += -coordinate * level if signs >> number & 1 else coordinate * level
        scale: int = ROW.unpack_from(self._rows, row * ROW.size)[1]
        return total * scale

    def _sign_bits(self, row: int) -> int:
        block = (row // BLOCK * self._words * BLOCK + row % BLOCK) * 8
        parts = (block + word * BLOCK * 8 for word in range(self._words))
        return int.from_bytes(b"".join(self._signs[at : at + 8] for at in parts), "little")
