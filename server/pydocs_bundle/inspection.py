"""Showing what a bundle says about itself, in plain values that print as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pydocs_bundle.layout import CODEC_FRAMED, CODEC_RAW, CODEC_ZSTD, MAJOR
from pydocs_bundle.reader import Bundle

__all__ = ["inspect"]

_CODECS: Final = {CODEC_RAW: "raw", CODEC_ZSTD: "zstd", CODEC_FRAMED: "framed"}


def inspect(path: Path) -> dict[str, object]:
    """What the bundle at `path` says: its manifest, the file's length and format, each section.

    Raises:
        BundleError: the file is not a bundle that this reader accepts.
    """
    with Bundle.open(path) as bundle:
        layout = bundle.layout
        manifest: dict[str, object] = dict(bundle.manifest._asdict())
        return manifest | {
            "requirements": [wanted._asdict() for wanted in bundle.manifest.requirements],
            "bytes": len(bundle.view),
            "format": f"{MAJOR}.{layout.minor}",
            "sections": {
                section.id: {
                    "codec": _CODECS.get(section.codec, "unknown"),
                    "stored_bytes": section.stored_length,
                    "raw_bytes": section.raw_length,
                    "raw_sha256": bundle.manifest.sections.get(section.id, ""),
                    "stored_sha256": section.digest.hex(),
                }
                for section in layout.sections.values()
            },
        }
