"""Damaged and forged bundles: refused with a sentence, never with anything else.

A flipped bit is caught by a hash. What reaches the parsers is a forgery whose hashes are right, so
most of these mutations are made in the raw form of a section and everything above it is made anew.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import NamedTuple

import apsw
import pytest

from pydocs_bundle import Bundle, BundleError, ReferenceKind, unpack, verify
from pydocs_bundle.frames import DEFAULT_LEVEL, compress, write_framed
from pydocs_bundle.layout import CODEC_FRAMED, CODEC_RAW, CODEC_ZSTD, write_layout
from pydocs_bundle.manifest import canonical_json, content_id
from pydocs_bundle.records import BundleContent, Decision, Reference, Requirement
from pydocs_bundle.writer import encode_bundle
from pydocs_native import Vectors, write_vectors

FLIPS = 3000
FORGERIES = 300
SOURCES = {
    "README.md": "# Shop\n\nSells things.\n\n## Prices\n\nAre high.\n",
    "shop/__init__.py": '"""A shop."""\n\nfrom shop.till import Till\n',
    "shop/till.py": (
        'class Till:\n    """Takes money.\n\n    All of it.\n    """\n\n'
        "    def take(self, money: int = 1) -> int:\n"
        '        "Takes\\tit."\n        return self.take(money)\n\n\nLIMIT = 3\n'
    ),
}
ODD_VALUES = (
    *(b"-1", b"0", b"4294967295", b"9223372036854775808", b"1" * 5000, b"1e999", b"NaN"),
    *(b"null", b"true", b"[]", b"{}", b'""', b'"\\ud800"', b'"\\u0000"', b"[" * 5000, b"\xff"),
    *(b'"../x"', b'"/etc/passwd"', b'"a\\\\b"'),
)
EXTREMES = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)

Mutation = Callable[[Random, bytes], bytes]


class Parts(NamedTuple):
    """A bundle taken apart: what stands in the manifest, and the raw pieces of each section."""

    manifest: bytes
    head: bytes
    records: bytes
    directory: bytes
    text: bytes
    postings: bytes
    database: bytes
    vectors: bytes


@pytest.fixture(scope="module")
def image(content_of: Callable[..., BundleContent]) -> bytes:
    content: BundleContent = content_of("shop", "1.0", SOURCES)
    content = content._replace(
        references=tuple(Reference(ReferenceKind.CALL, 2, f"shop.x{n}", 2, 9, n) for n in range(9)),
        decisions=(Decision(0, "section", "Prices", "Are high.", governs=("shop.till.Till",)),),
        requirements=(Requirement("money", ">1", "not found"), Requirement("coins", "", "")),
    )
    documents = content.entries[: len(content.texts)]
    vectors = write_vectors(
        b"".join(struct.pack("<ff", 1.0, number) for number in range(len(documents))),
        2,
        b"".join(struct.pack("<I", number) for number in range(len(documents))),
        bytes(mark for entry in documents for mark in (entry.kind, entry.flags)),
        bytes(32),
    )
    encoder = {"name": "tiny", "identity": "00" * 32, "dimensions": "2"}
    builder = {"pydocs-builder": "0.1.0"}
    return encode_bundle(content, builder=builder, vectors=vectors, encoder=encoder)[1]


def test_every_flipped_bit_is_refused(image: bytes, tmp_path: Path) -> None:
    random = Random(20)  # noqa: S311 # to repeat, not to hide
    path = tmp_path / "flipped.pdx"
    for _ in range(FLIPS):
        place = random.randrange(len(image))
        damaged = bytearray(image)
        damaged[place] ^= 1 << random.randrange(8)
        path.write_bytes(damaged)
        with pytest.raises(BundleError):
            verify(path)


def test_every_truncation_is_refused(image: bytes, tmp_path: Path) -> None:
    random = Random(21)  # noqa: S311 # the same
    path = tmp_path / "cut.pdx"
    for _ in range(300):
        path.write_bytes(image[: random.randrange(len(image))])
        with pytest.raises(BundleError):
            Bundle.open(path)


def test_parts_put_together_again_are_the_same_file(image: bytes, tmp_path: Path) -> None:
    assert forge(take_apart(image, tmp_path)) == image


@pytest.mark.parametrize("target", Parts._fields)
def test_a_forged_part_is_refused_or_read(image: bytes, tmp_path: Path, target: str) -> None:
    random = Random(target)  # noqa: S311 # the same
    parts = take_apart(image, tmp_path)
    path = tmp_path / "forged.pdx"
    refused = 0
    for _ in range(FORGERIES):
        piece = getattr(parts, target)
        for _ in range(random.choice((1, 1, 1, 2, 8))):
            piece = random.choice(_mutations(target))(random, piece)
        path.write_bytes(forge(parts._replace(**{target: piece})))
        try:
            use_all_of(path)
        except BundleError:
            refused += 1
    assert refused > FORGERIES // 4


def test_forged_headers_are_refused_or_read(image: bytes, tmp_path: Path) -> None:
    random = Random(22)  # noqa: S311 # the same
    path = tmp_path / "forged.pdx"
    table_end = 128 + 72 * 5
    for _ in range(FORGERIES):
        forged = bytearray(image)
        place = random.randrange(8, table_end)
        width = random.choice((1, 4, 8))
        forged[place : place + width] = random.choice(EXTREMES).to_bytes(8, "little")[:width]
        path.write_bytes(reseal(forged))
        try:
            use_all_of(path)
        except BundleError:
            continue


def test_a_forged_bundle_never_leaves_the_folder_it_is_unpacked_into(
    image: bytes, tmp_path: Path
) -> None:
    parts = take_apart(image, tmp_path)
    path = tmp_path / "forged.pdx"
    for name in ("../x", "/tmp/x", "a/../../x", "C:/x", "..", "x/", "a\\x", "shop", "\0"):  # noqa: S108
        rows = [json.loads(line) for line in parts.directory.splitlines()]
        rows[0][0] = name
        directory = b"".join(canonical_json(row) + b"\n" for row in rows)
        path.write_bytes(forge(parts._replace(directory=directory)))
        with pytest.raises(BundleError, match="section TEXT is refused"):
            unpack(path, tmp_path / "out")
        assert sorted(entry.name for entry in tmp_path.iterdir()) == ["forged.pdx", "image.pdx"]


@pytest.mark.parametrize(
    ("layer", "problem"),
    [
        (["nowhere"], "is in a layer that the manifest does not have"),
        ([""], "a number out of range"),
        ([1], "a line of another shape"),
        (["a", "b"], "a line of another shape"),
    ],
)
def test_a_forged_layer_is_refused(
    image: bytes, tmp_path: Path, layer: list[object], problem: str
) -> None:
    parts = take_apart(image, tmp_path)
    path = tmp_path / "forged.pdx"
    rows = [json.loads(line) for line in parts.directory.splitlines()]
    rows[0] += layer
    directory = b"".join(canonical_json(row) + b"\n" for row in rows)
    path.write_bytes(forge(parts._replace(directory=directory)))
    with pytest.raises(BundleError, match=problem):
        verify(path)


def take_apart(image: bytes, folder: Path) -> Parts:
    path = folder / "image.pdx"
    path.write_bytes(image)
    with Bundle.open(path) as bundle:
        head, *records = bundle.raw_section("CHK")
        _, directory, *text = bundle.raw_section("TEXT")
        assert len(records) == 1
        return Parts(
            bundle.layout.manifest,
            bytes(head),
            bytes(records[0]),
            bytes(directory),
            b"".join(text),
            bytes(bundle.postings),
            bundle.database_image(),
            bytes(bundle.vectors or b""),
        )


def forge(parts: Parts) -> bytes:
    """A bundle of these parts in which every length, hash and checksum is right."""
    sections = [
        ("CHK", CODEC_FRAMED, parts.head + parts.records, _framed(parts.head, parts.records)),
        ("DB", CODEC_ZSTD, parts.database, compress(parts.database, DEFAULT_LEVEL)),
        ("PXI", CODEC_RAW, parts.postings, parts.postings),
        (
            "TEXT",
            CODEC_FRAMED,
            parts.directory + parts.text,
            _framed(b"", parts.directory, parts.text),
        ),
        ("TQ", CODEC_RAW, parts.vectors, parts.vectors),
    ]
    manifest = parts.manifest
    try:
        said = json.loads(manifest)
        said["sections"] = {name: sha256(raw).hexdigest() for name, _, raw, _ in sections}
        said["content_id"] = content_id(_Said(said))  # type: ignore[arg-type] # all it reads
        manifest = canonical_json(said)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        pass  # The mutation left no manifest to repair: its bytes stand as they are.
    stored = [(name, codec, len(raw), content) for name, codec, raw, content in sections]
    return write_layout(stored, manifest, vectors=True)


class _Said:
    """A parsed manifest, whose members are attributes as `content_id` wants them."""

    def __init__(self, members: dict[str, object]) -> None:
        self.__dict__.update({"layers": {}, "requirements": []} | members)


def _framed(head: bytes, *parts: bytes) -> bytes:
    return write_framed(head, [part for part in parts if part], DEFAULT_LEVEL)


def reseal(image: bytearray) -> bytearray:
    """The image with the header's own hash and checksum made right."""
    manifest_end = int.from_bytes(image[24:32], "little") + int.from_bytes(image[32:36], "little")
    image[48:80] = sha256(image[128:manifest_end]).digest()
    image[124:128] = struct.pack("<I", zlib.crc32(image[:124]))
    return image


