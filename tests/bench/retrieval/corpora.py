"""The corpora that retrieval is measured on: installed, unpacked and built once, then kept.

A corpus is a folder of bundles. What it is made of is pinned: the packages of the questions by the
data set, those of our own and of the fresh questions, and of the six repositories, here.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from environments import environment, project

__all__ = [
    "HERE",
    "REPOSITORIES",
    "code_corpus",
    "fresh_corpus",
    "own_corpus",
    "question_corpus",
    "repository",
]

HERE = Path(__file__).resolve().parent

REPOSITORIES = {
    # The releases nearest to what was annotated: whose classes begin on the annotated lines.
    "click": ("click==8.3.1", "src/click"),
    "fastapi": ("fastapi==0.136.0", "fastapi"),
    "flask": ("flask==3.1.3", "src/flask"),
    "httpx": ("httpx==0.28.1", "httpx"),
    "requests": ("requests==2.33.1", "src/requests"),
    "starlette": ("starlette==1.0.0", "starlette"),
}
"""For each repository its source distribution, and the folder that is indexed."""


def question_corpus(cache: Path, data: Path, build: list[str]) -> Path:
    """Bundles of all packages that the questions pin."""
    pins = data / "questions" / "requirements.txt"
    return _installed(cache / "questions", pins, build)


def own_corpus(cache: Path, build: list[str]) -> Path:
    """Bundles of the packages that our own questions are about."""
    return _installed(cache / "own", HERE / "own_packages.txt", build)


def fresh_corpus(cache: Path, build: list[str]) -> Path:
    """Bundles of the packages that the fresh questions are about."""
    return _installed(cache / "fresh", HERE / "fresh_packages.txt", build)


def repository(cache: Path, name: str, build: list[str]) -> Path:
    """A bundle of one repository's package folder, taken from its source distribution."""
    pin, folder = REPOSITORIES[name]
    home = cache / "repositories" / name
    source = home / name
    if not (source / folder).is_dir():
        shutil.rmtree(home, ignore_errors=True)
        got = home / "sdist"
        got.mkdir(parents=True)
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary"]
        subprocess.run([*pip, ":all:", "--dest", str(got), pin], check=True)
        (archive,) = got.glob("*.tar.gz")
        with tarfile.open(archive) as opened:
            opened.extractall(got, filter="data")
        (root,) = (path for path in got.iterdir() if path.is_dir())
        shutil.copytree(root / folder, source / folder)
        version = pin.partition("==")[2]
        about = f'[project]\nname = "{name}"\nversion = "{version}"\n'
        (source / "pyproject.toml").write_text(about, "utf-8")
    return _built(source, home / "bundles", build)


def code_corpus(cache: Path, data: Path, build: list[str]) -> Path:
    """A bundle of the functions of CoSQA, each a file called by its number."""
    home = cache / "cosqa"
    source = home / "functions" / "codes"
    codes: dict[str, str] = json.loads((data / "cosqa" / "cosqa.json").read_text("utf-8"))["codes"]
    if not source.is_dir():
        source.mkdir(parents=True)
        for number, text in codes.items():
            (source / f"c{number}.py").write_text(text.rstrip() + "\n", "utf-8")
    return _built(source.parent, home / "bundles", build)


def _installed(home: Path, pins: Path, build: list[str]) -> Path:
    python = environment(home / "venv", pins, "--no-deps", "--no-compile")
    wanted = project(home / "project", pins)
    return _built(wanted, home / "bundles", ["--python", str(python), *build])


def _built(target: Path, bundles: Path, options: list[str]) -> Path:
    """The bundles of a target, built anew where the files or the builder have changed."""
    print(f"Building {bundles} …", file=sys.stderr)
    command = [sys.executable, "-m", "pydocs_builder", str(target), "--out", str(bundles)]
    # Some packages ship files that are broken on purpose, which makes a build partial (3).
    built = subprocess.run([*command, "--quiet", *options], check=False, capture_output=True)
    if built.returncode not in {0, 3}:
        sys.exit(f"{built.stderr.decode()}{target} could not be built ({built.returncode}).")
    return bundles
