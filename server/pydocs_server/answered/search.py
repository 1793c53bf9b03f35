"""`search_codebase`: what fits a query best, over everything mounted, in few tokens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pydocs_bundle.errors import UsageError
from pydocs_bundle.records import Kind
from pydocs_native import terms_in
from pydocs_server.answered.notes import by_words, missing, nearest, none, uncalled
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.inherited import constructor
from pydocs_server.mounted.lent import asked_as, called
from pydocs_server.mounted.names import Found
from pydocs_server.mounted.nearest import shown_name
from pydocs_server.ranked.abstain import fits
from pydocs_server.ranked.hits import Hit, Wanted, find_hits, search
from pydocs_server.ranked.kinds import kinds_of
from pydocs_server.ranked.query import Query, is_code_like, understand
from pydocs_server.rendered.answer import (
    DEFAULT_TOKENS,
    MOST_TOKENS,
    Answer,
    assemble,
    count_tokens,
)
from pydocs_server.rendered.render import one_line, sealed, visible
from pydocs_server.rendered.results import Result, block, mention, places
from pydocs_server.rendered.rows import row

__all__ = ["Hit", "search", "search_codebase"]

_Line = tuple[int, str]
_MOST: Final = 1_000
_TOKENS_PER_HIT: Final = DEFAULT_TOKENS // 10
_SIGNATURE: Final = 160
_SUMMARY: Final = 160
_LINE: Final = 120
_MOST_LINES: Final = 50
_SAME: Final = 40


def search_codebase(
    catalog: Catalog,
    query: str,
    *,
    kind: str = "any",
    package: str = "",
    scope: str = "all",
    limit: int = 10,
    project: str = "",
) -> Answer:
    """The symbols, documents and decisions that fit a query best, with place and signature.

    Args:
        catalog: what is mounted.
        query: a name, a question, an error message; nothing in it is syntax.
        kind: `docs`, `api`, `any`, `decision` or one finer kind.
        package: only this package, in any spelling, with `==version` if need be.
        scope: `project`, `deps` or `all`.
        limit: results, 1 to 1000.
        project: one of several mounted projects.

    Raises:
        UsageError: a value is out of range.
        NotFound: no such package or project is mounted.
    """
    if not 1 <= limit <= _MOST:
        raise UsageError(f"limit is {limit}; it must be between 1 and {_MOST:,}.")
    if not query.strip():
        raise UsageError("The query is empty; ask for a name, a topic or an error message.")
    sections = tuple(catalog.select(package, scope, project))
    understood = understand(catalog, query)
    # Who names a version asks for that one.
    sections = tuple(i for i in sections if i not in understood.others) or sections
    # Once and for the whole answer: a model may come to be there meanwhile.
    needs_model = catalog.ranking.dense > 0 and not understood.is_name
    semantics = catalog.ready() if needs_model else catalog.semantics
    numbers = catalog.ranking
    if semantics.meaning is None:
        numbers = numbers._replace(dense=0.0)
    hits = find_hits(catalog, understood, Wanted(kinds_of(kind), sections, limit + 1), numbers)
    how = by_words(catalog, semantics)
    near: list[str] = []
    if hits and not fits(catalog, understood, hits, numbers, sections):
        near = nearest(catalog, understood, hits)
        hits = []
    more = len(hits) > limit
    hits = hits[:limit]
    lines = [_matching_line(catalog, understood, hit) for hit in hits[:_MOST_LINES]]
    lines += [None] * (len(hits) - len(lines))
    names = _names(catalog, understood, hits)
    structured: dict[str, object] = {
        "query": visible(understood.text),
        "results": [
            row(
                catalog,
                hit.bundle,
                hit.record,
                score=round(hit.score, 4),
                is_exact=hit.is_exact,
                other_versions=list(hit.other_versions),
                lines=[{"line": line[0], "text": line[1]}] if line else [],
                **({"public_name": visible(name)} if name else {}),
            )
            for hit, line, name in zip(hits, lines, names, strict=True)
        ],
        "has_more": more,
        "searched_by": "words and meaning" if numbers.dense > 0 else "words",
    }
    if not hits:
        limits = {"package": package, "kind": kind.replace("any", ""), "project": project}
        limits["scope"] = scope.replace("all", "")
        note = none(catalog, understood, limits, len(sections), near) + how
        return Answer(note, structured | {"note": note, "nearest": near})
    # Below the very thing that was asked for by its name, a line each is enough.
    found_it = understood.is_name and hits[0].is_exact and _is_proper(understood.text)
    blocks = [
        mention(result) if found_it and not hit.is_exact else block(result, is_asked=found_it)
        for hit, result in zip(hits, _told(catalog, hits, lines, names), strict=True)
    ]
    note = " ".join([*missing(understood), *uncalled(catalog, understood, hits)])
    structured |= {"note": note} if note else {}
    beside = f"{note}\n" if note else ""
    return Answer(beside + _text(blocks, limit, count_tokens(beside + how)) + how, structured)


def _is_proper(name: str) -> bool:
    """Whether a name can mean nothing but what is called so, as `timeout` can."""
    return is_code_like(name) or not name.islower()


def _matching_line(catalog: Catalog, query: Query, hit: Hit) -> _Line | None:
    """The line that says why this is a hit, where name, signature and summary do not say it."""
    record = hit.record
    summary = one_line(record.summary, _SUMMARY)
    shown = f"{shown_name(record)} {record.signature[:_SIGNATURE]} {summary}"
    (said,) = terms_in([shown], query.terms)
    is_told = said.bit_count() == len(query.terms) or hit.is_exact
    if is_told or (query.is_name and _is_proper(query.text)):
        return None
    lines = _own_text(catalog, hit).decode("utf-8", "replace").split("\n")
    held = terms_in([line if len(line) <= 4 * _LINE else "" for line in lines], query.terms)
    # A line helps that says something new, and more than one word of several.
    least = min(len(query.terms), max(2, len(query.terms) // 2))
    best: tuple[int, int, str] | None = None
    for number, (line, words) in enumerate(zip(lines, held, strict=True)):
        count = words.bit_count()
        if words & ~said and count >= least and (best is None or count > best[0]):
            best = (count, record.start_line + number, one_line(line, _LINE))
    is_news = best is not None and best[2][:_SAME] not in summary
    return best[1:] if best and is_news else None


def _own_text(catalog: Catalog, hit: Hit) -> bytes:
    """The text of a hit; of a class or module, what stands before its first member."""
    bundle = catalog.bundles[hit.bundle]
    record = hit.record
    end = record.end
    if record.kind in {Kind.CLASS, Kind.MODULE} and record.children:
        first = bundle.records[record.children[0]]
        end = first.start if record.start < first.start < end else end
    return bundle.text.slice(record.file, record.start, end)


def _names(catalog: Catalog, query: Query, hits: Sequence[Hit]) -> list[str]:
    """For each hit the name that a class lends it which only inherits it; mostly none."""
    words = frozenset(re.findall(r"\w+", query.text.lower()))
    names: list[str] = []
    for position, hit in enumerate(hits):
        name = ""
        if hit.is_exact and query.is_name and "#" not in query.text:
            name = asked_as(catalog, hit.bundle, hit.record, query.text)
        if not name and position < _MOST_LINES:
            name = called(catalog, hit.bundle, hit.record, words)
        names.append(name)
    return names


def _told(
    catalog: Catalog, hits: Sequence[Hit], lines: Sequence[_Line | None], names: Sequence[str]
) -> list[Result]:
    """The hits with what their readers are told of them; classes asked for, how they are called."""
    shown = places(catalog, [(hit.bundle, hit.record) for hit in hits])
    return [
        Result(hit.record, where, hit.other_versions, line, _called(catalog, hit), name)
        for hit, where, line, name in zip(hits, shown, lines, names, strict=True)
    ]


def _called(catalog: Catalog, hit: Hit) -> str:
    if not hit.is_exact or hit.record.kind != Kind.CLASS:
        return ""
    found = constructor(catalog, Found(hit.bundle, hit.record))
    return found.record.signature if found else ""


def _text(blocks: list[str], limit: int, spent: int) -> str:
    budget = min(MOST_TOKENS, max(DEFAULT_TOKENS, limit * _TOKENS_PER_HIT)) - spent

    def left(unshown: int) -> str:
        return f"{unshown} more did not fit; narrow with package= or kind=, or lower limit."

    return sealed(assemble("", blocks, left, budget - 20, separator="\n"))
