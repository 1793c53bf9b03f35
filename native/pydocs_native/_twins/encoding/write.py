"""Writing an encoder section from the tensors of a model in 32-bit floating point."""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping, Sequence

from pydocs_native._twins.encoding.float32 import added, rounded, scaled
from pydocs_native._twins.encoding.section import (
    EMPTY,
    GROUP,
    TILE,
    Header,
    LinearPlaces,
    NormPlaces,
    Places,
    fnv,
    malformed,
    places_of,
    probed,
    read_floats,
    write_floats,
)

__all__ = ["write_encoder"]

_Tensors = Mapping[str, bytes | memoryview]


def write_encoder(
    tensors: _Tensors,
    pieces: Sequence[str],
    *,
    layers: int,
    heads: int,
    positions: int,
    special: tuple[int, int, int, int, int],
    word_characters: int = 100,
    epsilon: float = 1e-12,
    is_first: bool = False,
) -> bytes:
    """Writes the encoder section of a BERT model.

    Args:
        tensors: little-endian 32-bit numbers by the names that BERT gives them.
        pieces: the pieces of words, a token each.
        layers: how many layers it has.
        heads: how many heads a layer has.
        positions: how many tokens it takes at most.
        special: its tokens for padding, unknown, start, end and mask.
        word_characters: the longest word that is taken apart.
        epsilon: what is added to a variance.
        is_first: whether a text's vector is that of its first token, not the mean of all.

    Raises:
        ValueError: a tensor is missing, or the sizes are none that an encoder has.
    """
    encoded = [piece.encode() for piece in pieces]
    header = Header(
        len(tensors.get("embeddings.LayerNorm.weight", b"")) // 4,
        layers,
        heads,
        len(tensors.get("encoder.layer.0.intermediate.dense.bias", b"")) // 4,
        positions,
        len(pieces),
        sum(map(len, encoded)),
        1 << (2 * len(pieces) - 1).bit_length() if pieces else 1,
        special,
        word_characters,
        epsilon,
        is_first,
    )
    header.check()
    places = places_of(header)
    writer = _Writer(tensors, bytearray(places.end))
    writer.section[:64] = header.packed()
    writer.pieces(header, places, encoded)
    writer.embeddings(header, places)
    # Scores are divided by the root of a head's size: the queries are, once and for all.
    root = rounded(1.0 / rounded(math.sqrt(header.hidden // header.heads)))
    for index, layer in enumerate(places.layers):
        name = f"encoder.layer.{index}"
        asked = [f"{name}.attention.self.{part}" for part in ("query", "key", "value")]
        writer.linear(layer.attention, asked, [root, 1.0, 1.0])
        writer.linear(layer.output, [f"{name}.attention.output.dense"], [1.0])
        writer.norm(layer.middle_norm, f"{name}.attention.output.LayerNorm")
        writer.linear(layer.up, [f"{name}.intermediate.dense"], [1.0])
        writer.linear(layer.down, [f"{name}.output.dense"], [1.0])
        writer.norm(layer.norm, f"{name}.output.LayerNorm")
    return bytes(writer.section)


class _Writer:
    def __init__(self, tensors: _Tensors, section: bytearray) -> None:
        self._tensors = tensors
        self.section = section

    def _tensor(self, name: str, size: int) -> array[float]:
        if name not in self._tensors:
            raise malformed(f"has no tensor {name}")
        content = self._tensors[name]
        if len(content) % 4 or len(content) // 4 < size:
            raise malformed(f"has a tensor {name} of another size")
        numbers = read_floats(content)
        if not all(map(math.isfinite, numbers)):
            raise malformed(f"has a tensor {name} that is not finite")
        return numbers[:size]

    def pieces(self, header: Header, places: Places, pieces: Sequence[bytes]) -> None:
        slots, ends, end = [EMPTY] * header.slots, [], 0
        for token, piece in enumerate(pieces):
            end += len(piece)
            ends.append(end)
            for slot in probed(fnv(piece), header.slots):
                if slots[slot] == EMPTY:
                    slots[slot] = token
                    break
            else:
                raise malformed("has too many pieces of one hash")
        self.section[places.slots] = b"".join(slot.to_bytes(2, "little") for slot in slots)
        self.section[places.ends] = b"".join(end.to_bytes(4, "little") for end in ends)
        self.section[places.pieces] = b"".join(pieces)

    def embeddings(self, header: Header, places: Places) -> None:
        hidden = header.hidden
        words = self._tensor("embeddings.word_embeddings.weight", header.vocabulary * hidden)
        codes, scales = [], array("f")
        for start in range(0, len(words), hidden):
            row, scale = _quantised(words[start : start + hidden])
            codes.append(row.tobytes())
            scales.append(scale)
        self.section[places.words] = b"".join(codes)
        self.section[places.word_scales] = write_floats(scales)
        size = header.positions * hidden
        positions = self._tensor("embeddings.position_embeddings.weight", size)
        kind = self._tensor("embeddings.token_type_embeddings.weight", hidden)
        summed = added(positions, kind * header.positions)
        self.section[places.positions] = write_floats(summed)
        self.norm(places.norm, "embeddings.LayerNorm")

    def norm(self, at: NormPlaces, name: str) -> None:
        size = (at.gains.stop - at.gains.start) // 4
        self.section[at.gains] = write_floats(self._tensor(f"{name}.weight", size))
        self.section[at.shifts] = write_floats(self._tensor(f"{name}.bias", size))

    def linear(self, at: LinearPlaces, names: Sequence[str], factors: Sequence[float]) -> None:
        """Writes matrices that take the same rows as one, each times its factor."""
        inputs, each = at.inputs, at.outputs // len(names)
        scales, offsets, biases = array("f"), array("f"), array("f")
        for name, factor in zip(names, factors, strict=True):
            weights = self._tensor(f"{name}.weight", inputs * each)
            for start in range(0, len(weights), inputs):
                codes, scale = _quantised(weights[start : start + inputs])
                scale = rounded(scale * factor)
                tile, channel = divmod(len(scales), TILE)
                place = at.tiles.start + tile * TILE * inputs + channel * GROUP
                stored = codes.tobytes()
                for group in range(0, inputs, GROUP):
                    target = place + group * TILE
                    self.section[target : target + GROUP] = stored[group : group + GROUP]
                scales.append(scale)
                offsets.append(scale * rounded(sum(codes)))
            biases += scaled(self._tensor(f"{name}.bias", each), factor)
        self.section[at.scales] = write_floats(scales)
        self.section[at.offsets] = write_floats(offsets)
        self.section[at.biases] = write_floats(biases)


def _quantised(numbers: array[float]) -> tuple[array[int], float]:
    """Numbers as codes from -127 to 127, and what one of them is worth."""
    scale = rounded(max(map(abs, numbers)) / 127.0)
    if scale <= 0.0:
        return array("b", bytes(len(numbers))), scale
    divided = array("f", (number / scale for number in numbers))
    return array("b", (max(-128, min(127, round(number))) for number in divided)), scale
