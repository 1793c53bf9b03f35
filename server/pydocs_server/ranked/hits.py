"""From a query to hits: candidates of the whole union, reordered, one hit for each symbol.

Candidates come from the postings with the statistics of everything mounted, the numbers in `rank`
order them, and one symbol is one hit, however many versions, stubs and overloads it has.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from pydocs_bundle import Record
from pydocs_bundle.records import Kind
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.names import resolve
from pydocs_server.mounted.spelling import normalised, version_key
from pydocs_server.ranked.kinds import kind_mask, kinds_of
from pydocs_server.ranked.query import Query, is_code_like, understand
from pydocs_server.ranked.rank import RANKING, Ranking, factor, is_private, weights

__all__ = ["Hit", "Wanted", "find_hits", "search"]

_NAMESAKES: Final = 3
_MOST_NAMESAKES: Final = 12


class Wanted(NamedTuple):
    """What the caller allows: kinds of entries, bundles, and how many results."""

    kinds: frozenset[int]
    bundles: tuple[int, ...]
    limit: int


class Hit(NamedTuple):
    """One result: its record, its score within this answer, the other versions that have it."""

    bundle: int
    record: Record
    score: float
    is_exact: bool = False
    other_versions: tuple[str, ...] = ()


def search(
    catalog: Catalog,
    query: str,
    *,
    kind: str = "any",
    package: str = "",
    scope: str = "all",
    limit: int = 10,
    numbers: Ranking = RANKING,
) -> list[Hit]:
    """The hits alone, best first; at most `limit`."""
    wanted = Wanted(kinds_of(kind), tuple(catalog.select(package, scope)), limit)
    return find_hits(catalog, understand(catalog, query), wanted, numbers)


def find_hits(
    catalog: Catalog, query: Query, wanted: Wanted, numbers: Ranking = RANKING
) -> list[Hit]:
    """The hits for a query that is understood already, best first."""
    scored = _scored(catalog, query, wanted, numbers)
    best = max((hit.score for hit in scored), default=1.0)
    hits = {(hit.bundle, hit.record.id): hit for hit in scored}
    for position, (bundle, record) in enumerate(_named(catalog, query, wanted)):
        known = hits.get((bundle, record.id))
        if query.is_name and (is_code_like(query.text) or _is_prominent(record, query.text)):
            hit = Hit(bundle, record, numbers.exact_name - position, is_exact=True)
        elif known:
            hit = known._replace(score=known.score * numbers.named_in_query, is_exact=True)
        elif not query.is_name:
            hit = Hit(bundle, record, best, is_exact=True)
        else:
            continue
        hits[bundle, record.id] = hit
    ordered = sorted(hits.values(), key=lambda h: (-h.score, h.bundle, h.record.id))
    own = [
        hit
        for hit in ordered
        if not catalog.is_repeated(hit.bundle, hit.record.file, wanted.bundles)
    ]
    return _grouped(catalog, own)[: wanted.limit]


def _named(catalog: Catalog, query: Query, wanted: Wanted) -> list[tuple[int, Record]]:
    """What the names in the query mean: all of a query that is one name, the best few otherwise."""
    inside = frozenset(wanted.bundles)
    names = [query.text] if query.is_name else query.names
    if query.is_name and query.text.isalpha() and query.text.islower():
        # Whoever types `table` may well mean the class `Table`.
        names = [query.text, query.text.capitalize()]
    found: list[tuple[int, Record]] = []
    for name in names:
        meant = [
            (one.bundle, one.record)
            for one in resolve(catalog, name, inside)
            if one.bundle in inside and one.record.kind in wanted.kinds
        ]
        found += meant[: _MOST_NAMESAKES if query.is_name else _NAMESAKES]
    return list(dict.fromkeys(found))


def _is_prominent(record: Record, word: str) -> bool:
    """Whether a plain word such as `timeout` may mean this very symbol, not just the topic."""
    is_whole = record.qualified_name == word
    return is_whole or (record.kind in {Kind.CLASS, Kind.FUNCTION} and not is_private(record))


def _scored(catalog: Catalog, query: Query, wanted: Wanted, numbers: Ranking) -> list[Hit]:
    """The candidates of the postings: over all, and once more in the packages that are named."""
    if not query.terms:
        return []
    many = max(numbers.least_candidates, wanted.limit * numbers.candidates_per_result)
    mask = kind_mask(wanted.kinds)
    fields = weights(query, numbers)
    candidates: dict[tuple[int, int], float] = {}
    named = tuple(index for index in wanted.bundles if index in query.packages)
    for where in (wanted.bundles, named):
        if where:
            chosen = None if len(where) == len(catalog.bundles) else where
            for score, section, doc in catalog.postings.search(
                query.terms, fields, many, sections=chosen, kinds=mask
            ):
                candidates[section, doc] = score
    hits: list[Hit] = []
    for (section, doc), score in candidates.items():
        record = catalog.bundles[section].records[doc]
        hits.append(Hit(section, record, score * factor(query, section, record, numbers)))
    return hits


def _grouped(catalog: Catalog, hits: Iterable[Hit]) -> list[Hit]:
    """One hit for each symbol: the best of its stubs and overloads, the newest of its versions."""
    groups: dict[tuple[str, str], list[Hit]] = {}
    for hit in hits:
        manifest = catalog.bundles[hit.bundle].manifest
        key = (normalised(manifest.name), hit.record.qualified_name)
        groups.setdefault(key, []).append(hit)
    grouped: list[Hit] = []
    for same in groups.values():
        by_version: dict[int, Hit] = {}
        for hit in same:
            by_version.setdefault(hit.bundle, hit)
        if len(by_version) == 1:
            grouped.append(same[0])
            continue
        newest, *others = sorted(by_version.values(), key=lambda h: _age(catalog, h), reverse=True)
        versions = tuple(catalog.bundles[hit.bundle].manifest.version for hit in others)
        grouped.append(newest._replace(score=same[0].score, other_versions=versions))
    return grouped


def _age(catalog: Catalog, hit: Hit) -> tuple[tuple[int, str], ...]:
    return version_key(catalog.bundles[hit.bundle].manifest.version)
