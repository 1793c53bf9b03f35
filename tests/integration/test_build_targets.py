"""Targets that are no project: single distributions, and the standard library to the answer."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pydocs_bundle import Bundle, verify
from pydocs_server.answered.symbol import get_symbol
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount


def build(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pydocs_builder", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


@pytest.fixture(scope="module")
def standard_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("stdlib")
    done = build("stdlib", "--out", str(out), "-q")
    assert done.returncode == 0, done.stderr
    (path,) = out.iterdir()
    return path


@pytest.fixture(scope="module")
def catalog(standard_library: Path) -> Iterator[Catalog]:
    with mount([str(standard_library)]) as mounted:
        yield mounted


def test_the_standard_library_is_one_sound_bundle(standard_library: Path) -> None:
    version = sys.version.split()[0]
    assert standard_library.name == f"python-stdlib-{version}.pdx"
    assert verify(standard_library).kind == "stdlib"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("json.dumps", "Serialize ``obj`` to a JSON formatted ``str``."),
        ("asyncio.run", "Execute the coroutine and return the result."),
        ("builtins.print", "Prints the values to a stream"),
        ("math.sqrt", "Return the square root of x."),
        ("collections.deque", "A list-like sequence optimized"),
        ("pathlib.Path.read_text", "Open the file in text mode, read it"),
        ("os.getcwd", "Return a unicode string representing the current working directory."),
    ],
)
def test_the_standard_library_answers(catalog: Catalog, name: str, said: str) -> None:
    text = get_symbol(catalog, name).text
    assert said in " ".join(text.split()) or said in text


def test_it_is_reused_and_names_no_place(standard_library: Path) -> None:
    done = build("stdlib", "--out", str(standard_library.parent), "--json")
    assert [one["fate"] for one in json.loads(done.stdout)["bundles"]] == ["reused"]
    with Bundle.open(standard_library) as bundle:
        stated = json.dumps(bundle.manifest.source) + " ".join(bundle.manifest.notes)
    assert sys.base_prefix not in stated


def test_single_distributions_are_built_beside_the_project(
    tmp_path: Path, sample_project: Path
) -> None:
    out = tmp_path / "out"
    words = ("packaging", "pluggy", "--python", sys.executable, "--out", str(out))
    done = build(str(sample_project), *words, "--json")
    bundles = [one["name"] for one in json.loads(done.stdout)["bundles"]]
    assert bundles[0] == "shop"
    assert {"packaging", "pluggy", "rich"} <= set(bundles)
    assert len(bundles) == len(set(bundles)) == len(list(out.glob("*.pdx")))


def test_alone_they_bring_nothing_else(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = build("rich", "nothing-like-it==1", "--python", sys.executable, "--out", str(out))
    assert done.returncode == 3
    assert [path.name.partition("-")[0] for path in out.iterdir()] == ["rich"]
    assert "not found: nothing-like-it ==1 (the environment does not have it)" in done.stderr
    assert "--fetch` gets what is not there" in done.stderr
