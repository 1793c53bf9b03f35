"""Which encoder a build uses, before it is loaded."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ChosenEncoder"]


@dataclass(frozen=True, slots=True)
class ChosenEncoder:
    """Which encoder a build uses.

    Args:
        name: what people call it.
        identity: SHA-256 of what it consists of, in hexadecimal.
        place: the file of an encoder's bundle, or what sentence-transformers knows the model by.
        is_bundle: whether the place is a bundle.
    """

    name: str
    identity: str
    place: str
    is_bundle: bool = True
