"""The encoder section: where everything is, checked before anything is read."""

from __future__ import annotations

import math
import struct
import sys
from array import array
from collections.abc import Iterator
from typing import NamedTuple

__all__ = [
    "EMPTY",
    "GROUP",
    "PROBES",
    "TILE",
    "Header",
    "LayerPlaces",
    "LinearPlaces",
    "NormPlaces",
    "Places",
    "finite",
    "fnv",
    "malformed",
    "places_of",
    "probed",
    "read_floats",
    "read_header",
    "write_floats",
]

_MEAN, _FIRST = 1, 2  # versions: vectors are means over all tokens, or those of the first
ALIGNMENT = 64
TILE = 16
GROUP = 4
PROBES = 256
EMPTY = 0xFFFF

_HEADER = struct.Struct("<15If")
_LIMIT_32 = 0xFFFF_FFFF
_LEAST = {
    "hidden": TILE,
    "layers": 1,
    "heads": 1,
    "intermediate": TILE,
    "positions": 2,
    "vocabulary": 5,
    "piece_bytes": 0,
    "slots": 2,
    "word_characters": 1,
}
_MOST = {
    "hidden": 4096,
    "layers": 64,
    "heads": 256,
    "intermediate": 16384,
    "positions": 4096,
    "vocabulary": EMPTY - 1,
    "piece_bytes": 1 << 24,
    "slots": 1 << 17,
    "word_characters": 1000,
}


class Header(NamedTuple):
    """The numbers at the start of a section; `is_first` is what its version says."""

    hidden: int
    layers: int
    heads: int
    intermediate: int
    positions: int
    vocabulary: int
    piece_bytes: int
    slots: int
    special: tuple[int, int, int, int, int]
    word_characters: int
    epsilon: float
    is_first: bool

    def packed(self) -> bytes:
        """The header's bytes."""
        *sizes, special, word_characters, epsilon, is_first = self
        version = _FIRST if is_first else _MEAN
        return _HEADER.pack(version, *sizes, *special, word_characters, epsilon)

    def check(self) -> None:
        """Refuses sizes that the arithmetic does not allow.

        Raises:
            ValueError: there are such.
        """
        is_whole = (
            self.hidden % TILE == 0
            and self.intermediate % TILE == 0
            and 1 <= self.heads <= _MOST["heads"]
            and self.hidden % (self.heads * TILE) == 0
            and self.slots.bit_count() == 1
            and self.slots > self.vocabulary
            and all(token < self.vocabulary for token in self.special)
            and 0.0 <= self.epsilon < 1.0
        )
        sizes = self._asdict()
        if not is_whole or any(not _LEAST[name] <= sizes[name] <= _MOST[name] for name in _MOST):
            raise malformed("has sizes that no encoder has")


def malformed(problem: str) -> ValueError:
    """The error of a section with a problem, a clause."""
    return ValueError(f"the encoder section {problem}")


def read_header(section: memoryview) -> Header:
    """The header of a section, checked.

    Raises:
        ValueError: it is none.
    """
    if len(section) < _HEADER.size:
        raise malformed("is too short for its header")
    version, *sizes, epsilon = _HEADER.unpack_from(section)
    if version not in {_MEAN, _FIRST}:
        raise malformed(f"has version {version}")
    hidden, layers, heads, intermediate, positions, vocabulary, piece_bytes, slots = sizes[:8]
    padding, unknown, start, end, mask, word_characters = sizes[8:]
    header = Header(
        *(hidden, layers, heads, intermediate, positions, vocabulary, piece_bytes, slots),
        (padding, unknown, start, end, mask),
        *(word_characters, epsilon, version == _FIRST),
    )
    header.check()
    return header


class LinearPlaces(NamedTuple):
    """Where the parts of a matrix are."""

    inputs: int
    outputs: int
    tiles: slice
    scales: slice
    offsets: slice
    biases: slice


class NormPlaces(NamedTuple):
    """Where the parts of a normalisation are."""

    gains: slice
    shifts: slice


class LayerPlaces(NamedTuple):
    """Where the parts of a layer are."""

    attention: LinearPlaces
    output: LinearPlaces
    middle_norm: NormPlaces
    up: LinearPlaces
    down: LinearPlaces
    norm: NormPlaces


class Places(NamedTuple):
    """Where everything is, and where it ends."""

    slots: slice
    ends: slice
    pieces: slice
    words: slice
    word_scales: slice
    positions: slice
    norm: NormPlaces
    layers: list[LayerPlaces]
    end: int


class _Cursor:
    def __init__(self, at: int) -> None:
        self.at = at

    def take(self, size: int) -> slice:
        start = -(-self.at // ALIGNMENT) * ALIGNMENT
        self.at = start + size
        return slice(start, self.at)

    def norm(self, hidden: int) -> NormPlaces:
        return NormPlaces(self.take(4 * hidden), self.take(4 * hidden))

    def linear(self, inputs: int, outputs: int) -> LinearPlaces:
        tiles = self.take(inputs * outputs)
        return LinearPlaces(inputs, outputs, tiles, *(self.take(4 * outputs) for _ in range(3)))


def places_of(header: Header) -> Places:
    """The places that a header which has been checked leads to."""
    cursor = _Cursor(_HEADER.size)
    hidden, intermediate = header.hidden, header.intermediate
    return Places(
        slots=cursor.take(2 * header.slots),
        ends=cursor.take(4 * header.vocabulary),
        pieces=cursor.take(header.piece_bytes),
        words=cursor.take(header.vocabulary * hidden),
        word_scales=cursor.take(4 * header.vocabulary),
        positions=cursor.take(4 * header.positions * hidden),
        norm=cursor.norm(hidden),
        layers=[
            LayerPlaces(
                attention=cursor.linear(hidden, 3 * hidden),
                output=cursor.linear(hidden, hidden),
                middle_norm=cursor.norm(hidden),
                up=cursor.linear(hidden, intermediate),
                down=cursor.linear(intermediate, hidden),
                norm=cursor.norm(hidden),
            )
            for _ in range(header.layers)
        ],
        end=cursor.at,
    )


def read_floats(content: bytes | memoryview) -> array[float]:
    """Little-endian 32-bit numbers."""
    numbers = array("f", bytes(content))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def write_floats(numbers: array[float]) -> bytes:
    """Numbers as little-endian 32-bit ones."""
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()


def finite(content: memoryview) -> array[float]:
    """Numbers of a section.

    Raises:
        ValueError: one of them is not finite.
    """
    numbers = read_floats(content)
    if not all(map(math.isfinite, numbers)):
        raise malformed("has a number that is not finite")
    return numbers


def fnv(content: bytes) -> int:
    """The FNV-1a hash of bytes, of 32 bits."""
    state = 0x811C_9DC5
    for byte in content:
        state = ((state ^ byte) * 0x0100_0193) & _LIMIT_32
    return state


def probed(state: int, slots: int) -> Iterator[int]:
    """The slots that are looked at for a hash, in order."""
    first = state ^ (state >> 15)
    for step in range(PROBES):
        yield (first + step) & (slots - 1)
