"""PageRank in whole numbers, so that every machine finds the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["AVERAGE", "ranks"]

AVERAGE: Final = 100
"""What stands for the rank of the average node."""

# As Page and Brin have it (The Anatomy of a Large-Scale Hypertextual Web Search Engine, 1998).
_FOLLOWED_PERCENT: Final = 85
# What is not yet settled shrinks by that in each round: to 1 % after 28.
_ROUNDS: Final = 28
# The rank of all nodes together, per node: large enough that rounding down is of no account.
_UNIT: Final = 1 << 40


def ranks(links: Mapping[tuple[int, int], int]) -> dict[int, int]:
    """What flows to each node along weighted links, in hundredths of the average node's rank.

    It is PageRank less what every node has anyway: 0 where nothing leads. Nodes are those that
    have a link; what has none going out gives to all alike.
    """
    nodes = sorted({node for pair in links for node in pair})
    if not nodes:
        return {}
    numbers = {node: number for number, node in enumerate(nodes)}
    weights = [0] * len(nodes)
    for (source, _), weight in links.items():
        weights[numbers[source]] += weight
    steps = [
        (numbers[source], numbers[target], weight) for (source, target), weight in links.items()
    ]
    flowing = [0] * len(nodes)
    base = _UNIT
    for _ in range(_ROUNDS):
        shares = [
            (flow + base) * _FOLLOWED_PERCENT // (100 * weight) if weight else 0
            for flow, weight in zip(flowing, weights, strict=True)
        ]
        flowing = [0] * len(nodes)
        for source, target, weight in steps:
            flowing[target] += shares[source] * weight
        base = _UNIT - sum(flowing) // len(nodes)
    half = _UNIT // 2
    return {
        node: rank
        for node, flow in zip(nodes, flowing, strict=True)
        if (rank := (flow * AVERAGE + half) // _UNIT)
    }
