from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pydocs_server.answer import MOST_TOKENS, assemble, count_tokens, cut_lines, fit_blocks

TEXTS = st.text(max_size=300)


@given(TEXTS, st.lists(TEXTS, max_size=30), st.integers(0, 400))
def test_an_assembled_text_keeps_any_budget(head: str, blocks: list[str], tokens: int) -> None:
    text = assemble(head, blocks, lambda left: f"{left} left", tokens)

    assert count_tokens(text) <= tokens


@given(st.lists(st.text(min_size=900, max_size=1_000), max_size=300))
def test_no_text_exceeds_the_cap(blocks: list[str]) -> None:
    assert count_tokens(assemble("", blocks * 40, str, 10**9)) <= MOST_TOKENS


@given(TEXTS, st.integers(-5, 100))
def test_cut_lines_are_a_beginning_and_nothing_is_lost_count(text: str, tokens: int) -> None:
    cut = cut_lines(text, tokens)

    assert count_tokens(cut.text) <= max(tokens, 0)
    assert cut.shown + cut.left == text.count("\n") + 1
    assert text.startswith(cut.text.removesuffix("…"))


@given(st.lists(TEXTS, max_size=20), st.integers(0, 200))
def test_blocks_are_shown_or_left(blocks: list[str], tokens: int) -> None:
    fitted = fit_blocks(blocks, tokens)

    assert fitted.shown + fitted.left == len(blocks)
    assert count_tokens(fitted.text) <= tokens
