"""The `TQ` section as far as the format goes: what its header says of it."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Final

from pydocs_bundle.errors import BundleError

__all__ = ["check_vectors"]

_START: Final = struct.Struct("<III4x32s")
_VERSION: Final = 1


def check_vectors(section: memoryview, stated: Mapping[str, str], docs: int, path: str) -> None:
    """Refuse vectors that the manifest or the records contradict.

    Raises:
        BundleError: they were made by something else, or are more than there are documents.
    """
    if len(section) < _START.size:
        raise BundleError(path, "section TQ is shorter than its header")
    version, dimensions, rows, identity = _START.unpack_from(section)
    if version != _VERSION:
        raise BundleError(path, f"section TQ has version {version}", "update pydocs-server")
    if (stated.get("dimensions"), stated.get("identity")) != (str(dimensions), identity.hex()):
        raise BundleError(path, "its manifest names another encoder than section TQ")
    if rows > docs:
        raise BundleError(path, "section TQ has more vectors than there are documents")
