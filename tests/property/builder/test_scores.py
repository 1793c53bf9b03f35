"""Scores follow from what leads to what, in whatever order it is told."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from pydocs_builder.scored.ranks import AVERAGE, ranks
from pydocs_builder.scored.scores import find_scores
from pydocs_bundle.records import Entry, Flag, Kind, Reference, ReferenceKind

KINDS = [Kind.CLASS, Kind.FUNCTION, Kind.METHOD, Kind.ATTRIBUTE, Kind.SECTION]
COUNT = 12

entries = st.lists(
    st.tuples(st.sampled_from(KINDS), st.integers(-1, COUNT - 1), st.sampled_from([0, Flag.TEST])),
    min_size=COUNT,
    max_size=COUNT,
).map(
    lambda drawn: [
        Entry(f"m.e{n}", kind, 0, 0, 0, 1, 1, parent=parent if parent < n else -1, flags=int(flags))
        for n, (kind, parent, flags) in enumerate(drawn)
    ]
)
edges = st.lists(
    st.builds(
        Reference,
        st.sampled_from(ReferenceKind),
        st.integers(0, COUNT - 1),
        st.integers(0, COUNT).map("m.e{}".format),
        st.just(0),
        st.integers(1, 9),
        st.just(0),
    ),
    max_size=40,
)
links = st.dictionaries(
    st.tuples(st.integers(0, 9), st.integers(0, 9)), st.integers(1, 9), max_size=30
)


@settings(deadline=None)
@given(entries, edges, st.randoms())
def test_the_order_of_edges_changes_nothing(
    of: list[Entry], told: list[Reference], random: Random
) -> None:
    expected = find_scores(of, told)
    random.shuffle(told)
    assert find_scores(of, told) == expected


@settings(deadline=None)
@given(entries, edges)
def test_scores_are_by_entry_and_say_something(of: list[Entry], told: list[Reference]) -> None:
    found = find_scores(of, told)
    assert [one.entry for one in found] == sorted({one.entry for one in found})
    assert all(any(one[1:]) and min(one) >= 0 for one in found)
    assert all(of[one.entry].kind is not Kind.SECTION for one in found)


@given(links)
def test_nothing_flows_but_what_there_is(given_links: dict[tuple[int, int], int]) -> None:
    nodes = {node for pair in given_links for node in pair}
    assert sum(ranks(given_links).values()) <= len(nodes) * (AVERAGE + 1)


@given(links, st.integers(2, 5))
def test_the_scale_of_weights_changes_nothing(
    given_links: dict[tuple[int, int], int], factor: int
) -> None:
    grown = {pair: weight * factor for pair, weight in given_links.items()}
    assert ranks(grown) == ranks(given_links)
