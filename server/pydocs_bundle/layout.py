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
from typing import Final, NamedTuple

from pydocs_bundle.errors import BundleError
from pydocs_bundle.limits import LIMITS

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
ALIGNMENT: Final = 4096

CODEC_RAW: Final = 0
CODEC_ZSTD: Final = 1
CODEC_FRAMED: Final = 2

# Feature bits: none is required yet; a bundle with vectors says so in an optional one.
REQUIRED_FEATURES: Final = 0
OPTIONAL_VECTORS: Final = 1

_HEADER: Final = struct.Struct("<8sHHIQQIIQ32sQQ28xI")
_SECTION: Final = struct.Struct("<8sIIQQQ32s")
_CHECKED_BYTES: Final = 124
_SECTION_REQUIRED: Final = 1


class Section(NamedTuple):
    """One row of the section table.

    `flags` bit 0 says that a reader which does not know `id` must refuse the bundle. `digest` is
    the SHA-256 of the stored bytes.
    """

    id: str
    codec: int
    flags: int
    offset: int
    stored_length: int
    raw_length: int
    digest: bytes


class Layout(NamedTuple):
    """What the first pages of a bundle say, checked."""

    minor: int
    optional_features: int
    manifest: bytes
    sections: dict[str, Section]


def padded(length: int) -> int:
    """The first multiple of the alignment that is not below `length`."""
    return -(-length // ALIGNMENT) * ALIGNMENT


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
        offset = padded(end)
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
    if len(view) < HEADER_BYTES:
        if bytes(view[: len(MAGIC)]) != MAGIC[: len(view)] or not view:
            raise _not_a_bundle(path)
        raise _truncated(path, HEADER_BYTES, len(view))
    fields = _HEADER.unpack_from(view)
    magic, major, minor, header_length, file_length, manifest_offset = fields[:6]
    manifest_length, count, table_offset, digest, required, optional, crc = fields[6:]
    if magic != MAGIC:
        raise _not_a_bundle(path)
    if major != MAJOR:
        raise BundleError(
            path,
            f"format version {major} is not version {MAJOR}",
            "update pydocs-server, or build the bundle with the version you have",
        )
    if zlib.crc32(view[:_CHECKED_BYTES]) != crc:
        raise BundleError(path, "the header does not match its checksum")
    if unknown := required & ~REQUIRED_FEATURES:
        raise BundleError(
            path, f"it needs features this reader lacks (bits {unknown:#x})", "update pydocs-server"
        )
    if any(view[96:_CHECKED_BYTES]) or header_length != HEADER_BYTES:
        raise BundleError(path, "the header has another length, or bytes where zeros belong")
    if file_length > len(view):
        raise _truncated(path, file_length, len(view))
    if file_length < len(view):
        raise BundleError(path, f"{len(view) - file_length} bytes trail behind its end")
    if file_length > LIMITS.file_bytes or manifest_length > LIMITS.manifest_bytes:
        raise BundleError(path, "the file or its manifest is larger than the format allows")
    if count > LIMITS.section_count:
        raise BundleError(path, f"it declares {count} sections")
    table_end = HEADER_BYTES + count * _SECTION.size
    manifest_end = table_end + manifest_length
    if (table_offset, manifest_offset) != (HEADER_BYTES, table_end) or manifest_end > len(view):
        raise BundleError(path, "the section table or the manifest is not where it belongs")
    if sha256(view[HEADER_BYTES:manifest_end]).digest() != digest:
        raise BundleError(path, "the section table and manifest do not match their hash")
    rows = _SECTION.iter_unpack(view[HEADER_BYTES:table_end])
    sections = _checked_sections([_section(row, path) for row in rows], manifest_end, path)
    if file_length != max(
        (s.offset + s.stored_length for s in sections.values()), default=manifest_end
    ):
        raise BundleError(path, "its length is not where its last section ends")
    return Layout(minor, optional, bytes(view[table_end:manifest_end]), sections)


def _section(row: tuple[bytes, int, int, int, int, int, bytes], path: str) -> Section:
    name = row[0].rstrip(b"\0")
    if not name.isalnum() or not name.isascii():
        raise BundleError(path, "a section's id is not made of letters and digits")
    return Section(name.decode("ascii"), *row[1:])


def _checked_sections(sections: list[Section], end: int, path: str) -> dict[str, Section]:
    ids = [section.id for section in sections]
    if any(left >= right for left, right in zip(ids, ids[1:], strict=False)):
        raise BundleError(path, "its sections are not sorted, or two have one id")
    for section in sections:
        if section.offset != padded(end):
            raise BundleError(path, f"section {section.id} overlaps, or is not where it belongs")
        end = section.offset + section.stored_length
    return {section.id: section for section in sections}


def check_padding(view: memoryview, layout: Layout, path: str) -> None:
    """Refuse bytes other than zero between the sections."""
    end = HEADER_BYTES + len(layout.sections) * _SECTION.size + len(layout.manifest)
    for section in layout.sections.values():
        if any(view[end : section.offset]):
            raise BundleError(path, f"there are bytes hidden before section {section.id}")
        end = section.offset + section.stored_length


def _not_a_bundle(path: str) -> BundleError:
    return BundleError(path, "this is not a pydocs bundle", "give the path of a .pdx file")


def _truncated(path: str, wanted: int, there: int) -> BundleError:
    return BundleError(
        path, f"it ends after {there} of {wanted} bytes", "copy or download it again"
    )
