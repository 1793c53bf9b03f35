"""Edges of both tiers as one."""

from __future__ import annotations

from pydocs_builder.checked.edges import Exact
from pydocs_builder.checked.tiers import merge_tiers
from pydocs_bundle.records import Reference, ReferenceKind

CALL, IMPORT = ReferenceKind.CALL, ReferenceKind.IMPORT


def edge(target: str, column: int = 4, tier: str = "syntactic", reason: str = "") -> Reference:
    return Reference(CALL, 0, target, 0, 1, column, tier, reason)


def test_the_exact_edge_takes_the_place_of_the_same_syntactic_one() -> None:
    exact = Exact([edge("m.f", tier="exact")])
    assert merge_tiers([edge("m.f")], exact) == exact.edges


def test_another_edge_of_a_decided_call_goes_resolved_or_not() -> None:
    exact = Exact([edge("m.f", tier="exact")], frozenset({(0, 1, 4)}))
    others = [edge("m.g"), edge("x.f", reason="a parameter without type")]
    assert merge_tiers(others, exact) == exact.edges


def test_another_edge_of_a_call_that_is_known_in_part_stays() -> None:
    exact = Exact([edge("m.f", tier="exact")])
    assert merge_tiers([edge("m.g")], exact) == [*exact.edges, edge("m.g")]


def test_what_the_checker_does_not_see_is_syntactic() -> None:
    lost = edge("x.f", 9, reason="a parameter without type")
    assert merge_tiers([edge("m.f"), lost], Exact([])) == [edge("m.f"), lost]


def test_an_operator_is_told_once_wherever_the_tiers_put_it() -> None:
    exact = Exact([edge("m.C.__add__", 0, "exact")])
    assert merge_tiers([edge("m.C.__add__", 4), edge("m.f", 6)], exact) == [
        *exact.edges,
        edge("m.f", 6),
    ]


def test_imports_at_a_decided_place_stay() -> None:
    exact = Exact([edge("m.f", tier="exact")], frozenset({(0, 1, 4)}))
    imported = Reference(IMPORT, 0, "m", 0, 1, 4)
    assert merge_tiers([imported], exact) == [*exact.edges, imported]


def test_what_is_run_around_a_decided_call_stays() -> None:
    exact = Exact([edge("m.C", tier="exact")], frozenset({(0, 1, 4)}))
    around = [edge("m.C.__enter__"), edge("m.C.__exit__")]
    assert merge_tiers([edge("m.C.__init__"), *around], exact) == [*exact.edges, *around]


def test_an_operator_that_the_checker_knows_leads_nowhere_else() -> None:
    exact = Exact([edge("m.C.__add__", 0, "exact")])
    assert merge_tiers([edge("m.B.__add__", 4)], exact) == exact.edges
