"""Whether the best hits speak of what was asked, or only share words with it."""

from __future__ import annotations

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
    """Whether one of the best hits holds enough of a query, or means nearly the same.

    Each term weighs what its rarity in everything mounted says it tells. Names are taken at their
    word: what is called so fits.
    """
    best = hits[:_LOOKED_AT]
    if query.is_name or any(hit.is_exact for hit in best):
        return True
    cosine = _nearest(catalog, query, best, numbers)
    if cosine is not None and cosine >= numbers.least_cosine:
        return True
    least = numbers.least_said_alone if cosine is None else numbers.least_said
    weights = rarity(catalog, query.terms)
    enough = least * sum(weights.values())
    return any(_said(catalog, hit, weights) >= enough for hit in best)


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
