"""The five directions of the reference graph: what each of them finds, in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from pydocs_bundle.records import Flag, Kind, ReferenceKind
from pydocs_server.answered.why import governing
from pydocs_server.mounted import names
from pydocs_server.mounted.edges import USES, Arrivals, Edge, Graph, Symbol
from pydocs_server.mounted.names import Found

__all__ = ["LOOKS", "Findings", "Row", "is_test"]

_DEEPEST = 6
_MOST_REACHED = 400
_BUILTINS = "builtins."


class Row(NamedTuple):
    """One symbol or name of the answer, with the edge that ties it to the target, and how.

    `more` are the lines of further edges between the two.
    """

    name: str
    found: Found | None
    edge: Edge | None
    depth: int = 1
    label: str = ""
    more: tuple[int, ...] = ()


class Findings(NamedTuple):
    """The rows of one direction in order, what may belong to them, and which bundles were asked."""

    rows: list[Row]
    unresolved: Counter[str]
    looked_in: list[int]
    note: str = ""


def _callers(graph: Graph, targets: Sequence[Found]) -> Findings:
    arrivals = graph.arriving(targets)
    rows = _each_once(_row_from(graph, edge) for edge in arrivals.edges)
    return Findings(_ranked(graph, rows), arrivals.unresolved, arrivals.looked_in)


def _callees(graph: Graph, targets: Sequence[Found]) -> Findings:
    rows: list[Row] = []
    unresolved: Counter[str] = Counter()
    builtins = 0
    for target in targets:
        is_module = target.record.kind == Kind.MODULE
        kinds = (*USES, ReferenceKind.IMPORT) if is_module else USES
        for edge in graph.leaving(target, kinds):
            if edge.reason:
                unresolved[edge.reason] += 1
            elif edge.target.startswith(_BUILTINS):
                builtins += 1
            else:
                rows.append(_row_to(graph, edge))
    rows.sort(key=lambda each: each.found is None)
    note = f"Calls of builtins, not listed: {builtins}." if builtins else ""
    looked_in = sorted({each.bundle for each in targets})
    return Findings(_each_once(rows), unresolved, looked_in, note)


def _inherits(graph: Graph, targets: Sequence[Found]) -> Findings:
    """What the class inherits from, then what inherits from it; for a method, its counterparts."""
    classes = [_class_of(graph, each) for each in targets]
    member = ""
    if targets[0].record.kind != Kind.CLASS:
        member = targets[0].record.qualified_name.rpartition(".")[2]
    known = [each for each in classes if each is not None]
    if not known:
        return Findings([], Counter(), [], "Only classes and what is in them inherit.")
    rows: list[Row] = []
    for each in known:
        rows += _bases(graph, each)
    below = _reach(graph, known, (ReferenceKind.INHERIT,))
    rows += [each._replace(label="subclass") for each in below.rows]
    if member:
        rows = _counterparts(graph, rows, member)
    return Findings(rows, below.unresolved, below.looked_in)


def _impact(graph: Graph, targets: Sequence[Found]) -> Findings:
    parts = [part for each in targets for part in graph.parts(each)]
    return _reach(graph, parts, (*USES, ReferenceKind.INHERIT))


def _governed_by(graph: Graph, targets: Sequence[Found]) -> Findings:
    rows = []
    for target in targets:
        for decision in governing(graph.catalog, target):
            found = graph.found(Symbol(decision.bundle, decision.entry))
            label = " · ".join(filter(None, (decision.status, decision.date, decision.origin)))
            rows.append(Row(decision.title, found, None, label=label))
    return Findings(rows, Counter(), sorted({each.bundle for each in targets}))


LOOKS: dict[str, Callable[[Graph, Sequence[Found]], Findings]] = {
    "callers": _callers,
    "callees": _callees,
    "inherits": _inherits,
    "impact": _impact,
    "governed_by": _governed_by,
}


def _reach(graph: Graph, targets: Sequence[Found], kinds: Sequence[ReferenceKind]) -> Findings:
    """Everything from which the targets can be reached, breadth first, each symbol once."""
    seen = {Symbol(each.bundle, each.record.id) for each in targets}
    frontier = list(targets)
    rows: list[Row] = []
    first: Arrivals | None = None
    looked_in: set[int] = set()
    note = ""
    depth = 0
    while frontier and not note:
        depth += 1
        arrivals = graph.arriving(frontier, kinds)
        first = first or arrivals
        looked_in.update(arrivals.looked_in)
        fresh: list[Row] = []
        for edge in arrivals.edges:
            if edge.source not in seen:
                seen.add(edge.source)
                fresh.append(_row_from(graph, edge)._replace(depth=depth))
        rows += _ranked(graph, fresh)
        # Importing a module is no use of what its body calls: only asked-about modules have users.
        frontier = [
            each.found
            for each in fresh
            if each.found is not None and each.found.record.kind != Kind.MODULE
        ]
        if frontier and (depth == _DEEPEST or len(rows) >= _MOST_REACHED):
            note = f"Followed to depth {depth}; there is more behind it."
    unresolved = first.unresolved if first is not None else Counter[str]()
    return Findings(rows, unresolved, sorted(looked_in), note)


def _bases(graph: Graph, found: Found) -> list[Row]:
    rows = [
        Row(base.record.qualified_name, base, None, label="base")
        for base in names.mro(graph.catalog, found)[1:]
    ]
    mounted = {row.name for row in rows}
    rows += [
        Row(base, None, None, label="base, not mounted")
        for base in found.record.bases
        if base not in mounted and not graph.resolve(base, found.bundle)
    ]
    return rows


def _class_of(graph: Graph, found: Found) -> Found | None:
    if found.record.kind == Kind.CLASS:
        return found
    if found.record.parent < 0:
        return None
    parent = graph.found(Symbol(found.bundle, found.record.parent))
    return parent if parent.record.kind == Kind.CLASS else None


def _counterparts(graph: Graph, rows: Sequence[Row], member: str) -> list[Row]:
    """The same member where the classes of the rows define it themselves."""
    there: list[Row] = []
    for each in rows:
        if each.found is None:
            continue
        for part in graph.parts(each.found)[1:]:
            name = part.record.qualified_name
            if name.rpartition(".")[2] == member:
                label = "overridden" if each.label.startswith("base") else "overrides"
                there.append(Row(name, part, each.edge, each.depth, label))
    return there


def _row_from(graph: Graph, edge: Edge) -> Row:
    found = graph.found(edge.source)
    return Row(found.record.qualified_name, found, edge)


def _row_to(graph: Graph, edge: Edge) -> Row:
    there = graph.resolve(edge.target, edge.source.bundle)
    if not there:
        return Row(edge.target, None, edge, label="not mounted")
    found = graph.found(there[0])
    return Row(found.record.qualified_name, found, edge)


def _each_once(rows: Iterable[Row]) -> list[Row]:
    """Each symbol once, in the order of the first edge, with the lines of the others."""
    once: dict[tuple[str, int], Row] = {}
    for each in rows:
        key = each.name, each.found.bundle if each.found is not None else -1
        first = once.setdefault(key, each)
        if first.edge is not None and each.edge is not None:
            line = each.edge.line
            if line not in {first.edge.line, *first.more}:
                once[key] = first._replace(more=(*first.more, line))
    return list(once.values())


def _ranked(graph: Graph, rows: Sequence[Row]) -> list[Row]:
    """Product code before tests, projects before their dependencies, then as bundles have it."""

    def key(each: Row) -> tuple[bool, bool, int, int, int]:
        if each.found is None or each.edge is None:
            return True, True, 0, 0, 0
        kind = graph.catalog.bundles[each.found.bundle].manifest.kind
        return (
            is_test(each),
            kind != "project",
            each.found.bundle,
            each.edge.file,
            each.edge.line,
        )

    return sorted(rows, key=key)


def is_test(row: Row) -> bool:
    """Whether a row's symbol is part of the tests."""
    return row.found is not None and bool(row.found.record.flags & Flag.TEST)
