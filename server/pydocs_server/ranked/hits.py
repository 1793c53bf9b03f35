"""From a query to hits: candidates of the whole union, reordered, one hit for each symbol.

The numbers of the ranking order them; one symbol is one hit, however many versions, stubs and
overloads it has, and in a project's own code a file's second hit stands behind another file's as
good a one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from pydocs_bundle import Record
from pydocs_bundle.records import Kind
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.names import resolve
from pydocs_server.mounted.nearest import shown_name
from pydocs_server.mounted.places import records_at
from pydocs_server.mounted.spelling import normalised, version_key
from pydocs_server.ranked.candidates import Wanted, find_candidates
from pydocs_server.ranked.kinds import kinds_of
from pydocs_server.ranked.numbers import RANKING, Ranking
from pydocs_server.ranked.query import Frame, Query, is_code_like, understand
from pydocs_server.ranked.rank import factor, is_private, named_by_place
from pydocs_server.ranked.receivers import methods_of
from pydocs_server.ranked.topics import topics

__all__ = ["Hit", "Wanted", "find_hits", "search"]

_NAMED: Final = 100.0
"""No fit is above it, and every hit that bears the name asked for is."""

_FEW: Final = 8
_FEW_GLOBALS: Final = 3
_NAMESAKES: Final = 3
_MOST_NAMESAKES: Final = 12


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
    named = _named(catalog, query, wanted)
    # `session` may mean the one that a package exports, `version` means no one of twenty.
    few = sum(_is_global(record) for _, record in named) <= _FEW_GLOBALS
    for position, (bundle, record) in enumerate(named):
        known = hits.get((bundle, record.id))
        if query.is_name and (
            is_code_like(query.text)
            or _is_prominent(record, query.text)
            or (few and _is_global(record))
        ):
            hit = Hit(bundle, record, numbers.exact_name - position, is_exact=True)
        elif known:
            hit = known._replace(score=known.score * numbers.named_in_query, is_exact=True)
        elif not query.is_name:
            hit = Hit(bundle, record, best, is_exact=True)
        else:
            continue
        hits[bundle, record.id] = hit
    own = [
        hit
        for hit in hits.values()
        if not catalog.is_repeated(hit.bundle, hit.record.file, wanted.bundles)
    ]
    ordered = _ordered(_with_evidence(catalog, own, numbers))
    return _spread(catalog, _grouped(catalog, query, ordered), numbers)[: wanted.limit]


def _ordered(hits: Iterable[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-hit.score, hit.bundle, hit.record.id))


def _named(catalog: Catalog, query: Query, wanted: Wanted) -> list[tuple[int, Record]]:
    """What the names in the query mean: all of a query that is one name, the best few otherwise."""
    inside = frozenset(wanted.bundles)
    names = [query.text] if query.is_name else query.names
    found = [place for frame in query.frames for place in _in_frame(catalog, frame, inside)]
    if query.is_name and query.text.isalpha() and query.text.islower():
        # Whoever types `table` may well mean the class `Table`.
        names = [query.text, query.text.capitalize()]
    elif query.is_name and "." not in query.text:
        # `Flask` is a class before it is the distribution called so.
        bundles = catalog.spelled(query.text)
        modules = {module for i in bundles for module in catalog.bundles[i].manifest.modules}
        names = [*(f"{module}.{query.text}" for module in sorted(modules)), query.text]
    for name in names:
        known = resolve(catalog, name, inside)
        if not known and query.is_name and "." in name and "#" not in name:
            known = methods_of(catalog, name, wanted.bundles)
        meant = [
            (one.bundle, one.record)
            for one in known
            if one.bundle in inside and one.record.kind in wanted.kinds
        ]
        found += meant[: _MOST_NAMESAKES if query.is_name else _NAMESAKES]
    return list(dict.fromkeys(found))


def _in_frame(catalog: Catalog, frame: Frame, bundles: Iterable[int]) -> list[tuple[int, Record]]:
    """The function that a step of a traceback is in; the installed version may differ."""
    return [
        (bundle, record)
        for bundle, record in records_at(catalog, f"{frame.path}:{frame.line}", bundles)
        if record.qualified_name.rpartition(".")[2] == frame.function
    ]


def _is_prominent(record: Record, word: str) -> bool:
    """Whether a plain word such as `timeout` may mean this very symbol, not just the topic."""
    # A distribution's name leads to its module, however it is spelled.
    is_package = record.kind == Kind.MODULE and "." not in record.qualified_name
    is_whole = record.qualified_name == word or is_package
    return is_whole or (record.kind in {Kind.CLASS, Kind.FUNCTION} and not is_private(record))


def _is_global(record: Record) -> bool:
    """Whether it is a variable that a package offers at its top, as `flask.request` is."""
    return record.kind == Kind.ATTRIBUTE and shown_name(record).count(".") == 1


def _scored(catalog: Catalog, query: Query, wanted: Wanted, numbers: Ranking) -> list[Hit]:
    """The candidates, each scored by its text and by what it is."""
    hits: list[Hit] = []
    meaning = catalog.ready().meaning if numbers.dense and not query.is_name else None
    likely = topics(catalog, query, wanted.bundles, numbers)
    for bundle, record, fit in find_candidates(catalog, query, wanted, numbers, meaning):
        is_own = catalog.is_project(bundle)
        score = fit * likely.get(bundle, 1.0)
        score *= factor(query, bundle, record, numbers, is_own=is_own)
        if is_own:
            path = catalog.bundles[bundle].text.paths[record.file]
            score *= named_by_place(query, path, record, numbers)
        hits.append(Hit(bundle, record, score))
    return hits


def _with_evidence(catalog: Catalog, hits: Sequence[Hit], numbers: Ranking) -> list[Hit]:
    """The hits of a project's own code, more of them the more else in their file fits.

    Whoever asks about that looks for the file to open; of a library one wants the symbol.
    """
    by_file: dict[tuple[int, int], list[float]] = {}
    for hit in hits:
        if catalog.is_project(hit.bundle) and hit.score < _NAMED:
            by_file.setdefault((hit.bundle, hit.record.file), []).append(hit.score)
    evidence = {
        file: sum(score / 2**rank for rank, score in enumerate(sorted(scores, reverse=True)[:_FEW]))
        for file, scores in by_file.items()
    }
    most = max(evidence.values(), default=0.0) or 1.0
    weighed: list[Hit] = []
    for hit in hits:
        file = (hit.bundle, hit.record.file)
        if hit.score < _NAMED and file in evidence:
            # Around one, so that a project's files do not stand above its libraries' as such.
            more = numbers.file_evidence * (evidence[file] / most - 0.5)
            weighed.append(hit._replace(score=hit.score * (1 + more)))
        else:
            weighed.append(hit)
    return weighed


def _spread(catalog: Catalog, hits: Sequence[Hit], numbers: Ranking) -> list[Hit]:
    """The hits in order, those of a project counting less for every better one of their file."""
    better: dict[tuple[int, int], int] = {}
    spread: list[Hit] = []
    for hit in hits:
        if catalog.is_project(hit.bundle):
            file = (hit.bundle, hit.record.file)
            rate = numbers.same_own_file ** better.get(file, 0)
            better[file] = better.get(file, 0) + 1
            spread.append(hit._replace(score=hit.score * rate))
        else:
            spread.append(hit)
    return _ordered(spread)


def _grouped(catalog: Catalog, query: Query, hits: Iterable[Hit]) -> list[Hit]:
    """One hit for each symbol: the best of its stubs and overloads, one of its versions.

    The newest, but of those that the query names, if it names any. What is defined elsewhere in
    another version is still one symbol to those who import it.
    """
    groups: dict[tuple[str, str], list[Hit]] = {}
    for hit in hits:
        manifest = catalog.bundles[hit.bundle].manifest
        key = (normalised(manifest.name), shown_name(hit.record))
        groups.setdefault(key, []).append(hit)
    grouped: list[Hit] = []
    for same in groups.values():
        by_version: dict[int, Hit] = {}
        for hit in same:
            by_version.setdefault(hit.bundle, hit)
        if len(by_version) == 1:
            grouped.append(same[0])
            continue
        chosen, *others = sorted(
            by_version.values(),
            key=lambda hit: (hit.bundle in query.packages, _age(catalog, hit)),
            reverse=True,
        )
        versions = tuple(
            catalog.bundles[hit.bundle].manifest.version
            for hit in sorted(others, key=lambda hit: _age(catalog, hit), reverse=True)
        )
        grouped.append(chosen._replace(score=same[0].score, other_versions=versions))
    return grouped


def _age(catalog: Catalog, hit: Hit) -> tuple[tuple[int, str], ...]:
    return version_key(catalog.bundles[hit.bundle].manifest.version)
