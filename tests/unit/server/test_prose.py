"""Sentences of documentation without their markup."""

from __future__ import annotations

import pytest

from pydocs_server.rendered.prose import unmarked


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("Common to :class:`~flask.Flask` and :func:`f`.", "Common to `Flask` and `f`."),
        ("See :ref:`the tables <tables>`.", "See the tables."),
        ("Sends ``POST`` to ``url``.", "Sends `POST` to `url`."),
        ("A `fast search <https://a.b/c>`__ of it.", "A fast search of it."),
        ("The [`dump`](../a.md#b) method.", "The `dump` method."),
        ("Tagged JSON ~~~~~~~~~~~", "Tagged JSON"),
        ("See :meth:`this is cut…", "See `this is cut…"),
    ],
)
def test_markup_is_left_out(marked: str, plain: str) -> None:
    assert unmarked(marked) == plain


@pytest.mark.parametrize("text", ["Plain.", "a[0](b c)", "x == y ** 2", "`name`", "1 --- 2"])
def test_what_is_no_markup_stays(text: str) -> None:
    assert unmarked(text) == text


def test_a_long_run_of_marks_costs_no_time() -> None:
    assert unmarked("`" * 20_000 + "[" * 20_000)
