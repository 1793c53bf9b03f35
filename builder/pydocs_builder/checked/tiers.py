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
# Special methods that a call itself runs; any other is run by what stands around the call.
_RUN_BY_CALL: Final = frozenset({"__call__", "__init__", "__new__"})


def merge_tiers(syntactic: Sequence[Reference], exact: Exact) -> list[Reference]:
    """The edges of both tiers, each once, sorted.

    At a place where the type checker knows all that is called, no other edge of that call stands.
    What an operator or a statement runs is told once in a line, by the checker where it knows it:
    the tiers put its place differently.
    """
    if not exact.edges:
        return list(syntactic)
    places = {edge[:6] for edge in exact.edges}
    implied = {
        (edge.source, edge.file, edge.line, last)
        for edge in exact.edges
        if _is_implied(last := _last(edge))
    }

    def stands(edge: Reference) -> bool:
        if edge.kind not in _CALLS:
            return True
        last = _last(edge)
        if not edge.reason and _is_implied(last):
            return (edge.source, edge.file, edge.line, last) not in implied
        return edge[:6] not in places and (edge.file, edge.line, edge.column) not in exact.decided

    return sorted([*filter(stands, dict.fromkeys(syntactic)), *exact.edges], key=_ORDER)


def _last(edge: Reference) -> str:
    return edge.target.rpartition(".")[2]


def _is_implied(last: str) -> bool:
    return last.startswith("__") and last.endswith("__") and last not in _RUN_BY_CALL
