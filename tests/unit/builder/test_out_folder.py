"""The folder that bundles go to."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pydocs_builder.out_folder import OutFolderError, open_out_folder
from pydocs_bundle.errors import UsageError


def test_it_is_made_with_its_parents(tmp_path: Path) -> None:
    with open_out_folder(tmp_path / "a" / "b"):
        assert (tmp_path / "a" / "b").is_dir()


def test_what_a_killed_build_left_is_cleared_and_nothing_else(tmp_path: Path) -> None:
    litter = tmp_path / ".a-1.pdx.x7k2.partial"
    kept = [tmp_path / "a-1.pdx", tmp_path / ".hidden", tmp_path / "notes.partial"]
    for path in (litter, *kept):
        path.touch()
    with open_out_folder(tmp_path):
        assert sorted(tmp_path.iterdir()) == sorted(kept)


def test_a_file_in_its_place_gets_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    with (
        pytest.raises(UsageError, match="is a file, not a folder"),
        open_out_folder(tmp_path / "out"),
    ):
        pass


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no lock for folders")
def test_a_second_build_is_told_to_wait(tmp_path: Path) -> None:
    with (
        open_out_folder(tmp_path),
        pytest.raises(OutFolderError, match="another build is writing"),
        open_out_folder(tmp_path),
    ):
        pass


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no lock for folders")
def test_the_lock_leaves_no_file_and_ends_with_its_process(tmp_path: Path) -> None:
    code = (
        "import os, pathlib; from pydocs_builder.out_folder import open_out_folder\n"
        f"with open_out_folder(pathlib.Path({str(tmp_path)!r})): os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    with open_out_folder(tmp_path):
        assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(
    os.name != "posix" or os.geteuid() == 0, reason="the superuser may write anywhere"
)
def test_a_read_only_folder_gets_a_sentence(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    with pytest.raises(OutFolderError, match="cannot be written to"), open_out_folder(tmp_path):
        pass
