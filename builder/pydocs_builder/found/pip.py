"""Running pip to download: with its own configuration, and unable to start any other program.

pip builds a source distribution only to ask it for its metadata, and that in a process of its own.
Here it finds no interpreter to start one with, so no line of what it downloads can run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from pydocs_bundle.errors import PydocsError

__all__ = ["NoPipError", "Pip", "download", "find_pip"]

_RUN = """
import runpy, sys
place, executable, *arguments = sys.argv[1:]
sys.path[:0] = [place] if place else []
sys.executable, sys.argv = executable, ["pip", *arguments]
runpy.run_module("pip", run_name="__main__", alter_sys=True)
"""
_OPTIONS = ("--no-deps", "--no-input", "--disable-pip-version-check", "--progress-bar=off")
_SECONDS = 900


class NoPipError(PydocsError):
    """There is no pip to download with."""

    def __init__(self) -> None:
        super().__init__(
            f"{sys.executable}: has no pip, and --fetch downloads with it; install pip there, or "
            "install what is missing and build without --fetch."
        )


@dataclass(frozen=True, slots=True)
class Pip:
    """One pip: the folder or wheel to import it from, empty for this interpreter's own."""

    place: str = ""


def find_pip(folders: Iterable[str]) -> Pip:
    """This interpreter's pip, else the one in the environment's folders, else the bundled one."""
    if find_spec("pip") is not None:
        return Pip()
    for folder in folders:
        if Path(folder, "pip", "__main__.py").is_file():
            return Pip(folder)
    ensurepip = find_spec("ensurepip")
    if ensurepip is not None and ensurepip.origin:
        for wheel in sorted(Path(ensurepip.origin).parent.glob("_bundled/pip-*.whl")):
            return Pip(str(wheel))
    raise NoPipError


def download(pip: Pip, requirements: str, arguments: Sequence[str], folder: Path) -> str:
    """Download what a requirements text states into a folder; gives what pip said, empty if well.

    Nothing is left elsewhere: pip's temporary files go into the folder, too.
    """
    file = folder / "requirements.txt"
    file.write_text(requirements, "utf-8")
    nowhere = folder / "no-interpreter"
    command = [sys.executable, "-I", "-c", _RUN, pip.place, str(nowhere), "download", *_OPTIONS]
    command += [*arguments, "--dest", str(folder), "--requirement", str(file)]
    environment = {**os.environ, "TMPDIR": str(folder), "TEMP": str(folder), "TMP": str(folder)}
    environment |= {"PIP_REQUIRE_VIRTUALENV": "0", "PYTHONIOENCODING": "utf-8"}
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter, and no shell
            command, capture_output=True, env=environment, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"pip took longer than {_SECONDS} seconds"
    if done.returncode == 0:
        return ""
    return done.stderr.decode("utf-8", "replace").strip() or f"pip ended with {done.returncode}"
