"""What a `pylock.toml` says, the lock file of PEP 751."""

from __future__ import annotations

import re

from packaging.pylock import Package, Pylock, PylockValidationError
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from pydocs_builder.pinned.locks import Lock, gather
from pydocs_builder.wanted.declared import Pin
from pydocs_builder.wanted.pyproject import Table

__all__ = ["read_pylock"]

_GROUPS = re.compile(r"\b(?:extras|dependency_groups)\b")
_ALGORITHMS = ("sha256", "sha384", "sha512")


def read_pylock(path: str, table: Table) -> Lock:
    """What a parsed `pylock.toml` says; `ValueError` with a clause if it is none."""
    try:
        found = Pylock.from_dict(table)
    except PylockValidationError as error:
        raise ValueError(str(error)) from error
    pins, needs, provided = [], [], []
    for package in found.packages:
        key = canonicalize_name(package.name)
        if package.directory is not None:
            provided += [key] if package.directory.editable else []
            continue
        if package.version is not None:
            marker = str(package.marker or "")
            version = str(package.version)
            group = "a group of the lock" if _GROUPS.search(marker) else ""
            address = _address(package)
            pins.append(Pin(key, version, marker, path, _hashes(package), address, group))
        edges = [str(edge["name"]) for edge in package.dependencies or () if "name" in edge]
        needs.append((key, [Requirement(edge) for edge in edges]))
    return Lock(tuple(pins), gather(needs), tuple(provided), path)


def _hashes(package: Package) -> tuple[str, ...]:
    files = [*(package.wheels or ()), package.sdist, package.archive]
    return tuple(
        f"{algorithm}:{file.hashes[algorithm]}"
        for file in files
        if file is not None
        for algorithm in _ALGORITHMS
        if algorithm in file.hashes
    )


def _address(package: Package) -> str:
    if package.vcs is not None:
        return f"{package.vcs.type}+{package.vcs.url or package.vcs.path}@{package.vcs.commit_id}"
    if package.archive is not None:
        return package.archive.url or package.archive.path or ""
    return ""
