"""What an expression may stand for, and the reasons why that is not known."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Final, NamedTuple, TypeAlias

__all__ = [
    "ANYWHERE",
    "CALLABLE",
    "RESOLVED",
    "Element",
    "Held",
    "Place",
    "Site",
    "Sort",
    "Unknown",
    "Value",
    "Values",
    "joined",
]

Place: TypeAlias = "tuple[int, int | str]"
"""A function: its module, and its symbol or, for a lambda, its chain."""

ANYWHERE: Final = -1
"""The place of what holds in its whole scope."""

_MOST: Final = 8


class Sort(IntEnum):
    """What a value is.

    `OUTSIDE` is an imported name of another distribution, of any sort; `OUTSIDE_MEMBER` what an
    object from there has under a name; `LOCAL` what is defined inside a function; `PARTIAL` a
    callable with some of its arguments.
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
    LAMBDA = 11
    PARTIAL = 12


class Site(NamedTuple):
    """Where a chain stands: module, scope, and the byte there, or -1 for anywhere in the scope."""

    module: int
    scope: int
    at: int = -1


class Element(NamedTuple):
    """One element of a display, or one argument: its chain, its key or keyword, its stars."""

    chain: str
    key: str = ""
    stars: str = ""


class Held(NamedTuple):
    """What a container holds: how that is told, by what, and which container it is.

    `display` tells it by `elements` at a `site`, `annotated` by `texts` there, `yields`, `rest`
    and `words` by the function at a `place`, `namespace` by a module in `texts`, `rows` and `row`
    by `columns`, all others by `values`.
    """

    kind: str
    values: Values = ()
    columns: tuple[Values, ...] = ()
    site: Site = Site(-1, -1)
    elements: tuple[Element, ...] = ()
    texts: tuple[str, ...] = ()
    place: Place = (-1, -1)
    identity: tuple[int, int] | None = None


_UNKNOWN: Final = Sort.UNKNOWN


class Value(NamedTuple):
    """A value: its class for `INSTANCE` and `SUPER`, a reason for `UNKNOWN`, else its own name.

    `owner` is the class of the object that a function is a method of, `held` what a container
    holds, `place` the module and the symbol (for a lambda its scope) of what has no name. `inner`
    is the callable of a `PARTIAL` with what it is `given`, the object of an `OUTSIDE_MEMBER`, and
    of a function before its decorators anything.
    """

    sort: Sort
    name: str
    owner: str = ""
    held: Held | None = None
    place: tuple[int, int] | None = None
    inner: Values = ()
    given: tuple[Site, str] | None = None


Values: TypeAlias = "tuple[Value, ...]"
"""What an expression may be: several values, or one that is not known."""

RESOLVED: Final = frozenset(
    {Sort.CLASS, Sort.FUNCTION, Sort.ATTRIBUTE, Sort.OUTSIDE, Sort.OUTSIDE_MEMBER}
)
"""The sorts of values that an edge can lead to."""

CALLABLE: Final = frozenset(
    {Sort.CLASS, Sort.FUNCTION, Sort.OUTSIDE, Sort.OUTSIDE_MEMBER, Sort.LOCAL, Sort.LAMBDA}
    | {Sort.PARTIAL}
)
"""The sorts of values that an attribute is asked for when it is called."""


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


def joined(several: Iterable[Values], otherwise: Value = Unknown.UNTYPED) -> Values:
    """All values that are known; where none is, why the first is not; too many say nothing."""
    found: dict[Value, None] = {}
    reason: Value | None = None
    several = list(several)
    if len(several) == 1 and len(several[0]) == 1:
        return several[0]
    for values in several:
        for value in values:
            if value[0] is not _UNKNOWN:
                found[value] = None
            elif reason is None or reason is Unknown.UNTYPED:
                reason = value
    if len(found) > _MOST:
        return (Unknown.SEVERAL,)
    return tuple(found) if found else (reason or otherwise,)
