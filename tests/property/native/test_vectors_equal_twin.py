from __future__ import annotations

import math
import random
import struct
from types import ModuleType

from hypothesis import given, settings
from hypothesis import strategies as st

from pydocs_native import _twins

seeds = st.integers(0, 2**32)
numbers = st.floats(width=32) | st.sampled_from([0.0, 1.0, -1.0])
Row = tuple[list[float], int, int]


def section(native: ModuleType, rows: list[Row], dimensions: int, step: int = 1) -> bytes:
    vectors = b"".join(struct.pack(f"<{dimensions}f", *vector) for vector, _, _ in rows)
    records = b"".join(struct.pack("<I", number * step) for number in range(len(rows)))
    marks = bytes(mark for _, kind, flags in rows for mark in (kind, flags))
    written: bytes = native.write_vectors(vectors, dimensions, records, marks, b"e" * 32)
    return written


def random_rows(seed: int, count: int, dimensions: int) -> list[Row]:
    chance = random.Random(seed)  # noqa: S311 - the same rows for the same seed
    return [
        (
            [chance.gauss(0.0, 1.0) for _ in range(dimensions)],
            chance.choice([1, 2, 63]),
            chance.choice([0, 1, 128]),
        )
        for _ in range(count)
    ]


@given(
    rows=st.integers(1, 70).flatmap(
        lambda dimensions: st.lists(
            st.tuples(
                st.lists(numbers, min_size=dimensions, max_size=dimensions),
                st.integers(0, 255),
                st.integers(0, 255),
            ),
            min_size=1,
            max_size=10,
        )
    )
)
@settings(deadline=None)
def test_written_bytes(core: ModuleType, rows: list[Row]) -> None:
    dimensions = len(rows[0][0])
    assert section(core, rows, dimensions) == section(_twins, rows, dimensions)


@given(
    seed=seeds,
    dimensions=st.sampled_from([1, 3, 64, 65, 192, 384]),
    counts=st.lists(st.none() | st.integers(0, 20), min_size=1, max_size=4),
    limit=st.integers(0, 20),
    kinds=st.one_of(st.just(2**64 - 1), st.integers(0, 2**64 - 1)),
    flags_excluded=st.integers(0, 255),
    chosen=st.none() | st.sets(st.integers(0, 3)),
)
@settings(deadline=None, max_examples=20)
def test_hits_and_every_bit_of_their_scores(
    core: ModuleType,
    seed: int,
    dimensions: int,
    counts: list[int | None],
    limit: int,
    kinds: int,
    flags_excluded: int,
    chosen: set[int] | None,
) -> None:
    union = [
        None
        if count is None
        else section(core, random_rows(seed + number, count, dimensions), dimensions, 3)
        for number, count in enumerate(counts)
    ]
    query = struct.pack(f"<{dimensions}f", *random_rows(seed + 9, 1, dimensions)[0][0])
    sections = None if chosen is None else sorted(one for one in chosen if one < len(union))
    found = [
        native.Vectors(union).search(
            query, limit, sections=sections, kinds=kinds, flags_excluded=flags_excluded
        )
        for native in (core, _twins)
    ]
    assert found[0] == found[1]
    wanted = [(at, record) for at in range(len(union)) for record in (0, 1, 3, 60)]
    scores = [native.Vectors(union).scores(query, wanted) for native in (core, _twins)]
    assert scores[0] == scores[1]


@given(seed=seeds)
@settings(deadline=None, max_examples=2)
def test_more_vectors_than_the_shortlist_holds(core: ModuleType, seed: int) -> None:
    # Rows drawn from few, so that many are equally far away where the shortlist ends.
    few = random_rows(seed, 30, 64)
    chance = random.Random(seed)  # noqa: S311 - the same rows for the same seed
    union = [section(core, [chance.choice(few) for _ in range(900)], 64) for _ in range(4)]
    query = struct.pack("<64f", *random_rows(seed + 1, 1, 64)[0][0])
    expected = _twins.Vectors(union).search(query, 40, flags_excluded=1)
    assert core.Vectors(union).search(query, 40, flags_excluded=1) == expected


@given(seed=seeds)
@settings(deadline=None, max_examples=20)
def test_a_score_is_the_cosine_within_what_rounding_costs(core: ModuleType, seed: int) -> None:
    rows = random_rows(seed, 20, 384)
    query = random_rows(seed + 1, 1, 384)[0][0]
    packed = struct.pack("<384f", *query)
    vectors = core.Vectors([section(core, rows, 384)])
    scores = vectors.scores(packed, [(0, number) for number in range(20)])
    for score, (vector, _, _) in zip(scores, rows, strict=True):
        assert abs(score - cosine(query, vector)) < 0.015


@given(seed=seeds)
@settings(deadline=None, max_examples=20)
def test_a_vector_is_nearest_to_itself(core: ModuleType, seed: int) -> None:
    rows = random_rows(seed, 20, 384)
    vectors = core.Vectors([section(core, rows, 384)])
    for number, (vector, _, _) in enumerate(rows):
        ((score, _, record),) = vectors.search(struct.pack("<384f", *vector), 1)
        assert record == number
        assert abs(score - 1.0) < 0.001


@given(seed=seeds, count=st.integers(1, 30), cut=st.integers(0, 30))
@settings(deadline=None, max_examples=15)
def test_a_vectors_bits_do_not_depend_on_its_neighbours(
    core: ModuleType, seed: int, count: int, cut: int
) -> None:
    rows = random_rows(seed, count, 100)
    query = struct.pack("<100f", *random_rows(seed + 1, 1, 100)[0][0])
    whole = core.Vectors([section(core, rows, 100)])
    parts = core.Vectors([section(core, rows[:cut], 100), section(core, rows[cut:], 100)])
    together = whole.scores(query, [(0, number) for number in range(count)])
    apart = [(0, number) if number < cut else (1, number - cut) for number in range(count)]
    assert parts.scores(query, apart) == together


@given(flip=st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, 255)), max_size=4), cut=seeds)
@settings(deadline=None)
def test_damaged_sections_are_refused_or_searched_alike(
    core: ModuleType, flip: list[tuple[int, int]], cut: int
) -> None:
    damaged = bytearray(section(core, random_rows(1, 9, 5), 5))
    for place, mask in flip:
        damaged[place % len(damaged)] ^= mask
    if cut % 2:
        del damaged[cut % len(damaged) :]
    outcomes = []
    for native in (core, _twins):
        try:
            vectors = native.Vectors([bytes(damaged)])
            query = struct.pack("<5f", 1, 2, 3, 4, 5)
            outcomes.append([vectors.search(query, 5), vectors.scores(query, [(0, 1)])])
        except ValueError as error:
            outcomes.append([str(error)])
    assert outcomes[0] == outcomes[1]


def cosine(one: list[float], other: list[float]) -> float:
    product = sum(a * b for a, b in zip(one, other, strict=True))
    return product / math.sqrt(sum(a * a for a in one) * sum(b * b for b in other))
