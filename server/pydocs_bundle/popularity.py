"""A rank as one byte: how much leads to an entry, on a scale of doublings."""

from __future__ import annotations

from typing import Final

__all__ = ["popularity"]

_AVERAGE: Final = 100
_STEPS_PER_DOUBLING: Final = 24
_LARGEST: Final = 255


def popularity(rank: int) -> int:
    """`min(255, floor(24 * log2(1 + rank / 100)))`, in whole numbers: 0 where nothing leads."""
    grown = (_AVERAGE + rank) ** _STEPS_PER_DOUBLING // _AVERAGE**_STEPS_PER_DOUBLING
    return min(_LARGEST, grown.bit_length() - 1)
