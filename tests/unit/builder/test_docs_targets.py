"""Collections as targets: which files they hold, by which paths, and in which layer."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from pydocs_builder.outcomes import FAILED, Outcome
from pydocs_builder.planned.docs_config import DocsConfig, Layer
from pydocs_builder.planned.docs_targets import read_collections
from pydocs_builder.targets import Collection, Target

WriteFiles = Callable[[Path, Mapping[str, str]], Path]
Read = Callable[[DocsConfig], Target]

FILES = {
    ".gitignore": "/docs/_build/\n",
    "README.md": "# Shop\n",
    "docs/index.md": "# Index\n",
    "docs/api/orders.rst": "Orders\n======\n",
    "docs/api/old/gone.md": "# Gone\n",
    "docs/guides/start.md": "# Start\n",
    "docs/conf.py": "project = 'shop'\n",
    "docs/requirements.txt": "sphinx\n",
    "docs/_build/index.md": "# Built\n",
}


@pytest.fixture
def project(tmp_path: Path, write_files: WriteFiles) -> Path:
    return write_files(tmp_path / "shop", FILES)


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    folder = tmp_path / "scratch"
    folder.mkdir()
    return folder


@pytest.fixture
def read(project: Path, scratch: Path) -> Read:
    """The target of a collection that can be read."""

    def read_one(docs: DocsConfig) -> Target:
        (task,), failed = read_collections([docs], project, scratch)
        assert failed == ()
        return task.target

    return read_one


def test_a_folder_of_the_project_gives_its_documents_by_the_projects_paths(
    read: Read, project: Path
) -> None:
    target = read(DocsConfig("guide", "docs", description="All of it"))

    assert (target.kind, target.name, target.version) == ("docs", "guide", "")
    assert target.summary == "All of it"
    assert target.root == str(project.resolve())
    assert target.files == (
        "docs/api/old/gone.md",
        "docs/api/orders.rst",
        "docs/guides/start.md",
        "docs/index.md",
    )


def test_patterns_count_from_the_source_down(read: Read) -> None:
    target = read(DocsConfig("guide", "docs", include=("/api/",), exclude=("/api/old/",)))

    assert target.files == ("docs/api/orders.rst",)


def test_what_is_included_by_name_counts_whatever_it_is(read: Read) -> None:
    assert read(DocsConfig("guide", "docs", include=("*.py",))).files == ("docs/conf.py",)


def test_a_chapter_may_be_called_build(read: Read, project: Path, write_files: WriteFiles) -> None:
    write_files(project / "docs" / "build", {"first.md": "# First\n"})

    assert read(DocsConfig("guide", "docs", include=("/build/",))).files == ("docs/build/first.md",)


def test_the_project_itself_can_be_the_source(read: Read) -> None:
    assert read(DocsConfig("guide", ".", include=("**/*.md",))).files == (
        "README.md",
        "docs/api/old/gone.md",
        "docs/guides/start.md",
        "docs/index.md",
    )


def test_the_first_layer_that_matches_has_the_file(read: Read) -> None:
    layers = (
        Layer("api", "Reference", ("/api/",)),
        Layer("rest", "", ("/api/old/", "/guides/")),
    )

    target = read(DocsConfig("guide", "docs", layers=layers, chunk_size=500))

    assert target.collection == Collection(
        500,
        (("api", "Reference"), ("rest", "")),
        (
            ("docs/api/old/gone.md", "api"),
            ("docs/api/orders.rst", "api"),
            ("docs/guides/start.md", "rest"),
        ),
    )


def test_a_folder_elsewhere_gives_paths_of_its_repository(
    read: Read, tmp_path: Path, write_files: WriteFiles
) -> None:
    write_files(tmp_path / "other", {"handbook/a.md": "# A\n", ".git/HEAD": "", "code.md": ""})

    assert read(DocsConfig("book", "../other/handbook")).files == ("handbook/a.md",)


def test_a_folder_outside_of_any_repository_gives_its_own_paths(
    read: Read, tmp_path: Path, write_files: WriteFiles
) -> None:
    write_files(tmp_path / "other", {"handbook/a.md": "# A\n"})

    assert read(DocsConfig("book", str(tmp_path / "other" / "handbook"))).files == ("a.md",)


def test_large_files_are_noted(read: Read) -> None:
    target = read(DocsConfig("guide", "docs", include=("/api/",), max_file_bytes=10))

    assert target.files == ("docs/api/old/gone.md",)
    assert target.notes == (
        "docs/api/orders.rst: left out, 14 bytes are over 10; raise max-file-bytes",
    )


@pytest.mark.parametrize(
    ("docs", "said"),
    [
        (DocsConfig("a", "nowhere"), "nowhere is no folder; give one, or the address"),
        (DocsConfig("a", "README.md"), "README.md is no folder"),
        (DocsConfig("a", "docs", include=("*.adoc",)), "docs has no documents that count"),
        (DocsConfig("a", "docs", ref="main"), "git says"),
    ],
)
def test_a_collection_that_cannot_be_read_does_not_stop_the_others(
    project: Path, scratch: Path, docs: DocsConfig, said: str
) -> None:
    tasks, (failed,) = read_collections([docs, DocsConfig("b", "docs")], project, scratch)

    assert [task.target.name for task in tasks] == ["b"]
    assert failed == Outcome("docs", "a", "", FAILED, detail=failed.detail)
    assert said in failed.detail


@pytest.mark.skipif(not shutil.which("git"), reason="git is not there")
def test_a_repository_gives_the_commit_and_no_path_of_this_machine(
    read: Read, project: Path
) -> None:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull}
    who = ["-c", "user.name=n", "-c", "user.email=e"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "x"], ["tag", "v1"]):
        subprocess.run(["git", *who, *words], cwd=project, check=True, env=environment)

    target = read(DocsConfig("guide", ".", ref="v1", include=("docs/*.md",)))

    commit = dict(target.source)["commit"]
    assert target.version == commit[:12]
    assert target.files == ("docs/index.md",)
    assert target.source == (("commit", commit), ("ref", "v1"))
