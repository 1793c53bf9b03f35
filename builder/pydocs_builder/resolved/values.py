"""What an expression may stand for, and the reasons why that is not known."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

__all__ = ["LOCAL", "RESOLVED", "Sort", "Unknown", "Value"]


class Sort(IntEnum):
    """What a value is.

    `OUTSIDE` is an imported name of another distribution, of any sort; `OUTSIDE_MEMBER` what an
    object from there has under a name; `LOCAL` what is defined inside a function.
    """

    MODULE = 0
    CLASS = 1
    FUNCTION = 2
    PROPERTY = 3
    ATTRIBUTE = 4
    INSTANCE = 5
    SUPER = 6
    OUTSIDE = 7
    OUTSIDE_MEMBER = 8
    LOCAL = 9
    UNKNOWN = 10


class Value(NamedTuple):
    """A value: its class for `INSTANCE` and `SUPER`, a reason for `UNKNOWN`, else its own name."""

    sort: Sort
    name: str


RESOLVED: Final = frozenset(
    {Sort.CLASS, Sort.FUNCTION, Sort.ATTRIBUTE, Sort.OUTSIDE, Sort.OUTSIDE_MEMBER}
)
"""The sorts of values that an edge can lead to."""

LOCAL: Final = Value(Sort.LOCAL, "")


class Unknown:
    """The values that are not known, each with the reason that answers show."""

    TOO_DEEP: Final = Value(Sort.UNKNOWN, "too many steps")
    EXPRESSION: Final = Value(Sort.UNKNOWN, "an expression")
    UNTYPED: Final = Value(Sort.UNKNOWN, "a value of unknown type")
    PARAMETER: Final = Value(Sort.UNKNOWN, "a parameter without type")
    LOCAL: Final = Value(Sort.UNKNOWN, "a local of unknown type")
    UNDEFINED: Final = Value(Sort.UNKNOWN, "a name that nothing defines")
    NO_MEMBER: Final = Value(Sort.UNKNOWN, "no such attribute")
    SEVERAL: Final = Value(Sort.UNKNOWN, "more than one type")
    INHERITED: Final = Value(Sort.UNKNOWN, "perhaps inherited from outside")
    ITEM: Final = Value(Sort.UNKNOWN, "an item of a container")
    RESULT: Final = Value(Sort.UNKNOWN, "the result of a call outside")
