"""The frame of a `.pdx` file: header, section table, manifest bytes, and the one order they allow.

A file has one layout only: the table follows the header, the manifest the table, and each section
begins at the first multiple of 4096 after what precedes it. So nothing can overlap, hide between
sections or trail behind them.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from hashlib import sha256
from itertools import pairwise
from typing import Final, NamedTuple

from pydocs_bundle.errors import BundleError
from pydocs_bundle.limits import Limits

__all__ = [
    "CODEC_FRAMED",
    "CODEC_RAW",
    "CODEC_ZSTD",
    "HEADER_BYTES",
    "MAGIC",
    "Layout",
    "Section",
    "padded",
    "read_layout",
    "write_layout",
]

MAGIC: Final = b"\x89PDX\r\n\x1a\n"
MAJOR: Final = 1
MINOR: Final = 0
HEADER_BYTES: Final = 128
# What is searched where it lies has pages of its own; the rest is read from front to back.
_PAGE: Final = 4096
_WORD: Final = 8

CODEC_RAW: Final = 0
CODEC_ZSTD: Final = 1
CODEC_FRAMED: Final = 2

# Feature bits: none is required yet; a bundle with vectors says so in an optional one.
REQUIRED_FEATURES: Final = 0
OPTIONAL_VECTORS: Final = 1

_HEADER: Final = struct.Struct("<8sHHIQQIIQ32sQQ28xI")
_SECTION: Final = struct.Struct("<8sIIQQQ32s")
_ZEROS_START: Final = 96
_CHECKED_BYTES: Final = 124


class Section(NamedTuple):
    """One row of the section table.

    `digest` is the SHA-256 of the stored bytes.
    """

    id: str
    codec: int
    flags: int
    offset: int
    stored_length: int
    raw_length: int
    digest: bytes

    @property
    def must_be_known(self) -> bool:
        """True if a reader that does not know the section's id has to refuse the bundle."""
        return bool(self.flags & 1)


class _Header(NamedTuple):
    """The first 128 bytes."""

    magic: bytes
    major: int
    minor: int
    header_length: int
    file_length: int
    manifest_offset: int
    manifest_length: int
    section_count: int
    table_offset: int
    digest: bytes
    required_features: int
    optional_features: int
    checksum: int


class Layout(NamedTuple):
    """What the first pages of a bundle say, checked."""

    minor: int
    optional_features: int
    manifest: bytes
    sections: dict[str, Section]


