"""How candidates become an order: pure functions that apply the numbers of the ranking."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from pydocs_bundle import Record
from pydocs_bundle.records import Flag, Kind
from pydocs_native import analyze, terms_in
from pydocs_server.mounted.nearest import shown_name
from pydocs_server.ranked.numbers import RANKING, Ranking
from pydocs_server.ranked.query import Query

__all__ = ["RANKING", "Ranking", "factor", "is_private", "is_vendored", "named_by_place", "weights"]

_LISTED_DOTS: Final = 2
_VENDORS: Final = frozenset({"_vendor", "_vendored", "vendor", "vendored", "extern", "externals"})
_SIGNATURE: Final = 600
_POPULARITY_STEPS: Final = 24
"""Steps of `Record.popularity` in a doubling of what leads to an entry."""

# Plain numbers: an `IntFlag` takes ten times as long to test, for every candidate of every query.
_PRIVATE: Final = int(Flag.PRIVATE)
_TEST: Final = int(Flag.TEST)
_DEPRECATED: Final = int(Flag.DEPRECATED)
_STUB: Final = int(Flag.STUB)


def weights(query: Query, numbers: Ranking = RANKING) -> tuple[float, ...]:
    """The field weights for a kind of query."""
    if query.is_name:
        return numbers.name_weights
    return numbers.failure_weights if query.is_failure else numbers.sentence_weights


def factor(
    query: Query,
    bundle: int,
    record: Record,
    numbers: Ranking = RANKING,
    *,
    is_own: bool = False,
) -> float:
    """By how much a candidate counts more or less than its text says.

    `is_own` says that it is of a project's own code, where what is private is asked for as well.
    """
    product = 1.0
    if bundle in query.packages:
        product *= numbers.package_named
    elif bundle in query.perhaps:
        product *= numbers.package_perhaps
    if record.flags & _TEST:
        product *= numbers.test
    if record.flags & _DEPRECATED:
        product *= numbers.deprecated
    if record.flags & _STUB:
        product *= numbers.stub
    if record.kind == Kind.DECISION:
        product *= numbers.decision
    if is_own:
        return product
    if record.kind < Kind.SECTION:
        product *= _standing(record, numbers)
    return product * _taken(query, record, numbers)


def named_by_place(query: Query, path: str, record: Record, numbers: Ranking = RANKING) -> float:
    """By how much more a candidate counts whose file or class is called what the query says."""
    terms = frozenset(query.terms)
    stem = analyze(path.rpartition("/")[2].rpartition(".")[0])
    owner = analyze(shown_name(record).rpartition(".")[0].rpartition(".")[2])
    return (1.0 + numbers.path * _part(stem, terms)) * (1.0 + numbers.owner * _part(owner, terms))


def is_private(record: Record) -> bool:
    """Whether no public name leads to a symbol."""
    return bool(record.flags & _PRIVATE) or "._" in f".{shown_name(record)}"


def is_vendored(record: Record) -> bool:
    """Whether it is a copy of another distribution's code, as below `pip._vendor`."""
    name = record.qualified_name
    return ("vendor" in name or ".extern" in name) and not _VENDORS.isdisjoint(name.split("."))


def _standing(record: Record, numbers: Ranking) -> float:
    """How much a symbol is meant to be found: public, near the top, used, and much said of it."""
    shown = shown_name(record)
    dots = shown.count(".")
    standing = math.pow(numbers.deeper, max(0, dots - _LISTED_DOTS))
    if is_private(record):
        standing *= numbers.private
    if is_vendored(record):
        standing *= numbers.vendored
    if record.kind == Kind.MODULE:
        standing *= numbers.module
    written = len(record.docstring_text) or record.docstring_end - record.docstring_start
    standing *= math.pow(1.0 + written, numbers.documented)
    used = record.popularity / _POPULARITY_STEPS
    return standing * math.pow(1.0 + used, numbers.popular)


def _taken(query: Query, record: Record, numbers: Ranking) -> float:
    """More for the part of the query's terms that its parameters say."""
    (taken,) = terms_in((record.signature[:_SIGNATURE],), query.terms)
    return 1.0 + numbers.taken * taken.bit_count() / max(1, len(query.terms))


def _part(words: Sequence[str], terms: frozenset[str]) -> float:
    """The part of some distinct words that a query has."""
    distinct = set(words)
    return len(distinct & terms) / max(1, len(distinct))
