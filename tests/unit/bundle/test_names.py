"""Which names and paths are safe."""

from __future__ import annotations

from pathlib import Path

import pytest

from pydocs_bundle import file_name, path_problem, write_bundle
from pydocs_bundle.names import name_problem, paths_problem
from pydocs_bundle.records import BundleContent, SourceFile


@pytest.mark.parametrize(
    ("name", "version", "expected"),
    [
        ("httpx", "0.28.1", "httpx-0.28.1.pdx"),
        ("zope.interface", "7.2+local", "zope.interface-7.2+local.pdx"),
        ("../../etc", "/1", "_.._etc-_1.pdx"),
        ("größe", "1 0", "gr__e-1_0.pdx"),
        ("docs", "", "docs.pdx"),
    ],
)
def test_file_names_are_of_safe_characters(name: str, version: str, expected: str) -> None:
    assert file_name(name, version) == expected


@pytest.mark.parametrize("path", ["a.py", "a/b.py", "a b/ü.md", "..a/.b", "x/c:d"])
def test_ordinary_paths_have_no_problem(path: str) -> None:
    assert path_problem(path) == ""


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/a",
        "a/",
        "a//b",
        "./a",
        "a/../b",
        "..",
        "a\\b",
        "a\0b",
        "a\nb",
        "a\x7f",
        "C:/a",
        "C:a",
        "\udcff",
        "x" * 256,
        "a/" * 512 + "b",
    ],
)
def test_paths_that_lead_elsewhere_have_a_problem(path: str, tmp_path: Path) -> None:
    assert path_problem(path)
    files = (SourceFile(path, b""),)
    with pytest.raises(ValueError, match="the path"):
        write_bundle(tmp_path / "x.pdx", BundleContent("docs", "x", "1", files, (), ()), builder={})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("paths", "problem"),
    [
        (["b", "a"], "not sorted"),
        (["a", "a"], "not unique"),
        (["a", "a.b", "a/b"], "'a' is a file and a folder"),
        (["ﬀ", "𐀀"][::-1], "not sorted"),
    ],
)
def test_paths_together_must_be_a_sorted_tree(paths: list[str], problem: str) -> None:
    assert problem in paths_problem(paths)


@pytest.mark.parametrize("name", ["", "a/b", "a\\b", "a\x1b[0m", "x" * 201, "a\u202eb"])
def test_names_that_would_mislead_have_a_problem(name: str) -> None:
    assert name_problem(name)
