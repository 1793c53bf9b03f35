"""Which decisions answer a question, and which only share a word with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from pydocs_native import analyze
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.ranked.hits import Hit
from pydocs_server.ranked.query import Query
from pydocs_server.ranked.rarity import rarity

__all__ = ["relevant_hits", "telling_terms"]

_LEAST: Final = 0.5
"""How much of a question's weight a decision must speak of; of a long question a little less."""

_LEAST_OF_LONG: Final = 0.4
_LONG: Final = 5
_OF_BEST_COVERAGE: Final = 0.75
_READ_BYTES: Final = 8_192
_ASKING: Final = (
    "all always any anything author authors behind choose chose chosen code decide decided "
    "decision decisions design every everything exist exists explain explanation get happen "
    "happened happens history instead just library made maintainer maintainers make makes "
    "more need needed needs never no not now one only package point project purpose rather "
    "rationale reason reasons s still t than use used uses using want wanted"
)
"""Words of whoever asks for a reason; they say nothing of what the reason is for."""


class _Weighed(NamedTuple):
    hit: Hit
    coverage: float


def telling_terms(catalog: Catalog, query: Query) -> tuple[str, ...]:
    """The terms of a question that say what it is about; all of them where none does.

    Neither what asks for a reason tells, nor the name of the package that is asked about.
    """
    asked = [catalog.bundles[index].manifest for index in query.packages | query.perhaps]
    named = (name for manifest in asked for name in (manifest.name, *manifest.modules))
    untold = frozenset(analyze(" ".join((_ASKING, *named))))
    return tuple(term for term in query.terms if term not in untold) or query.terms


def relevant_hits(catalog: Catalog, query: Query, hits: Sequence[Hit]) -> list[Hit]:
    """The hits that speak of most of what a question is about, best first.

    A term weighs what its rarity in everything mounted says it tells. A hit that the question names
    outright stays. The scores say how much of the question each speaks of, too.
    """
    terms = telling_terms(catalog, query)
    weights = rarity(catalog, terms)
    total = sum(weights.values())
    if not total:
        return []
    weighed = [_Weighed(hit, _covered(catalog, hit, weights) / total) for hit in hits]
    best = max((each.coverage for each in weighed), default=0.0)
    least = max(_LEAST if len(terms) < _LONG else _LEAST_OF_LONG, _OF_BEST_COVERAGE * best)
    kept = [each for each in weighed if each.coverage >= least or each.hit.is_exact]
    scored = [each.hit._replace(score=each.hit.score * each.coverage**2) for each in kept]
    return sorted(scored, key=lambda hit: -hit.score)


def _covered(catalog: Catalog, hit: Hit, weights: dict[str, float]) -> float:
    bundle = catalog.bundles[hit.bundle]
    record = hit.record
    end = min(record.end, record.start + _READ_BYTES)
    text = bundle.text.slice(record.file, record.start, end).decode("utf-8", "replace")
    said = frozenset(analyze(f"{record.summary}\n{text}"))
    return sum(weight for term, weight in weights.items() if term in said)
