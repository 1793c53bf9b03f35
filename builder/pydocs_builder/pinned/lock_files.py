"""Which files are locks, what reads each of them, and which one counts before which."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import PurePosixPath

from pydocs_builder.pinned.lock_pdm import read_pdm_lock
from pydocs_builder.pinned.lock_pipenv import read_pipenv_lock
from pydocs_builder.pinned.lock_poetry import read_poetry_lock
from pydocs_builder.pinned.lock_pylock import read_pylock
from pydocs_builder.pinned.lock_uv import read_uv_lock
from pydocs_builder.pinned.locks import Lock
from pydocs_builder.wanted.pyproject import Table

__all__ = ["is_lock", "lock_rank", "read_lock"]

# A tool's own lock is what it installs from; a pylock.toml beside it is an export of it.
_READERS: dict[str, Callable[[str, Table], Lock]] = {
    "uv.lock": read_uv_lock,
    "poetry.lock": read_poetry_lock,
    "pdm.lock": read_pdm_lock,
    "Pipfile.lock": read_pipenv_lock,
    "pylock.toml": read_pylock,
}
_ORDER = tuple(_READERS)
_NAMED_PYLOCK = re.compile(r"^pylock\.[^.]+\.toml$")


def is_lock(path: str) -> bool:
    """Whether a path is called like a lock file."""
    return _kind(path) != ""


def lock_rank(path: str) -> tuple[int, int, str]:
    """What orders locks by precedence: the shallowest folder, then the tool."""
    name = PurePosixPath(path).name
    # The pylock.toml without a name of its own is the main one.
    return path.count("/"), _ORDER.index(_kind(path)) + (name not in _READERS), path


def read_lock(path: str, text: str) -> Lock:
    """What the text of a lock file says; `ValueError` with a clause if it cannot be read."""
    kind = _kind(path)
    table = json.loads(text) if kind == "Pipfile.lock" else tomllib.loads(text)
    if not isinstance(table, dict):
        raise ValueError("its top is no table")  # noqa: TRY004 - what callers expect of bad text
    return _READERS[kind](path, table)


def _kind(path: str) -> str:
    name = PurePosixPath(path).name
    if _NAMED_PYLOCK.match(name):
        return "pylock.toml"
    return name if name in _READERS else ""
