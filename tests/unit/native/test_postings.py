from __future__ import annotations

import mmap
import struct
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from pydocs_bundle.records import IndexText

WEIGHTS = (8.0, 2.0, 2.0, 1.5, 1.0, 0.5, 2.0)


def text(name: str = "", body: str = "") -> IndexText:
    return IndexText(name, "", "", "", body, "", "")


def section(native: ModuleType, *texts: IndexText, kinds: bytes = b"", flags: bytes = b"") -> bytes:
    count = len(texts)
    written: bytes = native.write_postings(texts, kinds or bytes(count), flags or bytes(count))
    return written


def test_statistics_are_those_of_the_union(native: ModuleType) -> None:
    rare = section(native, text("connect", "open a socket"), text("close", "shut"))
    many = section(native, *[text(f"f{index}", "open a file") for index in range(9)])
    union = native.Postings([rare, many])
    assert union.document_counts() == [2, 9]
    assert union.frequencies(["open", "socket", "none"]) == [10, 1, 0]
    assert union.section_frequencies(["open", "socket", "none"]) == [[1, 9], [1, 0], [0, 0]]
    (score, *place), *others = union.search(["open", "socket"], WEIGHTS, 10)
    assert place == [0, 0]
    assert all(score > other for other, _, _ in others)


def test_a_name_counts_more_than_a_body(native: ModuleType) -> None:
    union = native.Postings([section(native, text("other", "route"), text("route", "other"))])
    assert [document for _, _, document in union.search(["rout"], WEIGHTS, 10)] == [1, 0]


def test_equal_scores_stand_in_the_order_of_sections_and_documents(native: ModuleType) -> None:
    one = section(native, text("word"), text("word"))
    hits = native.Postings([one, one]).search(["word"], WEIGHTS, 3)
    assert [hit[1:] for hit in hits] == [(0, 0), (0, 1), (1, 0)]
    assert len({score for score, _, _ in hits}) == 1


def test_filters_choose_hits_and_leave_scores_alone(native: ModuleType) -> None:
    texts = [text("a", "word")] * 4
    one = section(native, *texts, kinds=bytes([1, 2, 3, 200]), flags=bytes([0, 1, 2, 3]))
    union = native.Postings([one, one])
    every = union.search(["word"], WEIGHTS, 99)
    assert len(every) == 6, "kinds above 63 have no bit and are never asked for"

    def documents(**filters: object) -> list[tuple[int, int]]:
        hits = union.search(["word"], WEIGHTS, 99, **filters)
        assert set(hits) <= set(every)
        return [(section, document) for _, section, document in hits]

    assert documents(kinds=1 << 2) == [(0, 1), (1, 1)]
    assert documents(flags_excluded=1) == [(0, 0), (0, 2), (1, 0), (1, 2)]
    assert documents(sections=[1, 1]) == [(1, 0), (1, 1), (1, 2)]
    assert documents(sections=[]) == []


def test_a_repeated_term_counts_once(native: ModuleType) -> None:
    union = native.Postings([section(native, text("a", "b"), text("b", "a"))])
    assert union.search(["a", "b", "a"], WEIGHTS, 9) == union.search(["a", "b"], WEIGHTS, 9)


def test_nothing_is_found_in_nothing(native: ModuleType) -> None:
    for sections in ([], [section(native)], [section(native, text())]):
        union = native.Postings(sections)
        assert union.search(["a"], WEIGHTS, 9) == []
        assert union.frequencies(["a"]) == [0]
    one = native.Postings([section(native, text("a"))])
    assert one.search([], WEIGHTS, 9) == []
    assert one.search(["a"], WEIGHTS, 0) == []
    assert one.search(["\ud800", "", "a" * 1000], WEIGHTS, 9) == []


def test_a_field_without_weight_makes_no_hit(native: ModuleType) -> None:
    union = native.Postings([section(native, text("a", "b"))])
    assert union.search(["a"], (0, 1, 1, 1, 1, 1, 1), 9) == []


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf"), 1e7])
def test_weights_out_of_bounds_are_refused(native: ModuleType, weight: float) -> None:
    union = native.Postings([section(native, text("a"))])
    with pytest.raises(ValueError, match="a weight is not between 0 and 1000000"):
        union.search(["a"], (weight, 1, 1, 1, 1, 1, 1), 9)
    with pytest.raises(ValueError, match="7"):
        union.search(["a"], (1, 1, 1), 9)


