"""The fates of requirements and targets, and what became of each target."""

from __future__ import annotations

from typing import NamedTuple

__all__ = [
    "BUILT",
    "FAILED",
    "NOT_FOUND",
    "NOT_INSTALLED",
    "REUSED",
    "UNSUITED",
    "LateError",
    "Outcome",
]

BUILT = "built"
REUSED = "reused"
FAILED = "failed"
NOT_FOUND = "not found"
NOT_INSTALLED = "not installed"
UNSUITED = "not for this environment"


class LateError(Exception):
    """A target took longer than it may."""


class Outcome(NamedTuple):
    """What became of one target.

    Args:
        kind: `project`, `dependency` or `docs`.
        name: the target's name.
        version: its version.
        fate: `built`, `reused` or `failed`.
        file: the bundle's file name, empty if there is none.
        size_bytes: how large it is.
        detail: why it failed; of a collection how much of it was read anew.
        notes: what was left out or went wrong on the way, a clause each.
    """

    kind: str
    name: str
    version: str
    fate: str
    file: str = ""
    size_bytes: int = 0
    detail: str = ""
    notes: tuple[str, ...] = ()
