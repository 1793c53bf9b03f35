"""Which files of a project's folder count."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from pydocs_builder.planned.tree import read_tree

Write = Callable[[Path, Mapping[str, str]], Path]


def paths(root: Path, *exclude: str) -> list[str]:
    return [file.path for file in read_tree(root, exclude, lambda path: path.endswith(".py")).files]


@pytest.mark.parametrize(
    "folder",
    [".git", ".venv", ".tox", ".nox", "node_modules", "__pycache__", "a/__pycache__", ".mypy_cache",
     "build", "dist", "sub/build/lib", "pkg.egg-info"],
)  # fmt: skip
def test_what_tools_made_is_left_aside(tmp_path: Path, write_files: Write, folder: str) -> None:
    assert paths(write_files(tmp_path, {f"{folder}/x.py": "", "a.py": ""})) == ["a.py"]


def test_an_environment_of_any_name_is_left_aside(tmp_path: Path, write_files: Write) -> None:
    files = {"myenv/pyvenv.cfg": "", "myenv/lib/x.py": "", "environment/x.py": ""}
    assert paths(write_files(tmp_path, files)) == ["environment/x.py"]


def test_a_folder_of_installed_distributions_is_left_aside(
    tmp_path: Path, write_files: Write
) -> None:
    files = {"vendor/a-1.dist-info/RECORD": "", "vendor/a-1.dist-info/x.py": "", "vendor/a.py": ""}
    assert paths(write_files(tmp_path, {**files, "b.py": ""})) == ["b.py"]


def test_a_package_called_build_is_a_package(tmp_path: Path, write_files: Write) -> None:
    files = {"src/build/__init__.py": "", "src/build/env.py": ""}
    assert paths(write_files(tmp_path, files)) == ["src/build/__init__.py", "src/build/env.py"]


def test_what_git_ignores_is_left_aside(tmp_path: Path, write_files: Write) -> None:
    files = {
        ".gitignore": "/out/\n*_gen.py\n!keep_gen.py\n",
        "out/x.py": "",
        "sub/out/x.py": "",
        "a_gen.py": "",
        "keep_gen.py": "",
        "sub/.gitignore": "local.py\n!b_gen.py\n",
        "sub/local.py": "",
        "sub/b_gen.py": "",
        "local.py": "",
    }
    expected = ["keep_gen.py", "local.py", "sub/b_gen.py", "sub/out/x.py"]
    assert paths(write_files(tmp_path, files)) == expected


def test_what_the_configuration_excludes_is_left_aside(tmp_path: Path, write_files: Write) -> None:
    files = {"tests/inputs/a.py": "", "tests/a.py": "", "b.py": ""}
    assert paths(write_files(tmp_path, files), "/tests/inputs/") == ["b.py", "tests/a.py"]


def test_links_are_not_followed(tmp_path: Path, write_files: Write) -> None:
    root = write_files(tmp_path / "root", {"a.py": ""})
    (root / "loop").symlink_to(root)
    (root / "b.py").symlink_to(root / "a.py")
    assert paths(root) == ["a.py"]


def test_links_that_would_count_are_noted_with_their_number(
    tmp_path: Path, write_files: Write
) -> None:
    root = write_files(tmp_path / "root", {"a.py": "", ".gitignore": "mine.py\n", "sub/x.txt": ""})
    for name in ("sub/c.py", "b.py", "mine.py", "picture.png"):
        (root / name).symlink_to(root / "a.py")
    (root / "circle.py").symlink_to(root / "circle.py")
    notes = read_tree(root, (), lambda path: path.endswith(".py")).notes
    assert notes == ("b.py: 3 links are left out, as links are not followed",)


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has FIFOs and modes")
def test_a_fifo_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.py")
    assert paths(tmp_path) == []
