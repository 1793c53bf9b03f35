"""Texts to vectors: the whole way of a text through the model."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from itertools import repeat
from operator import add, mul
from typing import NamedTuple, TypeAlias

from pydocs_native._twins.encoding.float32 import (
    added,
    bounds,
    exp,
    gelu,
    rounded,
    scaled,
    shifted,
    sum_of,
    times,
)
from pydocs_native._twins.encoding.section import (
    GROUP,
    TILE,
    LayerPlaces,
    LinearPlaces,
    NormPlaces,
    finite,
    malformed,
    places_of,
    read_header,
    write_floats,
)
from pydocs_native._twins.encoding.tokens import Tokenizer

__all__ = ["Encoder"]

_Row: TypeAlias = "array[float]"


class Encoder:
    """A model that turns texts into vectors.

    Args:
        model: the encoder section, read-only.

    Raises:
        TypeError: the section is memory that can be written to.
        ValueError: the section is none.
    """

    def __init__(self, model: bytes | memoryview) -> None:
        section = memoryview(model)
        if not section.readonly:
            message = "memory that can be written to cannot be searched"
            raise TypeError(message)
        header = self._header = read_header(section)
        places = places_of(header)
        if places.end != len(section):
            message = f"has {len(section)} bytes where its sizes want {places.end}"
            raise malformed(message)
        self._tokenizer = Tokenizer(section, header, places)
        self._words = section[places.words]
        self._word_scales = finite(section[places.word_scales])
        self._positions = finite(section[places.positions])
        self._norm = _Norm.at(section, places.norm)
        self._layers = [_Layer.at(section, layer) for layer in places.layers]

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return self._header.hidden

    def tokenize(self, text: str) -> list[int]:
        """Gives the tokens of a text, start and end included."""
        return self._tokenizer.tokens(text)

    def encode(self, texts: Sequence[str]) -> bytes:
        """Gives the vectors of texts as little-endian 32-bit numbers, one behind the other."""
        return b"".join(write_floats(self._vector(self.tokenize(text))) for text in texts)

    def _vector(self, tokens: Sequence[int]) -> _Row:
        hidden, epsilon = self._header.hidden, self._header.epsilon
        rows = []
        for place, token in enumerate(tokens):
            codes = self._words[token * hidden : (token + 1) * hidden].cast("b")
            row = scaled(codes, self._word_scales[token])
            row = added(row, self._positions[place * hidden : (place + 1) * hidden])
            rows.append(self._norm.of(row, epsilon))
        for layer in self._layers:
            rows = layer.of(rows, self._header.heads, epsilon)
        pooled = array("f", bytes(4 * hidden))
        for row in rows[:1] if self._header.is_first else rows:
            pooled = added(pooled, row)
        length = rounded(math.sqrt(sum_of(times(pooled, pooled))))
        return scaled(pooled, rounded(1.0 / length) if length > 0.0 else 0.0)


class _Norm(NamedTuple):
    """A normalisation."""

    gains: _Row
    shifts: _Row

    @classmethod
    def at(cls, section: memoryview, places: NormPlaces) -> _Norm:
        return cls(finite(section[places.gains]), finite(section[places.shifts]))

    def of(self, row: _Row, epsilon: float) -> _Row:
        """A row of mean 0 and variance 1, before gain and shift."""
        size = len(row)
        row = shifted(row, rounded(sum_of(row) / size))
        variance = rounded(sum_of(times(row, row)) / size)
        deviation = rounded(math.sqrt(rounded(variance + epsilon)))
        factor = rounded(1.0 / deviation) if deviation > 0.0 else 0.0
        return added(times(scaled(row, factor), self.gains), self.shifts)


class _Linear(NamedTuple):
    """A matrix: for each channel its codes, their scale, what an offset adds, and its bias."""

    codes: list[bytes]
    scales: _Row
    offsets: _Row
    biases: _Row

    @classmethod
    def at(cls, section: memoryview, places: LinearPlaces) -> _Linear:
        tiles, inputs = section[places.tiles], places.inputs
        codes = []
        for channel in range(places.outputs):
            start = channel // TILE * TILE * inputs + channel % TILE * GROUP
            groups = (start + group * TILE for group in range(0, inputs, GROUP))
            codes.append(b"".join(tiles[at : at + GROUP] for at in groups))
        numbers = (places.scales, places.offsets, places.biases)
        return cls(codes, *(finite(section[place]) for place in numbers))

    def of(self, row: _Row) -> _Row:
        """A row through the matrix: 8-bit codes, exact sums, and what they are worth."""
        least, most = bounds(row)
        extent = rounded(most - least)
        scale = rounded(extent / 255.0)
        factor = rounded(255.0 / extent) if extent > 0.0 else 0.0
        placed = array("f", map(add, scaled(shifted(row, least), factor), repeat(8_388_608.0)))
        codes = [int(number) & 0xFF for number in placed]
        sums = array("f", (sum(map(mul, codes, memoryview(own).cast("b"))) for own in self.codes))
        worth = times(sums, scaled(self.scales, scale))
        return added(worth, added(scaled(self.offsets, least), self.biases))


class _Layer(NamedTuple):
    """One of the layers."""

    attention: _Linear
    output: _Linear
    middle_norm: _Norm
    up: _Linear
    down: _Linear
    norm: _Norm

    @classmethod
    def at(cls, section: memoryview, places: LayerPlaces) -> _Layer:
        return cls(
            _Linear.at(section, places.attention),
            _Linear.at(section, places.output),
            _Norm.at(section, places.middle_norm),
            _Linear.at(section, places.up),
            _Linear.at(section, places.down),
            _Norm.at(section, places.norm),
        )

    def of(self, rows: list[_Row], heads: int, epsilon: float) -> list[_Row]:
        taken = _attended([self.attention.of(row) for row in rows], heads)
        rows = [
            self.middle_norm.of(added(row, self.output.of(other)), epsilon)
            for row, other in zip(rows, taken, strict=True)
        ]
        wide = (array("f", map(gelu, self.up.of(row))) for row in rows)
        return [
            self.norm.of(added(row, self.down.of(other)), epsilon)
            for row, other in zip(rows, wide, strict=True)
        ]


def _attended(asked: list[_Row], heads: int) -> list[_Row]:
    """What each token takes from the others, head by head."""
    hidden = len(asked[0]) // 3
    size = hidden // heads
    taken = [array("f") for _ in asked]
    for start in range(0, hidden, size):
        key, value = hidden + start, 2 * hidden + start
        # Part by part, all tokens beside each other: as the sums run in Rust.
        parts = [array("f", (row[key + part] for row in asked)) for part in range(size)]
        for row, into in zip(asked, taken, strict=True):
            scores = array("f", bytes(4 * len(asked)))
            for query, keys in zip(row[start : start + size], parts, strict=True):
                scores = added(scores, scaled(keys, query))
            most = max(scores)
            weights = array("f", (exp(rounded(score - most)) for score in scores))
            padding = array("f", bytes(4 * (-len(weights) % TILE)))
            factor = rounded(1.0 / sum_of(weights + padding))
            sums = array("f", bytes(4 * size))
            for weight, other in zip(weights, asked, strict=True):
                sums = added(sums, scaled(other[value : value + size], weight))
            into.extend(scaled(sums, factor))
    return taken
