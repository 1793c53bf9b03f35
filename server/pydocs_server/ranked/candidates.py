"""Candidates of the whole union for a query: by its words, by its meaning, and both weighed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from pydocs_bundle import Record
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.ranked.kinds import kind_mask
from pydocs_server.ranked.numbers import Ranking
from pydocs_server.ranked.query import Query
from pydocs_server.ranked.rank import weights

__all__ = ["Candidate", "Meaning", "Wanted", "find_candidates"]

_Place = tuple[int, int]
_DEEPER: Final = 16


class Wanted(NamedTuple):
    """What the caller allows: kinds of entries, bundles, and how many results."""

    kinds: frozenset[int]
    bundles: tuple[int, ...]
    limit: int


class Candidate(NamedTuple):
    """An entry that may fit, and how well its text does, as a part of the best one's."""

    bundle: int
    record: Record
    fit: float


class Meaning(Protocol):
    """Vectors of what is mounted, as they compare with a text's."""

    def nearest(
        self, text: str, limit: int, sections: Sequence[int] | None
    ) -> list[tuple[float, int, int]]:
        """The cosines and places of the entries nearest to a text, the nearest first."""

    def cosines(self, text: str, places: Sequence[_Place]) -> list[float | None]:
        """The cosine of each entry, None for one without a vector."""


def find_candidates(
    catalog: Catalog, query: Query, wanted: Wanted, numbers: Ranking, meaning: Meaning | None = None
) -> list[Candidate]:
    """What may fit, in no order: over all, and once more in the packages that are named."""
    many = max(numbers.least_candidates, wanted.limit * numbers.candidates_per_result)
    named = tuple(index for index in wanted.bundles if index in query.packages)
    share = 0.0 if meaning is None or query.is_name else numbers.dense
    by_words: dict[_Place, float] = {}
    by_meaning: dict[_Place, float] = {}
    places: dict[_Place, None] = {}
    for where in (wanted.bundles, named):
        chosen = None if len(where) == len(catalog.bundles) else where
        if where and share < 1.0:
            # What is found by its meaning has a score of its words, too, further down.
            deep = many if meaning is None else many * _DEEPER
            scored = _by_words(catalog, query, numbers, deep, chosen, wanted.kinds)
            by_words |= scored
            places |= dict.fromkeys(list(scored)[:many])
        if where and share and meaning is not None:
            by_meaning |= _places(meaning.nearest(query.text, many, chosen))
    places |= dict.fromkeys(by_meaning)
    if share and meaning is not None:
        unknown = [place for place in places if place not in by_meaning]
        found = meaning.cosines(query.text, unknown)
        by_meaning |= {place: cosine or 0.0 for place, cosine in zip(unknown, found, strict=True)}
    words = _as_part_of_best(by_words, 0.0)
    meanings = _as_part_of_best(by_meaning, numbers.unrelated)
    candidates = [
        Candidate(
            place[0],
            catalog.bundles[place[0]].records[place[1]],
            (1 - share) * words.get(place, 0.0) + share * meanings.get(place, 0.0),
        )
        for place in places
    ]
    return [candidate for candidate in candidates if candidate.record.kind in wanted.kinds]


def _by_words(
    catalog: Catalog,
    query: Query,
    numbers: Ranking,
    many: int,
    sections: Sequence[int] | None,
    kinds: frozenset[int],
) -> dict[_Place, float]:
    fields = weights(query, numbers)
    mask = kind_mask(kinds)
    return _places(
        catalog.postings.search(query.terms, fields, many, sections=sections, kinds=mask)
    )


def _places(scored: Sequence[tuple[float, int, int]]) -> dict[_Place, float]:
    return {(section, number): score for score, section, number in scored}


def _as_part_of_best(scores: dict[_Place, float], least: float) -> dict[_Place, float]:
    """Scores from 0, for `least` and below, to 1 for the best."""
    best = max(scores.values(), default=0.0)
    if best <= least:
        return {}
    return {place: max(0.0, score - least) / (best - least) for place, score in scores.items()}
