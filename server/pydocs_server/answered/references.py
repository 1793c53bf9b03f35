"""`get_references`: who uses a name, what it uses, what inherits from it, what depends on it."""

from __future__ import annotations

from collections.abc import Sequence

from pydocs_bundle.errors import UsageError
from pydocs_bundle.records import Kind
from pydocs_server.mounted import names
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.directions import LOOKS, Findings
from pydocs_server.mounted.edges import Edge, Graph
from pydocs_server.mounted.names import Found
from pydocs_server.mounted.rows import Row, is_test
from pydocs_server.rendered.answer import DEFAULT_TOKENS, MOST_TOKENS, Answer
from pydocs_server.rendered.render import counted, location, one_line, sealed, visible
from pydocs_server.rendered.rows import row

__all__ = ["DEFAULT_LIMIT", "call_site", "get_references", "same_symbol"]

DEFAULT_LIMIT = 50

_LINE_WIDTH = 160
_MORE_LINES = 5
_NOUNS = {
    "callers": ("callers of", "caller of"),
    "callees": ("callees of", "callee of"),
    "inherits": ("bases and subclasses of", "base or subclass of"),
    "impact": ("direct and indirect users of", "direct or indirect user of"),
    "governed_by": ("decisions that govern", "decision that governs"),
}
_OTHER_NOUNS = {
    int(Kind.ATTRIBUTE): ("users of", "user of"),
    int(Kind.PROPERTY): ("users of", "user of"),
    int(Kind.MODULE): ("importers of", "importer of"),
}
_CHANGELOGS = ("change", "history", "news", "release")
_MOST_MENTIONS = 3
_MOST_MENTION_ROWS = 20


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
    look = LOOKS.get(direction)
    if look is None:
        raise UsageError(f"direction must be one of {', '.join(LOOKS)}.")
    within = catalog.select(project=project)
    targets, namesakes = same_symbol(names.require(catalog, target, within))
    graph = Graph(catalog, within)
    findings = look(graph, targets)
    if targets[0].via == "inherited":
        note = f"{one_line(target)} is inherited, defined as {_called(targets[0])}."
        findings = findings._replace(note=f"{note} {findings.note}".rstrip())
    return _answer(graph, targets[0], direction, findings, limit, namesakes)


def _called(found: Found) -> str:
    return visible(names.shown_name(found.record))


def same_symbol(found: Sequence[Found]) -> tuple[list[Found], list[str]]:
    """The likeliest of what a name means, in each version of it, and the names of the others."""
    chosen = found[0].record.qualified_name
    same = [each for each in found if each.record.qualified_name == chosen]
    others = [names.shown_name(each.record) for each in found if each not in same]
    return same, [visible(each) for each in dict.fromkeys(others)]


def call_site(graph: Graph, edge: Edge) -> tuple[str, str]:
    """An edge's place as an address with line, and the line of source there."""
    bundle = graph.catalog.bundles[edge.source.bundle]
    address = location(
        bundle.manifest.name, bundle.manifest.version, bundle.text.paths[edge.file], edge.line
    )
    return address, one_line(graph.line(edge).decode("utf-8", "replace"), _LINE_WIDTH)


def _answer(
    graph: Graph,
    target: Found,
    direction: str,
    findings: Findings,
    limit: int,
    namesakes: Sequence[str],
) -> Answer:
    shown = findings.rows[:limit]
    total, tests = len(findings.rows), sum(map(is_test, findings.rows))
    unresolved = sum(findings.unresolved.values())
    is_open = bool(unresolved) or findings.is_silent
    status = "found" if total else "unresolved" if is_open else "none"
    subject = target.record.public_name or target.record.qualified_name
    head = [_headline(target, direction, findings)]
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
        further = _advice(graph, target, direction, findings)
    blocks = _grouped(shown[:fitting], rendered[:fitting])
    listed = [sealed("\n".join(blocks))] if blocks else []
    mentions, mentioned = _mentions(graph, findings.mentions)
    text = "\n".join([*head, *listed, *mentions, *([further] if further else [])])
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
    if mentioned:
        structured["mentions"] = mentioned
    if findings.note:
        structured["note"] = findings.note
    if further:
        structured["next"] = further
    return Answer(text, structured)


