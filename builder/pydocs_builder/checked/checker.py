"""The type checker: where it is, and one bounded run of it over the files of a target.

Pyrefly's report for Pysa says what each call calls. It is undocumented, so the version is pinned
and golden tests hold the adapter to it. Every run is told all it may look at: configurations of
ours instead of whatever the targets' folders hold, no interpreter to ask, no environment.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple

__all__ = ["CheckError", "Checker", "Limits", "find_checker", "run_checker"]

_NAME: Final = "pyrefly"
_PANIC: Final = 101
_POLL_SECONDS: Final = 0.25
_FIRST_POLL_SECONDS: Final = 0.01
_LONGEST_REASON: Final = 200
_OPTIONS: Final = (
    *("--preset", "default", "--check-unannotated-defs=true", "--infer-return-types=checked"),
    *("--disable-project-excludes-heuristics=true", "--disable-search-path-heuristics=true"),
    # The same on every machine; what runs on another platform only is left to the other tier.
    *("--skip-interpreter-query", "--python-platform", "linux"),
    *("--output-format", "omit-errors", "--summary=none", "--progress-bar", "no"),
)
# It ends by writing all the stubs that it carries, 7,000 files that take as long as the rest. What
# stands in the way of that folder ends it there, when all that counts is written.
_OBSTACLE: Final = "typeshed"
_LAST_FILE: Final = "pyrefly.pysa.json"


class CheckError(Exception):
    """The type checker gave nothing to go by; the message is a clause that says why."""


class Checker(NamedTuple):
    """A type checker: its version and what runs it."""

    version: str
    executable: str


class Limits(NamedTuple):
    """What one run may use.

    `seconds` is wall time, 0 for any; `report_bytes` is what it may write; `memory_bytes` is
    enforced where the system can (Linux).
    """

    threads: int = 1
    seconds: float = 0
    report_bytes: int = 4 << 30
    memory_bytes: int = 8 << 30


def find_checker() -> Checker | None:
    """The type checker that is installed with this program; None if there is none."""
    try:
        known = version(_NAME)
    except PackageNotFoundError:
        return None
    name = _NAME + (sysconfig.get_config_var("EXE") or "")
    schemes = (sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user"))
    for scheme in schemes:
        place = Path(sysconfig.get_path("scripts", scheme), name)
        if place.is_file():
            return Checker(known, str(place))
    beside = Path(sys.executable).with_name(name)
    return Checker(known, str(beside)) if beside.is_file() else None


def run_checker(
    executable: str, folder: Path, projects: Sequence[Path], python: str, limits: Limits
) -> Path:
    """Check projects, each a folder with a configuration; gives the folder of the report.

    Args:
        executable: what runs the checker.
        folder: a folder for what the run writes.
        projects: the folders; all that one of them imports from has to be among them.
        python: the version of Python they are written for, as `3.12`; empty for the checker's own.
        limits: what the run may use.

    Raises:
        CheckError: it failed, was too slow or too large, or cannot be run.
    """
    report = folder / "report"
    report.mkdir()
    (report / _OBSTACLE).touch()
    command = [
        *(executable, "check", *_OPTIONS),
        *("--report-pysa", str(report), "--report-pysa-format", "json"),
        *("--threads", str(max(1, limits.threads))),
        *(("--python-version", python) if python else ()),
        *map(str, projects),
    ]
    said = folder / "said.txt"
    with said.open("wb") as stream:
        try:
            child = subprocess.Popen(  # noqa: S603 - the checker that was installed with us
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stream,
                cwd=folder,
                env=_environment(folder),
            )
        except OSError as error:
            raise CheckError(f"pyrefly cannot be run ({error.strerror})") from error
        with child:
            try:
                code = _wait(child, report, limits)
            except BaseException:
                child.kill()
                raise
    return _judged(code, report, said.read_text("utf-8", "replace"))


def _environment(folder: Path) -> dict[str, str]:
    """Nothing that could say something to the checker but where to find libraries and to write."""
    kept = ("LD_LIBRARY_PATH", "PATH", "SYSTEMROOT")
    return {name: os.environ[name] for name in kept if name in os.environ} | {
        name: str(folder) for name in ("HOME", "TMPDIR", "TEMP", "TMP", "XDG_CACHE_HOME")
    }


def _wait(child: subprocess.Popen[bytes], report: Path, limits: Limits) -> int:
    _bound_memory(child.pid, limits.memory_bytes)
    end = monotonic() + limits.seconds if limits.seconds else None
    pause = _FIRST_POLL_SECONDS
    while True:
        try:
            return child.wait(pause)
        except subprocess.TimeoutExpired:
            pause = min(2 * pause, _POLL_SECONDS)
        if end is not None and monotonic() > end:
            raise CheckError(f"pyrefly took longer than {limits.seconds:.0f} seconds")
        if pause == _POLL_SECONDS and _size(report) > limits.report_bytes:
            raise CheckError(f"pyrefly wrote more than {limits.report_bytes} bytes")


def _bound_memory(process: int, memory_bytes: int) -> None:
    if sys.platform == "linux":
        import resource  # noqa: PLC0415 - POSIX only

        try:
            resource.prlimit(process, resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
        except (OSError, ValueError):
            # It has ended already, or may do less anyway.
            return


def _size(report: Path) -> int:
    total = 0
    for part in ("call_graphs", "definitions", "type_of_expressions"):
        try:
            with os.scandir(report / part) as found:
                total += sum(entry.stat().st_size for entry in found)
        except OSError:
            continue
    return total


def _judged(code: int, report: Path, said: str) -> Path:
    """The report if it is whole."""
    is_stopped = str(report / _OBSTACLE) in said
    # Status 1 stands for type errors, and for being stopped.
    if code in {0, 1} and (is_stopped or (report / _LAST_FILE).is_file()):
        return report
    if code == _PANIC:
        raise CheckError("pyrefly panicked")
    lines = said.strip().splitlines()
    reason = "".join(filter(str.isprintable, lines[-1] if lines else ""))[:_LONGEST_REASON]
    where = str(report.parent)
    raise CheckError(
        f"pyrefly ended with status {code}" + (f" ({reason.replace(where, '')})" if reason else "")
    )
