"""`get_context`: what has to be read to work on some symbols, together and within one budget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pydocs_bundle.errors import UsageError
from pydocs_bundle.records import Kind
from pydocs_server.answered.references import call_site
from pydocs_server.mounted import names
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.edges import Graph, Symbol
from pydocs_server.mounted.names import Found
from pydocs_server.rendered.answer import (
    DEFAULT_TOKENS,
    MOST_TOKENS,
    Answer,
    NotFound,
    count_tokens,
    cut_lines,
)
from pydocs_server.rendered.render import fence, location, one_line, sealed, visible
from pydocs_server.rendered.rows import place, row
from pydocs_server.rendered.signatures import overloads

__all__ = ["MOST_TARGETS", "get_context"]

MOST_TARGETS = 20

_MOST_CALLERS = 5
_MOST_RELATED = 24
_RELATED_SHARE = 0.4
_DOCSTRING_TOKENS = 60
_CLASS_SOURCE_TOKENS = 60


class _Caller(NamedTuple):
    found: Found
    address: str
    line: str


class _Context(NamedTuple):
    """One target with what surrounds it."""

    found: Found
    others: list[str]
    related: list[tuple[str, Found]]
    callers: list[_Caller]


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
    contexts: list[_Context] = []
    unknown: list[NotFound] = []
    for target in dict.fromkeys(targets):
        try:
            contexts.append(_gathered(graph, names.require(catalog, target, within)))
        except NotFound as error:
            unknown.append(error)
    if not contexts:
        raise unknown[0]
    notes = [visible(str(each)) for each in unknown]
    budget = min(DEFAULT_TOKENS * len(contexts), MOST_TOKENS) - count_tokens("\n".join(notes))
    told = {Symbol(each.found.bundle, each.found.record.id) for each in contexts}
    parts: list[str] = []
    rows: list[dict[str, object]] = []
    for each in contexts:
        text, made = _told(graph, each, told, budget // len(contexts))
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
    called = [
        ("calls", there) for there in _callees(graph, target) if there.record.kind != Kind.MODULE
    ]
    inherited = []
    if target.record.kind == Kind.CLASS:
        inherited = [("inherits", base) for base in names.mro(graph.catalog, target)[1:]]
    return _Context(
        target,
        [place(graph.catalog, each.bundle, each.record) for each in others],
        [*inherited, *called],
        _callers(graph, target),
    )


def _callees(graph: Graph, target: Found) -> list[Found]:
    """The mounted symbols that the target calls, its own bundle's first, in the order of calls."""
    there: dict[Symbol, None] = {}
    for edge in graph.leaving(target):
        if not edge.reason:
            there.update(dict.fromkeys(graph.resolve(edge.target, target.bundle)[:1]))
    found = [graph.found(symbol) for symbol in there]
    inside = f"{target.record.qualified_name}."
    outer = [
        each
        for each in found
        if each.bundle != target.bundle or not each.record.qualified_name.startswith(inside)
    ]
    return sorted(outer, key=lambda each: each.bundle != target.bundle)


def _callers(graph: Graph, target: Found) -> list[_Caller]:
    """A few callers, one call each: product code before tests, projects before dependencies."""
    first_calls = {
        edge.source: edge
        for edge in reversed(graph.arriving([target]).edges)
        if edge.source != Symbol(target.bundle, target.record.id)
    }
    ranked = sorted(
        first_calls.items(),
        key=lambda item: (
            graph.is_test(item[0]),
            not graph.catalog.is_project(item[0].bundle),
            item[0],
        ),
    )
    return [
        _Caller(graph.found(symbol), *call_site(graph, edge))
        for symbol, edge in ranked[:_MOST_CALLERS]
    ]


# --- telling


