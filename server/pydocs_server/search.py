"""`search_codebase`: what fits a query best, over everything mounted, in few tokens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pydocs_bundle.errors import UsageError
from pydocs_bundle.records import Kind
from pydocs_native import analyze
from pydocs_server.answer import DEFAULT_TOKENS, MOST_TOKENS, Answer, assemble
from pydocs_server.catalog import Catalog
from pydocs_server.hits import Hit, Wanted, find_hits, search
from pydocs_server.kinds import kinds_of
from pydocs_server.nearest import shown_name
from pydocs_server.query import Query, understand
from pydocs_server.render import one_line, sealed
from pydocs_server.rows import kind_label, place, row

__all__ = ["Hit", "search", "search_codebase"]

_MOST: Final = 1_000
_TOKENS_PER_HIT: Final = DEFAULT_TOKENS // 10
_MOST_LINES: Final = 2
_SIGNATURE: Final = 160
_SUMMARY: Final = 160
_LINE: Final = 120


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
    hits = find_hits(catalog, understood, Wanted(kinds_of(kind), sections, limit + 1))
    more = len(hits) > limit
    hits = hits[:limit]
    lines = [_matching_lines(catalog, understood, hit) for hit in hits]
    structured: dict[str, object] = {
        "query": understood.text,
        "results": [
            row(
                catalog,
                hit.bundle,
                hit.record,
                score=round(hit.score, 4),
                is_exact=hit.is_exact,
                other_versions=list(hit.other_versions),
                lines=[{"line": number, "text": text} for number, text in matching],
            )
            for hit, matching in zip(hits, lines, strict=True)
        ],
        "has_more": more,
    }
    if not hits:
        limits = {"package": package, "kind": kind.replace("any", ""), "project": project}
        limits["scope"] = scope.replace("all", "")
        note = _none(catalog, understood, limits, len(sections))
        return Answer(note, structured | {"note": note})
    blocks = [_block(catalog, hit, matching) for hit, matching in zip(hits, lines, strict=True)]
    return Answer(_text(blocks, limit, more=more), structured)


def _matching_lines(catalog: Catalog, query: Query, hit: Hit) -> list[tuple[int, str]]:
    """The lines that say why this is a hit, where name, signature and summary do not say it."""
    record = hit.record
    shown = f"{shown_name(record)} {record.signature[:_SIGNATURE]} {record.summary[:_SUMMARY]}"
    missing = set(query.terms) - set(analyze(shown))
    if not missing or query.is_name or hit.is_exact:
        return []
    text = catalog.bundles[hit.bundle].text.slice(record.file, record.start, record.end)
    scored: list[tuple[int, int, str]] = []
    for number, line in enumerate(text.decode("utf-8", "replace").split("\n")):
        if len(line) <= 4 * _LINE and (held := len(missing.intersection(analyze(line)))):
            scored.append((-held, record.start_line + number, line.strip()))
    # One line that holds most of it says more than two that each hold one word.
    best = sorted(scored)[:_MOST_LINES]
    kept = [entry for entry in best if entry[0] == best[0][0]]
    return [(number, one_line(line, _LINE)) for _, number, line in sorted(kept, key=lambda e: e[1])]


def _block(catalog: Catalog, hit: Hit, lines: Iterable[tuple[int, str]]) -> str:
    """A hit as its reader needs it: what it is and where, how it is called, what it does."""
    record = hit.record
    kind = kind_label(record.kind)
    also = f" (also {', '.join(hit.other_versions)})" if hit.other_versions else ""
    parts = [f"{one_line(shown_name(record))}  {kind}  {place(catalog, hit.bundle, record)}{also}"]
    if record.signature and record.kind != Kind.MODULE:
        parts.append(f"    {one_line(record.signature, _SIGNATURE)}")
    if record.summary:
        parts.append(f"    {one_line(record.summary, _SUMMARY)}")
    parts += [f"    {number}: {line}" for number, line in lines]
    return "\n".join(parts)


def _text(blocks: list[str], limit: int, *, more: bool) -> str:
    budget = min(MOST_TOKENS, max(DEFAULT_TOKENS, limit * _TOKENS_PER_HIT))
    closing = f"More fit; limit={min(limit * 2, _MOST)} shows them." if more else ""

    def left(unshown: int) -> str:
        return f"{unshown} more did not fit; narrow with package= or kind=, or lower limit."

    listed = assemble("", blocks, left, budget - 40, separator="\n")
    return sealed(listed) + (f"\n{closing}" if closing else "")


def _none(catalog: Catalog, query: Query, limits: dict[str, str], searched: int) -> str:
    """Plainly that nothing fits, what was searched, and what would search more."""
    where = f"{searched} of {len(catalog.bundles)} mounted packages"
    within = "".join(f", {name}={value}" for name, value in limits.items() if value)
    counts = catalog.postings.frequencies(query.terms)
    unknown = [term for term, count in zip(query.terms, counts, strict=True) if not count]
    said = f" No mounted text has: {one_line(', '.join(unknown), 120)}." if unknown else ""
    remedy = "Try it without the limits" if within else "Try other words, or grep for exact text"
    return f"None: nothing fits {one_line(query.text, 120)!r}{within} ({where}).{said} {remedy}."
