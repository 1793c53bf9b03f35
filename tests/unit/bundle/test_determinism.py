"""The same content is the same file, and the same identity even where the file differs."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from pydocs_bundle import Bundle, write_bundle
from pydocs_bundle.records import BundleContent
from pydocs_bundle.writer import encode_bundle

WRITE = """
import pickle, sys
from pathlib import Path
from pydocs_bundle import write_bundle
content = pickle.loads(Path(sys.argv[1]).read_bytes())
write_bundle(Path(sys.argv[2]), content, builder={"pydocs-builder": "0.1.0"})
"""


def test_two_processes_with_other_hash_seeds_write_the_same_bytes(
    tmp_path: Path, content: BundleContent, written: Path
) -> None:
    pickled = tmp_path / "content.pickle"
    pickled.write_bytes(pickle.dumps(content))
    for seed in ("1", "2"):
        folder = tmp_path / seed
        folder.mkdir()
        command = [sys.executable, "-c", WRITE, str(pickled), str(folder / "one.pdx")]
        subprocess.run(command, check=True, env=os.environ | {"PYTHONHASHSEED": seed})
        assert (folder / "one.pdx").read_bytes() == written.read_bytes()


def test_another_level_builder_or_source_is_another_file_of_the_same_content(
    content: BundleContent,
) -> None:
    first, one = encode_bundle(content, builder={"x": "1"}, level=1)
    moved = content._replace(source={"record": "elsewhere"}, notes=())
    second, two = encode_bundle(moved, builder={"x": "2"}, level=19, fingerprint="f")
    assert one != two
    assert first.content_id == second.content_id


def test_another_word_in_the_manifest_is_another_content(content: BundleContent) -> None:
    others = [
        content,
        content._replace(name="other"),
        content._replace(version="other"),
        content._replace(summary="other"),
        content._replace(licence="other"),
        content._replace(modules=("other",)),
    ]
    identities = {encode_bundle(other, builder={})[0].content_id for other in others}
    assert len(identities) == len(others)


def test_another_reference_alone_is_another_content(content: BundleContent) -> None:
    first, _ = encode_bundle(content, builder={})
    second, _ = encode_bundle(content._replace(references=content.references[1:]), builder={})
    assert first.content_id != second.content_id
    assert first.sections["CHK"] == second.sections["CHK"]


def test_a_failed_write_leaves_the_old_bundle_and_nothing_else(
    content: BundleContent, written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = written.read_bytes()

    def fail(_handle: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("pydocs_bundle.writer.os.fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        write_bundle(written, content._replace(version="2"), builder={})
    assert written.read_bytes() == before
    assert list(written.parent.iterdir()) == [written]


def test_replacing_a_mapped_bundle_leaves_its_readers_with_the_old_one(
    content: BundleContent, written: Path
) -> None:
    with Bundle.open(written) as bundle:
        write_bundle(written, content._replace(version="2"), builder={})
        assert bundle.source(2).startswith(b"class Cook")
    with Bundle.open(written) as bundle:
        assert bundle.manifest.version == "2"
