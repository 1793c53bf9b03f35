from __future__ import annotations

import struct
from types import ModuleType

import pytest

ENCODER = bytes(range(32))


def written(native: ModuleType, *vectors: list[float], records: list[int] | None = None) -> bytes:
    numbers = list(range(len(vectors))) if records is None else records
    section: bytes = native.write_vectors(
        b"".join(packed(vector) for vector in vectors),
        len(vectors[0]),
        b"".join(struct.pack("<I", number) for number in numbers),
        b"\3\0" * len(vectors),
        ENCODER,
    )
    return section


def packed(vector: list[float]) -> bytes:
    return struct.pack(f"<{len(vector)}f", *vector)


def axis(number: int, dimensions: int = 384) -> list[float]:
    return [float(place == number) for place in range(dimensions)]


def test_the_nearest_vector_comes_first(native: ModuleType) -> None:
    vectors = native.Vectors([written(native, axis(0), axis(1)), None, written(native, axis(2))])
    (first, *others) = vectors.search(packed(axis(2)), 3)
    assert first == (pytest.approx(1, abs=1e-3), 2, 0)
    assert [score for score, _, _ in others] == pytest.approx([0, 0], abs=0.02)


def test_records_keep_their_numbers(native: ModuleType) -> None:
    vectors = native.Vectors([written(native, axis(0), axis(1), records=[7, 4_000_000_000])])
    assert vectors.search(packed(axis(1)), 1)[0][1:] == (0, 4_000_000_000)
    assert vectors.rows(0) == [(7, 3, 0), (4_000_000_000, 3, 0)]
    assert vectors.row_counts() == [2]


def test_a_record_without_a_vector_has_no_score(native: ModuleType) -> None:
    vectors = native.Vectors([None, written(native, axis(0), records=[5])])
    scores = vectors.scores(packed(axis(0)), [(1, 5), (1, 4), (0, 5)])
    assert scores == [pytest.approx(1, abs=1e-3), None, None]


def test_equal_vectors_are_ordered_by_section_and_record(native: ModuleType) -> None:
    same = written(native, axis(3), axis(3))
    found = native.Vectors([same, same]).search(packed(axis(3)), 9)
    assert [hit[1:] for hit in found] == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_kinds_flags_and_sections_leave_vectors_out(native: ModuleType) -> None:
    section = native.write_vectors(
        packed(axis(0)) * 3, 384, struct.pack("<3I", 0, 1, 2), b"\2\0\3\0\2\1", ENCODER
    )
    vectors = native.Vectors([section, section])
    found = vectors.search(packed(axis(0)), 9, sections=[1], kinds=1 << 2, flags_excluded=1)
    assert [hit[1:] for hit in found] == [(1, 0)]


def test_a_vector_of_zeros_is_like_nothing(native: ModuleType) -> None:
    vectors = native.Vectors([written(native, [0.0] * 8, [1.0] * 8)])
    assert vectors.scores(packed([1.0] * 8), [(0, 0), (0, 1)])[0] == 0
    assert vectors.search(packed([0.0] * 8), 9) == []
    assert vectors.scores(packed([0.0] * 8), [(0, 1)]) == [0]


def test_nothing_mounted_finds_nothing(native: ModuleType) -> None:
    assert native.Vectors([]).search(b"", 9) == []
    assert native.Vectors([None]).scores(b"", [(0, 0)]) == [None]


def test_vectors_of_two_encoders_are_not_mixed(native: ModuleType) -> None:
    one = written(native, axis(0))
    other = one[:16] + bytes(32) + one[48:]
    with pytest.raises(ValueError, match="section 1 is of another encoder than those before"):
        native.Vectors([one, other])


def test_a_query_of_other_dimensions_is_refused(native: ModuleType) -> None:
    vectors = native.Vectors([written(native, axis(0))])
    with pytest.raises(ValueError, match="the query has 8 bytes, and vectors of 384 dimensions"):
        vectors.search(packed([1.0, 2.0]), 1)


def test_a_section_that_is_not_mounted_is_refused(native: ModuleType) -> None:
    vectors = native.Vectors([written(native, axis(0))])
    with pytest.raises(ValueError, match="section 1 is not among the 1 mounted"):
        vectors.search(packed(axis(0)), 1, sections=[1])
    with pytest.raises(ValueError, match="section 1 is not among the 1 mounted"):
        vectors.scores(packed(axis(0)), [(1, 0)])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda section: section[:20], "is shorter than its header"),
        (lambda section: b"\2" + section[1:], "is not of version 1"),
        (lambda section: section[:4] + bytes(4) + section[8:], "no dimension, or of more"),
        (lambda section: section[:4] + b"\1\x10\0\0" + section[8:], "no dimension, or of more"),
        (lambda section: section[:12] + b"\1" + section[13:], "something where zeros belong"),
        (lambda section: section[:63] + b"\1" + section[64:], "something where zeros belong"),
        (lambda section: section + b"\0", "do not add up to its length"),
        (lambda section: section[:8] + b"\xff" * 4 + section[12:], "do not add up to its length"),
        (lambda section: section[:64] + b"\1" + section[65:], "not in ascending order"),
    ],
)
def test_a_damaged_section_is_refused(native: ModuleType, change: object, message: str) -> None:
    assert callable(change)
    with pytest.raises(ValueError, match=f"vectors section 1 .*{message}"):
        native.Vectors([None, change(written(native, axis(0), axis(1)))])


def test_memory_that_can_be_written_to_is_refused(native: ModuleType) -> None:
    with pytest.raises(TypeError, match="written to"):
        native.Vectors([bytearray(written(native, axis(0)))])


@pytest.mark.parametrize(
    ("vectors", "dimensions", "records", "marks", "encoder", "message"),
    [
        (b"\0" * 7, 1, b"\0" * 4, b"\0" * 2, ENCODER, "end within a number"),
        (b"\0" * 4, 1, b"\0" * 4, b"\0" * 2, b"", "has 32 bytes"),
        (b"\0" * 4, 0, b"\0" * 4, b"\0" * 2, ENCODER, "have 1 to 4096 dimensions"),
        (b"", 4097, b"", b"", ENCODER, "have 1 to 4096 dimensions"),
        (b"\0" * 8, 1, b"\0" * 4, b"\0" * 2, ENCODER, "not equally many"),
        (b"\0" * 4, 1, b"\0" * 4, b"", ENCODER, "not equally many"),
        (b"\0" * 8, 1, b"\0" * 8, b"\0" * 4, ENCODER, "not in ascending order"),
    ],
)
def test_vectors_that_do_not_fit_together_are_refused(
    native: ModuleType,
    vectors: bytes,
    dimensions: int,
    records: bytes,
    marks: bytes,
    encoder: bytes,
    message: str,
) -> None:
    with pytest.raises(ValueError, match=message):
        native.write_vectors(vectors, dimensions, records, marks, encoder)


def test_the_layout_stays_as_it_is(native: ModuleType) -> None:
    section = written(native, [1.0, -2.0, 3.0], records=[9])
    assert len(section) == 64 + 8 + 64 + 32 + 8
    assert section[:12] == struct.pack("<III", 1, 3, 1)
    assert section[16:48] == ENCODER
    assert section[64:68] == struct.pack("<I", 9)
