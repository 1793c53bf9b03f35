"""How risky it is to change a symbol, by a rule that the answer states."""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = ["CLASSES", "RULE", "Radius", "Risk", "assess"]

CLASSES: Final = ("low", "medium", "high", "critical")

# What one reads through before a change, an afternoon's work, and what nobody reads through.
_STEPS: Final = (3, 11, 41)

RULE: Final = (
    f"by symbols of product code that depend on it: below {_STEPS[0]} low, below {_STEPS[1]} "
    f"medium, below {_STEPS[2]} high, else critical; one class higher if other packages use it, "
    "one if product code uses it and no test reaches it"
)


class Radius(NamedTuple):
    """What a change reaches: symbols of product code and tests, and packages beside its own.

    `is_whole` is false where there is more behind it.
    """

    product: int
    tests: int
    packages: int
    is_whole: bool = True


class Risk(NamedTuple):
    """One of the classes, and what made it so, a clause each."""

    name: str
    reasons: tuple[str, ...]


def assess(radius: Radius) -> Risk:
    """The risk class of a change with this radius."""
    level = sum(radius.product >= step for step in _STEPS)
    reasons = [f"{radius.product:,} symbols of product code depend on it"]
    if radius.product == 1:
        reasons = ["1 symbol of product code depends on it"]
    if not radius.is_whole:
        level = len(CLASSES) - 1
        reasons = [f"more than {radius.product:,} symbols of product code depend on it"]
    if radius.packages:
        level += 1
        word = "package" if radius.packages == 1 else "packages"
        reasons.append(f"{radius.packages:,} other {word} among them")
    if radius.product and not radius.tests:
        level += 1
        reasons.append("no test reaches it")
    return Risk(CLASSES[min(level, len(CLASSES) - 1)], tuple(reasons))
