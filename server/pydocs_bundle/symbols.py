"""The `CHK` section: what a hit needs to be shown, and a name to be found.

The head holds four numbers, then the sorted keys of all names and the ids they lead to; the frames
hold the records, 128 a frame.
"""

from __future__ import annotations

import struct
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from pydocs_bundle.columns import RECORDS_PER_FRAME, write_columns
from pydocs_bundle.errors import BundleError
from pydocs_bundle.frames import Framed, integers, shorts, write_framed
from pydocs_bundle.kinds import Kind
from pydocs_bundle.limits import Limits
from pydocs_bundle.popularity import popularity
from pydocs_native import RecordFrame

if TYPE_CHECKING:
    from pydocs_bundle.records import Entry, Score, SourceFile

__all__ = ["Record", "Records", "tail", "write_records"]

# Of big bundles: with 16, every second look of a busy server inflated a frame anew.
_FRAMES_KEPT: Final = 64
_MATCHES: Final = 200
_COUNTS: Final = struct.Struct("<IIII")
_LOW_BITS: Final[int] = 0xFFFF
# Up to here an id takes two bytes.
_FEW: Final = 0x10000


class Record(NamedTuple):
    """The shown fields of one entry; ids are those of `BundleContent.entries` and of `DB`.

    `aliases` are the other names that lead here; `children` are the ids whose `parent` this is.
    The docstring is `docstring_text`, or else what `clean_docstring` makes of the span of the
    file, empty where there is none; `Bundle.docstring` gives it. `popularity` says how much of the
    bundle leads here, from 0 to 255, 24 steps a doubling.
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
    popularity: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that leads here, its own first."""
        return tuple(filter(None, (self.qualified_name, self.public_name, *self.aliases)))


def tail(name: str) -> str:
    """The last segment of a dotted name."""
    return name.rpartition(".")[2]


def write_records(
    entries: Sequence[Entry],
    files: Sequence[SourceFile],
    docs: int,
    level: int,
    scores: Iterable[Score] = (),
) -> tuple[bytes, bytes]:
    """The stored and the raw form of a `CHK` section."""
    popularities = [0] * len(entries)
    for score in scores:
        popularities[score.entry] = popularity(score.rank)
    frames, names = write_columns(entries, files, popularities)
    keys = _keys(names)
    tails, checks, ids = zip(*keys, strict=True) if keys else ((), (), ())
    head = b"".join(
        (
            _COUNTS.pack(len(entries), docs, len(files), len(keys)),
            struct.pack(f"<{len(keys)}H", *tails),
            struct.pack(f"<{len(keys)}H", *checks),
            struct.pack(f"<{len(keys)}{'H' if len(entries) <= _FEW else 'I'}", *ids),
        )
    )
    return write_framed(head, frames, level), b"".join((head, *frames))


def _keys(named: Iterable[Iterable[str]]) -> list[tuple[int, int, int]]:
    """For each name the hashes of its tail and of itself, and the id it leads to, in order."""
    of_tail: dict[str, int] = {}
    keys: set[tuple[int, int, int]] = set()
    for number, names in enumerate(named):
        for name in names:
            if name:
                # As `tail` and `_hash` have it; a call each costs as much as what they do.
                last = name.rpartition(".")[2]
                if last not in of_tail:
                    of_tail[last] = _hash(last.casefold())
                check = zlib.crc32(name.encode(errors="replace")) & _LOW_BITS
                keys.add((of_tail[last], check, number))
    return sorted(keys)


def _key(name: str) -> tuple[int, int]:
    """What a name is sorted by: a hash of its case-folded tail, then one of the whole name.

    One array then serves both look-ups: the exact name, and everything with one tail.
    """
    return _hash(tail(name).casefold()), _hash(name)


def _hash(text: str) -> int:
    # What a user types may hold lone surrogates, which no stored name does.
    return zlib.crc32(text.encode(errors="replace")) & _LOW_BITS


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
        are_few = self._count <= _FEW
        if len(head) != _COUNTS.size + (6 if are_few else 8) * names:
            raise self._refused("its names and its counts disagree")
        if self._count > Limits.ENTRY_COUNT or self.docs > self._count:
            raise self._refused(f"it declares {self._count} entries, {self.docs} of them texts")
        if self._framed.count != -(-self._count // RECORDS_PER_FRAME):
            raise self._refused("its frames and its counts disagree")
        ids_start = _COUNTS.size + 4 * names
        hashes = shorts(head[_COUNTS.size : ids_start])
        self._tails, self._checks = hashes[:names], hashes[names:]
        self._ids = (shorts if are_few else integers)(head[ids_start:])
        self._frame = lru_cache(maxsize=_FRAMES_KEPT)(self._read_frame)

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
        try:
            return Record._make(self._frame(frame).record(line))
        except ValueError as error:
            raise self._refused(f"record {index} {error}") from error

    def _read_frame(self, frame: int) -> RecordFrame:
        first = frame * RECORDS_PER_FRAME
        count = min(RECORDS_PER_FRAME, self._count - first)
        try:
            return RecordFrame(
                self._framed.frame(frame),
                count,
                first=first,
                entries=self._count,
                files=self.files,
            )
        except ValueError as error:
            raise self._refused(f"frame {frame} {error}") from error

    def find(self, name: str) -> list[int]:
        """The ids whose qualified name, public name or alias is exactly `name`, ascending."""
        of_tail, of_name = _key(name)
        first, stop = self._range(of_tail)
        first = bisect_left(self._checks, of_name, first, stop)
        stop = bisect_right(self._checks, of_name, first, stop)
        return [number for number in self._candidates(first, stop) if name in self[number].names]

    def find_tail(self, segment: str, limit: int = _MATCHES) -> list[int]:
        """The ids of symbols one of whose names ends in `.segment`, whatever the case.

        At most `limit` of them: a package may well have a thousand `__init__`.
        """
        wanted = segment.casefold()
        found = (
            number
            for number in self._candidates(*self._range(_key(segment)[0]))
            if self[number].kind < Kind.SECTION
            and any(tail(name).casefold() == wanted for name in self[number].names)
        )
        return sorted(islice(found, limit))

    def check_names(self) -> None:
        """Refuse names that are not in order, or that do not lead to all records and only there.

        Inflates every record: for a full verification, not for a start.
        """
        keys = list(zip(self._tails, self._checks, self._ids, strict=True))
        if any(left >= right for left, right in pairwise(keys)):
            raise self._refused("its names are not in order")
        if keys != _keys(record.names for record in self):
            raise self._refused("its names are not those of its records")

    def _range(self, of_tail: int) -> tuple[int, int]:
        """Where the names lie whose tail has a hash."""
        first = bisect_left(self._tails, of_tail)
        return first, bisect_right(self._tails, of_tail, first)

    def _candidates(self, first: int, stop: int) -> Iterator[int]:
        """Each id once that the names from `first` to `stop` lead to, in their order.

        Names may share a key, so the record itself has the last word.
        """
        for number in dict.fromkeys(self._ids[first:stop]):
            if number >= self._count:
                raise self._refused("a name leads to no entry")
            yield number
