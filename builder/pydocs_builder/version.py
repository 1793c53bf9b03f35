"""The version of this builder, for manifests; looking it up among installed metadata is slow."""

from __future__ import annotations

from typing import Final

__all__ = ["VERSION"]

VERSION: Final = "0.1.0"