def _headline(target: Found, direction: str, findings: Findings) -> str:
    total, tests = len(findings.rows), sum(map(is_test, findings.rows))
    unresolved = sum(findings.unresolved.values())
    looked_in = len(findings.looked_in)
    where = f"in {counted(looked_in, 'bundle')}"
    many, one = _NOUNS[direction]
    if direction == "callers":
        many, one = _OTHER_NOUNS.get(target.record.kind, (many, one))
    what = visible(f"{one if total == 1 else many} {names.shown_name(target.record)}")
    parts = []
    if total:
        counts = [f"{total - tests:,} in product code, {tests:,} in tests"] if tests else []
        by_override = sum(
            each.edge is not None and each.edge.tier == "may" for each in findings.rows
        )
        counts += [f"{by_override:,} may, through overrides"] if by_override else []
        split = f" ({'; '.join(counts)})" if counts else ""
        parts.append(f"found: {total:,} {what}{split}, {where}.")
    elif findings.is_silent:
        parts.append("unresolved: these bundles do not record what reads and writes attributes.")
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


def _advice(graph: Graph, target: Found, direction: str, findings: Findings) -> str:
    subject = names.shown_name(target.record)
    if direction == "callers" and target.record.kind == Kind.CLASS:
        return f'Its subclasses: get_references(target="{subject}", direction="inherits").'
    if findings.unresolved or findings.is_silent:
        member = subject.rpartition(".")[2]
        looked_in = findings.looked_in
        path = f', path="{graph.catalog.label(looked_in[0])}"' if len(looked_in) == 1 else ""
        # No backslash: whoever puts the call into JSON or Python would have to double it.
        called = "" if findings.is_silent else "[(]"
        return f'To see the places: grep(pattern="[.]{member}{called}"{path}, glob="*.py").'
    if direction == "governed_by":
        return f'Decisions by words: get_why(query="{subject}").'
    return f'What it is: get_symbol(target="{subject}").'


def _rendered(graph: Graph, each: Row, direction: str) -> str:
    place, line, tier = "", "", ""
    if each.edge is not None:
        place, line = call_site(graph, each.edge)
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
    against = each.built_against and f"built against {visible(each.built_against)}"
    notes = ", ".join(filter(None, (visible(each.label), tier, against)))
    name = each.name
    if each.found is not None and each.found.record.kind != Kind.DECISION:
        name = names.shown_name(each.found.record)
    text = f"- {depth}{one_line(name)}" + (f" [{notes}]" if notes else "")
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
    made["is_test"] = is_test(each)
    if each.found is not None and each.found.record.kind == Kind.DECISION:
        made["title"] = visible(each.name)
    if each.label:
        made["label"] = visible(each.label)
    if each.built_against:
        made["built_against"] = visible(each.built_against)
    if each.edge is not None:
        address, line = call_site(graph, each.edge)
        made["edge"] = each.edge.kind.name.lower()
        if each.depth > 1:
            there = graph.resolve(each.edge.target, each.edge.source.bundle)
            reached = graph.record(there[0]).qualified_name if there else each.edge.target
            made["leads_to"] = visible(reached)
        made["tier"] = each.edge.tier
        made["call_site"] = {
            "address": address,
            "line": each.edge.line,
            "column": each.edge.column,
            "text": line,
        }
        made["more_lines"] = list(each.more)
    return made


def _mentions(graph: Graph, mentions: Sequence[Row]) -> tuple[list[str], list[dict[str, object]]]:
    """The documents that name the target, as one line and as rows."""
    # What explains a symbol goes before the notes on its past.
    mentions = sorted(mentions, key=lambda each: _is_past(graph, each))
    places = [call_site(graph, each.edge)[0] for each in mentions if each.edge is not None]
    if not places:
        return [], []
    more = len(places) - _MOST_MENTIONS
    rest = f" and {more:,} more" if more > 0 else ""
    rows = [
        row(graph.catalog, each.found.bundle, each.found.record, mention=place)
        for each, place in zip(mentions[:_MOST_MENTION_ROWS], places, strict=False)
        if each.found is not None
    ]
    return [f"Documents that mention it: {', '.join(places[:_MOST_MENTIONS])}{rest}."], rows


def _is_past(graph: Graph, mention: Row) -> bool:
    """Whether a mention stands in a changelog."""
    if mention.found is None:
        return False
    bundle = graph.catalog.bundles[mention.found.bundle]
    name = bundle.text.paths[mention.found.record.file].rpartition("/")[2]
    return name.lower().startswith(_CHANGELOGS)


def _grouped(rows: Sequence[Row], rendered: Sequence[str]) -> list[str]:
    """The lines, with the tests under a heading of their own."""
    product = [text for each, text in zip(rows, rendered, strict=True) if not is_test(each)]
    tests = [text for each, text in zip(rows, rendered, strict=True) if is_test(each)]
    return [*product, *(["tests:"] if tests else []), *tests]


def _that_fit(rendered: Sequence[str], tokens: int) -> int:
    for count, text in enumerate(rendered):
        tokens -= len(text) // 4 + 1
        if tokens < 0:
            return count
    return len(rendered)
