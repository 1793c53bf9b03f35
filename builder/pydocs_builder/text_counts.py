"""How many texts a build has to embed and has embedded, counted by all its workers together."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

__all__ = ["TextCounts", "note_texts", "share_counts"]


class TextCounts(Protocol):
    """How many texts are to be embedded and how many are, shared by all workers of a build."""

    def __getitem__(self, index: int) -> int: ...
    def __setitem__(self, index: int, count: int) -> None: ...
    def get_lock(self) -> AbstractContextManager[object]:
        """What to hold while they are changed."""


_counts: list[TextCounts] = []


def share_counts(counts: TextCounts | None) -> None:
    """Lets this process add to the counts of its build, or to none."""
    _counts[:] = [] if counts is None else [counts]


def note_texts(wanted: int, done: int) -> None:
    """Adds to what all workers have to embed, and to what they have embedded."""
    for counts in _counts:
        with counts.get_lock():
            counts[0] += wanted
            counts[1] += done
