"""Which classes, functions and modules belong together, by what uses what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import networkx as nx

from pydocs_builder.scored.links import Link
from pydocs_bundle.records import Entry, Kind

__all__ = ["communities"]


def communities(entries: Sequence[Entry], links: Mapping[tuple[int, int], Link]) -> dict[int, int]:
    """The community of each symbol, from 1, the largest first; what a class has is in its class's.

    It is Louvain's (Blondel et al., Fast unfolding of communities in large networks, 2008) over
    modules and what stands in them, tied by uses and, weakly, to their modules. The seed is fixed
    and all weights are whole, so the same links give the same communities.
    """
    owners = _owners(entries)
    weights: Counter[tuple[int, int]] = Counter()
    for (source, target), link in links.items():
        first, second = sorted((owners[source], owners[target]))
        if 0 <= first < second:
            weights[first, second] += link.weight
    for number, entry in enumerate(entries):
        if owners[number] == number and entry.parent >= 0:
            weights[min(number, entry.parent), max(number, entry.parent)] += 1
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(sorted({owner for owner in owners if owner >= 0}))
    graph.add_weighted_edges_from((*pair, weight) for pair, weight in sorted(weights.items()))
    groups: list[set[int]] = nx.community.louvain_communities(graph, seed=0, backend="networkx")
    found = sorted((sorted(group) for group in groups), key=lambda group: (-len(group), group[0]))
    of_owner = {owner: number for number, group in enumerate(found, 1) for owner in group}
    return {number: of_owner[owner] for number, owner in enumerate(owners) if owner in of_owner}


def _owners(entries: Sequence[Entry]) -> list[int]:
    """The module, class or function at the top of its module that each symbol is part of, or -1."""
    found: list[int] = []
    for number, entry in enumerate(entries):
        owner, kind = number, entry.kind
        while kind not in (Kind.MODULE, Kind.CLASS, Kind.FUNCTION) or _is_inner(entries, owner):
            owner = entries[owner].parent
            if owner < 0 or kind >= Kind.SECTION:
                owner = -1
                break
            kind = entries[owner].kind
        found.append(owner)
    return found


def _is_inner(entries: Sequence[Entry], number: int) -> bool:
    """Whether an entry stands in something that is no module."""
    parent = entries[number].parent
    return parent >= 0 and entries[parent].kind is not Kind.MODULE
