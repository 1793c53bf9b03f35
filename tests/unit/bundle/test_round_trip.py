"""What is written is what is read."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pydocs_bundle import Bundle, Kind, verify, write_bundle
from pydocs_bundle.errors import BundleError
from pydocs_bundle.manifest import canonical_json, parse_manifest, write_manifest
from pydocs_bundle.records import BundleContent, Entry, Requirement, SourceFile
from pydocs_bundle.writer import encode_bundle
from pydocs_native import Vectors


def test_records_are_the_entries(written: Path, content: BundleContent) -> None:
    shared = ("qualified_name", "public_name", "kind", "flags", "signature", "summary", "file",
              "start", "end", "start_line", "end_line", "parent", "bases", "aliases")  # fmt: skip
    with Bundle.open(written) as bundle:
        for entry, record in zip(content.entries, bundle.records, strict=True):
            assert [getattr(record, name) for name in shared] == [
                getattr(entry, name) for name in shared
            ]


def test_records_number_the_documents_apart(written: Path) -> None:
    with Bundle.open(written) as bundle:
        assert (len(bundle.records), bundle.records.docs) == (7, 6)


def test_children_are_those_who_name_the_parent(written: Path) -> None:
    with Bundle.open(written) as bundle:
        assert [record.children for record in bundle.records][:3] == [(), (2, 6), (3, 4)]


def test_an_entry_outside_the_records_is_an_index_error(written: Path) -> None:
    with Bundle.open(written) as bundle:
        for index in (-1, 7):
            with pytest.raises(IndexError):
                bundle.records[index]


@pytest.mark.parametrize("name", ["kitchen.Cook", "Cook", "chef.Cook"])
def test_find_knows_every_name(written: Path, name: str) -> None:
    with Bundle.open(written) as bundle:
        assert bundle.records.find(name) == [2]


@pytest.mark.parametrize("name", ["kitchen.cook", "kitchen", "", "Cook.boil", "\udc80"])
def test_find_takes_no_other_name_for_it(written: Path, name: str) -> None:
    with Bundle.open(written) as bundle:
        assert 2 not in bundle.records.find(name)


def test_find_tail_ignores_case_and_documents(written: Path) -> None:
    with Bundle.open(written) as bundle:
        assert bundle.records.find_tail("BOIL") == [3]
        assert bundle.records.find_tail("md:Schön") == []


def test_find_tail_stops_at_its_limit(tmp_path: Path, content: BundleContent) -> None:
    twins = tuple(Entry(f"m{n}.same", Kind.FUNCTION, 0, 0, 1, 1, 1) for n in range(300))
    path = tmp_path / "twins.pdx"
    write_bundle(path, content._replace(entries=(*content.entries, *twins)), builder={})
    with Bundle.open(path) as bundle:
        assert len(bundle.records.find_tail("same")) == 200
        assert len(bundle.records.find_tail("same", 1000)) == 300
        assert bundle.records.find("m299.same") == [7 + 299]


def test_every_docstring_comes_back(written: Path, content: BundleContent) -> None:
    with Bundle.open(written) as bundle:
        docstrings = [bundle.docstring(index) for index in range(len(bundle.records))]
    assert docstrings == [entry.docstring for entry in content.entries]


def test_only_a_docstring_with_escapes_is_stored_again(written: Path) -> None:
    with Bundle.open(written) as bundle:
        stored = {record.docstring_text for record in bundle.records}
    assert stored == {"", "Fries\tin oil."}


def test_source_is_the_span(written: Path, content: BundleContent) -> None:
    with Bundle.open(written) as bundle:
        for index, entry in enumerate(content.entries):
            whole = content.files[entry.file].text
            assert bundle.source(index) == whole[entry.start : entry.end]


def test_text_gives_files_by_path(written: Path, content: BundleContent) -> None:
    with Bundle.open(written) as bundle:
        assert bundle.text.paths == ("docs/notes.md", "kitchen/__init__.py")
        assert bundle.text.index("kitchen/__init__.py") == 1
        assert bundle.text.index("kitchen") is None
        for index, file in enumerate(content.files):
            assert bundle.text.read(index) == file.text
            assert bundle.text.size(index) == len(file.text)
            assert bundle.text.encoding(index) == file.encoding
            assert bundle.text.module(index) == file.module
            assert not bundle.text.is_lossy(index)


def test_text_over_several_frames_is_cut_where_asked(
    tmp_path: Path, content: BundleContent
) -> None:
    long = b"".join(b"%d\n" % number for number in range(100_000))
    files = (*content.files, SourceFile("z.txt", long))
    path = tmp_path / "long.pdx"
    write_bundle(path, content._replace(files=files), builder={})
    with Bundle.open(path) as bundle:
        assert bundle.text.read(2) == long
        assert bundle.text.slice(2, 131_000, 400_000) == long[131_000:400_000]
        assert bundle.text.slice(2, 5, 5) == b""


def test_database_relates_names(written: Path) -> None:
    with Bundle.open(written) as bundle:
        rows = bundle.database().execute(
            'SELECT source, kind, name.text, line, reference."column", tier, reason.text'
            " FROM reference JOIN name ON name.id = target LEFT JOIN reason ON reason.id = reason"
        )
        assert sorted(rows) == [
            (2, 3, "human.Being", 7, 11, "exact", None),
            (3, 1, "boil", 16, 15, "syntactic", "no such name in scope"),
            (3, 1, "kitchen.Cook.boil", 16, 15, "syntactic", None),
        ]


def test_database_knows_what_a_name_ends_in(written: Path) -> None:
    with Bundle.open(written) as bundle:
        found = bundle.database().execute("SELECT text FROM name WHERE tail = 'boil' ORDER BY id")
        assert found.get == ["boil", "kitchen.Cook.boil"]


def test_database_keeps_decisions_and_requirements(written: Path) -> None:
    with Bundle.open(written) as bundle:
        database = bundle.database()
        assert database.execute("SELECT * FROM decision").get == (
            *(5, "comment", "Cold water", "cold water does not boil", "", "", "", 1, None),
        )
        assert database.execute("SELECT * FROM requirement").get == (
            *(0, "fire", "", "sys_platform != 'win32'"),
        )


def test_a_requirement_with_a_fate_stands_in_the_manifest_alone(written: Path) -> None:
    with Bundle.open(written) as bundle:
        assert bundle.manifest.requirements == (Requirement("water", ">=1", "built", "2.0"),)
        assert json.loads(bundle.layout.manifest)["requirements"] == [
            ["water", ">=1", "built", "2.0", ""]
        ]


def test_a_fate_is_part_of_what_a_bundle_says(content: BundleContent) -> None:
    rows = tuple(row._replace(fate=row.fate and "failed") for row in content.requirements)
    one, _ = encode_bundle(content, builder={})
    other, _ = encode_bundle(content._replace(requirements=rows), builder={})
    assert one.content_id != other.content_id


def test_without_a_fate_the_manifest_lists_no_requirement(content: BundleContent) -> None:
    rows = tuple(row for row in content.requirements if not row.fate)
    _, encoded = encode_bundle(content._replace(requirements=rows), builder={})
    assert b'"requirements":[' not in encoded


@pytest.mark.parametrize(
    "rows", [{}, ["water"], [["water"]], [["water", "", "", "", ""]], [["a", "", "built", "", 1]]]
)
def test_odd_requirements_in_a_manifest_are_refused(content: BundleContent, rows: object) -> None:
    manifest, _ = encode_bundle(content, builder={})
    said = json.loads(write_manifest(manifest)) | {"requirements": rows}
    with pytest.raises(BundleError, match="no valid field 'requirements'"):
        parse_manifest(canonical_json(said), "x.pdx")


def test_manifest_says_who_it_is(written: Path) -> None:
    with Bundle.open(written) as bundle:
        manifest = bundle.manifest
    assert (manifest.kind, manifest.name, manifest.version) == ("project", "Kitchen", "1.0+local")
    assert manifest.modules == ("kitchen",)
    assert manifest.source == {"tree": "abc"}
    assert manifest.counts == {
        "decisions": 1, "entries": 7, "files": 2, "references": 3, "requirements": 2,
        "text_bytes": 352, "texts": 6,
    }  # fmt: skip
    assert verify(written) == manifest


def test_vectors_are_optional_and_no_part_of_the_identity(
    with_vectors: Path, written: Path
) -> None:
    verify(with_vectors)
    with Bundle.open(with_vectors) as bundle, Bundle.open(written) as without:
        assert bundle.vectors is not None
        assert Vectors([bundle.vectors, without.vectors]).row_counts() == [4, 0]
        assert bundle.manifest.encoder["name"] == "tiny"
        assert bundle.layout.optional_features == 1
        assert not without.manifest.encoder
        assert without.content_id == bundle.content_id


def test_a_content_without_files_is_a_bundle(tmp_path: Path) -> None:
    path = tmp_path / "empty.pdx"
    write_bundle(path, BundleContent("docs", "empty", "0", (), (), ()), builder={})
    verify(path)
    with Bundle.open(path) as bundle:
        assert (len(bundle.text), len(bundle.records)) == (0, 0)
        assert bundle.records.find("x") == []


def test_reading_loads_neither_sqlite_nor_slow_modules(written: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from pydocs_bundle import Bundle\n"
        "bundle = Bundle.open(Path(sys.argv[1])); bundle.records.find('Cook'); bundle.source(2)\n"
        "slow = {'apsw', 'asyncio', 'dataclasses', 'inspect', 'packaging', 'tempfile'}\n"
        "print(sorted(slow & set(sys.modules)))"
    )
    command = [sys.executable, "-c", script, str(written)]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    assert run.stdout == "[]\n"
