"""`get_references`: who uses a name, what it uses, what inherits from it, what depends on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from pydocs_bundle.errors import UsageError
from pydocs_bundle.records import Flag, Kind, ReferenceKind
from pydocs_server import names
from pydocs_server.answer import DEFAULT_TOKENS, MOST_TOKENS, Answer
from pydocs_server.catalog import Catalog
from pydocs_server.edges import USES, Arrivals, Edge, Graph, Symbol
from pydocs_server.names import Found
from pydocs_server.render import counted, location, one_line, sealed, visible
from pydocs_server.rows import row
from pydocs_server.why import governing

__all__ = ["DEFAULT_LIMIT", "DIRECTIONS", "call_site", "get_references"]

DEFAULT_LIMIT = 50
DIRECTIONS = ("callers", "callees", "inherits", "impact", "governed_by")

_DEEPEST = 6
_MOST_REACHED = 400
_LINE_WIDTH = 160
_MORE_LINES = 8
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


class _Findings(NamedTuple):
    """The rows of one direction in order, what may belong to them, and which bundles were asked."""

    rows: list[Row]
    unresolved: Counter[str]
    looked_in: list[int]
    note: str = ""


def get_references(
    catalog: Catalog,
    target: str,
    direction: str = "callers",
    limit: int = DEFAULT_LIMIT,
    *,
    project: str = "",
) -> Answer:
    """The edges of a symbol in one direction, each with its call site and its tier.

    Args:
        catalog: what is mounted.
        target: a dotted name.
        direction: `callers`, `callees`, `inherits` (bases and subclasses), `impact` (callers of
            callers) or `governed_by` (decisions).
        limit: how many edges to show.
        project: one of several mounted projects; empty for all.
    """
    look = _LOOKS.get(direction)
    if look is None:
        raise UsageError(f"direction must be one of {', '.join(DIRECTIONS)}.")
    within = catalog.select(project=project)
    targets, namesakes = _same_symbol(names.require(catalog, target, within))
    graph = Graph(catalog, within)
    findings = look(graph, targets)
    return _answer(graph, targets[0], direction, findings, limit, namesakes)


def _same_symbol(found: Sequence[Found]) -> tuple[list[Found], list[str]]:
    """The likeliest of what a name means, in each version of it, and the names of the others."""
    chosen = found[0].record.qualified_name
    same = [each for each in found if each.record.qualified_name == chosen]
    others = [names.shown_name(each.record) for each in found if each not in same]
    return same, [visible(each) for each in dict.fromkeys(others)]


# --- the directions


def _callers(graph: Graph, targets: Sequence[Found]) -> _Findings:
    arrivals = graph.arriving(targets)
    rows = _each_once(_row_from(graph, edge) for edge in arrivals.edges)
    return _Findings(_ranked(graph, rows), arrivals.unresolved, arrivals.looked_in)


def _callees(graph: Graph, targets: Sequence[Found]) -> _Findings:
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
    return _Findings(_each_once(rows), unresolved, looked_in, note)


def _inherits(graph: Graph, targets: Sequence[Found]) -> _Findings:
    """What the class inherits from, then what inherits from it; for a method, its counterparts."""
    classes = [_class_of(graph, each) for each in targets]
    member = ""
    if targets[0].record.kind != Kind.CLASS:
        member = targets[0].record.qualified_name.rpartition(".")[2]
    known = [each for each in classes if each is not None]
    if not known:
        return _Findings([], Counter(), [], "Only classes and what is in them inherit.")
    rows: list[Row] = []
    for each in known:
        rows += _bases(graph, each)
    below = _reach(graph, known, (ReferenceKind.INHERIT,))
    rows += [each._replace(label="subclass") for each in below.rows]
    if member:
        rows = _counterparts(graph, rows, member)
    return _Findings(rows, below.unresolved, below.looked_in)


def _impact(graph: Graph, targets: Sequence[Found]) -> _Findings:
    parts = [part for each in targets for part in graph.parts(each)]
    return _reach(graph, parts, (*USES, ReferenceKind.INHERIT))


def _governed_by(graph: Graph, targets: Sequence[Found]) -> _Findings:
    rows = []
    for target in targets:
        for decision in governing(graph.catalog, target):
            found = graph.found(Symbol(decision.bundle, decision.entry))
            label = " · ".join(filter(None, (decision.status, decision.date, decision.origin)))
            rows.append(Row(decision.title, found, None, label=label))
    return _Findings(rows, Counter(), sorted({each.bundle for each in targets}))


_LOOKS: dict[str, Callable[[Graph, Sequence[Found]], _Findings]] = {
    "callers": _callers,
    "callees": _callees,
    "inherits": _inherits,
    "impact": _impact,
    "governed_by": _governed_by,
}


def _reach(graph: Graph, targets: Sequence[Found], kinds: Sequence[ReferenceKind]) -> _Findings:
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
    return _Findings(rows, unresolved, sorted(looked_in), note)


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
            _is_test(each),
            kind != "project",
            each.found.bundle,
            each.edge.file,
            each.edge.line,
        )

    return sorted(rows, key=key)


def _is_test(row: Row) -> bool:
    return row.found is not None and bool(row.found.record.flags & Flag.TEST)


# --- answering

_NOUNS = {
    "callers": "callers of",
    "callees": "callees of",
    "inherits": "bases and subclasses of",
    "impact": "direct and indirect users of",
    "governed_by": "decisions that govern",
}


def call_site(catalog: Catalog, edge: Edge) -> tuple[str, str]:
    """An edge's place as an address with line, and the line of source there."""
    bundle = catalog.bundles[edge.source.bundle]
    address = location(
        bundle.manifest.name, bundle.manifest.version, bundle.text.paths[edge.file], edge.line
    )
    source = bundle.records[edge.source.entry]
    if source.file == edge.file and source.start_line <= edge.line <= source.end_line:
        lines = bundle.source(edge.source.entry).splitlines()
        index = edge.line - source.start_line
    else:
        lines, index = bundle.text.read(edge.file).splitlines(), edge.line - 1
    line = lines[index].decode("utf-8", "replace") if 0 <= index < len(lines) else ""
    return address, one_line(line, _LINE_WIDTH)


