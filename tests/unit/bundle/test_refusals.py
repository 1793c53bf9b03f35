"""What a reader refuses, and what it says to do."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
import zstandard

from pydocs_bundle import Bundle, BundleError, ExitCode, verify
from pydocs_bundle.frames import inflate
from pydocs_bundle.layout import HEADER_BYTES
from pydocs_bundle.limits import Limits

SECTION = struct.Struct("<8sIIQQQ32s")
Change = Callable[[bytearray], None]


def seal(image: bytearray) -> None:
    """Make the header's hash and checksum those of what they cover."""
    manifest_offset, manifest_length = struct.unpack_from("<QI", image, 24)
    covered = image[HEADER_BYTES : manifest_offset + manifest_length]
    image[48:80] = sha256(covered).digest()
    image[124:128] = struct.pack("<I", zlib.crc32(image[:124]))


def changed(path: Path, change: Change, *, sealed: bool = True) -> Path:
    image = bytearray(path.read_bytes())
    change(image)
    if sealed:
        seal(image)
    path.write_bytes(image)
    return path


def put(layout: str, offset: int, value: int) -> Change:
    def change(image: bytearray) -> None:
        struct.pack_into(layout, image, offset, value)

    return change


def test_another_file_is_no_bundle(tmp_path: Path) -> None:
    path = tmp_path / "x.pdx"
    path.write_bytes(b"PK\x03\x04" + bytes(1000))
    with pytest.raises(BundleError, match=r"not a pydocs bundle; give the path of a \.pdx file"):
        Bundle.open(path)


@pytest.mark.parametrize("length", [0, 1, 8, 127, 128, 500, 4000])
def test_a_truncated_file_is_refused(written: Path, length: int) -> None:
    written.write_bytes(written.read_bytes()[:length])
    with pytest.raises(BundleError, match="download it again"):
        Bundle.open(written)


def test_bytes_behind_the_end_are_refused(written: Path) -> None:
    written.write_bytes(written.read_bytes() + b"\0")
    with pytest.raises(BundleError, match="1 bytes trail behind"):
        Bundle.open(written)


def test_another_major_version_is_refused_before_its_checksum(written: Path) -> None:
    with pytest.raises(BundleError, match=r"format version 2, .*update pydocs-server"):
        Bundle.open(changed(written, put("<H", 8, 2), sealed=False))


def test_another_minor_version_is_read(written: Path) -> None:
    assert verify(changed(written, put("<H", 10, 7)))


def test_an_unknown_required_feature_is_refused(written: Path) -> None:
    with pytest.raises(BundleError, match=r"features this reader lacks \(bits 0x4\); update"):
        Bundle.open(changed(written, put("<Q", 80, 4)))


def test_an_unknown_optional_feature_is_ignored(written: Path) -> None:
    assert verify(changed(written, put("<Q", 88, 4)))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (put("<I", 12, 256), "header has another length"),
        (put("<B", 100, 1), "bytes where zeros belong"),
        (put("<Q", 24, 4096), "not where it belongs"),
        (put("<Q", 40, 136), "not where it belongs"),
        (put("<I", 32, 1 << 30), "larger than the format allows"),
        (put("<I", 36, 1 << 20), "declares 1048576 sections"),
        (put("<Q", HEADER_BYTES + 16, 1), "section CHK overlaps"),
        (put("<Q", HEADER_BYTES + 24, 1 << 40), "section DB overlaps"),
        (put("<Q", HEADER_BYTES + 32, 1 << 40), "section CHK declares 1099511627776 bytes"),
        (put("<I", HEADER_BYTES + 8, 1), "section CHK is stored by codec 1"),
        (put("<B", HEADER_BYTES, ord("z")), "not sorted"),
        (put("<B", HEADER_BYTES, ord("/")), "not made of letters and digits"),
    ],
)
def test_a_sealed_but_impossible_layout_is_refused(
    written: Path, change: Change, problem: str
) -> None:
    def seal_what_can_be(image: bytearray) -> None:
        change(image)
        image[124:128] = struct.pack("<I", zlib.crc32(image[:124]))
        if image[24:36] == written.read_bytes()[24:36]:
            seal(image)

    with pytest.raises(BundleError, match=problem):
        Bundle.open(changed(written, seal_what_can_be, sealed=False))


