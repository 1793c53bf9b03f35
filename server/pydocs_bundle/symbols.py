"""The `CHK` section: what a hit needs to be shown, and a name to be found.

The head holds five numbers and two sorted hash arrays with the ids they lead to; the frames hold
the records, one JSON array a line, 64 a frame.
"""

from __future__ import annotations

import json
import struct
import zlib
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from pydocs_bundle.docstrings import locate_docstring
from pydocs_bundle.errors import BundleError
from pydocs_bundle.frames import Framed, integers, write_framed
from pydocs_bundle.limits import LIMITS
from pydocs_bundle.records import Entry, Kind, SourceFile

__all__ = ["Record", "Records", "tail", "write_records"]

RECORDS_PER_FRAME: Final = 64

_FRAMES_KEPT: Final = 16
_MATCHES: Final = 200
_COUNTS: Final = struct.Struct("<IIIII")


class Record(NamedTuple):
    """The shown fields of one entry; ids are those of `BundleContent.entries` and of `DB`.

    `aliases` are the other names that lead here; `children` are the ids whose `parent` this is.
    The docstring is `docstring_text`, or else what `clean_docstring` makes of the span of the
    file; `Bundle.docstring` gives it.
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


_STORED_TYPES: Final = (
    *(str, str, int, int, str, str),
    *(int, int, int, int, int, int),
    *(list, list, list),
    *(int, int, str),
)


def tail(name: str) -> str:
    """The last segment of a dotted name, case folded: what `find_tail` compares."""
    return name.rpartition(".")[2].casefold()


def write_records(
    entries: Sequence[Entry], files: Sequence[SourceFile], docs: int, level: int
) -> tuple[bytes, bytes]:
    """The stored and the raw form of a `CHK` section."""
    children: list[list[int]] = [[] for _ in entries]
    for number, entry in enumerate(entries):
        if entry.parent >= 0:
            children[entry.parent].append(number)
    lines = [
        json.dumps(_row(entry, files, below), ensure_ascii=False, separators=(",", ":"))
        for entry, below in zip(entries, children, strict=True)
    ]
    frames = [
        "\n".join(lines[i : i + RECORDS_PER_FRAME]).encode()
        for i in range(0, len(lines), RECORDS_PER_FRAME)
    ]
    names = _hashed((number, entry_names(entry)) for number, entry in enumerate(entries))
    tails = _hashed(
        (number, [tail(name) for name in entry_names(entry)])
        for number, entry in enumerate(entries)
        if entry.kind < Kind.SECTION
    )
    counts = (len(entries), docs, len(files), len(names) // 8, len(tails) // 8)
    head = _COUNTS.pack(*counts) + names + tails
    return write_framed(head, frames, level), b"".join((head, *frames))


def entry_names(entry: Entry) -> list[str]:
    """Every name that leads to the entry, its own first."""
    names = (entry.qualified_name, entry.public_name, *entry.aliases)
    return [name for name in dict.fromkeys(names) if name]


def _row(entry: Entry, files: Sequence[SourceFile], children: list[int]) -> list[object]:
    text, span = "", None
    if entry.docstring:
        source = files[entry.file].text
        span = locate_docstring(source, entry.start, entry.end, entry.docstring)
        text = "" if span else entry.docstring
    start, end = span or (0, 0)
    return [
        *(entry.qualified_name, entry.public_name, int(entry.kind), int(entry.flags)),
        *(entry.signature, entry.summary, entry.file, entry.start, entry.end),
        *(entry.start_line, entry.end_line, entry.parent),
        *(entry.bases, entry.aliases, children, start, end, text),
    ]


def _hash(name: str) -> int:
    # A name typed by a user may hold lone surrogates, which no stored name does.
    return zlib.crc32(name.encode(errors="replace"))


def _hashed(named: Iterable[tuple[int, list[str]]]) -> bytes:
    """The sorted hashes, then the ids they lead to."""
    pairs = sorted({(_hash(name), number) for number, names in named for name in names})
    layout = struct.Struct(f"<{len(pairs)}I")
    return layout.pack(*(pair[0] for pair in pairs)) + layout.pack(*(pair[1] for pair in pairs))


class Records:
    """The records of one bundle, inflated 64 at a time.

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
        self._count, self.docs, self.files, names, tails = _COUNTS.unpack_from(head)
        if len(head) != _COUNTS.size + 8 * (names + tails):
            raise self._refused("its name arrays and its counts disagree")
        if self._count > LIMITS.entry_count or self.docs > self._count:
            raise self._refused(f"it declares {self._count} entries, {self.docs} of them texts")
        if self._framed.count != -(-self._count // RECORDS_PER_FRAME):
            raise self._refused("its frames and its counts disagree")
        arrays = integers(head[_COUNTS.size :])
        self._names = arrays[:names], arrays[names : 2 * names]
        self._tails = arrays[2 * names : 2 * names + tails], arrays[2 * names + tails :]
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
        row[12:15] = map(tuple, row[12:15])
        record = Record(number, *row)
        if not self._is_sound(record) or (b"\\ud" in line.lower() and not _is_unicode(record)):
            raise self._refused(f"record {number} holds a value out of range")
        return record

    def _is_sound(self, record: Record) -> bool:
        names = (*record.bases, *record.aliases)
        return (
            set(map(type, names)) <= {str}
            and set(map(type, record.children)) <= {int}
            and all(0 <= child < self._count for child in record.children)
            and -1 <= record.parent < self._count
            and 0 <= record.file < self.files
            and 0 <= record.start <= record.end
            and 0 <= record.docstring_start <= record.docstring_end
            and 0 <= record.start_line <= record.end_line
            and 0 <= record.kind <= 255
            and 0 <= record.flags <= 255
        )

    def find(self, name: str) -> list[int]:
        """The ids whose qualified name, public name or alias is exactly `name`, ascending."""
        return self._matches(self._names, name, lambda own: own == name, self._count)

    def find_tail(self, segment: str, limit: int = _MATCHES) -> list[int]:
        """The ids of symbols one of whose names ends in `.segment`, whatever the case.

        At most `limit` of them, ascending: a package may well have a thousand `__init__`.
        """
        wanted = segment.casefold()
        return self._matches(self._tails, wanted, lambda own: tail(own) == wanted, limit)

    def _matches(
        self,
        arrays: tuple[memoryview, memoryview],
        key: str,
        is_wanted: Callable[[str], bool],
        limit: int,
    ) -> list[int]:
        hashes, ids = arrays
        wanted = _hash(key)
        place = bisect_left(hashes, wanted)
        found: list[int] = []
        while place < len(hashes) and hashes[place] == wanted and len(found) < limit:
            number = ids[place]
            if number >= self._count:
                raise self._refused("a name leads to no entry")
            # Two names may share a hash, so the record itself has the last word.
            if any(map(is_wanted, record_names(self[number]))):
                found.append(number)
            place += 1
        return found


def record_names(record: Record) -> tuple[str, ...]:
    """Every name that leads to the record, its own first."""
    return (record.qualified_name, record.public_name, *record.aliases)


def _is_unicode(record: Record) -> bool:
    """True unless a lone surrogate, which only an escape can bring in, hides in a string."""
    texts = (record.signature, record.summary, record.docstring_text, *record.bases)
    try:
        "".join((*record_names(record), *texts)).encode()
    except UnicodeEncodeError:
        return False
    return True
