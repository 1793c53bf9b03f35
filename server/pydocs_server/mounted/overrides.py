"""What may run instead: methods that override the one a call names, found when they are asked for.

A call of `Base.run` runs `Sub.run` if the object is a `Sub`. Such edges are in no bundle: they
follow from the edges to `Base.run` and from who inherits from `Base` (or meets it, where it is a
protocol), and are of the tier `may`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from pydocs_bundle.records import Kind, ReferenceKind
from pydocs_server.mounted.carriers import based_on
from pydocs_server.mounted.edges import USES, Arrivals, Edge, Graph, last_of, symbol_of
from pydocs_server.mounted.joins import Symbol
from pydocs_server.mounted.names import Found
from pydocs_server.mounted.protocols import implementors, protocols

__all__ = ["class_of", "may_arrive", "may_run", "subclasses"]

_MEMBERS: Final = frozenset({Kind.METHOD, Kind.PROPERTY})
# Called on the class that is named, whatever inherits from it.
_NOT_DISPATCHED: Final = frozenset(
    {"__class_getitem__", "__init__", "__init_subclass__", "__new__"}
)
_MOST_SUBCLASSES: Final = 200


def class_of(graph: Graph, found: Found) -> Found | None:
    """The class itself, or the one that a member is defined in."""
    if found.record.kind == Kind.CLASS:
        return found
    if found.record.parent < 0:
        return None
    parent = graph.found(Symbol(found.bundle, found.record.parent))
    return parent if parent.record.kind == Kind.CLASS else None


def subclasses(graph: Graph, found: Found, bundles: Collection[int]) -> list[Found]:
    """All classes in some bundles that inherit from a class, the nearest first."""
    seen = {symbol_of(found)}
    frontier = [found]
    below: list[Found] = []
    while frontier and len(below) < _MOST_SUBCLASSES:
        symbols = {symbol_of(each) for each in frontier}
        tails = sorted({n.rpartition(".")[2] for each in frontier for n in each.record.names})
        frontier = []
        for bundle in sorted(bundles):
            for entry in based_on(graph, bundle, tails, symbols):
                one = graph.found(Symbol(bundle, entry))
                if one.record.kind == Kind.CLASS and symbol_of(one) not in seen:
                    seen.add(symbol_of(one))
                    frontier.append(one)
        below += frontier
    return below[:_MOST_SUBCLASSES]


def may_arrive(graph: Graph, target: Found, kinds: Sequence[ReferenceKind] = USES) -> Arrivals:
    """The edges to what a method overrides that may run it: their receiver may be of its class."""
    owner = class_of(graph, target)
    name = last_of(target.record)
    nothing = Arrivals([], Counter(), [])
    if owner is None or not _is_dispatched(target):
        return nothing
    line = [*graph.joins.line(owner), *protocols(graph, owner, name)]
    ancestors = {symbol_of(each) for each in line}
    overridden = [
        Found(base.bundle, record)
        for base in line[1:]
        for entry in graph.catalog.bundles[base.bundle].records.find(
            f"{base.record.qualified_name}.{name}"
        )
        if (record := graph.catalog.bundles[base.bundle].records[entry]).kind in _MEMBERS
    ]
    if not overridden:
        return nothing
    own = symbol_of(target)
    arrivals = graph.arriving(overridden, kinds, is_counting=False)
    edges = [
        edge._replace(tier="may")
        for edge in arrivals.edges
        if edge.source != own
        and own not in graph.resolve(edge.target, edge.source.bundle)
        and _may_be(graph, edge, ancestors)
        and not is_certain(graph, edge)
    ]
    return arrivals._replace(edges=edges)


def may_run(graph: Graph, edge: Edge, target: Found) -> list[Found]:
    """The methods that may run where an edge names one that they override.

    Looked for where it matters to whoever reads the call: in its bundle, in the target's, in the
    one through which the target is named, and in the projects.
    """
    name = last_of(target.record)
    if not _is_dispatched(target) or is_certain(graph, edge):
        return []
    bundles = {edge.source.bundle, target.bundle}
    bundles.update(graph.catalog.meant_by(edge.source.bundle, edge.target.partition(".")[0]))
    bundles |= {index for index in graph.within if graph.catalog.is_project(index)}
    receiver = _receiver(graph, edge) or class_of(graph, target)
    if receiver is None:
        return []
    found: list[Found] = []
    among = bundles & graph.within
    below = subclasses(graph, receiver, among) + implementors(graph, receiver, among)
    for each in {symbol_of(one): one for one in below}.values():
        records = graph.catalog.bundles[each.bundle].records
        found += [
            Found(each.bundle, records[entry])
            for entry in records.find(f"{each.record.qualified_name}.{name}")
            if records[entry].kind in _MEMBERS
        ]
    return [each for each in found if symbol_of(each) != symbol_of(target)]


def is_certain(graph: Graph, edge: Edge) -> bool:
    """Whether a call goes to one class for certain: what it names is no object of a subclass.

    So it is through `super()`, from an override of what is called, and on a new object.
    """
    there = _receiver(graph, edge)
    if last_of(graph.record(edge.source)) == edge.target.rpartition(".")[2]:
        here = class_of(graph, graph.found(edge.source))
        if here is not None and there is not None and symbol_of(here) != symbol_of(there):
            return symbol_of(there) in map(symbol_of, graph.joins.line(here))
    if _is_written(graph, edge, "super()"):
        return True
    return there is not None and _is_made(graph, edge, last_of(there.record))


def _is_written(graph: Graph, edge: Edge, *receivers: str) -> bool:
    """Whether a method is called on one of some expressions, as the line has it.

    Edges stand at the name of the method, or at the expression that it is called on.
    """
    line = graph.line(edge)
    dotted = [f"{receiver}.".encode() for receiver in receivers]
    before, after = line[: edge.column], line[edge.column :]
    return any(before.endswith(each) or after.startswith(each) for each in dotted)


def _is_made(graph: Graph, edge: Edge, name: str) -> bool:
    """Whether a method is called on an object that is made right there, in one expression."""
    line = graph.line(edge)
    made = f"{name}(".encode()
    before, after = line[: edge.column], line[edge.column :]
    return after.startswith(made) or (before.endswith(b").") and made in before)


def _is_dispatched(found: Found) -> bool:
    return found.record.kind in _MEMBERS and last_of(found.record) not in _NOT_DISPATCHED


def _receiver(graph: Graph, edge: Edge) -> Found | None:
    """The class that an edge's target is a member of for whoever calls it.

    On `self` that is the class of the caller, whichever of its bases has the member.
    """
    if _is_written(graph, edge, "self", "cls"):
        here = class_of(graph, graph.found(edge.source))
        if here is not None:
            return here
    owner = edge.target.rpartition(".")[0]
    for symbol in graph.resolve(owner, edge.source.bundle) if owner else ():
        found = graph.found(symbol)
        if found.record.kind == Kind.CLASS:
            return found
    return None


def _may_be(graph: Graph, edge: Edge, ancestors: set[Symbol]) -> bool:
    """Whether the receiver of an edge is one of some classes, as far as the edge tells."""
    receiver = _receiver(graph, edge)
    return receiver is None or symbol_of(receiver) in ancestors
