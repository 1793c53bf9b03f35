"""Which of a target's files go into its bundle."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from pydocs_builder.config import ProjectConfig
from pydocs_bundle.names import path_problem

__all__ = ["is_licence_file", "is_taken", "over_size", "storable"]

_LICENCE = re.compile(
    r"^(?:un)?(?:licen[cs]es?|copying|copyright|notice|authors?)(?:[-_.].*)?$", re.IGNORECASE
)
_NO_LICENCE_TEXT = (".py", ".pyi", ".pyc", ".json", ".html", ".css", ".js", ".so", ".c", ".h")
_DOCUMENT = re.compile(r"^(?:readme|changes|changelog|history|news|contributing)$", re.IGNORECASE)
_MANIFESTS = frozenset({"pyproject.toml", "setup.cfg"})


def is_taken(path: str, config: ProjectConfig) -> bool:
    """Whether a file is a source, a document, a licence text or a manifest."""
    name = PurePosixPath(path).name
    is_known = name.endswith(config.suffixes) or name in _MANIFESTS
    return is_known or _DOCUMENT.match(name) is not None or is_licence_file(path)


def is_licence_file(path: str) -> bool:
    """Whether a file is a licence text, by its name or by its place in the metadata folder."""
    pure = PurePosixPath(path)
    if ".dist-info/licenses/" in path or ".dist-info/license_files/" in path:
        return True
    return _LICENCE.match(pure.name) is not None and pure.suffix.lower() not in _NO_LICENCE_TEXT


def storable(
    files: Iterable[tuple[str, int]], config: ProjectConfig
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The paths of files that a bundle can hold, and a note on each of the others."""
    paths, notes = [], []
    for path, size in files:
        if problem := path_problem(path):
            notes.append(f"{_shown(path)}: left out, its path {problem}")
        elif size > config.max_file_bytes:
            notes.append(f"{path}: {over_size(size, config.max_file_bytes)}")
        else:
            paths.append(path)
    return tuple(paths), tuple(notes)


def over_size(size: int, most: int) -> str:
    """Why a file is left out, and which setting would let it in."""
    return f"left out, {size} bytes are over {most}; raise max-file-bytes"


def _shown(path: str) -> str:
    """The path with escapes for what cannot be shown."""
    return repr(path)[1:-1]
