"""Both tiers of edges as one: what is exact counts, the other fills what is left."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from pydocs_builder.checked.edges import Exact
from pydocs_bundle.records import Reference, ReferenceKind

__all__ = ["merge_tiers"]

_CALLS: Final = (ReferenceKind.CALL, ReferenceKind.DECORATE)
_ORDER: Final = attrgetter("source", "file", "line", "column", "kind", "target", "reason")


def merge_tiers(syntactic: Sequence[Reference], exact: Exact) -> list[Reference]:
    """The edges of both tiers, each once, sorted.

    At a place where the type checker knows all that is called, no other edge of a call stands, nor
    does the same edge twice in one line because the tiers put an operator's place differently.
    """
    if not exact.edges:
        return list(syntactic)
    places = {edge[:6] for edge in exact.edges}
    lines = {edge[:5] for edge in exact.edges if edge.target.endswith("__")}
    kept = [
        edge
        for edge in dict.fromkeys(syntactic)
        if edge.kind not in _CALLS
        or (
            edge[:6] not in places
            and (edge.file, edge.line, edge.column) not in exact.decided
            and not (edge.target.endswith("__") and not edge.reason and edge[:5] in lines)
        )
    ]
    return sorted([*kept, *exact.edges], key=_ORDER)
