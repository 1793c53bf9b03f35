"""The words by which a call says which kinds of things it wants."""

from __future__ import annotations

from typing import Final

from pydocs_bundle.errors import UsageError
from pydocs_bundle.records import Kind

__all__ = ["KIND_WORDS", "kind_mask", "kinds_of"]

_API: Final = (
    Kind.MODULE,
    Kind.CLASS,
    Kind.FUNCTION,
    Kind.METHOD,
    Kind.PROPERTY,
    Kind.ATTRIBUTE,
)
_DOCS: Final = (Kind.SECTION, Kind.CELL)

KIND_WORDS: Final[dict[str, tuple[Kind, ...]]] = {
    # What a decision says stands in a section or a symbol too, which would be shown twice.
    "any": (*_API, *_DOCS),
    "api": _API,
    "docs": _DOCS,
    "decision": (Kind.DECISION,),
    **{kind.label: (kind,) for kind in (*_API, *_DOCS)},
}
"""What `kind` may say, and the kinds that it stands for."""


def kinds_of(word: str) -> frozenset[int]:
    """The kinds that a word stands for.

    Raises:
        UsageError: no kind is called that.
    """
    if word not in KIND_WORDS:
        raise UsageError(f"There is no kind {word!r}; use one of {', '.join(KIND_WORDS)}.")
    return frozenset(int(kind) for kind in KIND_WORDS[word])


def kind_mask(kinds: frozenset[int]) -> int:
    """The kinds as the postings take them: one bit for each number."""
    mask = 0
    for kind in kinds:
        mask |= 1 << kind
    return mask
