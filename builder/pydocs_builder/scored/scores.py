"""The scores of a bundle's symbols: in-degree, rank and community."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from pydocs_builder.scored.communities import communities
from pydocs_builder.scored.links import find_links
from pydocs_builder.scored.ranks import ranks
from pydocs_bundle.records import Entry, Flag, Kind, Reference, Score

__all__ = ["find_scores"]

# A class is worth what it offers.
_TO_CLASS: Final = 1
_IS_PRIVATE: Final = Flag.PRIVATE.value
_PARTS: Final = frozenset({Kind.METHOD, Kind.PROPERTY})
_OWNERS: Final = frozenset({Kind.MODULE, Kind.CLASS, Kind.FUNCTION})


def find_scores(entries: Sequence[Entry], references: Sequence[Reference]) -> tuple[Score, ...]:
    """A row for each class, function and module, and for each other symbol that anything leads to.

    Args:
        entries: those of the bundle, in its order.
        references: its edges; those that leave it count for nothing.
    """
    links = find_links(entries, references)
    in_degrees = Counter(target for (_, target), link in links.items() if link.is_use)
    weights = Counter({pair: link.weight for pair, link in links.items()})
    for number, entry in enumerate(entries):
        is_offered = entry.kind in _PARTS and not entry.flags & _IS_PRIVATE
        if is_offered and entry.parent >= 0 and entries[entry.parent].kind is Kind.CLASS:
            weights[number, entry.parent] += _TO_CLASS
    flowing = ranks(weights)
    groups = communities(entries, links)
    return tuple(
        Score(number, in_degrees[number], flowing.get(number, 0), groups.get(number, 0))
        for number, entry in enumerate(entries)
        if in_degrees[number] or flowing.get(number) or (entry.kind in _OWNERS and number in groups)
    )
