"""The `CHK` section: what a hit needs to be shown, and a name to be found.

The head holds four numbers, then the sorted keys of all names and the ids they lead to; the frames
hold the records, one JSON array a line, 128 a frame.
"""

from __future__ import annotations

import json
import struct
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, islice, pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pydocs_bundle.docstrings import locate_docstring
from pydocs_bundle.errors import BundleError
from pydocs_bundle.frames import Framed, integers, write_framed
from pydocs_bundle.kinds import Kind
from pydocs_bundle.limits import Limits

if TYPE_CHECKING:
    from pydocs_bundle.records import Entry, SourceFile

__all__ = ["Record", "Records", "tail", "write_records"]

RECORDS_PER_FRAME: Final = 128

_FRAMES_KEPT: Final = 16
_MATCHES: Final = 200
_COUNTS: Final = struct.Struct("<IIII")
_TAIL_BITS: Final[int] = 16
_LOW_BITS: Final[int] = 0xFFFF
_LARGEST_BYTE: Final = 0xFF


class Record(NamedTuple):
    """The shown fields of one entry; ids are those of `BundleContent.entries` and of `DB`.

    `aliases` are the other names that lead here; `children` are the ids whose `parent` this is.
    The docstring is `docstring_text`, or else what `clean_docstring` makes of the span of the
    file, empty where there is none; `Bundle.docstring` gives it.
    """

    id: int
    qualified_name: str
    public_name: str
    kind: int
    flags: int
    signature: str
    summary: str
    file: int
    start: int
    end: int
    start_line: int
    end_line: int
    parent: int
    bases: tuple[str, ...]
    aliases: tuple[str, ...]
    children: tuple[int, ...]
    docstring_start: int
    docstring_end: int
    docstring_text: str

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that leads here, its own first."""
        return tuple(filter(None, (self.qualified_name, self.public_name, *self.aliases)))


_STORED_TYPES: Final = (
    *(str, str, int, int, str, str),
    *(int, int, int, int, int, int),
    *(list, list, list),
    *(int, int, str),
)


def tail(name: str) -> str:
    """The last segment of a dotted name."""
    return name.rpartition(".")[2]


def write_records(
    entries: Sequence[Entry], files: Sequence[SourceFile], docs: int, level: int
) -> tuple[bytes, bytes]:
    """The stored and the raw form of a `CHK` section."""
    children: list[list[int]] = [[] for _ in entries]
    for number, entry in enumerate(entries):
        if entry.parent >= 0:
            children[entry.parent].append(number)
    lines = [
        _to_json(_row(number, entry, files, below))
        for number, (entry, below) in enumerate(zip(entries, children, strict=True))
    ]
    frames = [
        "\n".join(lines[i : i + RECORDS_PER_FRAME]).encode()
        for i in range(0, len(lines), RECORDS_PER_FRAME)
    ]
    pairs = _named_pairs(
        (number, (entry.qualified_name, entry.public_name, *entry.aliases))
        for number, entry in enumerate(entries)
    )
    column = struct.Struct(f"<{len(pairs)}I")
    head = b"".join(
        (
            _COUNTS.pack(len(entries), docs, len(files), len(pairs)),
            column.pack(*(key for key, _ in pairs)),
            column.pack(*(number for _, number in pairs)),
        )
    )
    return write_framed(head, frames, level), b"".join((head, *frames))


def _named_pairs(named: Iterable[tuple[int, Iterable[str]]]) -> list[tuple[int, int]]:
    """The keys of all names with the ids that they lead to, in order."""
    return sorted({(_key(name), number) for number, names in named for name in names if name})


_to_json: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _row(
    number: int, entry: Entry, files: Sequence[SourceFile], children: list[int]
) -> list[object]:
    """The stored form of a record: distances instead of places, which compress by a fifth."""
    text, start, end = "", entry.start, entry.start
    if entry.docstring:
        source = files[entry.file].text
        span = locate_docstring(source, entry.start, entry.end, entry.docstring)
        start, end = span or (start, end)
        text = "" if span else entry.docstring
    return [
        *(entry.qualified_name, entry.public_name, int(entry.kind), int(entry.flags)),
        *(entry.signature, entry.summary),
        *(entry.file, entry.start, entry.end - entry.start),
        *(entry.start_line, entry.end_line - entry.start_line),
        number - entry.parent if entry.parent >= 0 else 0,
        *(entry.bases, entry.aliases),
        [child - before for before, child in pairwise((number, *children))],
        *(start - entry.start, end - start, text),
    ]


def _key(name: str) -> int:
    """What a name is sorted by: a hash of its case-folded tail above one of the whole name.

    One array then serves both look-ups: the exact name, and everything with one tail.
    """
    # A name typed by a user may hold lone surrogates, which no stored name does.
    of_tail = zlib.crc32(tail(name).casefold().encode(errors="replace")) & _LOW_BITS
    of_name = zlib.crc32(name.encode(errors="replace")) & _LOW_BITS
    return of_tail << _TAIL_BITS | of_name


class Records:
    """The records of one bundle, inflated 128 at a time.

    Args:
        view: the stored section.
        raw_length: its raw length according to the section table.
        path: the bundle, for errors.
    """

    def __init__(self, view: memoryview, raw_length: int, path: str) -> None:
        self._path = path
        self._framed = Framed(view, raw_length, path, "CHK", keep=1)
        head = self._framed.head
        if len(head) < _COUNTS.size:
            raise self._refused("its head is too short")
        counts: tuple[int, int, int, int] = _COUNTS.unpack_from(head)
        self._count, self.docs, self.files, names = counts
        if len(head) != _COUNTS.size + 8 * names:
            raise self._refused("its names and its counts disagree")
        if self._count > Limits.ENTRY_COUNT or self.docs > self._count:
            raise self._refused(f"it declares {self._count} entries, {self.docs} of them texts")
        if self._framed.count != -(-self._count // RECORDS_PER_FRAME):
            raise self._refused("its frames and its counts disagree")
        arrays = integers(head[_COUNTS.size :])
        self._keys, self._ids = arrays[:names], arrays[names:]
        self._lines = lru_cache(maxsize=_FRAMES_KEPT)(self._split_frame)

    def _refused(self, problem: str) -> BundleError:
        return BundleError(self._path, f"section CHK is refused, {problem}")

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Record]:
        return (self[number] for number in range(self._count))

    def __getitem__(self, index: int) -> Record:
        if not 0 <= index < self._count:
            raise IndexError(f"no entry {index} among {self._count}")
        frame, line = divmod(index, RECORDS_PER_FRAME)
        return self._parse(index, self._lines(frame)[line])

    def _split_frame(self, frame: int) -> list[bytes]:
        lines = self._framed.frame(frame).split(b"\n")
        if len(lines) != min(RECORDS_PER_FRAME, self._count - frame * RECORDS_PER_FRAME):
            raise self._refused(f"frame {frame} has {len(lines)} records")
        return lines

    def _parse(self, number: int, line: bytes) -> Record:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise self._refused(f"record {number} is not JSON") from error
        if not isinstance(row, list) or tuple(map(type, row)) != _STORED_TYPES:
            raise self._refused(f"record {number} has another shape")
        record = _record(number, row)
        if record is None:
            raise self._refused(f"record {number} has another shape")
        if not self._is_sound(record) or (b"\\ud" in line.lower() and not _is_unicode(record)):
            raise self._refused(f"record {number} holds a value out of range")
        return record

    def _is_sound(self, record: Record) -> bool:
        return (
            -1 <= record.parent < self._count
            and all(0 <= child < self._count for child in record.children)
            and 0 <= record.file < self.files
            and 0 <= record.start <= record.docstring_start <= record.docstring_end <= record.end
            and 0 <= record.start_line <= record.end_line
            and 0 <= record.kind <= _LARGEST_BYTE
            and 0 <= record.flags <= _LARGEST_BYTE
        )

    def find(self, name: str) -> list[int]:
        """The ids whose qualified name, public name or alias is exactly `name`, ascending."""
        key = _key(name)
        return [number for number in self._candidates(key, key + 1) if name in self[number].names]

    def find_tail(self, segment: str, limit: int = _MATCHES) -> list[int]:
        """The ids of symbols one of whose names ends in `.segment`, whatever the case.

        At most `limit` of them: a package may well have a thousand `__init__`.
        """
        wanted = segment.casefold()
        key = _key(segment) >> _TAIL_BITS << _TAIL_BITS
        found = (
            number
            for number in self._candidates(key, key + (1 << _TAIL_BITS))
            if self[number].kind < Kind.SECTION
            and any(tail(name).casefold() == wanted for name in self[number].names)
        )
        return sorted(islice(found, limit))

    def check_names(self) -> None:
        """Refuse names that are not in order, or that do not lead to all records and only there.

        Inflates every record: for a full verification, not for a start.
        """
        pairs = list(zip(self._keys, self._ids, strict=True))
        if any(left >= right for left, right in pairwise(pairs)):
            raise self._refused("its names are not in order")
        if pairs != _named_pairs((record.id, record.names) for record in self):
            raise self._refused("its names are not those of its records")

    def _candidates(self, key: int, stop: int) -> Iterator[int]:
        """Each id once whose key lies from `key` below `stop`, in the order of the keys.

        Names may share a key, so the record itself has the last word.
        """
        first, last = bisect_left(self._keys, key), bisect_left(self._keys, stop)
        for number in dict.fromkeys(self._ids[first:last]):
            if number >= self._count:
                raise self._refused("a name leads to no entry")
            yield number


def _record(number: int, row: list[Any]) -> Record | None:
    """The record of a stored row, whose own types have been checked; None if a list's are wrong."""
    *front, start, size, line, more_lines, up, bases, aliases, steps, doc, doc_size, text = row
    if not set(map(type, (*bases, *aliases))) <= {str} or not set(map(type, steps)) <= {int}:
        return None
    children = tuple(accumulate(steps, initial=number))[1:]
    spans = (start, start + size, line, line + more_lines)
    docstring = (start + doc, start + doc + doc_size, text)
    parent = number - up if up else -1
    return Record._make(
        (number, *front, *spans, parent, tuple(bases), tuple(aliases), children, *docstring)
    )


def _is_unicode(record: Record) -> bool:
    """True unless a lone surrogate, which only an escape can bring in, hides in a string."""
    texts = (record.signature, record.summary, record.docstring_text, *record.bases)
    try:
        "".join((*record.names, *texts)).encode()
    except UnicodeEncodeError:
        return False
    return True
