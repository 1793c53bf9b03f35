"""What the target of an edge means in all that is mounted: the seam between bundles.

An edge names its target as its own bundle saw it. That name is looked up, in this order, as a
definition, as an alias, and as a member that the receiver's class inherits, wherever its bases are.
"""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

from pydocs_bundle.records import Kind
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.names import Found, Walk
from pydocs_server.mounted.spelling import normalised

__all__ = ["Joins", "Symbol"]

_MOST_KNOWN = 200_000


class Symbol(NamedTuple):
    """One entry of one mounted bundle, by its numbers."""

    bundle: int
    entry: int


_Meanings = dict[tuple[str, int], tuple[Symbol, ...]]
# What is mounted never changes, so what a name meant to one call it means to the next.
_known: WeakKeyDictionary[Catalog, _Meanings] = WeakKeyDictionary()


class Joins:
    """The meanings of names in a catalog, for the length of one call.

    Args:
        catalog: what is mounted.
    """

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._walk = Walk(catalog)
        self._meanings = _known.setdefault(catalog, {})
        if len(self._meanings) > _MOST_KNOWN:
            self._meanings.clear()
        self._importers: dict[str, list[int]] | None = None

    def meant(self, target: str, home: int) -> tuple[Symbol, ...]:
        """The mounted symbols that the target of an edge in bundle `home` means.

        What the bundle itself defines goes before what others call the same. Of another package
        there is one symbol for each mounted version, or only that of the version which the edge
        was made with, where that one is mounted.
        """
        key = (target, home)
        known = self._meanings.get(key)
        if known is None:
            known = self._meanings[key] = self._found(target, home)
        return known

    def _found(self, target: str, home: int) -> tuple[Symbol, ...]:
        records = self.catalog.bundles[home].records
        own = tuple(
            Symbol(home, entry)
            for entry in records.find(target)
            if records[entry].qualified_name == target and records[entry].kind != Kind.ALIAS
        )
        if own:
            return own
        self._walk.begin()
        head = target.partition(".")[0]
        if home in self.catalog.providers(head) and (here := self._walk.lookup(target, [home])):
            return _symbols(here)
        found: list[Found] = []
        for index in self.catalog.meant_by(home, head):
            found += self._walk.lookup(target, [index])
        return _symbols(found)

    def line(self, found: Found) -> list[Found]:
        """A class and its mounted bases in method resolution order."""
        self._walk.begin()
        return self._walk.ancestry(found)

    def built_against(self, home: int, target: int) -> str:
        """`httpx 0.27.0` where an edge between two bundles was made with another version."""
        if home == target:
            return ""
        manifest = self.catalog.bundles[target].manifest
        seen = self.catalog.versions_seen(home).get(normalised(manifest.name), manifest.version)
        return f"{manifest.name} {seen}" if seen != manifest.version else ""

    def importers(self, bundle: int) -> list[int]:
        """The other bundles that import something of a bundle, or have an edge into it."""
        if self._importers is None:
            self._importers = {}
            for index, each in enumerate(self.catalog.bundles):
                for module in each.manifest.imports:
                    self._importers.setdefault(module, []).append(index)
        found = {
            index
            for module in self.catalog.bundles[bundle].manifest.modules
            for index in self._importers.get(module, ())
        }
        return sorted(found - {bundle})


def _symbols(found: list[Found]) -> tuple[Symbol, ...]:
    return tuple(dict.fromkeys(Symbol(each.bundle, each.record.id) for each in found))
