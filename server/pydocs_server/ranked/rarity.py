"""How much a term tells: the rarer it is in everything mounted, the more."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pydocs_server.mounted.catalog import Catalog

__all__ = ["rarity"]


def rarity(catalog: Catalog, terms: Sequence[str]) -> dict[str, float]:
    """The inverse document frequency of each term; an unknown one is as rare as a single one."""
    count = sum(catalog.postings.document_counts())
    found = catalog.postings.frequencies(terms)
    return {
        term: math.log(1 + (count - number + 0.5) / (number + 0.5))
        for term, number in zip(terms, (max(1, each) for each in found), strict=True)
    }
