"""Unpacking gives plain files, in their own encodings and only where it was told."""

from __future__ import annotations

import os
from pathlib import Path

import apsw
import pytest

from pydocs_bundle import BundleError, UsageError, inspect, unpack, write_bundle
from pydocs_bundle.encodings import MARKS
from pydocs_bundle.records import BundleContent, SourceFile
from pydocs_native import Vectors


def test_sources_have_their_own_bytes(
    written: Path, content: BundleContent, tmp_path: Path
) -> None:
    unpacked = unpack(written, tmp_path / "out")
    sources = tmp_path / "out" / "sources"
    assert (sources / "docs/notes.md").read_bytes() == content.files[0].text.decode().encode(
        "iso-8859-1"
    )
    assert (sources / "kitchen/__init__.py").read_bytes() == b"\xef\xbb\xbf" + content.files[1].text
    assert (unpacked.sources, unpacked.altered, unpacked.vectors) == (2, (), None)


@pytest.mark.parametrize("encoding", sorted(MARKS))
def test_a_byte_order_mark_comes_back(
    tmp_path: Path, content: BundleContent, encoding: str
) -> None:
    files = (content.files[0]._replace(encoding=encoding), content.files[1])
    write_bundle(tmp_path / "x.pdx", content._replace(files=files), builder={})
    assert unpack(tmp_path / "x.pdx", tmp_path / "out").altered == ()
    mark, codec = MARKS[encoding]
    raw = (tmp_path / "out/sources/docs/notes.md").read_bytes()
    assert raw == mark + content.files[0].text.decode().encode(codec)


@pytest.mark.parametrize("encoding", ["ascii", "nonsense", "punycode", "rot13", "unicode_escape"])
def test_what_its_encoding_cannot_hold_is_utf8_and_said_so(
    tmp_path: Path, content: BundleContent, encoding: str
) -> None:
    files = (content.files[0]._replace(encoding=encoding), content.files[1])
    write_bundle(tmp_path / "x.pdx", content._replace(files=files), builder={})
    unpacked = unpack(tmp_path / "x.pdx", tmp_path / "out")
    assert unpacked.altered == ("docs/notes.md",)
    assert (tmp_path / "out/sources/docs/notes.md").read_bytes() == content.files[0].text


def test_a_lossy_file_is_said_to_be_altered(tmp_path: Path, content: BundleContent) -> None:
    files = (content.files[0]._replace(is_lossy=True), content.files[1])
    write_bundle(tmp_path / "x.pdx", content._replace(files=files), builder={})
    assert unpack(tmp_path / "x.pdx", tmp_path / "out").altered == ("docs/notes.md",)


def test_the_database_answers_full_text_queries(written: Path, tmp_path: Path) -> None:
    database = apsw.Connection(str(unpack(written, tmp_path / "out").database))
    found = database.execute(
        "SELECT qualified_name FROM entry_search WHERE entry_search MATCH 'deeply' ORDER BY rank"
    )
    assert "kitchen.Cook.boil" in [name for (name,) in found]
    assert database.execute("SELECT text FROM file WHERE id = 0").get.startswith("# Schön")
    assert database.execute("SELECT docstring FROM entry WHERE id = 2").get == "Cooks."
    assert database.pragma("integrity_check") == "ok"


def test_vectors_lie_beside_the_database(tmp_path: Path, with_vectors: Path) -> None:
    unpacked = unpack(with_vectors, tmp_path / "out")
    assert unpacked.vectors == tmp_path / "out" / "Kitchen-1.0+local.tq"
    assert Vectors([unpacked.vectors.read_bytes()]).row_counts() == [4]


def test_an_empty_folder_is_filled_and_another_refused(written: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    unpack(written, tmp_path / "out")
    with pytest.raises(UsageError, match="not empty; name a new folder"):
        unpack(written, tmp_path / "out")


def test_a_damaged_bundle_leaves_no_folder(written: Path, tmp_path: Path) -> None:
    image = bytearray(written.read_bytes())
    image[-5] ^= 1
    written.write_bytes(image)
    with pytest.raises(BundleError):
        unpack(written, tmp_path / "out")
    assert list(tmp_path.iterdir()) == [written]


@pytest.mark.skipif(os.name == "nt", reason="needs a file system that tells case apart")
def test_a_name_that_cannot_be_written_leaves_no_folder(
    tmp_path: Path, content: BundleContent, monkeypatch: pytest.MonkeyPatch
) -> None:
    def open_another(path: Path, mode: str) -> object:
        raise FileExistsError(17, "File exists", str(path), mode)

    files = (*content.files, SourceFile("z", b""))
    write_bundle(tmp_path / "x.pdx", content._replace(files=files), builder={})
    real = Path.open
    monkeypatch.setattr(
        Path, "open", lambda path, mode="r": (open_another if mode == "xb" else real)(path, mode)
    )
    with pytest.raises(BundleError, match=r"cannot be written here \(File exists\)"):
        unpack(tmp_path / "x.pdx", tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["x.pdx"]


def test_inspect_shows_manifest_and_sections(written: Path) -> None:
    shown = inspect(written)
    assert (shown["name"], shown["format"], shown["bytes"]) == (
        *("Kitchen", "1.0", written.stat().st_size),
    )
    sections = shown["sections"]
    assert isinstance(sections, dict)
    assert {name: section["codec"] for name, section in sections.items()} == {
        "CHK": "framed",
        "DB": "zstd",
        "PXI": "raw",
        "TEXT": "framed",
    }
