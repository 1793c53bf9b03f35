"""The calls around a symbol, some steps in one direction: a tree in which each grows once.

Call graphs have cycles and fans: what was shown before is named again and not followed, and the
number of symbols is bounded, so that every walk ends.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from pydocs_bundle.records import Kind
from pydocs_server.mounted.directions import look
from pydocs_server.mounted.edges import Graph, Symbol, symbol_of
from pydocs_server.mounted.inherited import constructor
from pydocs_server.mounted.names import Found
from pydocs_server.mounted.rows import Row

__all__ = ["Branch", "Tree", "grow"]

_MOST_CHILDREN: Final = 12


@dataclass(slots=True)
class Branch:
    """A symbol of the tree and what hangs on it; the root has no row.

    `is_repeated` says that it grows elsewhere in the tree, `left` how many further ones there are.
    """

    found: Found | None
    row: Row | None
    children: list[Branch] = field(default_factory=list)
    is_repeated: bool = False
    left: int = 0


@dataclass(frozen=True, slots=True)
class Tree:
    """What was grown: the root, how many symbols it has beside it, and whether that is all."""

    root: Branch
    size: int
    is_whole: bool


def grow(
    graph: Graph,
    targets: Sequence[Found],
    direction: Literal["callers", "callees"],
    depth: int,
    most: int,
) -> Tree:
    """The callers or callees of a symbol, theirs, and so on, nearest first.

    Args:
        graph: the edges.
        targets: the symbol, in each mounted version.
        direction: which way.
        depth: how many steps.
        most: how many symbols.
    """
    root = Branch(targets[0], None)
    seen: set[Symbol] = {symbol_of(each) for each in targets}
    waiting: deque[tuple[Branch, Sequence[Found], int]] = deque([(root, targets, 0)])
    size = 0
    is_whole = True
    while waiting:
        branch, sources, steps = waiting.popleft()
        if steps == depth:
            is_whole = False
            continue
        rows = [each for each in look(graph, sources, direction).rows if not _is_known(graph, each)]
        taken = min(len(rows), _MOST_CHILDREN, max(most - size, 0))
        branch.left = len(rows) - taken
        is_whole = is_whole and not branch.left
        for row in rows[:taken]:
            size += 1
            child = Branch(row.found, row)
            branch.children.append(child)
            if row.found is None or row.found.record.kind == Kind.MODULE:
                continue
            child.is_repeated = symbol_of(row.found) in seen
            if not child.is_repeated:
                seen.add(symbol_of(row.found))
                if grown := _grown(graph, row.found, direction):
                    waiting.append((child, [grown], steps + 1))
    return Tree(root, size, is_whole)


def _grown(graph: Graph, found: Found, direction: str) -> Found | None:
    """What to follow from a symbol: whoever calls a class runs its constructor, not its methods."""
    is_called = direction == "callees" and found.record.kind == Kind.CLASS
    return constructor(graph.catalog, found) if is_called else found


def _is_known(graph: Graph, row: Row) -> bool:
    """Whether everybody knows what is called: the standard library, mounted or not."""
    if row.found is not None:
        return graph.catalog.bundles[row.found.bundle].manifest.kind == "stdlib"
    return row.name.partition(".")[0] in sys.stdlib_module_names