def test_a_section_that_is_not_mounted_is_refused(native: ModuleType) -> None:
    union = native.Postings([section(native, text("a"))])
    with pytest.raises(ValueError, match="section 1 is not among the 1 mounted"):
        union.search(["a"], WEIGHTS, 9, sections=[1])


def test_kinds_and_flags_have_one_byte_a_document(native: ModuleType) -> None:
    with pytest.raises(ValueError, match="not of one length"):
        native.write_postings([text("a")], b"", b"\0")


def test_mapped_files_are_searched_in_place_and_writable_memory_is_refused(
    native: ModuleType, tmp_path: Path
) -> None:
    one = section(native, text("a", "b"))
    (tmp_path / "s").write_bytes(b"pad" + one)
    with (tmp_path / "s").open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    union = native.Postings([memoryview(mapped)[3:]])
    assert union.frequencies(["a"]) == [1]
    with pytest.raises(BufferError):
        mapped.close()
    del union
    mapped.close()
    with pytest.raises(TypeError, match="can be written"):
        native.Postings([bytearray(one)])


def test_lengths_and_kinds_lie_where_the_format_says(native: ModuleType) -> None:
    many = IndexText("a b", "", "s " * 32, "d " * 66, "c " * 70_000, "", "")
    one = section(native, many, text("a", "b"), kinds=b"\x05\x06", flags=b"\x21\x22")
    assert struct.unpack_from("<IIQ", one) == (1, 2, 65535 + 2)
    assert struct.unpack_from("<3Q", one, 32) == (32, 66, 65535 + 1)
    records = list(struct.iter_unpack("<H3BBB", one[56:70]))
    # 66 is between 64 and 68, whose codes are 48 and 49; 207 is that of 63,488 and more.
    assert records == [(65535, 32, 48, 207, 5, 0x21), (2, 0, 0, 1, 6, 0x22)]


def test_a_field_that_is_long_counts_less_and_only_by_its_share(native: ModuleType) -> None:
    union = native.Postings([section(native, text("a", "word"), text("b", "word" + " x" * 40))])

    def scores(**numbers: object) -> list[float]:
        return [score for score, _, _ in union.search(["word"], WEIGHTS, 9, **numbers)]

    first, second = scores(field_b=(0.5, 0.5, 0.75))
    assert first > second
    assert len(set(scores(field_b=(1.0, 1.0, 0.0)))) == 1
    first, second = scores(field_b=(0, 0, 0), b=0.75)
    assert first > second


@pytest.mark.parametrize(
    ("numbers", "problem"),
    [
        ({"k1": 0.0}, "k1 is not between 0.01 and 100"),
        ({"k1": float("nan")}, "k1 is not between 0.01 and 100"),
        ({"b": -0.1}, "a b is not between 0 and 1"),
        ({"field_b": (0.5, 0.5, 1.1)}, "a b is not between 0 and 1"),
        ({"field_b": (0.5, float("nan"), 1)}, "a b is not between 0 and 1"),
        ({"field_b": (0.5, 0.5)}, "3"),
    ],
)
def test_numbers_out_of_bounds_are_refused(
    native: ModuleType, numbers: dict[str, object], problem: str
) -> None:
    union = native.Postings([section(native, text("a"))])
    with pytest.raises(ValueError, match=problem):
        union.search(["a"], WEIGHTS, 9, **numbers)


def test_documents_that_have_a_term_alike_take_no_room(native: ModuleType) -> None:
    few = section(native, *[text("a", "word")] * 8, *[text("b", "other")] * 8)
    many = section(native, *[text("a", "word")] * 15, *[text("b", "other")] * 15)
    assert len(many) == len(few) + 14 * 7
    assert native.Postings([many]).frequencies(["a", "word", "b", "other"]) == [15] * 4


