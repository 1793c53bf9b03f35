from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest


def make(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path)


def test_files_are_sorted_by_bytes_with_their_sizes(native: ModuleType, tmp_path: Path) -> None:
    make(tmp_path, "b.py", "a/z.py", "a.py", "a-b.py", "é.py")
    files, problems = native.walk(str(tmp_path))
    assert [tuple(file) for file in files] == [
        ("a-b.py", 6),
        ("a.py", 4),
        ("a/z.py", 6),
        ("b.py", 4),
        ("é.py", 5),
    ]
    assert problems == []


def test_excluded_folders_are_pruned_wherever_they_are(native: ModuleType, tmp_path: Path) -> None:
    make(tmp_path, ".git/config", "p/__pycache__/x.pyc", "p/m.py", "q/.git")
    files, _ = native.walk(str(tmp_path), [".git", "__pycache__"])
    assert [file.path for file in files] == ["p/m.py", "q/.git"]


def test_the_root_itself_may_have_an_excluded_name(native: ModuleType, tmp_path: Path) -> None:
    make(tmp_path, "build/a.py")
    files, _ = native.walk(str(tmp_path / "build"), ["build"])
    assert [file.path for file in files] == ["a.py"]


def test_links_are_neither_followed_nor_listed(native: ModuleType, tmp_path: Path) -> None:
    make(tmp_path, "real/a.py")
    (tmp_path / "real/loop").symlink_to(tmp_path)
    (tmp_path / "real/link.py").symlink_to(tmp_path / "real/a.py")
    (tmp_path / "root").symlink_to(tmp_path / "real")
    for root in ("real", "root"):
        files, problems = native.walk(str(tmp_path / root))
        assert [file.path for file in files] == ["a.py"]
        assert problems == []


def test_pipes_and_sockets_are_not_listed(native: ModuleType, tmp_path: Path) -> None:
    make(tmp_path, "a.py")
    os.mkfifo(tmp_path / "pipe")
    assert [file.path for file in native.walk(str(tmp_path))[0]] == ["a.py"]


def test_a_folder_that_is_not_there_is_a_problem_with_a_reason(
    native: ModuleType, tmp_path: Path
) -> None:
    assert native.walk(str(tmp_path / "none")) == ([], [("", "No such file or directory")])


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder that others than root can look into, and this test as one of them."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        make(folder, "a.py", "shut/b.py", "secret.py")
        (folder / "shut").chmod(0)
        (folder / "secret.py").chmod(0)
        is_root = os.geteuid() == 0
        if is_root:
            os.seteuid(65534)
        yield folder
        if is_root:
            os.seteuid(0)
        (folder / "shut").chmod(0o700)


def test_what_cannot_be_read_is_reported_and_the_rest_is_given(
    native: ModuleType, shared_folder: Path
) -> None:
    root = str(shared_folder)
    files, problems = native.walk(root)
    assert [file.path for file in files] == ["a.py", "secret.py"]
    assert problems == [("shut", "Permission denied")]
    assert native.read_files(root, ["a.py", "secret.py"], 9) == [b"a.py", "Permission denied"]
    assert native.hash_files(root, ["secret.py"]) == [None]
    with pytest.raises(PermissionError):
        native.read_file(root + "/secret.py", 9)


def test_odd_file_names_come_back_as_the_system_knows_them(
    native: ModuleType, tmp_path: Path, inputs: Path
) -> None:
    script = inputs / "surrogate-file-names/make.py"
    subprocess.run([sys.executable, script], cwd=tmp_path, check=True)
    files, problems = native.walk(str(tmp_path))
    assert [os.fsencode(file.path) for file in files] == sorted(os.listdir(os.fsencode(tmp_path)))  # noqa: PTH208 - as bytes
    assert problems == []
    paths = [file.path for file in files]
    assert native.read_files(str(tmp_path), paths, 100) == [b"def f(): pass\n"] * len(paths)
    assert None not in native.hash_files(str(tmp_path), paths)
