"""What a search says beside its results: what is not mounted, how it searched, why it has none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pydocs_native import analyze
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.meaning import Semantics
from pydocs_server.mounted.nearest import closest, shown_name
from pydocs_server.ranked.hits import Hit
from pydocs_server.ranked.query import Query, is_code_like
from pydocs_server.rendered.render import counted, one_line

__all__ = ["by_words", "missing", "nearest", "none", "uncalled"]

_NEAR: Final = 3
_NAMED: Final = 3


def by_words(catalog: Catalog, semantics: Semantics) -> str:
    """Why vectors that are mounted are not searched, as a line to add; empty where they are."""
    has_vectors = any(bundle.manifest.encoder for bundle in catalog.bundles)
    if not catalog.ranking.dense or not semantics.reason or not has_vectors:
        return ""
    labels = [one_line(catalog.label(index)) for index in sorted(semantics.by_words)]
    where = ", ".join(labels) if len(labels) <= _NAMED else counted(len(labels), "package")
    return f"\nSearched by words alone: {where} ({semantics.reason})."


def _unknown(catalog: Catalog, query: Query) -> list[str]:
    """The words of a query that no mounted text has, as they were typed."""
    counts = catalog.postings.frequencies(query.terms)
    missing = {term for term, count in zip(query.terms, counts, strict=True) if not count}
    words = dict.fromkeys(re.findall(r"\w+", query.text))
    return [word for word in words if missing.intersection(analyze(word))]


def missing(query: Query) -> list[str]:
    """A sentence for each package, or version of it, that a query names and that is not mounted."""
    sentences: list[str] = []
    for name, version, mounted in query.absent:
        there = f", only {', '.join(mounted)}" if mounted else ""
        sentences.append(f"{one_line(f'{name} {version}'.strip(), 80)} is not mounted{there}.")
    return sentences


def nearest(catalog: Catalog, query: Query, hits: Sequence[Hit]) -> list[str]:
    """What is called nearly as asked; of what is no name, the hits that hardly fit."""
    if query.is_name and is_code_like(query.text):
        return [one_line(name) for name in closest(catalog, query.text, _NEAR)]
    return [one_line(shown_name(hit.record)) for hit in hits[:_NEAR]]


def uncalled(catalog: Catalog, query: Query, hits: Sequence[Hit]) -> list[str]:
    """That nothing has the name which was asked for, where a name was, and what has nearly it."""
    if not query.is_name or not is_code_like(query.text) or any(hit.is_exact for hit in hits):
        return []
    near = nearest(catalog, query, hits)
    nearly = f"; nearly: {', '.join(near)}" if near else ""
    return [f"Nothing is called {one_line(query.text, 120)}{nearly}."]


def none(
    catalog: Catalog,
    query: Query,
    limits: dict[str, str],
    searched: int,
    near: list[str],
) -> str:
    """Plainly that nothing fits, what was searched, and what would search more."""
    within = "".join(f", {name}={value}" for name, value in limits.items() if value)
    if not searched:
        return f"None: no mounted package is within {within[2:]}. Try it without the limits."
    asked = one_line(query.text, 120)
    if query.is_empty:
        call = "Ask for a name, a topic or an error message."
        return f"None: nothing in {asked!r} tells what to look for. {call}"
    absent = " ".join(missing(query))
    if absent:
        rest = f"Nothing else fits {asked!r}{within}; get_overview() lists what is mounted."
        return f"None: {absent} {rest}"
    where = f"{searched} of {len(catalog.bundles)} mounted packages"
    unknown = _unknown(catalog, query)
    said = f" No mounted text has: {one_line(', '.join(unknown), 120)}." if unknown else ""
    if near:
        said += f" Nearest, but hardly it: {', '.join(near)}."
    remedy = "Try it without the limits" if within else "Try other words, or grep for exact text"
    if _is_foreign(query.text) and not within:
        remedy = "Try it in the language of the packages, mostly English, or grep for exact text"
    return f"None: nothing fits {asked!r}{within} ({where}).{said} {remedy}."


def _is_foreign(text: str) -> bool:
    """Whether most letters of a query are of a script that hardly any code is documented in."""
    letters = [letter for letter in text if letter.isalpha()]
    return sum(not letter.isascii() for letter in letters) > len(letters) / 2
