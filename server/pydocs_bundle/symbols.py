"""The `CHK` section: what a hit needs to be shown, and a name to be found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["Record", "Records"]


class Record(NamedTuple):
    """The shown fields of one entry; ids are those of `BundleContent.entries` and of `DB`."""

    id: int
    qualified_name: str
    public_name: str
    kind: int
    flags: int
    signature: str
    summary: str
    file: int
    start: int
    end: int
    start_line: int
    end_line: int
    parent: int
    bases: tuple[str, ...]
    aliases: tuple[str, ...]
    docstring_start: int
    docstring_end: int
    docstring_text: str


class Records:
    """The records of one bundle, inflated a few at a time."""

    docs: int

    def __len__(self) -> int:
        raise NotImplementedError

    def __getitem__(self, index: int) -> Record:
        raise NotImplementedError

    def __iter__(self) -> Iterator[Record]:
        raise NotImplementedError

    def find(self, name: str) -> list[int]:
        """The ids whose qualified name, public name or alias is exactly `name`, ascending."""
        raise NotImplementedError

    def find_tail(self, segment: str) -> list[int]:
        """The ids of symbols one of whose names ends in `.segment`, whatever the case."""
        raise NotImplementedError

    def children(self, index: int) -> list[int]:
        """The ids of the entries whose parent is `index`, ascending."""
        raise NotImplementedError