def test_terms_of_one_document_only_say_it_once(native: ModuleType) -> None:
    words = [f"w{index:02}x" for index in range(30)]
    one = section(native, text(), text("", " ".join(words)))
    # 56 of header, a record each, a block, a row, the first term in 7 bytes, others in 4 or 5.
    assert len(one) <= 56 + 2 * 7 + 16 + 7 + 7 + 29 * 5
    union = native.Postings([one])
    assert union.frequencies(words) == [1] * 30
    assert {hit[1:] for word in words for hit in union.search([word], WEIGHTS, 9)} == {(0, 1)}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda s: s[:55], "is shorter than its header"),
        (lambda s: b"\2" + s[1:], "is not of version 1"),
        (lambda s: s[:28] + b"\1" + s[29:], "has parts that do not add up to its length"),
        (lambda s: s[:-1], "has parts that do not add up to its length"),
        (lambda s: s + b"\0", "has parts that do not add up to its length"),
        (lambda s: s[:4] + b"\xff\xff\xff\xff" + s[8:], "has parts that do not add up"),
    ],
)
def test_what_is_no_section_is_refused(native: ModuleType, change: object, problem: str) -> None:
    good = section(native, text("a", "b"))
    assert callable(change)
    with pytest.raises(ValueError, match=f"postings section 1 {problem}"):
        native.Postings([good, change(good)])


def test_damage_never_does_more_than_raise_value_error(native: ModuleType) -> None:
    texts = [text(f"name{index} common", "word " * index) for index in range(20)]
    good = section(native, *texts)
    terms = [*native.analyze("common word name0 name1 name19"), "zzz", ""]
    for place in range(len(good)):
        for flip in (1, 0x80, 0xFF):
            bad = good[:place] + bytes([good[place] ^ flip]) + good[place + 1 :]
            try:
                union = native.Postings([bad, good])
                union.frequencies(terms)
                for hit in union.search(terms, WEIGHTS, 10):
                    assert hit[0] > 0
            except ValueError:
                pass
    for length in range(len(good)):
        with pytest.raises(ValueError, match="postings section 0"):
            native.Postings([good[:length]])


def test_a_query_of_a_hundred_thousand_words_is_answered(native: ModuleType) -> None:
    union = native.Postings([section(native, text("a", "w7 w8"), text("b", "w7"))])
    hits = union.search([f"w{index}" for index in range(100_000)], WEIGHTS, 9)
    assert [document for _, _, document in hits] == [0, 1]


@pytest.mark.parametrize("seed", range(4))
def test_what_is_given_up_early_could_not_have_won(native: ModuleType, seed: int) -> None:
    random = Random(seed)  # noqa: S311 - to repeat
    words = [f"{chr(97 + index % 26)}{index}q" for index in range(60)]
    rarity = [1 / (1 + index) for index in range(60)]

    def document() -> IndexText:
        count = random.choice((3, 30, 200))
        said = " ".join(random.choices(words, rarity, k=count))
        return IndexText("", "", said[: count // 2], said[:count], said, "", "")

    sections = [
        section(native, *[document() for _ in range(random.choice((0, 1, 60, 150)))])
        for _ in range(6)
    ]
    union = native.Postings(sections)
    for size in (1, 5, 30, 60):
        terms = [term for word in random.sample(words, size) for term in native.analyze(word)]
        every = union.search(terms, WEIGHTS, 10_000)
        for limit in (1, 3, 10, 80):
            assert union.search(terms, WEIGHTS, limit) == every[:limit]
        chosen = union.search(terms, WEIGHTS, 10_000, sections=[1, 3])
        assert chosen == [hit for hit in every if hit[1] in {1, 3}]
        assert union.search(terms, WEIGHTS, 7, sections=[1, 3]) == chosen[:7]


def test_what_was_looked_up_before_changes_nothing(native: ModuleType) -> None:
    texts = [("a", "", "", "", "b", "", ""), ("a", "", "", "", "", "", "")]
    section = native.write_postings(texts, b"\1\1", b"\0\0")
    before, after = native.Postings([section]), native.Postings([section, section])
    assert before.frequencies(["a", "b", "c"]) == [2, 1, 0]
    hits = after.search(["b", "c", "a", "b"], [1.0] * 7, 1)
    assert after.frequencies(["a", "c", "b", "a", "d"]) == [4, 0, 2, 4, 0]
    assert after.section_frequencies(["b", "c", "a"]) == [[1, 1], [0, 0], [2, 2]]
    assert after.frequencies(["a", "b"]) == [4, 2]
    assert after.frequencies([f"t{number}" for number in range(2_000)]) == [0] * 2_000
    assert after.search(["b", "a"], [1.0] * 7, 1) == hits
    assert native.Postings([]).search(["a"], [1.0] * 7, 1) == []
