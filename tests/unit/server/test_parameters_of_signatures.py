"""What a change of a signature means for callers."""

from __future__ import annotations

import pytest

from pydocs_server.rendered.parameters import broken, is_same_call


@pytest.mark.parametrize(
    ("before", "after", "reasons"),
    [
        ("(a, b=1)", "(a, b=1, c=2)", []),
        ("(a, b=1)", "(a, b=2)", []),
        ("(a, b=1)", "(a)", ["b is gone"]),
        ("(a, b=1)", "(a, b)", ["b is now required"]),
        ("(a)", "(a, b)", ["b is new and required"]),
        ("(a, b)", "(b, a)", ["another order of the parameters"]),
        ("(a, b)", "(a, *, b)", ["b only by keyword"]),
        ("(a, b)", "(a, b, /)", ["a only by position", "b only by position"]),
        ("(a, b)", "(a, *args, **kwargs)", []),
        ("(*, b)", "(**kwargs)", []),
        ("(self, a)", "(a)", []),
        ("(a: int) -> int", "(a: 'str') -> str", []),
        ("(a", "(b)", []),
        ("(a)\n(a, b)", "(b)", []),
    ],
)
def test_callers_break_for_the_reason_given(before: str, after: str, reasons: list[str]) -> None:
    assert [each.clause for each in broken(before, after)] == reasons


def test_types_alone_do_not_make_another_call() -> None:
    assert is_same_call("(a: int, b: 'X' = 1) -> None", "(a: str, b: X = 1) -> int")
    assert not is_same_call("(a, b=1)", "(a, b=2)")
    assert not is_same_call("(a)", "(b)")
