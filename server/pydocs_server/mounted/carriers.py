"""Who passes a symbol on: packages that export it again, and classes elsewhere that inherit it.

`app.Mine.get` is `httpx.Client.get` where `Mine` is a client, and whoever calls it may import
nothing but `app`. So a bundle can have edges to a symbol if it imports one that carries it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from pydocs_bundle import Record
from pydocs_bundle.records import Kind
from pydocs_server.mounted.joins import Symbol
from pydocs_server.mounted.names import Found

if TYPE_CHECKING:
    from pydocs_server.mounted.edges import Graph

__all__ = ["Carried", "based_on", "spread"]

_MOST_ROUNDS: Final = 8


class Carried(NamedTuple):
    """The bundles that may have edges to the symbols, and by which last segments at least."""

    bundles: set[int]
    tails: set[str]


def spread(graph: Graph, targets: Sequence[Found]) -> Carried:
    """Where some symbols are carried to: a re-export or a subclass at a time, until no more is new.

    Args:
        graph: the edges.
        targets: symbols, none of them a module.
    """
    ends = {Symbol(each.bundle, each.record.id) for each in targets}
    owners = {symbol for each in targets for symbol in _owners(graph, each)}
    known = ends | owners
    tails = {name for symbol in known for name in _tails(graph.record(symbol))}
    carried = Carried(set(), set())
    fresh = {symbol.bundle for symbol in known}
    asked: dict[int, set[str]] = {}
    for _ in range(_MOST_ROUNDS):
        around = {index for home in fresh for index in graph.joins.importers(home)}
        carried.bundles.update((fresh | around) & graph.within)
        fresh = set()
        for bundle in sorted(carried.bundles):
            new = sorted(tails - asked.setdefault(bundle, set()))
            asked[bundle].update(new)
            for entry in based_on(graph, bundle, new, known):
                record = graph.record(Symbol(bundle, entry))
                if record.kind == Kind.CLASS and not _passes(graph, bundle, record, owners):
                    continue
                known.add(Symbol(bundle, entry))
                fresh.add(bundle)
                tails.update(_tails(record))
                if record.kind == Kind.CLASS:
                    owners.add(Symbol(bundle, entry))
                elif not ends.isdisjoint(graph.resolve(record.qualified_name, bundle)):
                    carried.tails.update(_tails(record))
        if not fresh:
            break
    return carried


def based_on(graph: Graph, bundle: int, tails: Iterable[str], symbols: set[Symbol]) -> list[int]:
    """The entries of one bundle that have one of the symbols as a base: classes, and aliases."""
    found: list[int] = []
    for number in graph.meaning(bundle, tails, symbols):
        rows = graph.rows(bundle, "SELECT entry FROM base WHERE name = ?", [number])
        found += [cast("int", entry) for (entry,) in rows]
    count = len(graph.catalog.bundles[bundle].records)
    return sorted({entry for entry in found if 0 <= entry < count})


def _passes(graph: Graph, bundle: int, record: Record, owners: set[Symbol]) -> bool:
    """Whether a class inherits from one whose members are looked for, not just from a target."""
    return any(not owners.isdisjoint(graph.resolve(base, bundle)) for base in record.bases)


def _owners(graph: Graph, found: Found) -> list[Symbol]:
    """What a symbol is reached through: its class, its module, and modules that export it."""
    records = graph.catalog.bundles[found.bundle].records
    owners: dict[Symbol, None] = {}
    parent = found.record.parent
    while parent >= 0:
        owner = Symbol(found.bundle, parent)
        owners[owner] = None
        parent = graph.record(owner).parent
    prefixes = {name.rpartition(".")[0] for name in found.record.names}
    prefixes |= {prefix.rpartition(".")[0] for prefix in prefixes}
    for prefix in sorted(prefixes - {""}):
        for entry in records.find(prefix):
            if records[entry].kind == Kind.MODULE:
                owners[Symbol(found.bundle, entry)] = None
    return list(owners)


def _tails(record: Record) -> set[str]:
    return {name.rpartition(".")[2] for name in record.names}
