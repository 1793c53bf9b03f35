"""`find`: symbols by their names and by their texts, one row for each place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from pydocs_bundle import Record
from pydocs_bundle.errors import UsageError
from pydocs_bundle.records import Kind
from pydocs_server.mounted import names
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.edges import Graph, Symbol, symbol_of
from pydocs_server.mounted.names import Found
from pydocs_server.ranked.hits import Hit, Wanted, find_hits
from pydocs_server.ranked.kinds import kinds_of
from pydocs_server.ranked.query import understand
from pydocs_server.rendered.answer import DEFAULT_TOKENS, MOST_TOKENS, Answer, assemble
from pydocs_server.rendered.api import declaration
from pydocs_server.rendered.render import one_line, sealed, visible
from pydocs_server.rendered.rows import kind_label, place, row

__all__ = ["DEFAULT_LIMIT", "MOST", "find"]

DEFAULT_LIMIT: Final = 10
MOST: Final = 200

_MOST_NAMED: Final = 40
_MOST_COUNTED: Final = 12
_WIDTH: Final = 160
# Reciprocal ranks: 60 is the usual damping; what is called so counts more than what says so.
_DAMPING: Final = 60
_NAME_WEIGHT: Final = 2.0
_DOTTED_ORDER: Final = (
    *(Kind.METHOD, Kind.PROPERTY, Kind.FUNCTION, Kind.CLASS, Kind.ATTRIBUTE, Kind.MODULE),
)
_BARE_ORDER: Final = (
    *(Kind.CLASS, Kind.FUNCTION, Kind.MODULE, Kind.METHOD, Kind.PROPERTY, Kind.ATTRIBUTE),
)


class _Place(NamedTuple):
    """One place of the answer: its symbol, what speaks for it, how often it is used."""

    found: Found
    score: float
    by: tuple[str, ...]
    uses: int


def find(catalog: Catalog, query: str, limit: int = DEFAULT_LIMIT, *, project: str = "") -> Answer:
    """Where something is: symbols of that name and texts that have the words, fused by place.

    Of a dotted name methods go first, of a bare one classes and functions; what is alike in that is
    ordered by how often it is used.

    Args:
        catalog: what is mounted.
        query: a name or words.
        limit: how many places.
        project: one of several mounted projects; empty for all.

    Raises:
        UsageError: the query is empty.
    """
    if not query.strip():
        raise UsageError("The query is empty; ask for a name or for words.")
    within = catalog.select(project=project)
    graph = Graph(catalog, within)
    named = _named(graph, query)
    wanted = Wanted(kinds_of("any"), tuple(within), max(limit * 3, DEFAULT_LIMIT))
    hits = find_hits(catalog, understand(catalog, query), wanted)
    places = _fused(graph, named, hits)[:limit]
    if not places:
        note = f"None: no name and no text fits {one_line(query, 120)!r}. Try grep for exact text."
        return Answer(note, {"query": query, "places": [], "note": note})
    # Below what is called so, a line each is enough for what only says so.
    blocks = [
        _block(catalog, each, is_brief=bool(named) and each.by == ("text",)) for each in places
    ]
    tokens = DEFAULT_TOKENS if limit <= DEFAULT_LIMIT else MOST_TOKENS
    text = assemble("", blocks, lambda n: f"{n} more did not fit.", tokens - 20, separator="\n")
    structured: dict[str, object] = {
        "query": visible(query),
        "places": [
            row(
                catalog,
                each.found.bundle,
                each.found.record,
                found_by=list(each.by),
                uses=each.uses,
                score=round(each.score, 5),
            )
            for each in places
        ],
    }
    return Answer(sealed(text), structured)


def _named(graph: Graph, query: str) -> list[tuple[Found, int]]:
    """The symbols that are called so, best first, each with how often it is used."""
    wanted = query.strip().removesuffix("()")
    if any(character.isspace() for character in wanted):
        return []
    order = _DOTTED_ORDER if "." in wanted else _BARE_ORDER
    ranks = {kind: rank for rank, kind in enumerate(order)}
    found = names.resolve(graph.catalog, wanted, graph.within)[:_MOST_NAMED]
    # Counting opens a database for each bundle, so only what may well be meant is counted.
    counted = [
        (each, _uses(graph, each) if number < _MOST_COUNTED else 0)
        for number, each in enumerate(found)
    ]

    def key(one: tuple[Found, int]) -> tuple[bool, int, int]:
        each, uses = one
        rank = ranks.get(Kind(each.record.kind), len(ranks)) if _is_known(each.record) else 99
        return graph.is_test(symbol_of(each)), rank, -uses

    return sorted(counted, key=key)


def _uses(graph: Graph, found: Found) -> int:
    return len(graph.arriving([found], is_counting=False).edges)


def _is_known(record: Record) -> bool:
    return record.kind in Kind._value2member_map_


def _fused(graph: Graph, named: Sequence[tuple[Found, int]], hits: Iterable[Hit]) -> list[_Place]:
    """Both lists as one: a text inside a symbol that is listed already speaks for that symbol."""
    scores: dict[Symbol, float] = {}
    by: dict[Symbol, list[str]] = {}
    uses: dict[Symbol, int] = {}
    found: dict[Symbol, Found] = {}
    for rank, (each, count) in enumerate(named):
        symbol = symbol_of(each)
        if symbol in found:
            continue
        found[symbol] = each
        scores[symbol] = _NAME_WEIGHT / (_DAMPING + rank)
        by[symbol] = ["name"]
        uses[symbol] = count
    for rank, hit in enumerate(hits):
        symbol = _around(graph, Symbol(hit.bundle, hit.record.id), found)
        found.setdefault(symbol, Found(hit.bundle, hit.record))
        scores[symbol] = scores.get(symbol, 0.0) + 1 / (_DAMPING + rank)
        reasons = by.setdefault(symbol, [])
        if "text" not in reasons:
            reasons.append("text")
    ordered = sorted(scores, key=lambda symbol: (-scores[symbol], symbol))
    return [
        _Place(found[symbol], scores[symbol], tuple(by[symbol]), uses.get(symbol, 0))
        for symbol in ordered
    ]


def _around(graph: Graph, symbol: Symbol, listed: dict[Symbol, Found]) -> Symbol:
    """The symbol itself, or a listed function or method that it is inside of."""
    current = symbol
    while current not in listed:
        record = graph.record(current)
        if record.parent < 0:
            return symbol
        current = Symbol(current.bundle, record.parent)
    is_narrow = graph.record(current).kind in (Kind.FUNCTION, Kind.METHOD, Kind.PROPERTY)
    return current if current == symbol or is_narrow else symbol


def _block(catalog: Catalog, each: _Place, *, is_brief: bool) -> str:
    record = each.found.record
    where = place(catalog, each.found.bundle, record)
    used = f", used {each.uses:,} times" if each.uses else ""
    first = f"{visible(names.shown_name(record))}  {kind_label(record.kind)}  {where}"
    text = f"{first}  [{' and '.join(each.by)}{used}]"
    if is_brief:
        return text
    if record.kind < Kind.SECTION and record.kind != Kind.MODULE and record.signature:
        text += f"\n    {declaration(record, most=_WIDTH)}"
    if record.summary:
        text += f"\n    {one_line(record.summary, _WIDTH)}"
    return text
