"""Zstandard, one shot at a time, and sections made of frames that inflate alone.

A *framed* section is a small table, a head that is mapped in place, and zstd frames. Its *raw
form*, which the hash in the manifest covers, is the head followed by the content of all frames,
so it does not depend on how well they were compressed.
"""

from __future__ import annotations

import struct
import sys
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, Literal

import zstandard

from pydocs_bundle.errors import BundleError
from pydocs_bundle.limits import Limits

__all__ = ["DEFAULT_LEVEL", "Framed", "compress", "inflate", "integers", "shorts", "write_framed"]

# On 8 MB of real sources level 9 costs a fifth more time than 8 for a hundredth of size less, level
# 10 twice as much for half of that again.
DEFAULT_LEVEL: Final = 8

_PREFIX: Final = struct.Struct("<IIII")
_ROW: Final = struct.Struct("<II")


def compress(raw: bytes | memoryview, level: int) -> bytes:
    """One zstd frame that says its content's size and ends in a checksum."""
    # Zero workers and one shot: the bytes then depend on the library's version and level only.
    compressor = zstandard.ZstdCompressor(
        level=level, write_content_size=True, write_checksum=True, threads=0
    )
    return compressor.compress(raw)


def inflate(stored: memoryview, raw_length: int, path: str, what: str) -> bytes:
    """The content of one frame, refused unless it is exactly what was declared.

    Args:
        stored: the frame, and nothing else.
        raw_length: the content's length according to the section table or frame table.
        path: the bundle, for the error.
        what: the part of the bundle, for the error.

    Raises:
        BundleError: the frame is damaged or declares something else.
    """
    try:
        declared = zstandard.get_frame_parameters(stored)
    except zstandard.ZstdError as error:
        raise BundleError(path, f"{what} is not a zstd frame") from error
    # python-zstandard ignores `max_output_size` once a frame declares its size: compare it first.
    if declared.content_size != raw_length:
        raise BundleError(
            path, f"{what} declares {declared.content_size} bytes where its table says {raw_length}"
        )
    if declared.window_size > Limits.WINDOW_BYTES:
        raise BundleError(path, f"{what} wants a window over {Limits.WINDOW_BYTES} bytes")
    if raw_length > Limits.INFLATION_ALLOWANCE + Limits.INFLATION_RATIO * len(stored):
        raise BundleError(path, f"{what} declares {raw_length} bytes from only {len(stored)}")
    if not declared.has_checksum or declared.dict_id:
        raise BundleError(path, f"{what} has no checksum, or wants a dictionary")
    try:
        raw = zstandard.ZstdDecompressor().decompress(stored, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise BundleError(path, f"{what} is damaged ({error})") from error
    if len(raw) != raw_length:
        raise BundleError(path, f"{what} gives {len(raw)} bytes where {raw_length} were declared")
    return raw


def integers(view: memoryview) -> memoryview:
    """The little-endian 32-bit numbers in `view`, without a copy on little-endian machines."""
    return _numbers(view, "I")


def shorts(view: memoryview) -> memoryview:
    """The little-endian 16-bit numbers in `view`, likewise."""
    return _numbers(view, "H")


def _numbers(view: memoryview, code: Literal["H", "I"]) -> memoryview:
    if sys.byteorder == "little":
        return view.cast(code)
    swapped = array(code, view.tobytes())
    swapped.byteswap()
    return memoryview(swapped)


def write_framed(head: bytes, parts: Iterable[bytes | memoryview], level: int) -> bytes:
    """The stored form of a framed section, one frame for each part."""
    rows: list[bytes] = []
    frames: list[bytes] = []
    stored_end = raw_end = 0
    for part in parts:
        frame = compress(part, level)
        stored_end += len(frame)
        raw_end += len(part)
        rows.append(_ROW.pack(stored_end, raw_end))
        frames.append(frame)
    checked = b"".join((*rows, head))
    prefix = _PREFIX.pack(len(frames), len(head), zlib.crc32(checked), 0)
    return b"".join((prefix, checked, *frames))


class Framed:
    """A framed section, mapped; frames are checked and inflated one by one.

    Args:
        view: the stored section.
        raw_length: the section's raw length according to the section table.
        path: the bundle, for errors.
        what: the section's id, for errors.
        keep: how many inflated frames to remember.
    """

    def __init__(self, view: memoryview, raw_length: int, path: str, what: str, keep: int) -> None:
        self._path = path
        self._what = what
        if len(view) < _PREFIX.size:
            raise BundleError(path, f"section {what} is too short for its prefix")
        count, head_length, self._crc, zero = _PREFIX.unpack_from(view)
        table_end = _PREFIX.size + count * _ROW.size
        first_frame = table_end + head_length
        if zero or first_frame > len(view):
            raise BundleError(path, f"section {what} is shorter than its own table says")
        ends = integers(view[_PREFIX.size : table_end])
        self._checked = view[_PREFIX.size : first_frame]
        self._frames = view[first_frame:]
        self._stored_ends = ends[0::2]
        self._raw_ends = ends[1::2]
        self.head = view[table_end:first_frame]
        self.count = count
        self.raw_size = raw_length - head_length
        stored_size, raw_size = (ends[-2], ends[-1]) if count else (0, 0)
        if stored_size != len(self._frames) or raw_size != self.raw_size:
            raise BundleError(path, f"section {what} and its frame table disagree in length")
        self.frame = lru_cache(maxsize=keep)(self._inflate_frame)

    def check_table(self) -> None:
        """Refuse a table or head that is not the one that was written."""
        if zlib.crc32(self._checked) != self._crc:
            raise BundleError(self._path, f"section {self._what} has a damaged frame table")

    def frame_start(self, index: int) -> int:
        """The place of the frame's first byte in the content of all frames."""
        return self._raw_ends[index - 1] if index else 0

    def _inflate_frame(self, index: int) -> bytes:
        stored_start = self._stored_ends[index - 1] if index else 0
        stored_end = self._stored_ends[index]
        raw_length = self._raw_ends[index] - self.frame_start(index)
        what = f"frame {index} of section {self._what}"
        if not 0 <= stored_start < stored_end <= len(self._frames):
            raise BundleError(self._path, f"{what} lies outside the section")
        if not 0 < raw_length <= Limits.FRAME_BYTES:
            raise BundleError(self._path, f"{what} declares {raw_length} bytes")
        return inflate(self._frames[stored_start:stored_end], raw_length, self._path, what)

    def slice(self, start: int, end: int) -> bytes:
        """Bytes `start` to `end` of the content of all frames, from the frames they lie in."""
        if start == end:
            return b""
        first, last = self._around(start, end)
        origin = self.frame_start(first)
        if first == last:
            return self.frame(first)[start - origin : end - origin]
        joined = b"".join(self.frame(index) for index in range(first, last + 1))
        return joined[start - origin : end - origin]

    def _around(self, start: int, end: int) -> tuple[int, int]:
        if not 0 <= start < end <= self.raw_size:
            raise BundleError(
                self._path, f"bytes {start} to {end} lie outside section {self._what}"
            )
        first = bisect_right(self._raw_ends, start)
        last = bisect_right(self._raw_ends, end - 1)
        if not 0 <= first <= last < self.count:
            raise BundleError(self._path, f"section {self._what} has an unsorted frame table")
        return first, last

    def frames(self, start: int, end: int) -> tuple[list[bytes], int]:
        """The frames that bytes `start` to `end` lie in, and the place of their first byte."""
        if start == end:
            return [], start
        first, last = self._around(start, end)
        # These are for who reads everything once: none is worth remembering.
        return [self._inflate_frame(i) for i in range(first, last + 1)], self.frame_start(first)

    def raw(self) -> Iterator[bytes]:
        """The section's raw form in pieces, each frame inflated once."""
        yield bytes(self.head)
        for index in range(self.count):
            yield self._inflate_frame(index)
