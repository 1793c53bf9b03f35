"""From references by name to weighted links between the entries of one bundle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from pydocs_bundle.records import Entry, Flag, Kind, Reference, ReferenceKind

__all__ = ["Link", "find_links"]

# What uses a symbol says more of it than what names it; a base gathers all that its subclasses
# have, and tests use what nobody else does.
_USE: Final = 4
_NAMED: Final = 1
_LIGHT: Final = {ReferenceKind.IMPORT, ReferenceKind.INHERIT, ReferenceKind.MENTION}
_LEFT_OUT: Final = {ReferenceKind.OVERRIDE, ReferenceKind.GOVERN}
# By number: to look a kind up in a set costs ten times as much.
_WEIGHTS: Final = tuple(
    0 if kind in _LEFT_OUT else _NAMED if kind in _LIGHT else _USE
    for kind in range(max(ReferenceKind) + 1)
)
_NO_USE: Final = (ReferenceKind.IMPORT, ReferenceKind.MENTION)
_IS_USE: Final = tuple(kind not in _NO_USE for kind in range(max(ReferenceKind) + 1))
_IS_TEST: Final = Flag.TEST.value


class Link(NamedTuple):
    """What leads from one entry to another: how much it weighs, and whether it is a use.

    `is_use` is true where something that is no test calls, decorates with, inherits from, reads or
    writes the target.
    """

    weight: int
    is_use: bool


_NONE: Final = Link(0, is_use=False)


def find_links(
    entries: Sequence[Entry], references: Sequence[Reference]
) -> Mapping[tuple[int, int], Link]:
    """The link of each pair of entries that a resolved reference ties, in the order of the pairs.

    However often one entry names another, it counts once.
    """
    places = _places(entries)
    found: dict[tuple[int, int], Link] = {}
    for kind, source, target, _, _, _, _, reason in references:
        place = places.get(target)
        if reason or place is None or place == source or not _WEIGHTS[kind]:
            continue
        is_test = bool(entries[source].flags & _IS_TEST)
        weight = _NAMED if is_test else _WEIGHTS[kind]
        is_use = not is_test and _IS_USE[kind]
        before = found.get((source, place), _NONE)
        found[source, place] = Link(max(weight, before.weight), is_use or before.is_use)
    return dict(sorted(found.items()))


def _places(entries: Sequence[Entry]) -> dict[str, int]:
    """The first entry of each definition-site name."""
    places: dict[str, int] = {}
    for number, entry in enumerate(entries):
        if entry.kind < Kind.SECTION and entry.kind is not Kind.ALIAS:
            places.setdefault(entry.qualified_name, number)
    return places
