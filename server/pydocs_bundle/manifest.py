"""The manifest: who a bundle is, in canonical JSON that one glance can read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["Manifest"]


class Manifest(NamedTuple):
    """What a bundle says about itself.

    `counts` has `files`, `entries`, `texts`, `references`, `decisions`, `requirements`,
    `text_bytes`; `sections` maps a section's id to the SHA-256 of its raw form.
    """

    kind: str
    name: str
    version: str
    content_id: str
    summary: str
    licence: str
    licence_files: tuple[str, ...]
    modules: tuple[str, ...]
    imports: tuple[str, ...]
    source: Mapping[str, str]
    counts: Mapping[str, int]
    notes: tuple[str, ...]
    builder: Mapping[str, str]
    fingerprint: str
    sections: Mapping[str, str]
