"""How good a ranking is: rank of the first right answer, gain by rank, and how sure a mean is."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence

__all__ = ["DEEPEST", "first_match", "interval", "is_accepted", "ndcg", "reciprocal"]

DEEPEST = 10
"""Results that are looked at."""

_RESAMPLES = 2_000


def is_accepted(name: str, answers: Sequence[str], classes: Sequence[str]) -> bool:
    """Whether a result's name is one of the answers, or a member of an answer that is a class.

    A class is never credited for a member that is the answer, and a module never for anything.
    """
    if name in answers:
        return True
    return any(name.startswith(f"{each}.") for each in answers if each in classes)


def first_match(names: Iterable[str], answers: Sequence[str], classes: Sequence[str]) -> int:
    """The rank, from 1, of the first accepted of the distinct names; 0 without one in ten."""
    distinct = list(dict.fromkeys(names))[:DEEPEST]
    accepted = (is_accepted(name, answers, classes) for name in distinct)
    return next((rank for rank, good in enumerate(accepted, 1) if good), 0)


def reciprocal(rank: int) -> float:
    """One over the rank; nothing for what was not found."""
    return 1 / rank if rank else 0.0


def ndcg(ranks: Iterable[int], targets: int) -> float:
    """Normalised discounted cumulative gain at ten, each target counting once at its rank.

    Järvelin and Kekäläinen, ACM TOIS 20 (2002): gain 1 / log2(rank + 1), over that of the best
    order there could be.
    """
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(DEEPEST, targets) + 1))
    gain = sum(1 / math.log2(rank + 1) for rank in ranks if 0 < rank <= DEEPEST)
    return gain / ideal if ideal else 0.0


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % bootstrap interval of the mean, the same for the same values."""
    chance = random.Random(len(values))  # noqa: S311 - resampling needs no secrecy
    means = sorted(
        sum(chance.choices(values, k=len(values))) / len(values) for _ in range(_RESAMPLES)
    )
    return means[int(_RESAMPLES * 0.025)], means[int(_RESAMPLES * 0.975)]
