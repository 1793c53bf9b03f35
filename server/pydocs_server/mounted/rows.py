"""The rows of an answer about edges: each symbol once, with one edge and the lines of more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from pydocs_bundle.records import Flag, ReferenceKind
from pydocs_server.mounted.edges import Edge, Graph
from pydocs_server.mounted.names import Found

__all__ = ["Row", "each_once", "is_test", "ranked", "row_from"]

_LABELS: Final = {
    ReferenceKind.DECORATE: "decorated",
    ReferenceKind.READ: "reads",
    ReferenceKind.WRITE: "writes",
}
_TIERS: Final = {"exact": 0, "syntactic": 1, "may": 2}


class Row(NamedTuple):
    """One symbol or name of the answer, with the edge that ties it to the target, and how.

    `more` are the lines of further edges between the two; `built_against` is the other version
    that the edge was made with, such as `httpx 0.27.0`, or empty.
    """

    name: str
    found: Found | None
    edge: Edge | None
    depth: int = 1
    label: str = ""
    more: tuple[int, ...] = ()
    built_against: str = ""


def row_from(graph: Graph, edge: Edge) -> Row:
    """The row of an edge for whoever asks who is at its beginning."""
    found = graph.found(edge.source)
    against = ""
    for symbol in graph.resolve(edge.target, edge.source.bundle):
        against = graph.joins.built_against(edge.source.bundle, symbol.bundle)
        break
    label = _LABELS.get(edge.kind, "")
    return Row(found.record.qualified_name, found, edge, label=label, built_against=against)


def each_once(rows: Iterable[Row]) -> list[Row]:
    """Each symbol once, in the order of the first edge, with the lines of the others.

    The surest edge stands for all; writing an attribute is told apart from reading it.
    """
    once: dict[tuple[str, int, str], Row] = {}
    for each in rows:
        key = each.name, each.found.bundle if each.found is not None else -1, each.label
        first = once.setdefault(key, each)
        if first is each or first.edge is None or each.edge is None:
            continue
        surest = each if _doubt(each) < _doubt(first) else first
        lines = {_line(first), *first.more, _line(each), *each.more}
        once[key] = surest._replace(more=tuple(sorted(lines - {_line(surest)})))
    return list(once.values())


def ranked(graph: Graph, rows: Sequence[Row]) -> list[Row]:
    """Product code before tests, what is certain before what may be, projects before dependencies.

    Then what much else depends on goes first, then as bundles have it.
    """

    def key(each: Row) -> tuple[bool, bool, bool, int, int, int, int]:
        if each.found is None or each.edge is None:
            return True, True, True, 0, 0, 0, 0
        return (
            is_test(each),
            each.edge.tier == "may",
            not graph.catalog.is_project(each.found.bundle),
            -each.found.record.popularity,
            each.found.bundle,
            each.edge.file,
            each.edge.line,
        )

    return sorted(rows, key=key)


def is_test(row: Row) -> bool:
    """Whether a row's symbol is part of the tests."""
    return row.found is not None and bool(row.found.record.flags & Flag.TEST)


def _doubt(row: Row) -> int:
    return _TIERS.get(row.edge.tier, 0) if row.edge is not None else 0


def _line(row: Row) -> int:
    return row.edge.line if row.edge is not None else 0
