"""The five directions of the reference graph: what each of them finds, in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, NamedTuple

from pydocs_bundle.records import Kind, ReferenceKind
from pydocs_server.answered.why import governing
from pydocs_server.mounted import names
from pydocs_server.mounted.edges import (
    CONSTRUCTORS,
    USES,
    Arrivals,
    Edge,
    Graph,
    Symbol,
    last_of,
    symbol_of,
)
from pydocs_server.mounted.inherited import constructor
from pydocs_server.mounted.names import Found
from pydocs_server.mounted.overrides import class_of, may_arrive, may_run, subclasses
from pydocs_server.mounted.rows import Row, each_once, is_test, ranked, row_from

__all__ = ["LOOKS", "Findings", "look"]

_DEEPEST: Final = 6
_MOST_REACHED: Final = 400
_MOST_OVERRIDES: Final = 8
_BUILTINS: Final = "builtins."
_HELD: Final = frozenset({Kind.ATTRIBUTE, Kind.PROPERTY})
_ACCESSES: Final = (ReferenceKind.READ, ReferenceKind.WRITE)
_TOUCHES: Final = (*USES, *_ACCESSES)


class Findings(NamedTuple):
    """The rows of one direction in order, what may belong to them, and which bundles were asked.

    `mentions` are the documents that name the target; `is_silent` says that the bundles do not
    record such edges, so that having found none says nothing.
    """

    rows: list[Row]
    unresolved: Counter[str]
    looked_in: list[int]
    note: str = ""
    mentions: tuple[Row, ...] = ()
    is_silent: bool = False


def look(graph: Graph, targets: Sequence[Found], direction: str) -> Findings:
    """What one direction finds for a symbol, given in each mounted version of it."""
    return LOOKS[direction](graph, targets)


def _callers(graph: Graph, targets: Sequence[Found]) -> Findings:
    kinds = _kinds(targets)
    arrivals = graph.arriving(
        targets, (*kinds, ReferenceKind.MENTION), constructed=_constructed(graph, targets)
    )
    used = [edge for edge in arrivals.edges if edge.kind != ReferenceKind.MENTION]
    may = [may_arrive(graph, each, kinds) for each in targets]
    used += [edge for each in may for edge in each.edges]
    mentions = [edge for edge in arrivals.edges if edge.kind == ReferenceKind.MENTION]
    is_silent = not used and kinds == _TOUCHES and not _tells_touches(graph, arrivals.looked_in)
    return Findings(
        ranked(graph, each_once(row_from(graph, edge) for edge in used)),
        arrivals.unresolved,
        sorted({*arrivals.looked_in, *(index for each in may for index in each.looked_in)}),
        mentions=tuple(each_once(row_from(graph, edge) for edge in mentions)),
        is_silent=is_silent,
    )


def _kinds(targets: Sequence[Found]) -> tuple[ReferenceKind, ...]:
    """What uses a symbol: of an attribute or a property, reading and writing it as well."""
    return _TOUCHES if any(each.record.kind in _HELD for each in targets) else USES


def _tells_touches(graph: Graph, bundles: Iterable[int]) -> bool:
    """Whether any of some bundles records what reads and writes attributes."""
    question = "SELECT 1 FROM reference WHERE kind IN (?, ?) LIMIT 1"
    kinds = (int(ReferenceKind.READ), int(ReferenceKind.WRITE))
    return any(graph.rows(index, question, kinds) for index in bundles)


def _constructed(graph: Graph, targets: Sequence[Found]) -> list[Found]:
    """The classes whose construction runs a constructor that is asked about, but its own class."""
    found: list[Found] = []
    for each in targets:
        owner = class_of(graph, each)
        if last_of(each.record) not in CONSTRUCTORS or owner is None:
            continue
        for below in subclasses(graph, owner, graph.within):
            runs = constructor(graph.catalog, below)
            if runs is not None and symbol_of(runs) == symbol_of(each):
                found.append(below)
    return found


def _callees(graph: Graph, targets: Sequence[Found]) -> Findings:
    rows: list[Row] = []
    unresolved: Counter[str] = Counter()
    builtins = 0
    for target in targets:
        is_module = target.record.kind == Kind.MODULE
        kinds = (*USES, ReferenceKind.IMPORT) if is_module else _TOUCHES
        for edge in graph.leaving(target, kinds):
            if edge.kind in _ACCESSES and not _runs_code(graph, edge):
                continue
            if edge.reason:
                unresolved[edge.reason] += 1
            elif edge.target.startswith(_BUILTINS):
                builtins += 1
            else:
                rows += _rows_to(graph, edge)
    rows.sort(key=lambda each: each.found is None)
    note = f"Calls of builtins, not listed: {builtins}." if builtins else ""
    looked_in = sorted({each.bundle for each in targets})
    return Findings(each_once(rows), unresolved, looked_in, note)


def _runs_code(graph: Graph, edge: Edge) -> bool:
    """Whether reading or writing an attribute calls something: a property."""
    there = graph.resolve(edge.target, edge.source.bundle)
    return bool(there) and graph.record(there[0]).kind == Kind.PROPERTY


def _rows_to(graph: Graph, edge: Edge) -> list[Row]:
    """What a call calls, and behind it the overrides that may run instead."""
    there = graph.resolve(edge.target, edge.source.bundle)
    if not there:
        return [Row(edge.target, None, edge, label="not mounted")]
    found = graph.found(there[0])
    rows = [_row_to(graph, edge, found)]
    overrides = may_run(graph, edge, found) if edge.kind == ReferenceKind.CALL else []
    for each in overrides[:_MOST_OVERRIDES]:
        label = f"overrides {names.shown_name(found.record)}"
        rows.append(_row_to(graph, edge._replace(tier="may"), each, label))
    return rows


def _row_to(graph: Graph, edge: Edge, found: Found, label: str = "") -> Row:
    against = graph.joins.built_against(edge.source.bundle, found.bundle)
    return Row(found.record.qualified_name, found, edge, label=label, built_against=against)


def _inherits(graph: Graph, targets: Sequence[Found]) -> Findings:
    """What the class inherits from, then what inherits from it; for a method, its counterparts."""
    classes = [class_of(graph, each) for each in targets]
    member = ""
    if targets[0].record.kind != Kind.CLASS:
        member = last_of(targets[0].record)
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
    may = [may_arrive(graph, each) for each in parts]
    kinds = (*_kinds(parts), ReferenceKind.INHERIT)
    return _reach(graph, parts, kinds, may, _constructed(graph, targets))


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


def _reach(
    graph: Graph,
    targets: Sequence[Found],
    kinds: Sequence[ReferenceKind],
    more: Iterable[Arrivals] = (),
    constructed: Iterable[Found] = (),
) -> Findings:
    """Everything from which the targets can be reached, breadth first, each symbol once.

    `more` are further edges to the targets, `constructed` classes whose construction counts.
    """
    seen = {symbol_of(each) for each in targets}
    homes = {each.bundle for each in targets}
    frontier = list(targets)
    rows: list[Row] = []
    first: Arrivals | None = None
    looked_in: set[int] = set()
    note = ""
    depth = 0
    while frontier and not note:
        depth += 1
        if first is None:
            arrivals = first = graph.arriving(frontier, kinds, constructed=constructed)
            for each in more:
                arrivals.edges.extend(each.edges)
                looked_in.update(each.looked_in)
        else:
            arrivals = graph.arriving(frontier, kinds, is_counting=False)
        looked_in.update(arrivals.looked_in)
        fresh: list[Row] = []
        for edge in arrivals.edges:
            if edge.source not in seen:
                seen.add(edge.source)
                fresh.append(row_from(graph, edge)._replace(depth=depth))
        rows += ranked(graph, fresh)
        frontier = [found for each in fresh if (found := _followed(each, homes)) is not None]
        if frontier and (depth == _DEEPEST or len(rows) >= _MOST_REACHED):
            note = f"Followed to depth {depth}; there is more behind it."
    rows.sort(key=is_test)
    unresolved = first.unresolved if first is not None else Counter[str]()
    return Findings(rows, unresolved, sorted(looked_in), note)


def _followed(row: Row, homes: Collection[int]) -> Found | None:
    """What a row's own users are asked for, if they can depend on the target.

    Importing a module is no use of what its body calls: only asked-about modules have users. A
    library that may run an override has many users that never made an object of its class.
    """
    if row.found is None or row.found.record.kind == Kind.MODULE:
        return None
    is_doubtful = row.edge is not None and row.edge.tier == "may"
    return None if is_doubtful and row.found.bundle not in homes else row.found


def _bases(graph: Graph, found: Found) -> list[Row]:
    rows = [
        Row(
            base.record.qualified_name,
            base,
            None,
            label="base",
            built_against=graph.joins.built_against(found.bundle, base.bundle),
        )
        for base in graph.joins.line(found)[1:]
    ]
    mounted = {row.name for row in rows}
    rows += [
        Row(base, None, None, label="base, not mounted")
        for base in found.record.bases
        if base not in mounted and not graph.resolve(base, found.bundle)
    ]
    return rows


def _counterparts(graph: Graph, rows: Sequence[Row], member: str) -> list[Row]:
    """The same member where the classes of the rows define it themselves."""
    there: list[Row] = []
    for each in rows:
        if each.found is None:
            continue
        for part in graph.parts(each.found)[1:]:
            if last_of(part.record) == member:
                label = "overridden" if each.label.startswith("base") else "overrides"
                name = part.record.qualified_name
                there.append(Row(name, part, each.edge, each.depth, label))
    return there
