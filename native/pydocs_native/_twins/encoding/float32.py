"""Arithmetic of 32-bit floating point, each operation rounded once, as the Rust code has it.

An `array` of type `f` rounds what is put into it; Python computes in 64 bits, and one operation on
32-bit numbers that is rounded twice this way is the same as one that is rounded once.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable
from itertools import repeat
from operator import add, mul, sub

__all__ = ["added", "bounds", "exp", "gelu", "rounded", "scaled", "shifted", "sum_of", "times"]

_LANES = 16


def rounded(number: float) -> float:
    """The 32-bit number next to a number."""
    return array("f", (number,))[0]


def added(one: Iterable[float], other: Iterable[float]) -> array[float]:
    """Sums, pair by pair."""
    return array("f", map(add, one, other))


def times(one: Iterable[float], other: Iterable[float]) -> array[float]:
    """Products, pair by pair."""
    return array("f", map(mul, one, other))


def scaled(numbers: Iterable[float], factor: float) -> array[float]:
    """Products with one factor."""
    return array("f", map(mul, numbers, repeat(factor)))


def shifted(numbers: Iterable[float], amount: float) -> array[float]:
    """Numbers less one amount."""
    return array("f", map(sub, numbers, repeat(amount)))


def sum_of(numbers: array[float]) -> float:
    """The sum, the n-th number in lane n modulo 16, then halves onto halves."""
    lanes = array("f", bytes(4 * _LANES))
    for start in range(0, len(numbers), _LANES):
        lanes = added(lanes, numbers[start : start + _LANES])
    while len(lanes) > 1:
        half = len(lanes) // 2
        lanes = added(lanes[:half], lanes[half:])
    return lanes[0]


def bounds(numbers: array[float]) -> tuple[float, float]:
    """The smallest and the largest number."""
    return min(numbers), max(numbers)


_ROUNDING = 12_582_912.0
_LEAST_EXPONENT = -87.0
_LOG2_E = rounded(1.4426950408889634)
_LN2_HIGH = rounded(0.693_359_4)
_LN2_LOW = rounded(-2.121_944_4e-4)
_EXP = array("f", (1.0, 1.0, 0.5, 0.166_666_67, 0.041_666_668, 0.008_333_334, 0.001_388_888_9))


def exp(number: float) -> float:
    """The power of e to a number that is not above zero; below -87 as at -87."""
    number = max(number, _LEAST_EXPONENT)
    moved = rounded(rounded(number * _LOG2_E) + _ROUNDING)
    whole = rounded(moved - _ROUNDING)
    high, low = rounded(whole * _LN2_HIGH), rounded(whole * _LN2_LOW)
    rest = rounded(rounded(number - high) - low)
    power = _EXP[-1]
    for term in reversed(_EXP[:-1]):
        power = rounded(rounded(power * rest) + term)
    return rounded(math.ldexp(power, int(whole)))


_GELU_REACH = 4.5
_GELU_SCALE = rounded(2.0 / (4.5 * 4.5))
_GELU = array(
    "f",
    (
        0.156_902_12,
        -0.077_171_96,
        0.054_818_574,
        -0.040_555_75,
        0.027_629_36,
        -0.016_744_09,
        0.012_208_612,
        -0.009_328_505,
        0.003_353_636,
    ),
)


def gelu(number: float) -> float:
    """A number times the normal distribution up to it."""
    near = min(max(number, -_GELU_REACH), _GELU_REACH)
    place = rounded(rounded(rounded(near * near) * _GELU_SCALE) - 1.0)
    slope = _GELU[-1]
    for term in reversed(_GELU[:-1]):
        slope = rounded(rounded(slope * place) + term)
    return rounded(number * rounded(0.5 + rounded(near * slope)))
