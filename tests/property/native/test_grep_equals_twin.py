from __future__ import annotations

import re
from itertools import accumulate, pairwise
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


words = st.sampled_from(["ab", "ba", "aab", "é1", "b\\n"]) | patterns
pieced = st.lists(
    st.sampled_from(["a", "ab", "aab", "1", "é", " ", "\n", "\r\n", "\r"]), max_size=20
)


@given(
    pattern=st.lists(words, min_size=1, max_size=3)
    .map("".join)
    .filter(lambda pattern: pattern.count("?P<n>") < 2),
    texts=st.lists(pieced.map("".join).map(str.encode) | st.binary(max_size=6), max_size=4),
    cuts=st.lists(st.integers(1, 9)),
    most=st.integers(0, 3),
    multiline=st.booleans(),
    ignore_case=st.booleans(),
)
@settings(deadline=None, max_examples=400)
@example(pattern="ab", texts=[b"a", b"b ab"], cuts=[1], most=9, multiline=False, ignore_case=False)
@example(pattern="ab", texts=[b"ab\xffab\nab"], cuts=[], most=9, multiline=False, ignore_case=True)
def test_lines_are_those_of_the_matches(
    core: ModuleType,
    pattern: str,
    texts: list[bytes],
    cuts: list[int],
    most: int,
    *,
    multiline: bool,
    ignore_case: bool,
) -> None:
    options = {"multiline": multiline, "ignore_case": ignore_case, "deadline_ms": 20_000}
    joined = b"".join(texts)
    ends = list(accumulate(map(len, texts), initial=0))
    edges = [place for place in accumulate(cuts, initial=0) if place < len(joined)]
    pieces = [joined[start:end] for start, end in pairwise([*edges, len(joined)])]

    rust, python = (
        native.Grep(pattern, **options).lines(pieces, list(pairwise(ends)), most, 60_000)
        for native in (core, _twins)
    )

    assert rust == python
    # What needles leave out, a search without them does not find either.
    matched = {text for text, _, _ in core.Grep(pattern, **options).search(texts, 1000)}
    assert [row[0] for row in rust[0]] == sorted(matched)
    assert rust[1:] == (len(texts), False)


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


@given(
    text=st.text(alphabet="ab\n\r", max_size=60),
    pattern=st.sampled_from(["a", "ab", "b+", "^a", "b$", "a?", "[ab]$", "bb|aba"]),
)
@settings(deadline=None)
def test_the_lines_are_those_that_match_by_themselves(
    core: ModuleType, text: str, pattern: str
) -> None:
    lines = text.encode().splitlines()
    expected = [number for number, line in enumerate(lines, 1) if re.search(pattern.encode(), line)]

    for native in (core, _twins):
        rows, _, _ = native.Grep(pattern).lines([text.encode()], [(0, len(text))], 99, 60_000)
        assert rows == ([(0, len(expected), expected)] if expected else [])


@given(st.text(alphabet="ab\n\r", min_size=1, max_size=60))
@settings(deadline=None)
def test_a_match_over_lines_touches_each_of_them(core: ModuleType, text: str) -> None:
    count = len(text.encode().splitlines())

    for native in (core, _twins):
        grep = native.Grep(r"[\s\S]+", multiline=True)
        rows, _, _ = grep.lines([text.encode()], [(0, len(text))], 99, 60_000)
        assert rows == [(0, count, list(range(1, count + 1)))]