def _told(
    graph: Graph, context: _Context, told: set[Symbol], budget: int
) -> tuple[str, dict[str, object]]:
    """One target as text and for a program; what was told before is only named again."""
    related, related_rows = _related(graph, context.related, told, int(budget * _RELATED_SHARE))
    callers = [
        f"- {visible(names.shown_name(each.found.record))}  {each.address}\n    {each.line}"
        for each in context.callers
    ]
    tail = _sections((("Calls and inherits", related), ("Called by", callers)))
    head = _head(context)
    room = budget - count_tokens(head + tail) - _CLASS_SOURCE_TOKENS
    source, further = _source(graph.catalog, context.found, room)
    made = row(
        graph.catalog,
        context.found.bundle,
        context.found.record,
        source=visible(source),
        related=related_rows,
        callers=[
            {
                **row(graph.catalog, each.found.bundle, each.found.record),
                "call_site": {"address": each.address, "text": each.line},
            }
            for each in context.callers
        ],
    )
    if further:
        made["next"] = further
    address = place(graph.catalog, context.found.bundle, context.found.record)
    body = fence(source, address, _language(context.found))
    return "\n".join(filter(None, (head, body, further, tail))), made


def _head(context: _Context) -> str:
    record = context.found.record
    shown = visible(record.public_name or record.qualified_name)
    head = f"## {shown}"
    if record.public_name:
        head += f" ({visible(record.qualified_name)})"
    if context.others:
        head += f"\nAlso: {', '.join(context.others[:3])}."
    return head


def _source(catalog: Catalog, found: Found, room: int) -> tuple[str, str]:
    """The source as far as the room goes, and how to read on."""
    bundle = catalog.bundles[found.bundle]
    whole = bundle.source(found.record.id).decode("utf-8", "replace")
    fitted = cut_lines(whole, max(room, _CLASS_SOURCE_TOKENS))
    if not fitted.left and fitted.text == whole:
        return whole, ""
    manifest = bundle.manifest
    address = location(manifest.name, manifest.version, bundle.text.paths[found.record.file])
    begin = found.record.start_line + fitted.shown
    return fitted.text, (
        f'Cut after line {begin - 1}: read_file(file_path="{address}", offset={begin}, '
        f"limit={found.record.end_line - begin + 1})."
    )


def _related(
    graph: Graph, related: Iterable[tuple[str, Found]], told: set[Symbol], room: int
) -> tuple[list[str], list[dict[str, object]]]:
    texts: list[str] = []
    rows: list[dict[str, object]] = []
    for relation, found in related:
        symbol = Symbol(found.bundle, found.record.id)
        if symbol in told:
            continue
        text, docstring = _short(graph.catalog, found)
        room -= count_tokens(text) + 1
        if room < 0 or len(texts) == _MOST_RELATED:
            break
        told.add(symbol)
        texts.append(text)
        rows.append(
            row(
                graph.catalog,
                found.bundle,
                found.record,
                relation=relation,
                docstring=visible(docstring),
            )
        )
    return texts, rows


def _short(catalog: Catalog, found: Found) -> tuple[str, str]:
    """Name, signature, place and the beginning of the docstring of something related."""
    record = found.record
    docstring = catalog.bundles[found.bundle].docstring(record.id).strip()
    fitted = cut_lines(docstring, _DOCSTRING_TOKENS)
    shown = fitted.text.strip()
    name = visible(record.public_name or record.qualified_name)
    signature = one_line(overloads(record.signature)[0])
    text = f"- {name}{signature}  {place(catalog, found.bundle, record)}"
    if shown:
        text += "".join(f"\n    {line}".rstrip() for line in visible(shown).split("\n"))
    return text, shown


def _sections(sections: Iterable[tuple[str, Sequence[str]]]) -> str:
    lines = [line for title, lines in sections if lines for line in (f"{title}:", *lines)]
    return sealed("\n".join(lines)) if lines else ""


def _language(found: Found) -> str:
    is_prose = found.record.kind in {Kind.SECTION, Kind.CELL, Kind.DECISION}
    return "text" if is_prose else "python"
