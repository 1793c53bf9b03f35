"""The reference graph over everything mounted: edges stay in their bundles and are joined by name.

An edge names its target as the build saw it. Here the name is looked up in what is mounted: the
definition's own name, an alias, or a member that the receiver's class inherits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple, cast

from pydocs_bundle.records import Flag, Kind, ReferenceKind
from pydocs_server.mounted import names
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.database import ask
from pydocs_server.mounted.names import Found

__all__ = ["USES", "Arrivals", "Edge", "Graph", "Symbol"]

USES = (ReferenceKind.CALL, ReferenceKind.DECORATE)
"""The edges that make one symbol a caller of another."""

_CONSTRUCTORS = ("__init__", "__new__")
_USABLE_PARTS = (Kind.FUNCTION, Kind.METHOD, Kind.PROPERTY, Kind.CLASS)


class Symbol(NamedTuple):
    """One entry of one mounted bundle, by its numbers."""

    bundle: int
    entry: int


class Edge(NamedTuple):
    """One reference: from an entry, at a place, to a name; `reason` says why it is unresolved."""

    source: Symbol
    kind: ReferenceKind
    target: str
    file: int
    line: int
    column: int
    tier: str
    reason: str


class Arrivals(NamedTuple):
    """The edges that lead to a symbol, and the ones that may: same last name, not resolved.

    `unresolved` counts the latter by reason; `looked_in` are the bundles that were asked.
    """

    edges: list[Edge]
    unresolved: Counter[str]
    looked_in: list[int]


class Graph:
    """The edges of a catalog, for the length of one call: what a name led to is remembered.

    Args:
        catalog: what is mounted.
        within: the bundles whose edges count.
    """

    def __init__(self, catalog: Catalog, within: Collection[int] | None = None) -> None:
        self.catalog = catalog
        self._within = range(len(catalog.bundles)) if within is None else within
        self._resolved: dict[tuple[str, int], tuple[Symbol, ...]] = {}
        self._top_levels = {
            module for bundle in catalog.bundles for module in bundle.manifest.modules
        }

    def found(self, symbol: Symbol) -> Found:
        """The symbol with its record."""
        return Found(symbol.bundle, self.catalog.bundles[symbol.bundle].records[symbol.entry])

    def resolve(self, target: str, home: int) -> tuple[Symbol, ...]:
        """The mounted symbols that the target of an edge in bundle `home` means.

        What the bundle itself defines goes before what others call the same; of other packages,
        there is one symbol for each mounted version.
        """
        known = self._resolved.get((target, home))
        if known is None:
            known = self._defined(target, home)
            # Loosely spelled names are for people; an edge means exactly what it says.
            if not known and target.partition(".")[0] in self._top_levels:
                found = names.resolve(self.catalog, target)
                known = tuple(Symbol(each.bundle, each.record.id) for each in found)
                known = tuple(each for each in known if each.bundle == home) or known
            self._resolved[target, home] = known
        return known

    def _defined(self, target: str, home: int) -> tuple[Symbol, ...]:
        records = self.catalog.bundles[home].records
        return tuple(
            Symbol(home, entry)
            for entry in records.find(target)
            if records[entry].qualified_name == target and records[entry].kind != Kind.ALIAS
        )

    def arriving(self, targets: Iterable[Found], kinds: Sequence[ReferenceKind] = USES) -> Arrivals:
        """The edges to any of the symbols, by bundle and place, and what may lead there too.

        Modules are not called: what leads to one are the imports of it and of what is in it.
        """
        targets = list(targets)
        modules = [each for each in targets if each.record.kind == Kind.MODULE]
        wanted, written, tails = self._keys(each for each in targets if each not in modules)
        homes = {each.bundle for each in targets}
        provided = {name for home in homes for name in self.catalog.bundles[home].manifest.modules}
        arrivals = Arrivals([], Counter(), [])
        for index in self._within:
            imports = self.catalog.bundles[index].manifest.imports
            if index not in homes and provided.isdisjoint(imports):
                continue
            arrivals.looked_in.append(index)
            arrivals.edges.extend(self._importing(index, modules))
            for edge in self._named(index, tails, written, kinds):
                if edge.reason:
                    arrivals.unresolved[edge.reason] += 1
                elif edge.target in written or not wanted.isdisjoint(
                    self.resolve(edge.target, index)
                ):
                    arrivals.edges.append(edge)
        return arrivals

    def leaving(self, source: Found, kinds: Sequence[ReferenceKind] = USES) -> list[Edge]:
        """The edges from a symbol and from all that is defined in it, by place."""
        records = self.catalog.bundles[source.bundle].records
        waiting, entries = [source.record.id], []
        while waiting:
            entry = waiting.pop()
            entries.append(entry)
            if source.record.kind != Kind.MODULE:
                waiting += records[entry].children
        edges = [
            edge
            for entry in entries
            for edge in self._ask(source.bundle, "reference.source = ?", [entry], kinds)
        ]
        return sorted(edges, key=_place)

    def parts(self, found: Found) -> list[Found]:
        """A symbol and what is defined in it and can be used: functions, classes, methods."""
        records = self.catalog.bundles[found.bundle].records
        parts = [found]
        waiting = [*reversed(found.record.children)]
        while waiting:
            record = records[waiting.pop()]
            if record.kind in _USABLE_PARTS:
                parts.append(Found(found.bundle, record))
                waiting += reversed(record.children)
        return parts

    def is_test(self, symbol: Symbol) -> bool:
        """Whether the symbol is part of the tests."""
        return bool(self.found(symbol).record.flags & Flag.TEST)

    def _keys(self, targets: Iterable[Found]) -> tuple[set[Symbol], set[str], set[str]]:
        """What to look for: the symbols, names that can mean nothing else, and last segments.

        Calling a class is calling its constructor, and the other way round.
        """
        wanted: set[Symbol] = set()
        written: set[str] = set()
        tails: set[str] = set()
        for bundle, record, _ in targets:
            records = self.catalog.bundles[bundle].records
            same = [record]
            if record.kind == Kind.CLASS:
                written |= {f"{record.qualified_name}.{each}" for each in _CONSTRUCTORS}
            elif record.qualified_name.rpartition(".")[2] in _CONSTRUCTORS and record.parent >= 0:
                written.add(record.qualified_name)
                same = [records[record.parent]]
                wanted.add(Symbol(bundle, record.id))
            for each in same:
                wanted.add(Symbol(bundle, each.id))
                spellings = (each.qualified_name, each.public_name, *each.aliases)
                written.add(each.qualified_name)
                tails |= {name.rpartition(".")[2] for name in spellings if name}
        return wanted, written, tails

    def _importing(self, bundle: int, modules: Sequence[Found]) -> list[Edge]:
        """The imports in one bundle of modules and of what is in them, but from inside them."""
        records = self.catalog.bundles[bundle].records
        edges = []
        for module in modules:
            name = module.record.qualified_name
            condition = "(name.text = ? OR name.text > ? AND name.text < ?)"
            # `.` and `/` are neighbours: between them lie the names that begin with `name.`.
            values = [name, f"{name}.", f"{name}/"]
            for edge in self._ask(bundle, condition, values, [ReferenceKind.IMPORT]):
                source = records[edge.source.entry].qualified_name
                if bundle != module.bundle or not f"{source}.".startswith(f"{name}."):
                    edges.append(edge)
        return sorted(edges, key=_place)

    def _named(
        self,
        bundle: int,
        tails: Collection[str],
        written: Collection[str],
        kinds: Sequence[ReferenceKind],
    ) -> list[Edge]:
        """The edges of one bundle whose target has one of the last segments, or is one name."""
        unlike = [name for name in written if name.rpartition(".")[2] not in tails]
        edges = [
            edge
            for column, values in (("tail", tails), ("text", unlike))
            for value in values
            for edge in self._ask(bundle, f"name.{column} = ?", [value], kinds)
        ]
        return sorted(edges, key=_place)

    def _ask(
        self,
        bundle: int,
        condition: str,
        values: list[str] | list[int],
        kinds: Sequence[ReferenceKind],
    ) -> list[Edge]:
        rows = ask(
            self.catalog.bundles[bundle],
            # The condition is one of those written here, never a caller's text.
            "SELECT reference.source, reference.kind, name.text, reference.file, reference.line,"  # noqa: S608
            ' reference."column", reference.tier, reason.text'
            " FROM name JOIN reference ON reference.target = name.id"
            " LEFT JOIN reason ON reason.id = reference.reason"
            f" WHERE {condition} AND reference.kind IN ({', '.join('?' * len(kinds))})",
            [*values, *map(int, kinds)],
        )
        return [_edge(bundle, cast("_Row", row)) for row in rows]


_Row = tuple[int, int, str, int, int, int, str, str | None]


def _place(edge: Edge) -> tuple[int, int, int, str]:
    return edge.file, edge.line, edge.column, edge.target


def _edge(bundle: int, row: _Row) -> Edge:
    source, kind, target, file, line, column, tier, reason = row
    return Edge(
        Symbol(bundle, source),
        ReferenceKind(kind),
        target,
        file,
        line,
        column,
        tier,
        reason or "",
    )
