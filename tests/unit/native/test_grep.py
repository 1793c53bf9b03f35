from __future__ import annotations

import time
from pathlib import Path
from types import ModuleType

import pytest


def test_matches_are_byte_spans_in_the_order_of_texts(native: ModuleType) -> None:
    grep = native.Grep(r"def (?P<name>\w+)")
    texts = ["é def a def b".encode(), b"none", b"def c"]
    assert grep.search(texts, 10) == [(0, 3, 8), (0, 9, 14), (2, 0, 5)]
    assert grep.search(texts, 2) == [(0, 3, 8), (0, 9, 14)]
    assert grep.search(texts, 0) == []


def test_a_match_stays_within_its_line(native: ModuleType) -> None:
    text = b"a b\r\na\r\nb\ra\n"
    assert native.Grep(r"a\s*b").search([text], 9) == [(0, 0, 3)]
    assert native.Grep(r"a$").search([text], 9) == [(0, 5, 6), (0, 10, 11)]
    assert native.Grep(r"^b\Z").search([text], 9) == [(0, 8, 9)]
    assert native.Grep(r"(?<!x)[^x]+").search([text], 9) == native.Grep(".+").search([text], 9)


def test_multiline_matches_span_lines(native: ModuleType) -> None:
    text = b"class A:\r\n    pass\r\n"
    assert native.Grep("A.*pass", multiline=True).search([text], 9) == [(0, 6, 18)]
    assert native.Grep(":$", multiline=True).search([text], 9) == [(0, 7, 8)]
    assert native.Grep("^    pass$", multiline=True).search([text], 9) == [(0, 10, 18)]


def test_case_is_ignored_when_asked(native: ModuleType) -> None:
    texts = ["ÉCOLE école".encode()]
    assert len(native.Grep("école").search(texts, 9)) == 1
    assert len(native.Grep("école", ignore_case=True).search(texts, 9)) == 2
    assert len(native.Grep("(?i)école").search(texts, 9)) == 2


def test_an_empty_match_counts_once_a_line(native: ModuleType) -> None:
    assert native.Grep("").search([b"ab\r\n\ncd\n", b"", b"x"], 9) == [
        (0, 0, 0),
        (0, 4, 4),
        (0, 5, 5),
        (2, 0, 0),
    ]
    assert native.Grep("x*").search([b"axx\nb"], 9) == [(0, 0, 0), (0, 1, 3), (0, 4, 4)]


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (r"(?P<q>['\"])\w+(?P=q)", b"'a\" 'b'", [(0, 4, 7)]),
        (r"(\w)\1", b"hello", [(0, 2, 4)]),
        (r"(?<!def )f\(", b"def f( f(", [(0, 7, 9)]),
        (r"\d{2,}+x", b"123x", [(0, 0, 4)]),
        (r"a++a", b"aaa", []),
        (r"[[]x", b"[x", [(0, 0, 2)]),
        (r"\<T\>", b"<T>", [(0, 0, 3)]),
        (r"dict{", b"dict{", [(0, 0, 5)]),
        (r"a(?#comment)b", b"ab", [(0, 0, 2)]),
        (r"[a&&b]+", b"&a&b", [(0, 0, 4)]),
        (r"a{,2}b", b"aaab", [(0, 1, 4)]),
    ],
)
def test_python_spellings_work(
    native: ModuleType, pattern: str, text: bytes, found: list[tuple[int, int, int]]
) -> None:
    assert native.Grep(pattern).search([text], 9) == found


@pytest.mark.parametrize("pattern", ["(unclosed", "[z-a]", "*a", "a{2,1}", "(?P=none)", "\\"])
def test_a_bad_pattern_is_a_sentence(native: ModuleType, pattern: str) -> None:
    with pytest.raises(ValueError, match=r"^The pattern is no regular expression: [^\n]+\.$"):
        native.Grep(pattern)


def test_patterns_have_a_greatest_length(native: ModuleType) -> None:
    with pytest.raises(ValueError, match="longer than 10000 characters"):
        native.Grep("a" * 10_001)


def test_every_troublesome_pattern_ends_in_time(native: ModuleType, inputs: Path) -> None:
    folder = inputs / "regex-backtracking"
    answers: list[str] = []
    text = (folder / "text.txt").read_bytes()
    for pattern in (folder / "patterns.txt").read_text().splitlines():
        for multiline in (False, True):
            begun = time.monotonic()
            try:
                grep = native.Grep(pattern, multiline=multiline, deadline_ms=300)
                grep.search([text], 10_000)
            except (ValueError, TimeoutError) as error:
                answers.append(str(error))
            assert time.monotonic() - begun < 3
    beginnings = ("The pattern is no regular expression: ", "The search was stopped ")
    assert len(answers) >= 4
    assert all(answer.startswith(beginnings) for answer in answers)


def test_runaway_backtracking_is_stopped_and_the_next_search_works(native: ModuleType) -> None:
    text = b"a" * 60_000 + b"!"
    with pytest.raises(TimeoutError, match="The search was stopped"):
        native.Grep(r"(a|aa)+\1$b", multiline=True, deadline_ms=200).search([text], 9)
    assert native.Grep("!").search([text], 9) == [(0, 60_000, 60_001)]


def test_bytes_that_are_no_text_are_passed_over(native: ModuleType) -> None:
    assert native.Grep("[^b]").search([b"a\xffb\xe9\x80c"], 9) == [(0, 0, 1), (0, 5, 6)]


def test_ten_thousand_hits_keep_their_order(native: ModuleType) -> None:
    hits = native.Grep("x").search([b"x\n" * 10_000], 10_000)
    assert hits == [(0, place, place + 1) for place in range(0, 20_000, 2)]


def test_lines_come_from_texts_that_cross_the_borders_of_pieces(native: ModuleType) -> None:
    pieces = [b"one\nnee", b"", b"dle two", b"\nneedle\n"]
    spans = [(0, 3), (4, 14), (14, 22), (22, 22)]
    rows, searched, is_given_up = native.Grep("needle").lines(pieces, spans, 5, 1_000)
    assert rows == [(1, 1, [1]), (2, 1, [2])]
    assert (searched, is_given_up) == (4, False)
    with pytest.raises(ValueError, match="outside the pieces"):
        native.Grep("needle").lines(pieces, [(4, 23)], 5, 1_000)


def test_the_numbers_of_lines_are_bounded_and_their_count_is_not(native: ModuleType) -> None:
    text = b"x y x\n" * 1_000
    rows, _, _ = native.Grep("x").lines([text], [(0, len(text))], 2, 1_000)
    assert rows == [(0, 1_000, [1, 2])]


def test_lines_stop_at_a_text_that_is_too_hard_and_at_the_end_of_time(native: ModuleType) -> None:
    hard = b"a" * 60_000 + b"!"
    spans = [(0, 1), (0, len(hard)), (0, 1)]
    grep = native.Grep(r"(a|aa)+\1$b|^a$", multiline=True, deadline_ms=200)
    assert grep.lines([hard], spans, 9, 60_000) == ([(0, 1, [1])], 1, True)
    assert grep.lines([hard], spans, 9, 0) == ([], 0, False)
