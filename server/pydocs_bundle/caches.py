"""Where the platform lets programs keep what they can make again."""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["user_caches"]


def user_caches() -> Path:
    """Our folder below the user's caches; it need not exist.

    Raises:
        RuntimeError: the user has no home folder.
    """
    return _platform_caches() / "pydocs"


def _platform_caches() -> Path:
    if sys.platform == "win32":
        given = os.environ.get("LOCALAPPDATA")
        return Path(given) if given else Path.home() / "AppData" / "Local"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    given = os.environ.get("XDG_CACHE_HOME")
    return Path(given) if given else Path.home() / ".cache"
