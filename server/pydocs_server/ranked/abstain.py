"""Whether the best hits speak of what was asked, or only share words with it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from pydocs_native import analyze, terms_in
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.spelling import normalised
from pydocs_server.ranked.hits import Hit
from pydocs_server.ranked.numbers import Ranking
from pydocs_server.ranked.query import Query
from pydocs_server.ranked.rarity import rarity

__all__ = ["fits"]

_LOOKED_AT: Final = 5
_READ_BYTES: Final = 3_000


def fits(
    catalog: Catalog,
    query: Query,
    hits: Sequence[Hit],
    numbers: Ranking,
    bundles: Sequence[int] | None = None,
) -> bool:
    """Whether the best hits say and mean enough of a query.

    Each term weighs what its rarity in everything mounted says it tells. What is called as a query
    says fits in any case. What is asked of a package that is neither mounted nor imported by a
    project fits only where something else speaks of that package. `bundles` are those that were
    searched; None: all.
    """
    best = hits[:_LOOKED_AT]
    if any(hit.is_exact for hit in best):
        return True
    missing = [each.name for each in query.absent if not each.mounted]
    if missing and not query.packages:
        # Others may speak of a package or use it, but they cannot have what is in it.
        is_member = query.is_name and "." in query.text
        unused = [name for name in missing if not _is_used(catalog, name)]
        if is_member or (unused and not _speaks_of(catalog, best, unused)):
            return False
    if query.is_empty:
        return False
    weights = rarity(catalog, query.terms)
    total = sum(weights.values()) or 1.0
    said = max((_said(catalog, hit, weights) for hit in best), default=0.0) / total
    more = numbers.least_grows * _tenfolds(catalog, bundles)
    if query.packages or (bundles is not None and len(bundles) < len(catalog.bundles)):
        more -= numbers.least_named
    # Names are searched by their words alone.
    cosine = None if query.is_name else _nearest(catalog, query, best, numbers)
    if cosine is None:
        return said >= numbers.least_said_alone + numbers.said_counts * more
    return cosine + numbers.said_counts * said >= numbers.least_fit + more


def _is_used(catalog: Catalog, name: str) -> bool:
    """Whether a mounted project imports a package: then its own code may be what is asked for."""
    wanted = normalised(name)
    return any(
        wanted in map(normalised, bundle.manifest.imports)
        for index, bundle in enumerate(catalog.bundles)
        if catalog.is_project(index)
    )


def _speaks_of(catalog: Catalog, hits: Sequence[Hit], names: Sequence[str]) -> bool:
    """Whether a hit has the name of one of some packages in its own text."""
    wanted = {term: 1.0 for name in names for term in analyze(name)[:1]}
    return any(_said(catalog, hit, wanted) for hit in hits)


def _tenfolds(catalog: Catalog, bundles: Sequence[int] | None) -> float:
    """How often ten times a thousand entries are searched: 2 for 100,000, -1 for 100."""
    counts = catalog.postings.document_counts()
    count = sum(counts if bundles is None else (counts[index] for index in bundles))
    return math.log10(max(1, count)) - 3


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
