"""The reference graph over everything mounted: edges stay in their bundles and are joined by name.

A bundle's edges are asked for only if the bundle can have any: it imports what the target is in, or
something that passes the target on. Names come before edges: what does not mean the target costs
one look at a name, however often it is called.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple, TypeVar, cast

from pydocs_bundle import Record
from pydocs_bundle.records import Flag, Kind, ReferenceKind
from pydocs_server.mounted.carriers import spread
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.database import Value, ask
from pydocs_server.mounted.joins import Joins, Symbol
from pydocs_server.mounted.names import Found

__all__ = ["CONSTRUCTORS", "USES", "Arrivals", "Edge", "Graph", "Symbol", "last_of", "symbol_of"]

USES: Final = (ReferenceKind.CALL, ReferenceKind.DECORATE)
"""The edges that make one symbol a caller of another."""

CONSTRUCTORS: Final = ("__init__", "__new__")
"""The methods that calling a class calls."""

_USABLE_PARTS: Final = (Kind.FUNCTION, Kind.METHOD, Kind.PROPERTY, Kind.CLASS)
_AT_ONCE: Final = 400


class Edge(NamedTuple):
    """One reference: from an entry, at a place, to a name; `reason` says why it is unresolved.

    `tier` is `exact`, `syntactic`, or `may` where an overriding method may run instead of the one
    that the name means.
    """

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


class _Sought(NamedTuple):
    """What edges are looked for: by meaning, by whole name, and the last segments that they have.

    `written` are constructors, whose last segment a bundle has by the thousand.
    """

    meant: set[Symbol]
    written: set[str]
    tails: set[str]


class Graph:
    """The edges of a catalog, for the length of one call.

    Args:
        catalog: what is mounted.
        within: the bundles whose edges count.
    """

    def __init__(self, catalog: Catalog, within: Collection[int] | None = None) -> None:
        self.catalog = catalog
        self.within = frozenset(range(len(catalog.bundles)) if within is None else within)
        self.joins = Joins(catalog)
        self._named: dict[tuple[int, str], list[tuple[int, str]]] = {}
        self._lines: dict[tuple[int, int], list[bytes]] = {}
        self._records: dict[Symbol, Record] = {}

    def record(self, symbol: Symbol) -> Record:
        """The record of a symbol."""
        known = self._records.get(symbol)
        if known is None:
            known = self.catalog.bundles[symbol.bundle].records[symbol.entry]
            self._records[symbol] = known
        return known

    def found(self, symbol: Symbol) -> Found:
        """The symbol with its record."""
        return Found(symbol.bundle, self.record(symbol))

    def resolve(self, target: str, home: int) -> tuple[Symbol, ...]:
        """The mounted symbols that the target of an edge in bundle `home` means."""
        return self.joins.meant(target, home)

    def arriving(
        self,
        targets: Iterable[Found],
        kinds: Sequence[ReferenceKind] = USES,
        *,
        constructed: Iterable[Found] = (),
        is_counting: bool = True,
    ) -> Arrivals:
        """The edges to any of the symbols, by bundle and place, and what may lead there too.

        Modules are not called: what leads to one are the imports of it and of what is in it.

        Args:
            targets: the symbols.
            kinds: the kinds of edges.
            constructed: classes whose construction counts as well.
            is_counting: whether the unresolved ones are counted.
        """
        every = list(targets)
        modules = [each for each in every if each.record.kind == Kind.MODULE]
        members = [each for each in every if each.record.kind != Kind.MODULE]
        sought = self._sought([*members, *constructed])
        homes = {each.bundle for each in every}
        places = homes | {index for home in homes for index in self.joins.importers(home)}
        if members:
            carried = spread(self, members)
            sought.tails.update(carried.tails)
            places |= carried.bundles
        arrivals = Arrivals([], Counter(), sorted(places & self.within))
        for index in arrivals.looked_in:
            if modules:
                arrivals.edges.extend(self._importing(index, modules))
            arrivals.edges.extend(self._leading_to(index, sought, kinds))
            if is_counting and sought.tails:
                arrivals.unresolved.update(self._unresolved(index, sought.tails, kinds))
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
        edges: list[Edge] = []
        for some in _batches(entries):
            condition = f"reference.source IN ({_marks(some)})"
            edges += self._ask(source.bundle, condition, some, kinds)
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
        return bool(self.record(symbol).flags & Flag.TEST)

    def line(self, edge: Edge) -> bytes:
        """The line of source that an edge is on, without its end; empty where there is none."""
        key = edge.source.bundle, edge.file
        lines = self._lines.get(key)
        if lines is None:
            text = self.catalog.bundles[edge.source.bundle].text.read(edge.file)
            lines = self._lines[key] = text.split(b"\n")
        return lines[edge.line - 1].rstrip(b"\r") if 0 < edge.line <= len(lines) else b""

    def named(self, bundle: int, tails: Iterable[str]) -> list[tuple[int, str]]:
        """The names of one bundle's graph that end in one of some segments, with their numbers."""
        fresh = [tail for tail in tails if (bundle, tail) not in self._named]
        for some in _batches(fresh):
            for tail in some:
                self._named[bundle, tail] = []
            question = f"SELECT tail, id, text FROM name WHERE tail IN ({_marks(some)})"  # noqa: S608 - only marks
            rows = cast("list[tuple[str, int, str]]", self.rows(bundle, question, some))
            for tail, number, text in rows:
                self._named[bundle, tail].append((number, text))
        return [each for tail in tails for each in self._named[bundle, tail]]

    def meaning(self, bundle: int, tails: Iterable[str], symbols: Collection[Symbol]) -> list[int]:
        """The numbers of the names in one bundle that end so and mean one of some symbols."""
        meant = self.joins.meant
        wanted = symbols if isinstance(symbols, set) else set(symbols)
        return [
            number
            for number, text in self.named(bundle, tails)
            if not wanted.isdisjoint(meant(text, bundle))
        ]

    def rows(
        self, bundle: int, question: str, values: Sequence[Value] = ()
    ) -> list[tuple[Value, ...]]:
        """What one bundle's database answers."""
        return ask(self.catalog.bundles[bundle], question, values)

    def _sought(self, targets: Iterable[Found]) -> _Sought:
        """What to look for. Calling a class is calling its constructor, and the other way round."""
        sought = _Sought(set(), set(), set())
        for bundle, record, _ in targets:
            records = self.catalog.bundles[bundle].records
            same = [record]
            owner = record
            if record.kind != Kind.CLASS and last_of(record) in CONSTRUCTORS and record.parent >= 0:
                owner = records[record.parent]
                same.append(owner)
            if owner.kind == Kind.CLASS:
                sought.written.update(
                    f"{name}.{each}" for name in owner.names for each in CONSTRUCTORS
                )
                sought.meant.add(Symbol(bundle, owner.id))
            for each in same:
                sought.meant.add(Symbol(bundle, each.id))
                if last_of(each) not in CONSTRUCTORS:
                    sought.tails.update(name.rpartition(".")[2] for name in each.names)
        return sought

    def _leading_to(
        self, bundle: int, sought: _Sought, kinds: Sequence[ReferenceKind]
    ) -> list[Edge]:
        numbers = self.meaning(bundle, sorted(sought.tails), sought.meant)
        if sought.written:
            numbers += self._written(bundle, sorted(sought.written))
        edges: list[Edge] = []
        for some in _batches(sorted(set(numbers))):
            condition = f"name.id IN ({_marks(some)}) AND reference.reason IS NULL"
            edges += self._ask(bundle, condition, some, kinds)
        return sorted(edges, key=_place)

    def _written(self, bundle: int, names: Sequence[str]) -> list[int]:
        numbers: list[int] = []
        for some in _batches(names):
            question = (
                f"SELECT id FROM name WHERE tail IN ({_marks(CONSTRUCTORS)})"  # noqa: S608 - only marks
                f" AND text IN ({_marks(some)})"
            )
            rows = self.rows(bundle, question, [*CONSTRUCTORS, *some])
            numbers += [cast("int", number) for (number,) in rows]
        return numbers

    def _unresolved(
        self, bundle: int, tails: Iterable[str], kinds: Sequence[ReferenceKind]
    ) -> Counter[str]:
        """How many edges of a bundle end in one of some segments and are unresolved, by reason."""
        found: Counter[str] = Counter()
        for some in _batches(sorted(tails)):
            rows = self.rows(
                bundle,
                "SELECT reason.text, count(*) FROM name JOIN reference ON"  # noqa: S608 - only marks
                " reference.target = name.id JOIN reason ON reason.id = reference.reason"
                f" WHERE name.tail IN ({_marks(some)}) AND reference.kind IN ({_marks(kinds)})"
                " GROUP BY reason.text",
                [*some, *map(int, kinds)],
            )
            for reason, count in cast("list[tuple[str, int]]", rows):
                found[reason] += count
        return found

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

    def _ask(
        self,
        bundle: int,
        condition: str,
        values: Sequence[str] | Sequence[int],
        kinds: Sequence[ReferenceKind],
    ) -> list[Edge]:
        rows = self.rows(
            bundle,
            # The condition is one of those written here, never a caller's text.
            "SELECT reference.source, reference.kind, name.text, reference.file, reference.line,"  # noqa: S608
            ' reference."column", reference.tier, reason.text'
            " FROM name JOIN reference ON reference.target = name.id"
            " LEFT JOIN reason ON reason.id = reference.reason"
            f" WHERE {condition} AND reference.kind IN ({_marks(kinds)})",
            [*values, *map(int, kinds)],
        )
        edges = (_edge(bundle, cast("_Row", row)) for row in rows)
        records = self.catalog.bundles[bundle].records
        # Nobody has verified the whole bundle: what leads out of it is no edge.
        return [
            edge
            for edge in edges
            if 0 <= edge.source.entry < len(records) and 0 <= edge.file < records.files
        ]


_Some = TypeVar("_Some", str, int)
_Row = tuple[int, int, str, int, int, int, str, str | None]


def symbol_of(found: Found) -> Symbol:
    """What was found, by its numbers."""
    return Symbol(found.bundle, found.record.id)


def last_of(record: Record) -> str:
    """The last segment of a record's name."""
    return record.qualified_name.rpartition(".")[2]


def _batches(values: Sequence[_Some]) -> Iterable[Sequence[_Some]]:
    return (values[first : first + _AT_ONCE] for first in range(0, len(values), _AT_ONCE))


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


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
