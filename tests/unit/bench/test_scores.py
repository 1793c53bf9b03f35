"""How retrieval is scored: the rules that make a figure comparable with others' figures."""

from __future__ import annotations

import pytest
from scores import first_match, interval, ndcg, reciprocal


def test_first_accepted_name_gives_the_rank() -> None:
    assert first_match(["a.x", "a.B", "a.c"], ["a.B"], ["a.B"]) == 2


def test_repeated_names_take_no_rank() -> None:
    assert first_match(["a.x", "a.x", "a.B"], ["a.B"], []) == 2


def test_nothing_counts_past_the_tenth_name() -> None:
    assert first_match([f"a.x{n}" for n in range(10)] + ["a.B"], ["a.B"], []) == 0


def test_member_counts_where_its_class_is_the_answer() -> None:
    assert first_match(["a.B.c"], ["a.B"], ["a.B"]) == 1


def test_class_does_not_count_where_its_member_is_the_answer() -> None:
    assert first_match(["a.B"], ["a.B.c"], []) == 0


def test_member_of_an_accepted_module_does_not_count() -> None:
    assert first_match(["a.b.c"], ["a.b"], []) == 0


def test_names_are_case_sensitive() -> None:
    assert first_match(["a.b"], ["a.B"], []) == 0


def test_reciprocal_of_no_rank_is_nothing() -> None:
    assert [reciprocal(rank) for rank in (1, 4, 0)] == [1, 0.25, 0]


def test_gain_is_whole_when_all_targets_lead() -> None:
    assert ndcg([2, 1], 2) == pytest.approx(1)


def test_gain_falls_with_the_rank() -> None:
    assert ndcg([3], 1) == pytest.approx(0.5)


def test_missing_targets_cost_gain() -> None:
    assert ndcg([1, 0], 2) == pytest.approx(0.613147, abs=1e-6)


def test_interval_holds_the_mean_and_repeats() -> None:
    values = [0.0, 1.0] * 50
    low, high = interval(values)
    assert 0.35 < low < 0.5 < high < 0.65
    assert interval(values) == (low, high)