def _mutations(target: str) -> tuple[Mutation, ...]:
    if target in {"manifest", "records", "directory"}:
        return (_replace_value, _replace_value, _replace_value, _drop, _repeat, _flip)
    return (_flip, _extreme, _extreme, _drop, _repeat)


def _flip(random: Random, piece: bytes) -> bytes:
    damaged = bytearray(piece)
    if damaged:
        damaged[random.randrange(len(damaged))] ^= 1 << random.randrange(8)
    return bytes(damaged)


def _extreme(random: Random, piece: bytes) -> bytes:
    place = random.randrange(max(1, len(piece) // 4)) * 4
    return piece[:place] + random.choice(EXTREMES).to_bytes(4, "little") + piece[place + 4 :]


def _drop(random: Random, piece: bytes) -> bytes:
    start = random.randrange(len(piece) + 1)
    return piece[:start] + piece[start + random.randrange(1, 20) :]


def _repeat(random: Random, piece: bytes) -> bytes:
    start = random.randrange(len(piece) + 1)
    return piece[:start] + piece[start : start + random.randrange(1, 200)] + piece[start:]


def _replace_value(random: Random, piece: bytes) -> bytes:
    """Put an odd value where a JSON value stands, between two marks."""
    marks = [place for place, byte in enumerate(piece) if byte in b",:[]"]
    if not marks:
        return piece
    which = random.randrange(len(marks))
    end = marks[which + 1] if which + 1 < len(marks) else len(piece)
    return piece[: marks[which] + 1] + random.choice(ODD_VALUES) + piece[end:]


def use_all_of(path: Path) -> None:
    """Everything a server, `inspect` and `verify` do with a bundle."""
    with Bundle.open(path) as bundle:
        for index in range(len(bundle.records)):
            record = bundle.records[index]
            " ".join((*record.names, record.signature, record.summary)).encode()
            bundle.source(index)
            bundle.docstring(index).encode()
        for name in ("shop.till.Till", "shop", "take"):
            assert all(name in bundle.records[found].names for found in bundle.records.find(name))
            bundle.records.find_tail(name)
        for index in range(len(bundle.text)):
            bundle.text.read(index)
        _query(bundle)
        _search(bundle)
    verify(path)


def _search(bundle: Bundle) -> None:
    try:
        vectors = Vectors([bundle.vectors])
    except ValueError:
        return  # What the hash covers and makes no sense is refused here, in whatever way.
    query = struct.pack("<ff", 1.0, 2.0)
    for _, section, record in vectors.search(query, 9):
        assert vectors.scores(query, [(section, record)]) != [None]


def _query(bundle: Bundle) -> None:
    connection = bundle.database()
    try:
        for table in ("name", "base", "reference", "score", "decision", "governs", "requirement"):
            connection.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608 # our own names
        connection.execute("SELECT * FROM name WHERE tail = 'take'").fetchall()
    except (apsw.Error, UnicodeDecodeError):
        pass  # A database that is damaged and sealed is SQLite's to refuse, statement by statement.
    finally:
        connection.close()
