from __future__ import annotations

import json
from types import ModuleType
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from pydocs_bundle.columns import write_columns
from pydocs_bundle.records import Entry, Kind, SourceFile
from pydocs_native import _twins

names = st.text(st.characters(codec="utf-8"), max_size=6)
small = st.integers(-3, 300)
numbers = small | st.sampled_from([-(2**40), 2**40, 2**40 - 1, 1 - 2**40, 2**63, 10**30])
lists_of = {
    "s": names,
    "n": numbers,
    "S": st.lists(names, max_size=2),
    "N": st.lists(numbers, max_size=2),
}
FIELDS = "ssnnss" + "nnnnnn" + "SSN" + "nns" + "nn"
SOUND = ["a.b", "", 4, 0, "()", "Does.", 0, 1, 9, 1, 1, 0, [], [], [], 0, 0, "", 7, 0]
BOUNDS = {"first": 3, "entries": 9, "files": 300}


def outcome(native: ModuleType, raw: bytes, count: int) -> object:
    """All records of a frame, or what is said of it and of each."""
    try:
        frame = native.RecordFrame(raw, count, **BOUNDS)
    except ValueError as error:
        return str(error)
    found: list[object] = []
    for line in range(count + 1):
        try:
            found.append(frame.record(line))
        except ValueError as error:
            found.append(str(error))
    return found


def changed(records: list[tuple[int, Any]]) -> list[list[Any]]:
    """Columns of sound records, each with one field replaced."""
    rows = [
        [value if at == place else own for at, own in enumerate(SOUND)] for place, value in records
    ]
    return [list(column) for column in zip(*rows, strict=True)]


one_changed = st.integers(0, len(FIELDS) - 1).flatmap(
    lambda place: st.tuples(st.just(place), lists_of[FIELDS[place]])
)


@given(records=st.lists(one_changed, min_size=1, max_size=4), is_ascii=st.booleans())
@example(records=[(19, 3)], is_ascii=True)
@example(records=[(19, 4)], is_ascii=True)
@example(records=[(19, -1)], is_ascii=True)
def test_frames_with_a_changed_value(
    core: ModuleType, records: list[tuple[int, Any]], *, is_ascii: bool
) -> None:
    raw = json.dumps(changed(records), ensure_ascii=is_ascii).encode()
    assert outcome(core, raw, len(records)) == outcome(_twins, raw, len(records))


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | numbers | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=2),
    max_leaves=8,
)


@given(place=st.integers(0, len(FIELDS) - 1), value=json_values, is_item=st.booleans())
def test_frames_with_a_value_of_any_type(
    core: ModuleType, place: int, value: object, *, is_item: bool
) -> None:
    columns: list[Any] = changed([(0, "a.b")])
    columns[place] = [value] if is_item else value
    raw = json.dumps(columns).encode()
    assert outcome(core, raw, 1) == outcome(_twins, raw, 1)


@given(written=st.text(st.sampled_from("-0123456789.eE+ "), min_size=1, max_size=6))
@example(written="-0")
@example(written="1e0")
@example(written="01")
def test_frames_with_numbers_written_in_any_way(core: ModuleType, written: str) -> None:
    raw = json.dumps(changed([(6, 77)])).replace("77", written).encode()
    assert outcome(core, raw, 1) == outcome(_twins, raw, 1)


@given(data=st.data())
def test_frames_with_changed_bytes(core: ModuleType, data: st.DataObject) -> None:
    raw = bytearray(json.dumps(changed([(4, "é\n\U0001f600\ud83d"), (0, "\x7f")])).encode())
    for _ in range(data.draw(st.integers(0, 3))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(
            st.sampled_from(b'09-".,[]\\u \x00\xff')
        )
    assert outcome(core, bytes(raw), 2) == outcome(_twins, bytes(raw), 2)


@given(text=st.text(st.sampled_from('\\u"dD8cC0/bfnrt\n \x7f'), max_size=16))
@example(text="\\ud83d\\ude00")
@example(text="\\ud83d\\u0041")
@example(text="\\uDE00")
@example(text="\\u+041")
def test_texts_with_escapes(core: ModuleType, text: str) -> None:
    raw = json.dumps(changed([(4, "@")])).replace("@", text).encode()
    assert outcome(core, raw, 1) == outcome(_twins, raw, 1)


@given(
    entries=st.lists(
        st.builds(
            Entry,
            qualified_name=st.sampled_from(["m.é.f", "m.f", "f"]),
            kind=st.sampled_from(Kind),
            file=st.just(0),
            start=st.integers(0, 9),
            end=st.integers(9, 12),
            start_line=st.integers(1, 3),
            end_line=st.integers(3, 5),
            signature=names,
            summary=names,
            public_name=st.sampled_from(["", "f", "x.f", "m.é.f"]),
            flags=st.integers(0, 255),
            parent=st.just(-1),
            bases=st.lists(names, max_size=2).map(tuple),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_what_is_written_is_read(core: ModuleType, entries: list[Entry]) -> None:
    (raw,), _ = write_columns(entries, [SourceFile("m.py", b"x" * 12)], [0] * len(entries))
    bounds = {"first": 0, "entries": len(entries), "files": 1}
    frame = core.RecordFrame(raw, len(entries), **bounds)
    twin = _twins.RecordFrame(raw, len(entries), **bounds)
    for number, entry in enumerate(entries):
        record = frame.record(number)
        assert record == twin.record(number)
        assert record[:7] == (
            *(number, entry.qualified_name, entry.public_name, int(entry.kind), entry.flags),
            *(entry.signature, entry.summary),
        )
        assert record[8:12] == (entry.start, entry.end, entry.start_line, entry.end_line)