def padded(length: int, codec: int) -> int:
    """Where a section of this codec begins after so many bytes."""
    alignment = _PAGE if codec == CODEC_RAW else _WORD
    return -(-length // alignment) * alignment


def write_layout(
    stored: Iterable[tuple[str, int, int, bytes]], manifest: bytes, *, vectors: bool
) -> bytes:
    """The bytes of a whole bundle.

    Args:
        stored: for each section its id, codec, raw length and stored bytes, sorted by id.
        manifest: the canonical JSON.
        vectors: whether to set the optional feature bit for vectors.
    """
    sections = list(stored)
    table_bytes = len(sections) * _SECTION.size
    end = HEADER_BYTES + table_bytes + len(manifest)
    rows: list[bytes] = []
    body: list[bytes] = []
    for name, codec, raw_length, content in sections:
        offset = padded(end, codec)
        digest = sha256(content).digest()
        rows.append(
            _SECTION.pack(name.encode(), codec, 0, offset, len(content), raw_length, digest)
        )
        body += (bytes(offset - end), content)
        end = offset + len(content)
    checked = b"".join((*rows, manifest))
    header = _HEADER.pack(
        *(MAGIC, MAJOR, MINOR, HEADER_BYTES, end),
        *(HEADER_BYTES + table_bytes, len(manifest), len(sections), HEADER_BYTES),
        *(sha256(checked).digest(), REQUIRED_FEATURES, OPTIONAL_VECTORS if vectors else 0, 0),
    )[:_CHECKED_BYTES]
    return b"".join((header, struct.pack("<I", zlib.crc32(header)), checked, *body))


def read_layout(view: memoryview, path: str) -> Layout:
    """Header, section table and manifest of a mapped bundle.

    Raises:
        BundleError: the file is none, is damaged, or needs a newer reader.
    """
    header = _read_header(view, path)
    table_end = HEADER_BYTES + header.section_count * _SECTION.size
    manifest_end = table_end + header.manifest_length
    if (header.table_offset, header.manifest_offset) != (HEADER_BYTES, table_end):
        raise BundleError(path, "the section table or the manifest is not where it belongs")
    if manifest_end > len(view):
        raise BundleError(path, "the manifest reaches over the end of the file")
    if sha256(view[HEADER_BYTES:manifest_end]).digest() != header.digest:
        raise BundleError(path, "the section table and manifest do not match their hash")
    rows = _SECTION.iter_unpack(view[HEADER_BYTES:table_end])
    sections = [_section(row, path) for row in rows]
    _check_order(sections, manifest_end, len(view), path)
    manifest = bytes(view[table_end:manifest_end])
    named = {section.id: section for section in sections}
    return Layout(header.minor, header.optional_features, manifest, named)


def _read_header(view: memoryview, path: str) -> _Header:
    """The header of a file that has the length it says."""
    there = len(view)
    if bytes(view[: len(MAGIC)]) != MAGIC[:there] or not there:
        raise BundleError(path, "this is not a pydocs bundle", "give the path of a .pdx file")
    if there < HEADER_BYTES:
        raise _truncated(path, HEADER_BYTES, there)
    header = _Header(*_HEADER.unpack_from(view))
    # Only the version is believed without the checksum: another one may compute it otherwise.
    if header.major != MAJOR:
        raise BundleError(
            path,
            f"it has format version {header.major}, and this reader knows version {MAJOR}",
            "update pydocs-server, or build the bundle with the version you have",
        )
    if zlib.crc32(view[:_CHECKED_BYTES]) != header.checksum:
        raise BundleError(path, "the header does not match its checksum")
    if unknown := header.required_features & ~REQUIRED_FEATURES:
        raise BundleError(
            path, f"it needs features this reader lacks (bits {unknown:#x})", "update pydocs-server"
        )
    if header.header_length != HEADER_BYTES or any(view[_ZEROS_START:_CHECKED_BYTES]):
        raise BundleError(path, "the header has another length, or bytes where zeros belong")
    _check_lengths(header, there, path)
    return header


def _check_lengths(header: _Header, there: int, path: str) -> None:
    if header.file_length > there:
        raise _truncated(path, header.file_length, there)
    if header.file_length < there:
        raise BundleError(path, f"{there - header.file_length} bytes trail behind its end")
    if there > Limits.FILE_BYTES or header.manifest_length > Limits.MANIFEST_BYTES:
        raise BundleError(path, "the file or its manifest is larger than the format allows")
    if header.section_count > Limits.SECTION_COUNT:
        raise BundleError(path, f"it declares {header.section_count} sections")


def _truncated(path: str, wanted: int, there: int) -> BundleError:
    return BundleError(
        path, f"it ends after {there} of {wanted} bytes", "copy or download it again"
    )


def _section(row: tuple[bytes, int, int, int, int, int, bytes], path: str) -> Section:
    name = row[0].rstrip(b"\0")
    if not name.isalnum() or not name.isascii():
        raise BundleError(path, "a section's id is not made of letters and digits")
    return Section(name.decode("ascii"), *row[1:])


def _check_order(sections: list[Section], end: int, file_length: int, path: str) -> None:
    """Refuse sections that are not sorted, or not one behind the other up to the file's end."""
    if any(left.id >= right.id for left, right in pairwise(sections)):
        raise BundleError(path, "its sections are not sorted, or two have one id")
    for section in sections:
        if section.offset != padded(end, section.codec):
            raise BundleError(path, f"section {section.id} overlaps, or is not where it belongs")
        end = section.offset + section.stored_length
    if end != file_length:
        raise BundleError(path, "its length is not where its last section ends")


def check_padding(view: memoryview, layout: Layout, path: str) -> None:
    """Refuse bytes other than zero between the sections."""
    end = HEADER_BYTES + len(layout.sections) * _SECTION.size + len(layout.manifest)
    for section in layout.sections.values():
        if any(view[end : section.offset]):
            raise BundleError(path, f"there are bytes hidden before section {section.id}")
        end = section.offset + section.stored_length
