"""The numbers of the format: what an entry or an edge is, and what is claimed of it.

Apart from the records, so that a cold search does not pay for those only a build needs.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag

__all__ = ["Flag", "Kind", "ReferenceKind"]


class Kind(IntEnum):
    """What an entry is. The numbers are part of the format (`PXI` and `CHK`)."""

    MODULE = 1
    CLASS = 2
    FUNCTION = 3
    METHOD = 4
    PROPERTY = 5
    ATTRIBUTE = 6
    ALIAS = 7
    SECTION = 16
    CELL = 17
    DECISION = 32

    @property
    def label(self) -> str:
        """The lower-case word that answers and `--kind` use."""
        return self.name.lower()


class Flag(IntFlag):
    """Claims about an entry. The bits are part of the format."""

    PRIVATE = 1
    TEST = 2
    DEPRECATED = 4
    GENERATED = 8
    OVERLOAD = 16
    ASYNC = 32
    STUB = 64


class ReferenceKind(IntEnum):
    """What an edge says. The numbers are part of the format (`DB`)."""

    CALL = 1
    IMPORT = 2
    INHERIT = 3
    OVERRIDE = 4
    MENTION = 5
    GOVERN = 6
    DECORATE = 7
    READ = 8
    WRITE = 9
