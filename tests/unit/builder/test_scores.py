from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import pairwise

import pytest

from pydocs_builder.scored.ranks import AVERAGE, ranks
from pydocs_bundle.popularity import popularity
from pydocs_bundle.records import BundleContent, Score

Built = Callable[..., BundleContent]

CLIENT = """\
class Client:
    def get(self): return self.send()
    def post(self): return self.send()
    def send(self): return check()

def check(): ...
def unused(): ...
"""


def scores(content: BundleContent) -> dict[str, Score]:
    return {content.entries[one.entry].qualified_name: one for one in content.scores}


def test_in_degree_counts_each_symbol_that_uses_another_once(built: Built) -> None:
    found = scores(built({"m.py": CLIENT + "def twice():\n    check()\n    check()\n"}))
    assert found["m.Client.send"].in_degree == 2
    assert found["m.check"].in_degree == 2
    assert found["m.unused"].in_degree == 0


def test_tests_and_imports_are_no_uses_but_raise_the_rank(built: Built) -> None:
    alone = scores(built({"m.py": CLIENT}))
    files = {"m.py": CLIENT, "tests/test_m.py": "from m import unused\ndef test(): unused()\n"}
    found = scores(built(files))
    assert found["m.unused"].in_degree == 0
    assert found["m.unused"].rank > 0 == alone["m.unused"].rank


def test_what_is_used_by_much_that_is_used_ranks_first(built: Built) -> None:
    found = scores(built({"m.py": CLIENT}))
    by_rank = sorted(found, key=lambda name: -found[name].rank)
    assert by_rank[0] == "m.check"
    assert "m.Client.get" not in found


def test_symbols_that_use_each_other_are_one_community(built: Built) -> None:
    ring = "".join(f"def {a}(): {b}()\n" for a, b in pairwise("abcda"))
    found = scores(built({"left.py": ring, "right.py": ring}))
    assert len({found[f"left.{name}"].community for name in "abcd"}) == 1
    assert found["left.a"].community != found["right.a"].community


def test_a_method_is_in_the_community_of_its_class(built: Built) -> None:
    found = scores(built({"m.py": CLIENT}))
    assert found["m.Client.send"].community == found["m.Client"].community > 0


def test_edges_that_leave_the_bundle_count_for_nothing(built: Built) -> None:
    content = built({"m.py": "import os\ndef f(): os.getcwd(); print()\n"})
    assert all(not one.in_degree and not one.rank for one in content.scores)


def test_a_document_collection_of_no_symbols_has_no_scores(built: Built) -> None:
    assert built({"a.md": "# One\n\nText.\n"}).scores == ()


@pytest.mark.parametrize(
    "links",
    [
        {(0, 1): 1},
        {(0, 1): 4, (1, 0): 1, (2, 0): 2},
        {(number, (number * 7 + 1) % 20): number % 3 + 1 for number in range(20)},
    ],
)
def test_ranks_are_those_of_pagerank(links: Mapping[tuple[int, int], int]) -> None:
    found = ranks(links)
    for node, rank in floating(links).items():
        assert found.get(node, 0) == pytest.approx(rank * AVERAGE, abs=0.02 * AVERAGE)


def floating(links: Mapping[tuple[int, int], int]) -> dict[int, float]:
    """PageRank times the number of nodes, less what a node has to which nothing leads."""
    nodes = {node for pair in links for node in pair}
    out = {node: sum(w for (s, _), w in links.items() if s == node) for node in nodes}
    rank = dict.fromkeys(nodes, 1.0)
    flow = dict.fromkeys(nodes, 0.0)
    for _ in range(500):
        flow = {
            node: 0.85 * sum(rank[s] * w / out[s] for (s, t), w in links.items() if t == node)
            for node in nodes
        }
        base = 1 - sum(flow.values()) / len(nodes)
        rank = {node: flow[node] + base for node in nodes}
    return flow


@pytest.mark.parametrize("rank", [0, 1, 2, 3, 50, 100, 300, 9_999, 158_000, 1 << 40])
def test_popularity_is_a_floored_logarithm(rank: int) -> None:
    assert popularity(rank) == min(255, math.floor(24 * math.log2(1 + rank / 100) + 1e-9))
