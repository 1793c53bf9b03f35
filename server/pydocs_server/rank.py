"""How candidates become an order: one record holds the numbers, pure functions apply them."""

from __future__ import annotations

from typing import Final, NamedTuple

from pydocs_bundle import Record
from pydocs_bundle.records import Flag, Kind
from pydocs_server.nearest import shown_name
from pydocs_server.query import Query

__all__ = ["RANKING", "Ranking", "factor", "weights"]


class Ranking(NamedTuple):
    """The numbers of the ranking. Weights are in the order of the postings' fields.

    Factors multiply a candidate's BM25 score; `exact_name` is the score from which the hits count
    down that bear the very name asked for.
    """

    sentence_weights: tuple[float, ...] = (4.0, 1.5, 1.0, 2.0, 1.0, 0.5, 3.0)
    name_weights: tuple[float, ...] = (8.0, 3.0, 1.0, 1.0, 0.5, 0.5, 3.0)
    failure_weights: tuple[float, ...] = (2.0, 1.0, 0.5, 2.0, 2.0, 0.5, 2.0)
    exact_name: float = 1_000.0
    named_in_query: float = 1.8
    package_named: float = 3.0
    package_perhaps: float = 1.3
    private: float = 0.85
    test: float = 0.5
    deprecated: float = 0.9
    stub: float = 0.9
    module: float = 0.8
    decision: float = 0.7
    candidates_per_result: int = 6
    least_candidates: int = 80


RANKING: Final = Ranking()
"""The numbers in use."""


def weights(query: Query, numbers: Ranking = RANKING) -> tuple[float, ...]:
    """The field weights for a kind of query."""
    if query.is_name:
        return numbers.name_weights
    return numbers.failure_weights if query.is_failure else numbers.sentence_weights


def factor(query: Query, bundle: int, record: Record, numbers: Ranking = RANKING) -> float:
    """By how much a candidate counts more or less than its text says."""
    product = 1.0
    if bundle in query.packages:
        product *= numbers.package_named
    elif bundle in query.perhaps:
        product *= numbers.package_perhaps
    if record.flags & Flag.TEST:
        product *= numbers.test
    if record.flags & Flag.PRIVATE or "._" in f".{shown_name(record)}":
        product *= numbers.private
    if record.flags & Flag.DEPRECATED:
        product *= numbers.deprecated
    if record.flags & Flag.STUB:
        product *= numbers.stub
    if record.kind == Kind.MODULE:
        product *= numbers.module
    elif record.kind == Kind.DECISION:
        product *= numbers.decision
    return product
