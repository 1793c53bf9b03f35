from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pydocs_builder.decided.history import COMMITS_PATH, read_history
from pydocs_bundle.records import BundleContent

Built = Callable[..., BundleContent]
pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not here")

REASON = "Keep the cache\n\nBecause `m.f` is slow, and nobody waits for it.\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository without commits."""
    root = tmp_path / "repository"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    return root


def git(root: Path, *arguments: str, author: str = "A. B.") -> str:
    who = {"NAME": author, "EMAIL": "a@example.org", "DATE": "2024-02-03T04:05:06+00:00"}
    names = {f"GIT_{role}_{what}": who[what] for role in ("AUTHOR", "COMMITTER") for what in who}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment = {**kept, **names, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", "-C", str(root), *arguments],
        check=True,
        capture_output=True,
        text=True,
        env=environment,
    )
    return done.stdout.strip()


def commit(root: Path, message: str, author: str = "A. B.", path: str = "m.py") -> str:
    text = (root / path).read_text() if (root / path).exists() else ""
    (root / path).write_text(f"{text}# {len(text)}\n")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", message, author=author)
    return git(root, "rev-parse", "HEAD")


def test_commits_that_state_a_reason_are_kept_whole(repository: Path) -> None:
    identity = commit(repository, REASON)
    commit(repository, "Bump the version\n\nTo one more than it was before, as always.")
    commit(repository, "Fix a typo")
    history = read_history(repository)
    assert history.notes == ()
    assert history.text.count("\ncommit ") == 1
    assert history.text.endswith(
        f"commit {identity}\nDate:   2024-02-03\n\n    Keep the cache\n\n"
        "    Because `m.f` is slow, and nobody waits for it.\n\nm.py\n"
    )


def test_merges_and_bots_are_left_out(repository: Path) -> None:
    commit(repository, "Begin")
    commit(repository, REASON, author="dependabot[bot]")
    git(repository, "checkout", "-q", "-b", "side")
    commit(repository, "Side", path="s.py")
    git(repository, "checkout", "-q", "main")
    commit(repository, "Main", path="n.py")
    git(repository, "merge", "-q", "--no-ff", "-m", REASON, "side")
    assert read_history(repository).text == ""


def test_history_depends_on_head_alone(repository: Path, tmp_path: Path) -> None:
    commit(repository, REASON)
    before = read_history(repository).text
    git(repository, "branch", "other")
    git(repository, "config", "log.date", "relative")
    git(repository, "config", "core.quotepath", "true")
    (repository / "new.py").write_text("")
    git(tmp_path, "clone", "-q", str(repository), "copy")
    assert before
    assert read_history(repository).text == before == read_history(tmp_path / "copy").text


def test_nothing_that_the_repository_names_is_run(repository: Path, tmp_path: Path) -> None:
    commit(repository, REASON)
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    names = ("core.fsmonitor", "core.pager", "pager.log", "diff.external", "gpg.program")
    for name in names:
        git(repository, "config", name, str(trap))
    git(repository, "config", "log.showSignature", "true")
    assert read_history(repository).text
    assert not (tmp_path / "sprung").exists()


def test_a_shallow_clone_is_told(repository: Path, tmp_path: Path) -> None:
    commit(repository, "Begin")
    commit(repository, REASON)
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{repository}", "copy")
    history = read_history(tmp_path / "copy")
    assert "git fetch --unshallow" in history.notes[0]
    assert "Keep the cache" in history.text


def test_a_folder_without_history_or_with_a_broken_one_stops_nothing(
    tmp_path: Path, repository: Path
) -> None:
    (tmp_path / "broken" / ".git").mkdir(parents=True)
    assert read_history(tmp_path) == ("", ())
    assert read_history(tmp_path / "broken").notes[0].startswith(".git: the history cannot be read")
    assert read_history(repository).text == ""


def test_without_git_there_is_no_history(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(repository, REASON)
    monkeypatch.setenv("PATH", str(repository))
    assert read_history(repository) == ("", ())


def test_commits_are_decisions_of_the_bundle_with_their_id_and_files(
    repository: Path, built: Built
) -> None:
    identity = commit(repository, REASON)
    content = built({"m.py": "def f(): ...\n", "n.py": ""}, history=read_history(repository).text)
    (one,) = content.decisions
    assert (one.origin, one.title, one.date) == ("commit", "Keep the cache", "2024-02-03")
    assert one.label == identity[:12]
    assert one.governs == ("m.py", "m.f")
    (file,) = (file for file in content.files if file.path == COMMITS_PATH)
    assert one.quote.encode() in file.text
    entry = content.entries[one.entry]
    assert entry.qualified_name == f"sample#decision:{COMMITS_PATH}:4"
    assert file.text.splitlines()[entry.start_line - 1] == f"commit {identity}".encode()
    assert file.text[entry.start : entry.end].endswith(b"m.py")


def test_a_message_that_looks_like_another_commit_is_one(repository: Path, built: Built) -> None:
    forged = f"commit {'0' * 40}\nDate:   2020-01-01\n\n    x"
    commit(repository, f"{REASON}\n{forged}\n")
    content = built({"m.py": ""}, history=read_history(repository).text)
    assert len(content.decisions) == 1


def test_a_file_that_has_the_name_of_the_history_is_told(built: Built) -> None:
    content = built({COMMITS_PATH: "mine\n"}, history="theirs\n")
    assert [file.text for file in content.files] == [b"theirs\n"]
    assert content.notes == (
        f"{COMMITS_PATH}: left out, the history stands in its place; rename it",
    )
    assert built({COMMITS_PATH: "mine\n"}).notes == ()
