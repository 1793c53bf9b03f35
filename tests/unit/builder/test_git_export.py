"""Git repositories at a revision, exported without running anything of theirs."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from pydocs_builder.planned import git_export
from pydocs_builder.planned.git_export import Exported, GitError, export

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is not there")


def git(folder: Path, *words: str) -> str:
    settings = ["-c", "user.name=n", "-c", "user.email=e", "-c", "init.defaultBranch=main"]
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull}
    done = subprocess.run(
        ["git", *settings, *words],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
        env=environment,
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two commits: `docs/a.md` says one, then two; the first is tagged `v1`."""
    folder = tmp_path / "repository"
    (folder / "docs").mkdir(parents=True)
    git(folder, "init", "--quiet")
    (folder / "docs" / "a.md").write_text("one\n")
    (folder / "code.py").write_text("x = 1\n")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "one")
    git(folder, "tag", "v1")
    (folder / "docs" / "a.md").write_text("two\n")
    git(folder, "commit", "--quiet", "-am", "two")
    return folder


@pytest.fixture
def to(tmp_path: Path) -> Path:
    folder = tmp_path / "to"
    folder.mkdir()
    return folder


def documents(source: Path | str, ref: str, to: Path, most: int = 1_000) -> Exported:
    return export(str(source), ref, to, lambda path: path.endswith(".md"), most)


@pytest.mark.parametrize(
    ("ref", "said"), [("", "two\n"), ("main", "two\n"), ("v1", "one\n"), ("refs/tags/v1", "one\n")]
)
def test_wanted_files_are_written_as_of_the_ref(
    repository: Path, to: Path, ref: str, said: str
) -> None:
    found = documents(repository, ref, to)

    assert found.files == ("docs/a.md",)
    assert (to / "files" / "docs" / "a.md").read_text() == said
    assert found.commit == git(repository, "rev-parse", ref or "HEAD")
    assert not (to / "files" / "code.py").exists()


@pytest.mark.parametrize("length", [40, 10])
def test_a_commit_is_a_ref(repository: Path, to: Path, length: int) -> None:
    commit = git(repository, "rev-parse", "v1")

    assert documents(repository, commit[:length], to).commit == commit
    assert (to / "files" / "docs" / "a.md").read_text() == "one\n"


def test_a_file_address_is_fetched(repository: Path, to: Path) -> None:
    assert documents(repository.as_uri(), "v1", to).files == ("docs/a.md",)


@pytest.mark.parametrize("ref", ["nosuch", "deadbeef", "a:b", "main^", "*"])
def test_an_unknown_ref_is_a_sentence(repository: Path, to: Path, ref: str) -> None:
    with pytest.raises(GitError, match="ref") as raised:
        documents(repository, ref, to)
    assert str(raised.value).startswith(f"{repository}: ")
    assert "branch, tag or commit" in str(raised.value)


def test_a_source_that_is_no_repository_is_a_sentence(tmp_path: Path, to: Path) -> None:
    with pytest.raises(GitError, match=r"git says .*; check source, network and credentials"):
        documents(tmp_path / "nowhere", "", to)


@pytest.mark.parametrize("source", ["--upload-pack=touch x", "ext::sh -c touch% x"])
def test_a_source_is_no_command(source: str, to: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(to)
    with pytest.raises(GitError):
        documents(source, "", to)
    assert not (to / "x").exists()


def test_a_ref_is_no_option(repository: Path, to: Path) -> None:
    with pytest.raises(GitError, match="is an option"):
        documents(repository, "--upload-pack=false", to)


def test_without_git_a_sentence_says_so(
    repository: Path, to: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(GitError, match="the command git is missing; install it"):
        documents(repository, "", to)


def test_links_and_large_files_are_left_out(repository: Path, to: Path) -> None:
    (repository / "docs" / "link.md").symlink_to("a.md")
    (repository / "docs" / "large.md").write_text("x" * 2_000)
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "-m", "more")

    found = documents(repository, "", to)

    assert found.files == ("docs/a.md",)
    assert found.notes == (
        "docs/large.md: left out, 2000 bytes are over 1000; raise max-file-bytes",
    )


def test_hooks_and_filters_of_the_repository_do_not_run(repository: Path, to: Path) -> None:
    (repository / ".gitattributes").write_text("*.md filter=evil export-ignore\n")
    hook = repository / ".git" / "hooks" / "post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {to}/ran\n")
    hook.chmod(0o755)
    git(repository, "config", "filter.evil.smudge", f"touch {to}/ran")
    git(repository, "add", ".gitattributes")
    git(repository, "commit", "--quiet", "-m", "attributes")

    assert documents(repository, "", to).files == ("docs/a.md",)
    assert not (to / "ran").exists()


def test_submodules_are_not_entered(repository: Path, tmp_path: Path, to: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(repository, other)
    git(repository, "-c", "protocol.file.allow=always", "submodule", "add", str(other), "sub")
    git(repository, "commit", "--quiet", "-m", "submodule")

    assert documents(repository, "", to).files == ("docs/a.md",)


def test_a_repository_over_the_limit_is_a_sentence(
    repository: Path, to: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_export, "MOST_EXPORTED_BYTES", 1)
    with pytest.raises(GitError, match="its documents are over 0 MiB; narrow include"):
        documents(repository, "", to)


def test_a_fetch_over_the_limit_is_stopped(
    repository: Path, to: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_export, "MOST_FETCHED_BYTES", 1)
    monkeypatch.setattr(git_export, "_LOOK_SECONDS", 0.0)
    with pytest.raises(GitError, match="it is larger than 0 MiB"):
        documents(repository, "", to)


def test_passwords_are_not_told(to: Path) -> None:
    with pytest.raises(GitError) as raised:
        documents("http://user:secret@127.0.0.1:9/x.git", "", to)
    assert "secret" not in str(raised.value)


def test_the_callers_repository_is_not_asked(
    repository: Path, tmp_path: Path, to: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path))

    assert documents(repository, "", to).files == ("docs/a.md",)
