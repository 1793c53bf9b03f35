from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from pydocs_server.rendered.answer import (
    MOST_TOKENS,
    assemble,
    bounded,
    count_tokens,
    cut_lines,
    fit_blocks,
)

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


FIELDS = st.dictionaries(
    st.text("abcdef", min_size=1, max_size=5),
    st.text(max_size=400) | st.lists(st.text(max_size=80), max_size=40) | st.integers(0, 10**6),
    max_size=6,
)


@given(FIELDS, st.integers(150, 2_000))
def test_a_structured_answer_keeps_its_budget_and_says_what_is_cut(
    fields: dict[str, object], tokens: int
) -> None:
    kept = bounded(fields, tokens)

    assert count_tokens(json.dumps(kept, ensure_ascii=False)) <= tokens
    for name, value in fields.items():
        if isinstance(value, str | list):
            shown = kept[name]
            assert isinstance(shown, str | list)
            assert list(value[: len(shown)]) == list(shown)
            cut = kept.get("cut", {})
            assert isinstance(cut, dict)
            assert len(value) - len(shown) == cut.get(name, 0)
        else:
            assert kept[name] == value
