"""Signatures as a caller reads them: each overload apart, without the prose that some carry."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["overloads", "without_prose"]

_MARK: Final = ", Doc("
_LONGEST: Final = 20_000
# `Annotated[str, Doc("""…""")]`, whole or with the end of the text left out by the build.
_DOCUMENTED: Final = (
    r"Annotated\[(?P<type>(?:(?!Annotated\[).)*?), Doc\(\s*(?P<quote>\"\"\"|'''|\"|')"
    r".*?(?:(?P=quote)\s*,?\s*\)\s*,?\s*\]|…(?= = |, |\)|$))"
)


def overloads(signature: str) -> list[str]:
    """The overloads that a signature lists, one line for each; at least one, maybe empty."""
    # Text inside a default may span lines, and an overload begins with its parameters.
    each = re.split(r"\n(?=\()", without_prose(signature))
    return [re.sub(r"\s*\n\s*", " ", one) for one in each]


def without_prose(signature: str) -> str:
    """The signature with `Annotated[T, Doc("…")]` as the plain `T` that a caller needs."""
    if _MARK not in signature or len(signature) > _LONGEST:
        return signature
    return re.sub(_DOCUMENTED, _plain, signature, flags=re.DOTALL)


def _plain(match: re.Match[str]) -> str:
    """The type alone, or with what else is said of it than prose."""
    said = match["type"]
    depth = 0
    for character in said:
        depth += (character in "[(") - (character in "])")
        if character == "," and depth == 0:
            return f"Annotated[{said}]"
    return said