@pytest.mark.parametrize("section", ["CHK", "PXI"])
def test_a_damaged_section_that_searches_believe_is_refused_at_once(
    written: Path, section: str
) -> None:
    with pytest.raises(BundleError, match=f"section {section} does not match its hash"):
        Bundle.open(changed(written, _flip_in(written, section), sealed=False))


@pytest.mark.parametrize("section", ["DB", "TEXT"])
def test_another_damaged_section_is_refused_by_verification(written: Path, section: str) -> None:
    path = changed(written, _flip_in(written, section), sealed=False)
    Bundle.open(path).close()
    with pytest.raises(BundleError, match=f"section {section} does not match its hash"):
        verify(path)


def test_damaged_text_is_refused_when_it_is_read(written: Path) -> None:
    path = changed(written, _flip_in(written, "TEXT"), sealed=False)
    with Bundle.open(path) as bundle, pytest.raises(BundleError, match="section TEXT"):
        [bundle.text.read(index) for index in range(2)]


def test_a_damaged_database_is_refused_when_it_is_opened(written: Path) -> None:
    path = changed(written, _flip_in(written, "DB"), sealed=False)
    with Bundle.open(path) as bundle, pytest.raises(BundleError, match="section DB does not match"):
        bundle.database()


def test_bytes_hidden_between_sections_are_refused_by_verification(written: Path) -> None:
    with Bundle.open(written) as bundle:
        before_text = bundle.layout.sections["TEXT"].offset - 1
    with pytest.raises(BundleError, match="bytes hidden before section TEXT"):
        verify(changed(written, put("<B", before_text, 1), sealed=False))


def test_a_refusal_has_its_own_exit_status(tmp_path: Path) -> None:
    path = tmp_path / "empty.pdx"
    path.touch()
    with pytest.raises(BundleError) as refused:
        Bundle.open(path)
    assert refused.value.exit_code == ExitCode.BAD_BUNDLE
    assert str(path) in str(refused.value)


def _flip_in(path: Path, section: str) -> Change:
    with Bundle.open(path) as bundle:
        place = bundle.layout.sections[section]

    def change(image: bytearray) -> None:
        image[place.offset + place.stored_length - 9] ^= 1

    return change


def frame(raw: bytes) -> memoryview:
    return memoryview(zstandard.ZstdCompressor(write_checksum=True).compress(raw))


def test_a_frame_that_declares_another_size_is_not_inflated() -> None:
    with pytest.raises(BundleError, match="declares 4 bytes where its table says 3"):
        inflate(frame(b"abcd"), 3, "x.pdx", "frame 0")


def test_a_frame_of_too_high_a_ratio_is_not_inflated() -> None:
    size = Limits.INFLATION_ALLOWANCE * 8
    with pytest.raises(BundleError, match=f"declares {size} bytes from only"):
        inflate(frame(bytes(size)), size, "x.pdx", "frame 0")


def test_a_frame_with_too_wide_a_window_is_not_inflated() -> None:
    raw = bytes(range(256)) * (Limits.FRAME_BYTES // 128)
    parameters = zstandard.ZstdCompressionParameters(window_log=24, write_checksum=True)
    streaming = zstandard.ZstdCompressor(compression_params=parameters).compressobj(size=len(raw))
    stored = memoryview(streaming.compress(raw) + streaming.flush())
    with pytest.raises(BundleError, match="wants a window over"):
        inflate(stored, len(raw), "x.pdx", "frame 0")


def test_a_frame_without_checksum_is_refused() -> None:
    bare = memoryview(zstandard.ZstdCompressor().compress(b"abcd"))
    with pytest.raises(BundleError, match="has no checksum"):
        inflate(bare, 4, "x.pdx", "frame 0")


def test_bytes_behind_a_frame_are_refused() -> None:
    with pytest.raises(BundleError, match="is damaged"):
        inflate(memoryview(bytes(frame(b"abcd")) + b"\0"), 4, "x.pdx", "frame 0")
