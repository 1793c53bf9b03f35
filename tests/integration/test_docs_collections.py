"""Documentation collections the whole way, by the commands: declared, built, edited, asked."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SETTINGS = """\
[project]
name = "shop"
version = "1.0"

[tool.pydocs.docs.handbook]
source = "docs"
description = "How the shop works"

[tool.pydocs.docs.handbook.layers.guides]
include = ["/guides/"]
"""
FILES = {
    "pyproject.toml": SETTINGS,
    "shop.py": "X = 1\n",
    "docs/index.md": "# Shop\n\nIt sells things.\n",
    "docs/guides/deploy.md": "# Deploying\n\nPut nginx in front of the shop.\n",
    "docs/guides/test.rst": "Testing\n=======\n\nRun the tests with pytest.\n",
}
GIT = {
    **os.environ,
    "GIT_CONFIG_GLOBAL": os.devnull,
    **{f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


def build(project: Path, out: Path) -> tuple[int, dict[str, dict[str, str]]]:
    """The exit status, and what became of each bundle by name."""
    command = [sys.executable, "-m", "pydocs_builder", str(project), "--out", str(out), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, {one["name"]: one for one in json.loads(done.stdout)["bundles"]}


def ask(out: Path, *words: str) -> dict[str, object]:
    command = [sys.executable, "-m", "pydocs_server", *words, "--json", "--bundle", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def test_one_edited_file_is_read_again_and_the_bundle_is_as_if_built_anew(
    project: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    status, first = build(project, out)
    assert (status, first["handbook"]["detail"]) == (0, "3 of 3 files read anew")
    assert build(project, out)[1]["handbook"]["fate"] == "reused"

    (project / "docs" / "index.md").write_text("# Shop\n\nIt sells bread.\n")
    edited = build(project, out)[1]["handbook"]

    assert edited["detail"] == "1 of 3 files read anew"
    assert edited["version"] != first["handbook"]["version"]
    build(project, tmp_path / "other")
    name = "handbook-docs.pdx"
    assert (out / name).read_bytes() == (tmp_path / "other" / name).read_bytes()
    assert sorted(path.name for path in out.glob("*.pdx")) == [name, "shop-1.0.pdx"]


def test_questions_are_answered_from_the_bundle(project: Path, tmp_path: Path) -> None:
    build(project, tmp_path / "out")

    listed = ask(tmp_path / "out", "docs")["docs"]
    assert isinstance(listed, list)
    assert [(one["id"], one["files"]) for one in listed] == [("handbook", 3)]
    assert listed[0]["layers"] == [{"name": "guides", "description": "", "files": 2}]
    answer = ask(tmp_path / "out", "ask", "how", "do", "I", "deploy", "--layer", "Guides")
    passages = answer["passages"]
    assert isinstance(passages, list)
    assert [one["path"] for one in passages] == ["docs/guides/deploy.md"]
    assert not ask(tmp_path / "out", "ask", "What is the capital of France?")["is_answered"]


def test_a_cold_question_imports_nothing_heavy(project: Path, tmp_path: Path) -> None:
    build(project, tmp_path / "out")
    code = (
        "import sys; from pydocs_server.cli import main; "
        f"main(['ask', 'deploy', '--bundle', {str(tmp_path / 'out')!r}]); "
        "print({'apsw', 'asyncio', 'mcp', 'packaging'} & set(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True
    )
    assert done.stderr == "set()\n"


@pytest.mark.skipif(not shutil.which("git"), reason="git is not there")
def test_a_repository_is_read_at_its_ref(project: Path, tmp_path: Path) -> None:
    handbook = tmp_path / "handbook"
    handbook.mkdir()
    (handbook / "a.md").write_text("# Hours\n\nWe open at nine.\n")
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "x"], ["tag", "v1"]):
        subprocess.run(["git", *words], cwd=handbook, check=True, env=GIT)
    (handbook / "a.md").write_text("# Hours\n\nWe open at ten.\n")
    with (project / "pyproject.toml").open("a") as file:
        file.write(f'[tool.pydocs.docs.hours]\nsource = "{handbook.as_uri()}"\nref = "v1"\n')

    status, bundles = build(project, tmp_path / "out")

    words = ["git", "rev-parse", "v1"]
    commit = subprocess.run(words, cwd=handbook, check=True, capture_output=True, text=True).stdout
    assert (status, bundles["hours"]["version"]) == (0, commit[:12])
    passages = ask(tmp_path / "out", "ask", "when do we open", "--docs", "hours")["passages"]
    assert isinstance(passages, list)
    assert [one["text"] for one in passages] == ["# Hours\n\nWe open at nine."]
    written = (tmp_path / "out" / "hours-docs.pdx").read_bytes()
    assert str(tmp_path).encode() not in written


def test_a_source_that_cannot_be_read_fails_alone(project: Path, tmp_path: Path) -> None:
    with (project / "pyproject.toml").open("a") as file:
        file.write('[tool.pydocs.docs.lost]\nsource = "nowhere"\n')

    status, bundles = build(project, tmp_path / "out")

    assert status == 3
    assert bundles["lost"]["fate"] == "failed"
    assert "nowhere is no folder" in bundles["lost"]["detail"]
    assert bundles["handbook"]["fate"] == bundles["shop"]["fate"] == "built"
