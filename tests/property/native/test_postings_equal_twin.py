from __future__ import annotations

from types import ModuleType

from hypothesis import given, settings
from hypothesis import strategies as st

from pydocs_native import _twins

words = st.sampled_from(
    ["a", "b", "c", "self", "return", "getURL", "connection_pool", "悬空引用", "don't", "x1", "ü"]
)
fields = st.lists(words, max_size=9).map(" ".join)
long_fields = st.tuples(words, st.integers(1, 300)).map(lambda pair: f"{pair[0]} " * pair[1])
documents = st.tuples(*[st.one_of(fields, long_fields)] * 7)
documented = st.tuples(documents, st.integers(0, 255), st.integers(0, 255))
# Documents that are alike, one behind the other, make runs and rows of the table of payloads.
alike = st.tuples(documented, st.integers(1, 20)).map(lambda pair: [pair[0]] * pair[1])
sections = st.lists(st.one_of(documented.map(lambda one: [one]), alike), max_size=9).map(
    lambda lists: [document for each in lists for document in each]
)
shares = st.floats(0, 1)
weights = st.lists(st.floats(0, 1e6), min_size=7, max_size=7)
Section = list[tuple[tuple[str, str, str, str, str, str, str], int, int]]


def written(native: ModuleType, section: Section) -> bytes:
    texts = [text for text, _, _ in section]
    kinds = bytes(kind for _, kind, _ in section)
    written: bytes = native.write_postings(texts, kinds, bytes(flags for _, _, flags in section))
    return written


@given(section=sections)
@settings(deadline=None)
def test_written_bytes(core: ModuleType, section: Section) -> None:
    assert written(core, section) == written(_twins, section)


@given(
    union=st.lists(sections, max_size=4),
    query=st.lists(words, max_size=6).map(" ".join),
    weights=weights,
    limit=st.integers(0, 20),
    kinds=st.one_of(st.just(2**64 - 1), st.integers(0, 2**64 - 1)),
    flags_excluded=st.integers(0, 255),
    chosen=st.none() | st.sets(st.integers(0, 3)),
    k1=st.floats(0.01, 100),
    b=st.just(0.0) | shares,
    field_b=st.tuples(shares, shares, shares),
)
@settings(deadline=None)
def test_hits_and_every_bit_of_their_scores(
    core: ModuleType,
    union: list[Section],
    query: str,
    weights: list[float],
    limit: int,
    kinds: int,
    flags_excluded: int,
    chosen: set[int] | None,
    k1: float,
    b: float,
    field_b: tuple[float, float, float],
) -> None:
    mounted = [written(core, section) for section in union]
    terms = core.analyze(query)
    where = None if chosen is None else [at for at in sorted(chosen) if at < len(mounted)]
    rust, python = (
        native.Postings(mounted).search(
            terms,
            weights,
            limit,
            sections=where,
            kinds=kinds,
            flags_excluded=flags_excluded,
            k1=k1,
            b=b,
            field_b=field_b,
        )
        for native in (core, _twins)
    )
    assert rust == python
    unions = core.Postings(mounted), _twins.Postings(mounted)
    assert unions[0].frequencies(terms) == unions[1].frequencies(terms)
    assert unions[0].section_frequencies(terms) == unions[1].section_frequencies(terms)


vocabulary = st.lists(st.from_regex(r"[a-c]{1,40}", fullmatch=True), min_size=1, max_size=120)


@given(words=vocabulary)
@settings(deadline=None)
def test_every_term_is_found_however_alike_they_are(core: ModuleType, words: list[str]) -> None:
    section = core.write_postings(
        [("", "", "", "", word, "", "") for word in words], bytes(len(words)), bytes(len(words))
    )
    terms = [term for word in words for term in core.analyze(word)]
    asked = sorted({*terms, *(term + "a" for term in terms), *(term[:-1] for term in terms)})
    expected = [sum(term in core.analyze(word) for word in words) for term in asked]
    assert core.Postings([section]).frequencies(asked) == expected
    assert _twins.Postings([section]).frequencies(asked) == expected


@given(junk=st.binary(max_size=200), at=st.integers(0, 400))
@settings(deadline=None)
def test_junk_in_a_section_raises_nothing_but_value_error(
    core: ModuleType, junk: bytes, at: int
) -> None:
    good = core.write_postings([("a", "b", "c", "d", "e f", "g", "h")] * 9, bytes(9), bytes(9))
    bad = good[:at] + junk + good[at + len(junk) :]
    for native in (core, _twins):
        try:
            union = native.Postings([bad[: len(good)]])
            union.search(["a", "b", "e", "h", "z"], [1.0] * 7, 10)
        except ValueError:
            pass
