"""The documents of a git repository at one revision, as plain files in a folder.

Nothing of the repository runs: no checkout, so no hooks, filters or submodules; links are left out.
Git may ask nobody anything; what it knows of credentials by itself it may use.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from pydocs_builder.planned.selection import over_size
from pydocs_bundle.errors import PydocsError
from pydocs_bundle.names import path_problem

__all__ = ["Exported", "GitError", "export"]

MOST_FETCHED_BYTES: Final = 1024 * 1024 * 1024
MOST_EXPORTED_BYTES: Final = 256 * 1024 * 1024
_SECONDS: Final = 600
_LOOK_SECONDS: Final = 0.1
_COMMIT: Final = re.compile(r"[0-9a-fA-F]{7,64}")
_REGULAR: Final = frozenset({b"100644", b"100755"})
_SETTINGS: Final = (
    *("core.hooksPath=", "credential.interactive=false", "fetch.recurseSubmodules=false"),
    *("gc.auto=0", "maintenance.auto=false", "protocol.ext.allow=never", "advice.detachedHead=0"),
)


class GitError(PydocsError):
    """A repository cannot be read; the sentence says which, why, and what to do."""

    def __init__(self, source: str, problem: str, remedy: str) -> None:
        super().__init__(f"{source}: {problem}; {remedy}.")


class Exported(NamedTuple):
    """The commit that a ref meant, the files written, sorted, and a clause on each left out."""

    commit: str
    files: tuple[str, ...]
    notes: tuple[str, ...]


def export(
    address: str, ref: str, to: Path, is_wanted: Callable[[str], bool], max_file_bytes: int
) -> Exported:
    """Write the wanted files of a repository as of `ref` below `to`; an empty ref is its `HEAD`.

    Args:
        address: what git takes: a path or an address.
        ref: a branch, tag or commit.
        to: an empty folder; `files` below it is what the result's paths are relative to.
        is_wanted: whether a path counts.
        max_file_bytes: larger files are left out, and noted.

    Raises:
        GitError: git is missing, the repository cannot be reached, or it has no such ref.
    """
    shown = _without_secrets(address)
    if not shutil.which("git"):
        raise GitError(shown, "the command git is missing", "install it, or give a folder")
    for value in (address, ref):
        if value.startswith("-"):
            raise GitError(shown, f"{value!r} is an option", "give an address and a ref")
    repository = _Repository(shown, to / "git")
    repository.run("init", "--quiet", "--bare", "--template=", str(repository.folder), inside=False)
    commit = _fetch(repository, address, ref)
    return _write(repository, commit, to / "files", is_wanted, max_file_bytes)


class _Repository:
    """A bare repository of our own, and git commands that run in it, bounded in time and size."""

    def __init__(self, shown: str, folder: Path) -> None:
        self.shown = shown
        self.folder = folder

    def run(self, *words: str, inside: bool = True, stdin: bytes = b"") -> bytes:
        """What a command prints; `GitError` with what it complained of."""
        settings = [word for setting in _SETTINGS for word in ("-c", setting)]
        where = [f"--git-dir={self.folder}"] if inside else []
        done = subprocess.run(  # noqa: S603 - the words are ours, what is not stands after `--`
            ["git", *settings, *where, *words],  # noqa: S607 - from wherever it is
            input=stdin,
            capture_output=True,
            env=_environment(),
            check=False,
            timeout=_SECONDS,
        )
        if done.returncode:
            raise GitError(self.shown, _said(done.stderr, self.shown), "check source and ref")
        return done.stdout

    def fetch(self, *words: str) -> str:
        """Fetch, watching time and size; gives what git complained of, empty if all is well."""
        settings = [word for setting in _SETTINGS for word in ("-c", setting)]
        command = ["git", *settings, f"--git-dir={self.folder}", "fetch", "--quiet", *words]
        log = self.folder / "fetch.log"
        with log.open("wb") as complaints:
            running = subprocess.Popen(  # noqa: S603 - as above
                command, stdin=subprocess.DEVNULL, stdout=complaints, stderr=complaints,
                env=_environment(),
            )  # fmt: skip
            try:
                self._watch(running)
            finally:
                if running.poll() is None:
                    running.kill()
                running.wait()
        return _said(log.read_bytes(), self.shown) if running.returncode else ""

    def _watch(self, running: subprocess.Popen[bytes]) -> None:
        until = time.monotonic() + _SECONDS
        while True:
            try:
                running.wait(_LOOK_SECONDS)
            except subprocess.TimeoutExpired:
                if _size(self.folder) > MOST_FETCHED_BYTES:
                    problem = f"it is larger than {MOST_FETCHED_BYTES // 2**20} MiB"
                    raise GitError(self.shown, problem, "clone it and give the folder") from None
                if time.monotonic() > until:
                    problem = f"git took longer than {_SECONDS} seconds"
                    raise GitError(self.shown, problem, "clone it and give the folder") from None
            else:
                return


def _fetch(repository: _Repository, address: str, ref: str) -> str:
    """Fetch one revision, without its history where the other side allows that; its commit."""
    # What stands behind `--` is no option; a colon would name a ref to be written.
    if ":" in ref or "^" in ref or "*" in ref:
        raise GitError(repository.shown, f"{ref!r} is no ref", "give a branch, tag or commit")
    wanted = ref or "HEAD"
    known = ("--no-tags", "--no-write-commit-graph", "--depth=1")
    problem = repository.fetch(*known, "--", address, wanted)
    revision = "FETCH_HEAD"
    if problem and _COMMIT.fullmatch(ref):
        # Half a commit's id, or a server that gives only what a ref points to.
        problem = repository.fetch("--no-tags", "--", address, "+refs/*:refs/fetched/*")
        revision = ref
    if not problem:
        words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        try:
            return repository.run(*words).decode().strip()
        except GitError:
            problem = ""
    if not problem or "couldn't find remote ref" in problem or "not our ref" in problem:
        problem = f"it has no ref {wanted!r}"
        raise GitError(repository.shown, problem, "give a branch, tag or commit")
    raise GitError(repository.shown, problem, "check source, network and credentials")


def _write(
    repository: _Repository,
    commit: str,
    folder: Path,
    is_wanted: Callable[[str], bool],
    max_file_bytes: int,
) -> Exported:
    chosen, notes = _chosen(repository, commit, is_wanted, max_file_bytes)
    folder.mkdir()
    names = "".join(f"{blob}\n" for _, blob in chosen).encode()
    told = repository.run("cat-file", "--batch", stdin=names) if chosen else b""
    position = 0
    for path, _ in chosen:
        head_end = told.index(b"\n", position)
        size = int(told[position:head_end].split()[2])
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(told[head_end + 1 : head_end + 1 + size])
        position = head_end + size + 2
    return Exported(commit, tuple(path for path, _ in chosen), tuple(notes))


def _chosen(
    repository: _Repository,
    commit: str,
    is_wanted: Callable[[str], bool],
    max_file_bytes: int,
) -> tuple[list[tuple[str, str]], list[str]]:
    """The paths to be written, each with its blob, and a clause on each left out."""
    chosen: list[tuple[str, str]] = []
    notes: list[str] = []
    total = 0
    for row in repository.run("ls-tree", "-r", "-l", "-z", "--full-tree", commit).split(b"\0"):
        head, _, raw = row.partition(b"\t")
        path = os.fsdecode(raw)
        if not row or not is_wanted(path):
            continue
        mode, _, blob, length = head.split()
        if mode not in _REGULAR:
            continue
        if problem := path_problem(path):
            notes.append(f"{path!r}: left out, its path {problem}")
        elif int(length) > max_file_bytes:
            notes.append(f"{path}: {over_size(int(length), max_file_bytes)}")
        else:
            chosen.append((path, blob.decode()))
            total += int(length)
    if total > MOST_EXPORTED_BYTES:
        problem = f"its documents are over {MOST_EXPORTED_BYTES // 2**20} MiB"
        raise GitError(repository.shown, problem, "narrow include")
    return sorted(chosen), notes


def _environment() -> dict[str, str]:
    """The environment without what points git to a repository, and with nobody to ask."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith(("GIT_CONFIG", "GIT_SSL", "GIT_SSH"))
    }
    kept.setdefault("GIT_SSH_COMMAND", "ssh -oBatchMode=yes")
    return kept | {
        "GCM_INTERACTIVE": "never",
        "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh",
        "GIT_ASKPASS": "",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
        "SSH_ASKPASS": "",
    }


def _said(complaint: bytes, shown: str) -> str:
    """The line of a complaint that says most, nothing secret in it."""
    lines = [line.strip() for line in complaint.decode(errors="replace").splitlines()]
    telling = [line for line in lines if line.startswith(("fatal:", "error:"))] or lines
    said = _without_secrets(telling[0]) if telling else "git failed without a word"
    return f"git says {said.partition(': ')[2] or said!r}".replace(shown, "it").rstrip(".")


def _without_secrets(text: str) -> str:
    return re.sub(r"(?<=://)[^/@\s]+@", "", text)


def _size(folder: Path) -> int:
    total = 0
    for root, _, files in os.walk(folder):
        for name in files:
            try:
                total += os.lstat(os.path.join(root, name)).st_size  # noqa: PTH118 - often
            except OSError:
                continue
    return total
