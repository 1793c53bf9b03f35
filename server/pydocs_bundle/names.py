"""Names that become file names, and paths that come from elsewhere: what is safe and what is not."""

from __future__ import annotations

__all__ = ["file_name", "path_problem"]


def file_name(name: str, version: str) -> str:
    """The file name of a bundle, `httpx-0.28.1.pdx`, of safe characters only."""
    raise NotImplementedError


def path_problem(path: str) -> str:
    """What forbids `path` in a bundle, as a clause; empty if nothing does."""
    raise NotImplementedError
