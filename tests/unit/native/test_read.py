from __future__ import annotations

import os
import subprocess
import sys
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


_READ_BEFORE_AND_AFTER_A_FORK = """
import os, sys
import pydocs_native
def work():
    texts = pydocs_native.read_files(sys.argv[1], ["a", "b"], 9)
    pydocs_native.hash_files(sys.argv[1], ["a", "b"])
    pydocs_native.parse_all(texts)
    long = "word " * 200_000
    pydocs_native.write_postings([(long,) + ("",) * 6] * 2, b"\\0\\0", b"\\0\\0")
work()
child = os.fork()
if child:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
work()
os._exit(0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_process_waits_for_no_threads_of_its_parent(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).write_text("x = 1\n")
    command = [sys.executable, "-c", _READ_BEFORE_AND_AFTER_A_FORK, str(tmp_path)]
    subprocess.run(command, check=True, timeout=60)
