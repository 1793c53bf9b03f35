"""Whether a package's name is also a plain word: `requests`, `click`, `rich`, but not `numpy`.

A word is plain where packages say it that have nothing to do with the package: that neither are it
nor import it nor share its name. So `numpy`, which many say and all of those import, is a name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pydocs_native import analyze
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.spelling import normalised

__all__ = ["is_ordinary"]

_PROSE: Final = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0)
"""Of the postings' fields, docstrings and headings."""

_SHARE: Final = 0.0001
"""The share of strangers' texts that say a plain word, at least."""

_BREADTH: Final = 0.07
"""The share of strangers that do: a single one may well be about the package."""

_LEAST_STRANGERS: Final = 2
_MOST: Final = 1_000
_MOST_KNOWN: Final = 4_096


def is_ordinary(catalog: Catalog, name: str, bundles: Sequence[int]) -> bool:
    """Whether strangers to some bundles, which are spelled so, say that name in their prose."""
    if not name.isalpha():
        return False  # `typing_extensions`, `h11`: nobody says that of anything else
    asked = (name, tuple(bundles))
    known = catalog.ordinary.get(asked)
    if known is None:
        if len(catalog.ordinary) >= _MOST_KNOWN:
            catalog.ordinary.clear()
        known = catalog.ordinary[asked] = _is_said(catalog, name, bundles)
    return known


def _is_said(catalog: Catalog, name: str, bundles: Sequence[int]) -> bool:
    terms = analyze(name.lower())
    meant = {normalised(name)}
    for index in bundles:
        manifest = catalog.bundles[index].manifest
        meant |= {normalised(one) for one in (manifest.name, *manifest.modules)}
    strangers = [
        index
        for index, bundle in enumerate(catalog.bundles)
        if index not in bundles
        and not catalog.is_collection(index)
        and meant.isdisjoint(map(normalised, bundle.manifest.imports))
    ]
    if not strangers:
        return False
    counts = catalog.postings.document_counts()
    found = catalog.postings.search(terms, _PROSE, _MOST, sections=strangers)
    saying = [section for score, section, _ in found if score > 0]
    often = len(saying) >= min(_MOST / 2, _SHARE * sum(counts[index] for index in strangers))
    return often and len(set(saying)) >= max(_LEAST_STRANGERS, _BREADTH * len(strangers))
