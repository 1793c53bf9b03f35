from __future__ import annotations

import re
from types import ModuleType

from hypothesis import example, given, settings
from hypothesis import strategies as st

from pydocs_native import _twins

# The part of the language that both engines read alike.
atoms = st.sampled_from(["a", "b", ".", r"\w", r"\d", "[ab]", "[^a]", r"\s", "^", "$", r"\b", "é"])
groups = ["(?:{})", "({})", "(?P<n>{})", "(?={})", "(?!{})", "(?>{})"]
patterns = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"(?:{'|'.join(parts)})"),
        st.tuples(st.sampled_from(groups), inner).map(lambda pair: pair[0].format(pair[1])),
        st.tuples(
            inner.filter(lambda part: not re.fullmatch(r"[$^]|\\b|.*\(\?[=!].*", part)),
            st.sampled_from(["?", "*", "+", "{2}", "*?"]),
        ).map(lambda pair: f"(?:{pair[0]}){pair[1]}"),
    ),
    max_leaves=6,
).filter(lambda pattern: pattern.count("?P<n>") < 2)
texts = st.lists(
    st.text(st.sampled_from("aaab1 é\r\n"), max_size=30).map(str.encode) | st.binary(max_size=6),
    max_size=3,
)


@given(pattern=patterns, texts=texts, multiline=st.booleans(), ignore_case=st.booleans())
@settings(deadline=None, max_examples=300)
@example(pattern="(?:a*)", texts=[b"aab"], multiline=False, ignore_case=False)
@example(pattern="$", texts=[b"a\r\nb\r"], multiline=True, ignore_case=False)
def test_grep(
    core: ModuleType, pattern: str, texts: list[bytes], *, multiline: bool, ignore_case: bool
) -> None:
    options = {"multiline": multiline, "ignore_case": ignore_case}
    rust, python = (
        native.Grep(pattern, **options, deadline_ms=20_000).search(texts, 1000)
        for native in (core, _twins)
    )
    assert rust == python


@given(
    pattern=patterns.filter(lambda pattern: "?>" not in pattern and r"\b" not in pattern),
    text=st.text(st.sampled_from("aaab1 é"), min_size=1, max_size=30),
)
@settings(deadline=None)
def test_one_line_is_matched_as_by_the_standard_library(
    core: ModuleType, pattern: str, text: str
) -> None:
    first = re.search(pattern, text)
    found = core.Grep(pattern).search([text.encode()], 1)
    expected = [tuple(len(text[:at].encode()) for at in first.span())] if first else []
    assert [span[1:] for span in found] == expected
