"""Which packages speak of what a query asks about, by the words that their documents hold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from pydocs_server.mounted.catalog import Catalog
from pydocs_server.ranked.numbers import Ranking
from pydocs_server.ranked.query import Query

__all__ = ["topics"]

_SMOOTHING: Final = 50
"""So many documents like those of the whole union are added to a package's own."""


def topics(
    catalog: Catalog, query: Query, bundles: Sequence[int], numbers: Ranking
) -> dict[int, float]:
    """By how much what each bundle has counts: 1 for the likeliest, and less for the others.

    A bundle is as likely as a language model of its documents says of the query's terms (Si, Jin,
    Callan and Ogilvie, A language modeling framework for resource selection, 2002), each term
    being in a document or not, smoothed as Dirichlet's prior has it (Zhai and Lafferty, 2001).
    """
    if len(bundles) <= 1 or not numbers.topic:
        return {}
    counts = catalog.postings.document_counts()
    everything = sum(counts)
    # What a term says of a bundle without it depends on the bundle's size alone.
    without = len(query.terms)
    likely = {
        bundle: without * math.log(_SMOOTHING / (counts[bundle] + _SMOOTHING)) for bundle in bundles
    }
    for row in catalog.postings.section_frequencies(query.terms):
        expected = _SMOOTHING * (sum(row) + 0.5) / (everything + 1)
        for bundle in bundles:
            if row[bundle]:
                likely[bundle] += math.log1p(row[bundle] / expected)
    best = max(likely.values())
    return {bundle: math.exp(numbers.topic * (each - best)) for bundle, each in likely.items()}
