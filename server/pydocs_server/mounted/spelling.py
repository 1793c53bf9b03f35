"""How people spell a package: by distribution or import name, with or without a version."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

__all__ = [
    "Spelling",
    "has_version",
    "normalised",
    "taken_apart",
    "version_key",
    "without_conditions",
]

_RUNS: Final = re.compile(r"[-_.]+")
_VERSIONED: Final = re.compile(r"(?P<name>[^=@\s]+)\s*(?:===?|@)\s*v?(?P<version>[^\s@=]+)")
_EXTRAS: Final = re.compile(r"(?<=\w)\s*\[[\w\s.,-]*\]")
_PARTS: Final = re.compile(r"\d+|[a-z]+")
_BEFORE_RELEASE: Final = frozenset({"a", "alpha", "b", "beta", "c", "dev", "pre", "rc"})


class Spelling(NamedTuple):
    """A package as the user wrote it: its name, and a version where one is asked for."""

    name: str
    version: str = ""


def taken_apart(text: str) -> Spelling:
    """`httpx`, `httpx[http2]`, `httpx==0.28.1` or `httpx@0.28.1` as name and version."""
    written = _EXTRAS.sub("", text.strip())
    match = _VERSIONED.fullmatch(written)
    return Spelling(match["name"], match["version"]) if match else Spelling(written)


def without_conditions(text: str) -> str:
    """The name that a requirement begins with: `httpx` of `httpx[http2]>=0.20`."""
    match = re.match(r"[\w.-]*\w", text.strip())
    return match.group() if match else ""


def normalised(name: str) -> str:
    """The name as PEP 503 compares it: `Zope.Interface` is `zope-interface`."""
    return _RUNS.sub("-", name).lower()


def has_version(version: str, asked: str) -> bool:
    """Whether a version is the one asked for, or a later part of it: `1.10.2` is a `1.10`."""
    return version == asked or version.startswith((f"{asked}.", f"{asked}+"))


def version_key(version: str) -> tuple[tuple[int, str], ...]:
    """A key that sorts versions as people read them: numbers as numbers, `1.0rc1` before `1.0`."""
    key: list[tuple[int, str]] = []
    for part in _PARTS.findall(version.lower().partition("+")[0]):
        if part.isdigit():
            key.append((int(part[:18]), ""))
        else:
            key.append((-2 if part == "dev" else -1 if part in _BEFORE_RELEASE else 0, part))
    # The end of a version sorts after `rc` and before another number.
    return (*key, (0, ""))
