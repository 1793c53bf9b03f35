"""Writing a bundle: from frozen records to one file, whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import mkstemp
from typing import Final

from pydocs_bundle.content import content_problem
from pydocs_bundle.database import write_database
from pydocs_bundle.frames import DEFAULT_LEVEL, compress
from pydocs_bundle.layout import CODEC_FRAMED, CODEC_RAW, CODEC_ZSTD, write_layout
from pydocs_bundle.manifest import Manifest, content_id, write_manifest
from pydocs_bundle.records import BundleContent
from pydocs_bundle.symbols import write_records
from pydocs_bundle.text import write_text
from pydocs_native import write_postings

__all__ = ["encode_bundle", "write_bundle"]

_NO_ENCODER: Final[Mapping[str, str]] = {}
_READABLE: Final = 0o644


def write_bundle(
    path: Path,
    content: BundleContent,
    *,
    builder: Mapping[str, str],
    fingerprint: str = "",
    level: int = DEFAULT_LEVEL,
    vectors: bytes | None = None,
    model: bytes | None = None,
    encoder: Mapping[str, str] = _NO_ENCODER,
) -> Manifest:
    """Write `content` to `path` under a temporary name, and rename it when it is whole.

    Args:
        path: where the bundle is to appear.
        content: what it says.
        builder: what builds it, name to version; not part of the content's identity.
        fingerprint: what it was built from, for whoever decides later if it can be reused.
        level: the zstd level; it changes the file, but not `content_id`.
        vectors: the `TQ` section, if there are vectors.
        model: the `ENC` section, if this is an encoder.
        encoder: what the manifest says of the encoder, or of the one that made the vectors.

    Raises:
        ValueError: the content contradicts itself or has an unsafe path.
    """
    manifest, encoded = encode_bundle(
        content,
        builder=builder,
        fingerprint=fingerprint,
        level=level,
        vectors=vectors,
        model=model,
        encoder=encoder,
    )
    # The name does not end in `.pdx`, so that nobody mounts what a killed build leaves behind.
    handle, name = mkstemp(prefix=f".{path.name}.", suffix=".partial", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(encoded)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(_READABLE)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return manifest


def encode_bundle(
    content: BundleContent,
    *,
    builder: Mapping[str, str],
    fingerprint: str = "",
    level: int = DEFAULT_LEVEL,
    vectors: bytes | None = None,
    model: bytes | None = None,
    encoder: Mapping[str, str] = _NO_ENCODER,
) -> tuple[Manifest, bytes]:
    """The manifest and all bytes of the bundle that says `content`."""
    problem = content_problem(content)
    if not problem and (content.kind == "encoder") != (model is not None):
        problem = "an encoder needs a model, and nothing else has one"
    if problem:
        raise ValueError(f"{content.name} {content.version}: {problem}")
    documents = content.entries[: len(content.texts)]
    kinds = bytes(entry.kind for entry in documents)
    flags = bytes(entry.flags for entry in documents)
    postings = write_postings(content.texts, kinds, flags)
    records, raw_records = write_records(
        content.entries, content.files, len(content.texts), level, content.scores
    )
    text, raw_text = write_text(content.files, level)
    image = write_database(content)
    sections = [
        ("CHK", CODEC_FRAMED, raw_records, records),
        ("DB", CODEC_ZSTD, image.raw, compress(image.raw, level)),
    ]
    if model is not None:
        sections.append(("ENC", CODEC_RAW, model, model))
    sections += [
        ("PXI", CODEC_RAW, postings, postings),
        ("TEXT", CODEC_FRAMED, raw_text, text),
    ]
    if vectors is not None:
        sections.append(("TQ", CODEC_RAW, vectors, vectors))
    unsigned = Manifest(
        kind=content.kind,
        name=content.name,
        version=content.version,
        content_id="",
        summary=content.summary,
        licence=content.licence,
        licence_files=content.licence_files,
        modules=content.modules,
        imports=content.imports,
        source=dict(content.source),
        counts=_counts(content),
        notes=content.notes,
        builder=dict(builder),
        fingerprint=fingerprint,
        sections={name: sha256(raw).hexdigest() for name, _, raw, _ in sections},
        dump=image.dump,
        layers=dict(content.layers),
        requirements=tuple(sorted(wanted for wanted in content.requirements if wanted.fate)),
        resolved_with=dict(content.resolved_with),
        encoder=dict(encoder),
    )
    manifest = unsigned._replace(content_id=content_id(unsigned))
    encoded = write_layout(
        ((name, codec, len(raw), stored) for name, codec, raw, stored in sections),
        write_manifest(manifest),
        vectors=vectors is not None,
    )
    return manifest, encoded


def _counts(content: BundleContent) -> dict[str, int]:
    return {
        "decisions": len(content.decisions),
        "entries": len(content.entries),
        "files": len(content.files),
        "references": len(content.references),
        "requirements": len(content.requirements),
        "text_bytes": sum(len(file.text) for file in content.files),
        "texts": len(content.texts),
    }
