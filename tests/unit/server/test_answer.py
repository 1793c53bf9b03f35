from __future__ import annotations

import pytest

from pydocs_bundle.errors import ExitCode
from pydocs_server.rendered.answer import (
    MOST_TOKENS,
    NotFound,
    assemble,
    count_tokens,
    cut_lines,
    fit_blocks,
)


def _left(count: int) -> str:
    return f"{count} left"


def test_a_text_within_the_budget_is_whole() -> None:
    assert assemble("head", ["one", "two"], _left) == "head\n\none\n\ntwo"


def test_blocks_that_do_not_fit_are_counted() -> None:
    text = assemble("head", ["x" * 100] * 9, _left, tokens=100)

    assert text.endswith("\n\n6 left")
    assert count_tokens(text) <= 100


def test_a_lone_block_that_is_too_long_loses_whole_lines() -> None:
    text = assemble("", ["line one\nline two\n" + "x" * 500], _left, tokens=20)

    assert text == "line one\nline two\n\n0 left"


def test_no_budget_goes_beyond_the_cap() -> None:
    text = assemble("", ["word " * 100] * 1_000, _left, tokens=10**9)

    assert count_tokens(text) <= MOST_TOKENS


def test_a_lone_line_is_cut_inside() -> None:
    assert cut_lines("x" * 100, 5).text == "x" * 19 + "…"


def test_no_budget_gives_no_text() -> None:
    assert cut_lines("some text", 0).text == ""
    assert fit_blocks([], 10) == ("", 0, 0)


def test_a_miss_says_what_is_near_and_what_to_call() -> None:
    error = NotFound("'httpx.Cleint'", ["httpx.Client"], 'get_symbol("httpx.Client")')

    assert str(error) == (
        "'httpx.Cleint' is not in what is mounted. Closest: httpx.Client. "
        'Next: get_symbol("httpx.Client").'
    )
    assert error.exit_code == ExitCode.NOT_FOUND
    assert error.structured()["closest"] == ["httpx.Client"]


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2)])
def test_four_characters_are_a_token(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens
