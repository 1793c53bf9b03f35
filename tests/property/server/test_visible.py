from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from pydocs_server.rendered.render import fence, one_line, quote, sealed, visible

ANYTHING = st.text(st.characters(), max_size=200)
HOSTILE = st.text(st.sampled_from("`~\n\r\t \x00\x1b\x7f\u202e\u2066\u200b\ufeff\u2028a"))


# Signs of the category `Cf` that print in front of the number or word they belong to.
SEEN = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"


def _is_hidden(character: str) -> bool:
    return character not in SEEN and unicodedata.category(character) in {
        "Cc",
        "Cf",
        "Cs",
        "Zl",
        "Zp",
    }


@given(ANYTHING | HOSTILE)
def test_nothing_hidden_is_left(text: str) -> None:
    assert not [c for c in visible(text) if _is_hidden(c) and c not in "\n\t"]


@given(ANYTHING | HOSTILE)
def test_showing_twice_changes_nothing(text: str) -> None:
    assert visible(visible(text)) == visible(text)


@given(ANYTHING | HOSTILE, st.integers(2, 100))
def test_one_line_is_one_short_line(text: str, most: int) -> None:
    line = one_line(text, most)

    assert "\n" not in line
    assert len(line) <= most


@given(ANYTHING | HOSTILE, ANYTHING | HOSTILE)
def test_no_text_closes_its_fence(text: str, label: str) -> None:
    for fenced in (fence(text, label), sealed(visible(text))):
        first, *inside, last = fenced.split("\n")
        ticks = first[: len(first) - len(first.lstrip("`"))]
        assert last == ticks
        assert not [line for line in inside if line.strip().startswith(ticks)]


@given(ANYTHING | HOSTILE)
def test_every_line_of_a_quotation_is_marked(text: str) -> None:
    assert all(line.startswith(">") for line in quote(text).split("\n"))
