"""`get_context`: what has to be read to work on some symbols, together and within one budget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from pydocs_bundle.errors import UsageError
from pydocs_bundle.records import Kind
from pydocs_server.answered.references import call_site
from pydocs_server.answered.sources import source_within
from pydocs_server.mounted import names
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.directions import look
from pydocs_server.mounted.edges import Graph, Symbol, last_of, symbol_of
from pydocs_server.mounted.names import Found
from pydocs_server.mounted.overrides import class_of
from pydocs_server.mounted.rows import Row
from pydocs_server.rendered.answer import (
    DEFAULT_TOKENS,
    MOST_TOKENS,
    Answer,
    NotFound,
    count_tokens,
    cut_lines,
)
from pydocs_server.rendered.render import fence, one_line, sealed, visible
from pydocs_server.rendered.rows import place, row
from pydocs_server.rendered.signatures import overloads

__all__ = ["MOST_TARGETS", "get_context"]

MOST_TARGETS: Final = 20

_MOST_CALLERS: Final = 5
_MOST_RELATED: Final = 24
_RELATED_SHARE: Final = 0.4
_DOCSTRING_TOKENS: Final = 60
_SIGNATURE: Final = 240
_LEAST_SOURCE_TOKENS: Final = 60


class _Context(NamedTuple):
    """One target with what surrounds it; `unresolved` calls go nobody knows where."""

    found: Found
    others: list[str]
    related: list[tuple[str, Found]]
    callers: list[Row]
    unresolved: int


class _Part(NamedTuple):
    """The lines of one section, their rows, and how many did not fit."""

    lines: list[str]
    rows: list[dict[str, object]]
    left: int


def get_context(catalog: Catalog, targets: Sequence[str], *, project: str = "") -> Answer:
    """The source of the targets, what they call and inherit in short, and who calls them.

    Args:
        catalog: what is mounted.
        targets: 1 to 20 dotted names; an unknown one is reported and the others are answered.
        project: one of several mounted projects; empty for all.

    Raises:
        NotFound: none of the targets is mounted.
    """
    if not 1 <= len(targets) <= MOST_TARGETS:
        raise UsageError(
            f"get_context takes 1 to {MOST_TARGETS} targets, not {len(targets)}; "
            'call get_context(targets=["package.name"]).'
        )
    within = catalog.select(project=project)
    graph = Graph(catalog, within)
    contexts: dict[Symbol, _Context] = {}
    unknown: list[NotFound] = []
    for target in dict.fromkeys(targets):
        try:
            found = names.require(catalog, target, within)
        except NotFound as error:
            unknown.append(error)
            continue
        if symbol_of(found[0]) not in contexts:
            contexts[symbol_of(found[0])] = _gathered(graph, found)
    if not contexts:
        raise unknown[0]
    notes = [visible(str(each)) for each in unknown]
    budget = min(DEFAULT_TOKENS * len(contexts), MOST_TOKENS) - count_tokens("\n".join(notes))
    told = set(contexts)
    parts: list[str] = []
    rows: list[dict[str, object]] = []
    for number, each in enumerate(contexts.values()):
        # What a short one leaves is for those behind it.
        text, made = _told(graph, each, told, budget // (len(contexts) - number))
        budget -= count_tokens(text) + 1
        parts.append(text)
        rows.append(made)
    structured: dict[str, object] = {
        "targets": rows,
        "unknown": [each.structured() for each in unknown],
    }
    return Answer("\n\n".join([*parts, *notes]), structured)


# --- gathering


def _gathered(graph: Graph, found: Sequence[Found]) -> _Context:
    target, *others = found
    callees, unresolved = _callees(graph, target)
    callers = [
        each
        for each in look(graph, [target], "callers").rows
        if each.found is not None and symbol_of(each.found) != symbol_of(target)
    ]
    return _Context(
        target,
        [place(graph.catalog, each.bundle, each.record) for each in others],
        [*_inherited(graph, target), *(("calls", each) for each in callees)],
        callers,
        unresolved,
    )


def _inherited(graph: Graph, target: Found) -> list[tuple[str, Found]]:
    """The bases of a class; of a method, what it overrides first."""
    owner = class_of(graph, target)
    if owner is None:
        return []
    bases = [
        base
        for base in graph.joins.line(owner)[1:]
        if graph.catalog.bundles[base.bundle].manifest.kind != "stdlib"
    ]
    if target.record.kind == Kind.CLASS:
        return [("inherits", base) for base in bases]
    for base in bases:
        records = graph.catalog.bundles[base.bundle].records
        for entry in records.find(f"{base.record.qualified_name}.{last_of(target.record)}"):
            return [("overrides", Found(base.bundle, records[entry]))]
    return []


def _callees(graph: Graph, target: Found) -> tuple[list[Found], int]:
    """The mounted symbols that the target calls, and how many of its calls are unresolved.

    Its own bundle's first, in the order of calls; without what everybody knows: builtins and the
    standard library.
    """
    there: dict[Symbol, None] = {}
    unresolved = 0
    for edge in graph.leaving(target):
        unresolved += bool(edge.reason)
        if not edge.reason:
            there.update(dict.fromkeys(graph.resolve(edge.target, target.bundle)[:1]))
    inside = f"{target.record.qualified_name}."
    outer = [
        each
        for each in map(graph.found, there)
        if each.record.kind != Kind.MODULE
        and symbol_of(each) != symbol_of(target)
        and graph.catalog.bundles[each.bundle].manifest.kind != "stdlib"
        and (each.bundle != target.bundle or not each.record.qualified_name.startswith(inside))
    ]
    if target.record.kind in (Kind.CLASS, Kind.MODULE):
        # Its members call more than fits: what the rest of the code leans on goes first.
        outer.sort(key=lambda each: -each.record.popularity)
    return sorted(outer, key=lambda each: each.bundle != target.bundle), unresolved


# --- telling


def _told(
    graph: Graph, context: _Context, told: set[Symbol], budget: int
) -> tuple[str, dict[str, object]]:
    """One target as text and for a program; what was told before is only named again."""
    catalog, target = graph.catalog, context.found
    related = _related(graph, context, told, int(budget * _RELATED_SHARE))
    callers = _callers(graph, context)
    subject = visible(names.shown_name(target.record))
    tail = _sections(
        (
            ("Calls and inherits", related.lines, _more(related.left, subject, "callees")),
            ("Called by", callers.lines, _more(callers.left, subject, "callers")),
        )
    )
    head = _head(context)
    room = budget - count_tokens(head + tail) - _LEAST_SOURCE_TOKENS
    source = source_within(catalog, target, max(room, _LEAST_SOURCE_TOKENS))
    made = row(
        catalog,
        target.bundle,
        target.record,
        source=visible(source.text),
        related=related.rows,
        related_left=related.left,
        callers=callers.rows,
        callers_left=callers.left,
        unresolved_calls=context.unresolved,
    )
    if source.is_outline:
        made["is_outline"] = True
    if source.next:
        made["next"] = source.next
    body = fence(source.text, place(catalog, target.bundle, target.record), _language(target))
    return "\n".join(filter(None, (head, body, source.next, tail))), made


def _head(context: _Context) -> str:
    record = context.found.record
    shown = visible(names.shown_name(record))
    head = f"## {shown}"
    if record.public_name:
        head += f" ({visible(record.qualified_name)})"
    if context.others:
        head += f"\nAlso: {', '.join(context.others[:3])}."
    if context.unresolved:
        is_one = context.unresolved == 1
        head += f"\n{context.unresolved} of its calls {'is' if is_one else 'are'} unresolved."
    return head


def _more(left: int, subject: str, direction: str) -> str:
    if not left:
        return ""
    return f'{left:,} more: get_references(target="{subject}", direction="{direction}")'


def _callers(graph: Graph, context: _Context) -> _Part:
    """A few callers, a call each; tests only where product code leaves room."""
    shown = context.callers[:_MOST_CALLERS]
    part = _Part([], [], len(context.callers) - len(shown))
    for each in shown:
        if each.edge is None or each.found is None:
            continue
        address, line = call_site(graph, each.edge)
        may = " [may]" if each.edge.tier == "may" else ""
        where = _near(context.found, each.found, each.edge.line, address)
        part.lines.append(f"- {visible(names.shown_name(each.found.record))}{may}  {where}")
        part.lines.append(f"    {line}")
        part.rows.append(
            {
                **row(graph.catalog, each.found.bundle, each.found.record),
                "tier": each.edge.tier,
                "call_site": {"address": address, "text": line},
            }
        )
    return part


def _related(graph: Graph, context: _Context, told: set[Symbol], room: int) -> _Part:
    """What the target calls and inherits, in short, without what was told before."""
    catalog = graph.catalog
    # What is both overridden and called is told of once.
    once = {symbol_of(found): (relation, found) for relation, found in reversed(context.related)}
    fresh = [each for symbol, each in reversed(once.items()) if symbol not in told]
    lines: list[str] = []
    rows: list[dict[str, object]] = []
    for relation, found in fresh:
        record = found.record
        docstring = _excerpt(catalog.bundles[found.bundle].docstring(record.id))
        where = place(catalog, found.bundle, record)
        where = _near(context.found, found, record.start_line, where)
        signature = one_line(overloads(record.signature)[0], _SIGNATURE)
        note = "" if relation == "calls" else f" [{relation}]"
        block = [f"- {visible(names.shown_name(record))}{signature}{note}  {where}"]
        block += [f"    {line}".rstrip() for line in visible(docstring).split("\n") if docstring]
        room -= count_tokens("\n".join(block)) + 1
        if room < 0 or len(rows) == _MOST_RELATED:
            break
        told.add(symbol_of(found))
        lines += block
        extra: dict[str, object] = {"relation": relation, "docstring": visible(docstring)}
        rows.append(row(catalog, found.bundle, record, **extra))
    return _Part(lines, rows, len(fresh) - len(rows))


def _excerpt(docstring: str) -> str:
    """A docstring that is short, or else its first paragraph on one line."""
    text = docstring.strip()
    if count_tokens(text) <= _DOCSTRING_TOKENS:
        return text
    paragraph = one_line(text.partition("\n\n")[0], _DOCSTRING_TOKENS * 4)
    return paragraph or cut_lines(text, _DOCSTRING_TOKENS).text


def _near(target: Found, found: Found, line: int, address: str) -> str:
    """An address, or the line alone for what is in the target's own file."""
    is_near = found.bundle == target.bundle and found.record.file == target.record.file
    return f"line {line}" if is_near else address


def _sections(sections: Iterable[tuple[str, Sequence[str], str]]) -> str:
    lines: list[str] = []
    further: list[str] = []
    for title, shown, more in sections:
        if shown:
            lines += [f"{title}:", *shown]
        if more:
            further.append(f"{title}: {more}.")
    return "\n".join([*([sealed("\n".join(lines))] if lines else []), *further])


def _language(found: Found) -> str:
    is_prose = found.record.kind in {Kind.SECTION, Kind.CELL, Kind.DECISION}
    return "text" if is_prose else "python"