def _answer(
    graph: Graph,
    target: Found,
    direction: str,
    findings: _Findings,
    limit: int,
    namesakes: Sequence[str],
) -> Answer:
    shown = findings.rows[:limit]
    total, tests = len(findings.rows), sum(map(_is_test, findings.rows))
    unresolved = sum(findings.unresolved.values())
    status = "found" if total else "unresolved" if unresolved else "none"
    subject = target.record.public_name or target.record.qualified_name
    head = [_headline(subject, direction, findings)]
    if findings.note:
        head.append(findings.note)
    if namesakes:
        head.append(f"Not asked about: {', '.join(namesakes[:5])}, also called so.")
    rendered = [_rendered(graph, each, direction) for each in shown]
    structured_rows = [_structured(graph, each) for each in shown]
    tokens = DEFAULT_TOKENS if limit <= DEFAULT_LIMIT else MOST_TOKENS
    fitting = _that_fit(rendered, tokens - len("\n".join(head)) // 4 - 80)
    left = total - fitting
    further = ""
    if left:
        further = (
            f"{left:,} more are not shown: get_references(target="
            f'"{subject}", direction="{direction}", limit={min(total, 1000)}).'
        )
    elif not total:
        further = _advice(target, subject, direction, unresolved)
    blocks = _grouped(shown[:fitting], rendered[:fitting])
    listed = [sealed("\n".join(blocks))] if blocks else []
    text = "\n".join([*head, *listed, *([further] if further else [])])
    structured: dict[str, object] = {
        "target": row(graph.catalog, target.bundle, target.record),
        "direction": direction,
        "status": status,
        "edges": structured_rows[:fitting],
        "total": total,
        "tests": tests,
        "unresolved": {"count": unresolved, "reasons": dict(findings.unresolved.most_common())},
        "looked_in": [graph.catalog.label(each) for each in findings.looked_in],
    }
    if namesakes:
        structured["namesakes"] = list(namesakes)
    if findings.note:
        structured["note"] = findings.note
    if further:
        structured["next"] = further
    return Answer(text, structured)


def _headline(subject: str, direction: str, findings: _Findings) -> str:
    total, tests = len(findings.rows), sum(map(_is_test, findings.rows))
    unresolved = sum(findings.unresolved.values())
    looked_in = len(findings.looked_in)
    where = f"in {counted(looked_in, 'bundle')}"
    what = visible(f"{_NOUNS[direction]} {subject}")
    parts = []
    if total:
        split = f" ({total - tests:,} in product code, {tests:,} in tests)" if tests else ""
        parts.append(f"found: {total:,} {what}{split}, {where}.")
    elif not unresolved:
        parts.append(f"none: no {what} {where}.")
    if unresolved:
        why = "; ".join(
            f"{one_line(reason)}: {count:,}" for reason, count in findings.unresolved.most_common(4)
        )
        only = "" if total else f" none certain of the {what} {where};"
        may = (
            "could not be told" if direction == "callees" else "have that name and may belong here"
        )
        parts.append(f"unresolved ({unresolved:,}):{only} {unresolved:,} more {may} ({why}).")
    return " ".join(parts)


def _advice(target: Found, subject: str, direction: str, unresolved: int) -> str:
    if direction == "callers" and target.record.kind == Kind.CLASS:
        return f'Its subclasses: get_references(target="{subject}", direction="inherits").'
    if unresolved:
        return f'To see the places: grep(pattern="{subject.rpartition(".")[2]}").'
    if direction == "governed_by":
        return f'Decisions by words: get_why(query="{subject}").'
    return f'What it is: get_symbol(target="{subject}").'


def _rendered(graph: Graph, each: Row, direction: str) -> str:
    place, line, tier = "", "", ""
    if each.edge is not None:
        place, line = call_site(graph.catalog, each.edge)
        tier = each.edge.tier
    elif each.found is not None:
        bundle = graph.catalog.bundles[each.found.bundle]
        record = each.found.record
        place = location(
            bundle.manifest.name,
            bundle.manifest.version,
            bundle.text.paths[record.file],
            record.start_line,
        )
    depth = f"{each.depth} " if direction == "impact" else ""
    notes = ", ".join(filter(None, (each.label, tier)))
    text = f"- {depth}{one_line(each.name)}" + (f" [{notes}]" if notes else "")
    if place:
        text += f"  {place}"
    if each.more:
        lines = ", ".join(map(str, each.more[:_MORE_LINES]))
        text += f" and {lines}{', …' if len(each.more) > _MORE_LINES else ''}"
    return text + (f"\n    {line}" if line else "")


def _structured(graph: Graph, each: Row) -> dict[str, object]:
    made: dict[str, object] = {
        "qualified_name": visible(each.name),
        "is_mounted": each.found is not None,
    }
    if each.found is not None:
        made = row(graph.catalog, each.found.bundle, each.found.record, is_mounted=True)
    made["depth"] = each.depth
    made["is_test"] = _is_test(each)
    if each.label:
        made["label"] = each.label
    if each.edge is not None:
        address, line = call_site(graph.catalog, each.edge)
        made["edge"] = each.edge.kind.name.lower()
        made["tier"] = each.edge.tier
        made["call_site"] = {
            "address": address,
            "line": each.edge.line,
            "column": each.edge.column,
            "text": line,
        }
        made["more_lines"] = list(each.more)
    return made


def _grouped(rows: Sequence[Row], rendered: Sequence[str]) -> list[str]:
    """The lines, with the tests under a heading of their own."""
    product = [text for each, text in zip(rows, rendered, strict=True) if not _is_test(each)]
    tests = [text for each, text in zip(rows, rendered, strict=True) if _is_test(each)]
    return [*product, *(["tests:"] if tests else []), *tests]


def _that_fit(rendered: Sequence[str], tokens: int) -> int:
    for count, text in enumerate(rendered):
        tokens -= len(text) // 4 + 1
        if tokens < 0:
            return count
    return len(rendered)
