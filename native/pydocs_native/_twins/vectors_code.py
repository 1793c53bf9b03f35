"""Rotating vectors and rounding their coordinates, as in `native/src/vectors`."""

from __future__ import annotations

import math
import struct
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Final

__all__ = [
    "BLOCK",
    "HEADER",
    "IDENTITY",
    "LARGEST",
    "LEVELS",
    "MOST_DIMENSIONS",
    "ROW",
    "SCALE",
    "VERSION",
    "WORD",
    "code_place",
    "padded",
    "rotated",
    "row_codes",
    "write_vectors",
]

HEADER: Final = struct.Struct("<IIII32s16x")
ROW: Final = struct.Struct("<IHBB")
VERSION: Final = 1
IDENTITY: Final = 32
BLOCK: Final = 8
"""How many rows have their signs side by side."""
WORD: Final = 64
MOST_DIMENSIONS: Final = 4096
SCALE: Final = 1_048_576.0

_ROUNDS: Final = 3
_SEED: Final = 0x7079_646F_6373_7471
_STEP: Final = 0x9E37_79B9_7F4A_7C15
_MASK: Final = (1 << WORD) - 1
_UNIT: Final = 302.0
LEVELS: Final = tuple(20 * m + 10 + ((m * m >> 2) ** 2 >> 7) for m in range(32))
LARGEST: Final = LEVELS[-1]
_BOUNDS: Final = tuple(float(one + two) for one, two in pairwise(LEVELS))


def padded(dimensions: int) -> int:
    """How many coordinates a rotated vector has."""
    return -(-dimensions // WORD) * WORD


def code_place(coordinate: int, size: int) -> int:
    """Where a coordinate of so many stands among low bits."""
    return coordinate % 8 * (size // 8) + coordinate // 8


def row_codes(size: int) -> int:
    """Bytes of five bits for each of so many coordinates."""
    return size // 2 + size // 8


def rotated(vector: Sequence[float]) -> list[float] | None:
    """The rotated vector, its squares adding up to as many as it has coordinates.

    None for a vector without a direction: nothing but zeros, or a number that is none.
    """
    size = padded(len(vector))
    block = size & -size
    turned = [*vector, *([0.0] * (size - len(vector)))]
    for signs in _signs(size):
        turned = [number * sign for number, sign in zip(turned, signs, strict=True)]
        blocks = [_hadamard(turned[at : at + block]) for at in range(0, size, block)]
        turned = [number for row in zip(*blocks, strict=True) for number in row]
    squares = 0.0
    for number in turned:
        squares += number * number
    if not 0.0 < squares < math.inf:
        return None
    scale = math.sqrt(size / squares)
    return [number * scale for number in turned]


@cache
def _signs(size: int) -> tuple[tuple[float, ...], ...]:
    words = size // WORD
    rounds = []
    for first in range(1, _ROUNDS * words + 1, words):
        bits = [_mixed(_SEED + _STEP * number) for number in range(first, first + words)]
        rounds.append(
            tuple(-1.0 if word >> bit & 1 else 1.0 for word in bits for bit in range(WORD))
        )
    return tuple(rounds)


def _mixed(word: int) -> int:
    word &= _MASK
    word = ((word ^ (word >> 30)) * 0xBF58_476D_1CE4_E5B9) & _MASK
    word = ((word ^ (word >> 27)) * 0x94D0_49BB_1331_11EB) & _MASK
    return word ^ (word >> 31)


def _hadamard(numbers: list[float]) -> list[float]:
    apart = 1
    while apart < len(numbers):
        following: list[float] = []
        for start in range(0, len(numbers), 2 * apart):
            left = numbers[start : start + apart]
            right = numbers[start + apart : start + 2 * apart]
            following += [one + two for one, two in zip(left, right, strict=True)]
            following += [one - two for one, two in zip(left, right, strict=True)]
        numbers = following
        apart *= 2
    return numbers


def write_vectors(
    vectors: bytes | memoryview, dimensions: int, records: bytes, marks: bytes, encoder: bytes
) -> bytes:
    """Gives the TQ section of records' vectors.

    Args:
        vectors: 32-bit floats, little-endian, vector after vector.
        dimensions: how many of them one vector has.
        records: the number of each vector's record, 32-bit little-endian, ascending.
        marks: the kind and the flags of each record, a byte each.
        encoder: the identity of what made the vectors, 32 bytes.

    Raises:
        ValueError: these do not fit together.
    """
    data = memoryview(vectors).cast("B")
    if len(data) % 4 or len(records) % 4 or len(marks) % 2:
        raise ValueError("the vectors, the records or their marks end within a number")
    if len(encoder) != IDENTITY:
        raise ValueError("an encoder's identity has 32 bytes")
    if not 1 <= dimensions <= MOST_DIMENSIONS:
        raise ValueError("vectors have 1 to 4096 dimensions")
    count = len(records) // 4
    if len(data) // 4 != count * dimensions or len(marks) // 2 != count:
        raise ValueError("the vectors, the records and their marks are not equally many")
    numbers = struct.unpack(f"<{count}I", records)
    if any(one >= two for one, two in pairwise(numbers)):
        raise ValueError("the records are not in ascending order")
    size = padded(dimensions)
    words = [0] * (-(-count // BLOCK) * BLOCK * (size // WORD))
    codes = bytearray(count * row_codes(size))
    rows = []
    for row, record in enumerate(numbers):
        vector = struct.unpack_from(f"<{dimensions}f", data, row * dimensions * 4)
        scale = _write_row(rotated(vector) or [], row, size, words, codes)
        rows.append(ROW.pack(record, scale, marks[2 * row], marks[2 * row + 1]))
    header = HEADER.pack(VERSION, dimensions, count, 0, encoder)
    return b"".join((header, *rows, struct.pack(f"<{len(words)}Q", *words), codes))


def _write_row(
    coordinates: list[float], row: int, size: int, words: list[int], codes: bytearray
) -> int:
    """Sets the bits of one row, and gives its scale."""
    half = size // 2
    start = row * row_codes(size)
    block = row // BLOCK * (size // WORD) * BLOCK + row % BLOCK
    along = 0.0
    for number, coordinate in enumerate(coordinates):
        code = bisect_right(_BOUNDS, 2.0 * _UNIT * abs(coordinate))
        along += abs(coordinate) * LEVELS[code]
        place = code_place(number, size)
        codes[start + place % half] |= (code & 15) << (4 * (place // half))
        codes[start + half + number // 8] |= code >> 4 << (number % 8)
        if coordinate < 0.0:
            words[block + number // WORD * BLOCK] |= 1 << (number % WORD)
    return min(int(size / along * SCALE + 0.5), 0xFFFF) if along > 0.0 else 0
