"""Whether the best hits speak of what was asked, or only share words with it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from pydocs_native import terms_in
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.ranked.hits import Hit
from pydocs_server.ranked.numbers import Ranking
from pydocs_server.ranked.query import Query
from pydocs_server.ranked.rarity import rarity

__all__ = ["fits"]

_LOOKED_AT: Final = 5
_READ_BYTES: Final = 3_000


def fits(catalog: Catalog, query: Query, hits: Sequence[Hit], numbers: Ranking) -> bool:
    """Whether the best hits say and mean enough of a query.

    Each term weighs what its rarity in everything mounted says it tells. Names are taken at their
    word: what is called so fits.
    """
    best = hits[:_LOOKED_AT]
    if query.is_name or any(hit.is_exact for hit in best):
        return True
    weights = rarity(catalog, query.terms)
    total = sum(weights.values()) or 1.0
    said = max((_said(catalog, hit, weights) for hit in best), default=0.0) / total
    more = numbers.least_grows * _tenfolds(catalog)
    cosine = _nearest(catalog, query, best, numbers)
    if cosine is None:
        return said >= numbers.least_said_alone + numbers.said_counts * more
    return cosine + numbers.said_counts * said >= numbers.least_fit + more


def _tenfolds(catalog: Catalog) -> float:
    """How often ten times a thousand entries are mounted: 2 for 100,000, -1 for 100."""
    return math.log10(max(1, sum(catalog.postings.document_counts()))) - 3


def _nearest(catalog: Catalog, query: Query, hits: Sequence[Hit], numbers: Ranking) -> float | None:
    """The cosine of the hit that is nearest to a query; None where none has a vector."""
    meaning = catalog.semantics.meaning if numbers.dense else None
    if meaning is None:
        return None
    cosines = meaning.cosines(query.text, [(hit.bundle, hit.record.id) for hit in hits])
    return max((cosine for cosine in cosines if cosine is not None), default=None)


def _said(catalog: Catalog, hit: Hit, weights: dict[str, float]) -> float:
    """How much of the terms, by their rarity, a hit's name, signature and text hold."""
    record = hit.record
    end = min(record.end, record.start + _READ_BYTES)
    text = catalog.bundles[hit.bundle].text.slice(record.file, record.start, end)
    words = f"{record.qualified_name} {record.signature} {record.summary}\n"
    (said,) = terms_in([words + text.decode("utf-8", "replace")], list(weights))
    return sum(weight for place, weight in enumerate(weights.values()) if said >> place & 1)
