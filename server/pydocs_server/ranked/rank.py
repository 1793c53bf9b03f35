"""How candidates become an order: one record holds the numbers, pure functions apply them."""

from __future__ import annotations

from typing import Final, NamedTuple

from pydocs_bundle import Record
from pydocs_bundle.records import Flag, Kind
from pydocs_native import analyze
from pydocs_server.mounted.nearest import shown_name
from pydocs_server.ranked.query import Query

__all__ = ["RANKING", "Ranking", "factor", "is_private", "weights"]


class Ranking(NamedTuple):
    """The numbers of the ranking. Weights are in the order of the postings' fields.

    Factors multiply a candidate's BM25 score: `deeper` once for each dot of its public name beyond
    the second, `said` in proportion to how much of the query its name and summary say, `unlisted`
    where no shorter name is offered for it. `exact_name` is the score from which the hits count
    down that bear the very name asked for.
    """

    sentence_weights: tuple[float, ...] = (4.0, 1.5, 1.0, 4.0, 1.0, 0.5, 3.0)
    name_weights: tuple[float, ...] = (8.0, 3.0, 1.0, 1.0, 0.5, 0.5, 3.0)
    failure_weights: tuple[float, ...] = (2.0, 1.0, 0.5, 2.0, 2.0, 0.5, 2.0)
    exact_name: float = 1_000.0
    named_in_query: float = 1.8
    package_named: float = 3.0
    package_perhaps: float = 1.3
    said: float = 0.6
    private: float = 0.7
    unlisted: float = 0.8
    deeper: float = 0.9
    undocumented: float = 0.8
    test: float = 0.5
    deprecated: float = 0.9
    stub: float = 0.9
    module: float = 0.8
    decision: float = 0.7
    candidates_per_result: int = 6
    least_candidates: int = 80


RANKING: Final = Ranking()
"""The numbers in use."""

_LISTED_DOTS: Final = 2

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


def factor(query: Query, bundle: int, record: Record, numbers: Ranking = RANKING) -> float:
    """By how much a candidate counts more or less than its text says."""
    product = 1.0 + numbers.said * _said(query, record)
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
    elif record.kind < Kind.SECTION:
        product *= _standing(record, numbers)
    return product


def is_private(record: Record) -> bool:
    """Whether no public name leads to a symbol."""
    return bool(record.flags & _PRIVATE) or "._" in f".{shown_name(record)}"


def _standing(record: Record, numbers: Ranking) -> float:
    """How much a symbol is meant to be found: public, near the top, documented."""
    shown = shown_name(record)
    dots = shown.count(".")
    standing = numbers.deeper ** max(0, dots - _LISTED_DOTS)
    if is_private(record):
        standing *= numbers.private
    if not record.public_name and dots >= _LISTED_DOTS:
        standing *= numbers.unlisted
    if not record.summary:
        standing *= numbers.undocumented
    if record.kind == Kind.MODULE:
        standing *= numbers.module
    return standing


def _said(query: Query, record: Record) -> float:
    """The part of the query's terms that a candidate's name or summary says."""
    own_name = shown_name(record).rpartition("#")[2].rpartition(".")[2]
    said = frozenset(analyze(f"{own_name} {record.summary}"))
    return sum(term in said for term in query.terms) / max(1, len(query.terms))
