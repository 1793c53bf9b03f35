"""A collection's content: parts with headings, and one edited file read again and no other."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from pydocs_builder.documented.collection_content import (
    RECIPE,
    Known,
    build_collection,
    read_known,
    recipe,
)
from pydocs_builder.planned.fingerprint import identify
from pydocs_builder.targets import Collection, Target, Task
from pydocs_bundle.records import BundleContent, Kind
from pydocs_bundle.writer import encode_bundle, write_bundle

WriteFiles = Callable[[Path, Mapping[str, str]], Path]

COLLECTION = Collection(
    300, (("api", "Reference"), ("guides", "")), (("api.md", "api"), ("guide.rst", "guides"))
)
NOTEBOOK = json.dumps(
    {
        "cells": [
            {"cell_type": "markdown", "source": ["# Try\n", "it"]},
            {"cell_type": "code", "source": "1 + 1"},
        ],
        "nbformat": 4,
    }
)
FILES = {
    "api.md": "# API\n\n## Call: get (2)\n\n"
    + "It gets. " * 60
    + "\n\n## Call\n\nx\n\n## Call\n\ny\n",
    "bad.ipynb": "{",
    "cells.ipynb": NOTEBOOK,
    "empty.md": "",
    "guide.rst": "Guide\n=====\n\nA > B\n-----\n\nText.\n\nB\n~\n\nText.\n",
    "index.md": "---\ntitle: Home\n---\n\nWelcome.\n",
    "readme.md": "# Read\n\nme\n",
}


@pytest.fixture
def folder(tmp_path: Path, write_files: WriteFiles) -> Path:
    return write_files(tmp_path / "docs", FILES)


def target_of(folder: Path) -> Target:
    files = tuple(sorted(path.name for path in folder.iterdir()))
    made = Target(
        "docs", "guide", "", str(folder), files, (), summary="How to", collection=COLLECTION
    )
    return identify(Task(made, ())).target


def built(folder: Path, known: Mapping[str, Known] | None = None) -> tuple[BundleContent, int]:
    content, _, anew = build_collection(target_of(folder), COLLECTION, known or {})
    return content, anew


def written(folder: Path, to: Path, how: str = recipe(COLLECTION)) -> dict[str, Known]:
    """What a bundle of the folder, written to a file, says of its files."""
    write_bundle(to, built(folder)[0], builder={RECIPE: how})
    return read_known(to, recipe(COLLECTION))


def test_sections_are_entries_with_the_path_of_headings(folder: Path) -> None:
    content, _ = built(folder)

    shown = [
        (content.files[one.file].path, one.qualified_name, one.signature, one.start_line)
        for one in content.entries
        if one.file == 4
    ]
    assert shown == [
        ("guide.rst", "guide#guide.rst:Guide", "Guide", 1),
        ("guide.rst", "guide#guide.rst:A > B", "Guide > A > B", 4),
        ("guide.rst", "guide#guide.rst:B", "Guide > A > B > B", 9),
    ]


def test_the_manifest_tells_what_it_is(folder: Path) -> None:
    content, _ = built(folder)
    manifest, _ = encode_bundle(content, builder={})

    assert (manifest.kind, manifest.name, manifest.summary) == ("docs", "guide", "How to")
    assert manifest.version == manifest.source["tree"][:12]
    assert manifest.layers == {"api": "Reference", "guides": ""}


def test_files_are_in_their_layers(folder: Path) -> None:
    content, _ = built(folder)

    layers = {file.path: file.layer for file in content.files if file.layer}
    assert layers == {"api.md": "api", "guide.rst": "guides"}


def test_long_sections_are_in_parts(folder: Path) -> None:
    content, _ = built(folder)

    names = [one.qualified_name for one in content.entries if one.file == 0]
    assert names[:3] == [
        "guide#api.md:API",
        "guide#api.md:Call: get (2)",
        "guide#api.md:Call: get (2) (2)",
    ]


def test_a_notebook_that_cannot_be_read_is_noted_and_its_text_kept(folder: Path) -> None:
    content, _ = built(folder)

    assert any(note.startswith("bad.ipynb: ") for note in content.notes)
    assert "bad.ipynb" in [file.path for file in content.files]
    assert {one.kind for one in content.entries} == {Kind.SECTION, Kind.CELL}


def test_one_edited_file_is_one_file_read_again(folder: Path, tmp_path: Path) -> None:
    known = written(folder, tmp_path / "x.pdx")
    (folder / "guide.rst").write_text("Guide\n=====\n\nOther text.\n")

    content, anew = built(folder, known)

    notebooks = 2  # they are always read: their bundle does not have all that is searched
    assert anew == 1 + notebooks
    assert content == built(folder)[0]


def test_what_is_known_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    known = written(folder, tmp_path / "x.pdx")

    content, anew = built(folder, known)

    assert anew == 2
    assert encode_bundle(content, builder={}) == encode_bundle(built(folder)[0], builder={})


def test_new_and_removed_files_leave_the_others_known(folder: Path, tmp_path: Path) -> None:
    known = written(folder, tmp_path / "x.pdx")
    (folder / "api.md").unlink()
    (folder / "zed.md").write_text("# Zed\n\nz\n")

    content, anew = built(folder, known)

    assert anew == 3
    assert content == built(folder)[0]


def test_a_file_that_only_moved_to_another_layer_is_not_read_again(
    folder: Path, tmp_path: Path
) -> None:
    known = written(folder, tmp_path / "x.pdx")
    moved = Collection(300, COLLECTION.layers, (("index.md", "api"),))

    content, _, anew = build_collection(target_of(folder), moved, known)

    assert anew == 2
    assert {file.path for file in content.files if file.layer} == {"index.md"}


def test_a_bundle_built_otherwise_tells_nothing(folder: Path, tmp_path: Path) -> None:
    assert written(folder, tmp_path / "x.pdx", "another recipe") == {}
    assert recipe(COLLECTION) != recipe(Collection(301))


def test_a_damaged_or_missing_bundle_tells_nothing(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.pdx"
    assert written(folder, path)
    path.write_bytes(path.read_bytes()[:-1] + b"\0")

    assert read_known(path, recipe(COLLECTION)) == {}
    assert read_known(tmp_path / "nowhere.pdx", recipe(COLLECTION)) == {}
