"""Writing a bundle: from frozen records to one file, whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pydocs_bundle.manifest import Manifest
from pydocs_bundle.records import BundleContent

__all__ = ["write_bundle"]


def write_bundle(
    path: Path,
    content: BundleContent,
    *,
    builder: Mapping[str, str],
    fingerprint: str = "",
    level: int = 9,
    vectors: bytes | None = None,
) -> Manifest:
    """Write `content` to `path` under a temporary name, and rename it when it is whole."""
    raise NotImplementedError
