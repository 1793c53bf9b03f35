from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType

import pytest


def test_a_file_is_given_whole_up_to_the_bound(native: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    assert native.read_file(str(tmp_path / "a"), 5) == b"12345"
    with pytest.raises(ValueError, match=r"/a: larger than 4 bytes\."):
        native.read_file(str(tmp_path / "a"), 4)


def test_a_missing_file_raises_what_open_raises(native: ModuleType, tmp_path: Path) -> None:
    path = str(tmp_path / "none")
    with pytest.raises(FileNotFoundError) as raised:
        native.read_file(path, 5)
    assert raised.value.filename == path
    assert raised.value.strerror == "No such file or directory"


def test_a_pipe_is_refused_without_waiting_for_a_writer(native: ModuleType, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="not a regular file"):
        native.read_file(str(tmp_path / "pipe"), 5)


def test_many_files_keep_their_order_and_each_problem_its_place(
    native: ModuleType, tmp_path: Path
) -> None:
    for name in "abc":
        (tmp_path / name).write_text(name * 3)
    (tmp_path / "big").write_bytes(b"12345")
    assert native.read_files(str(tmp_path), ["c", "none", "a", "big", "."], 4) == [
        b"ccc",
        "No such file or directory",
        b"aaa",
        "larger than 4 bytes",
        "not a regular file",
    ]
