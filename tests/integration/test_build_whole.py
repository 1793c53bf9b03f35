"""Whole builds by the real command: the same bytes every time, and nothing built twice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1.0"\n'
    'dependencies = ["iniconfig", "packaging", "pluggy"]\n',
    "README.md": "# Shop\n\nPrices are kept in cents.\n",
    "shop/__init__.py": '"""Sells things."""\nfrom shop._orders import total\n',
    "shop/_orders.py": "def total(prices: list[int]) -> int:\n"
    '    """Add prices up."""\n    # WHY: floats lose cents.\n    return sum(prices)\n',
}
NAMES = ("iniconfig", "packaging", "pluggy", "shop")


def make_project(folder: Path) -> Path:
    for path, text in PROJECT.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def build(
    project: Path, out: Path, *options: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pydocs_builder", str(project), "--out", str(out), *options]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )


def fates(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    return {one["name"]: one["fate"] for one in json.loads(done.stdout)["bundles"]}


def contents(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(out.iterdir())}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the project and `out`, built once."""
    folder = tmp_path_factory.mktemp("built")
    project = make_project(folder / "shop")
    assert build(project, folder / "out", PYTHONHASHSEED="1").returncode == 0
    return folder


def test_a_project_and_each_dependency_get_a_bundle(built: Path) -> None:
    names = [path.name.partition("-")[0] for path in sorted((built / "out").iterdir())]
    assert names == list(NAMES)


@pytest.mark.parametrize(("jobs", "seed"), [("1", "2"), ("2", "3")])
def test_place_hash_seed_and_jobs_do_not_change_a_byte(
    built: Path, tmp_path: Path, jobs: str, seed: str
) -> None:
    project = make_project(tmp_path / "somewhere" / "else")
    done = build(project, tmp_path / "out", "--jobs", jobs, PYTHONHASHSEED=seed)
    assert done.returncode == 0, done.stderr
    assert contents(tmp_path / "out") == contents(built / "out")


def test_no_bundle_tells_where_it_was_built(built: Path) -> None:
    for path in (built / "out").iterdir():
        command = [sys.executable, "-m", "pydocs_builder", "unpack", str(path)]
        plain = built / "plain" / path.stem
        subprocess.run([*command, "--to", str(plain)], check=True)
        for file in plain.rglob("*"):
            assert not file.is_file() or str(built).encode() not in file.read_bytes(), file


def test_a_second_build_reuses_everything(built: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    project = make_project(tmp_path / "shop")
    assert set(fates(build(project, out, "--json")).values()) == {"built"}
    before = {path.name: path.stat().st_mtime_ns for path in out.iterdir()}
    done = build(project, out, "--json")
    assert set(fates(done).values()) == {"reused"}
    rows = json.loads(done.stdout)["requirements"]
    assert {row["fate"] for row in rows if row["version"]} == {"reused"}
    assert {path.name: path.stat().st_mtime_ns for path in out.iterdir()} == before
    assert contents(out) == contents(built / "out")


def test_only_what_changed_is_built_again(tmp_path: Path) -> None:
    project = make_project(tmp_path / "shop")
    build(project, tmp_path / "out")
    (project / "shop" / "more.py").write_text("def more() -> None: ...\n")
    assert fates(build(project, tmp_path / "out", "--json")) == {
        "shop": "built",
        "iniconfig": "reused",
        "packaging": "reused",
        "pluggy": "reused",
    }
    build(project, tmp_path / "anew")
    assert contents(tmp_path / "out") == contents(tmp_path / "anew")


@pytest.mark.parametrize("damage", ["cut", "flip", "empty"])
def test_a_damaged_bundle_is_built_again(built: Path, tmp_path: Path, damage: str) -> None:
    out = tmp_path / "out"
    out.mkdir()
    whole = contents(built / "out")
    for name, raw in whole.items():
        (out / name).write_bytes(raw)
    (victim,) = out.glob("pluggy-*.pdx")
    flipped = bytearray(whole[victim.name])
    flipped[len(flipped) // 2] ^= 1
    damaged = {"cut": bytes(flipped[:-1]), "flip": bytes(flipped), "empty": b""}
    victim.write_bytes(damaged[damage])
    done = build(built / "shop", out, "--json")
    assert [name for name, fate in fates(done).items() if fate == "built"] == ["pluggy"]
    assert contents(out) == whole


def test_nothing_of_a_target_is_imported(tmp_path: Path) -> None:
    project = make_project(tmp_path / "shop")
    marker = tmp_path / "ran"
    bomb = f"open({str(marker)!r}, 'w')\n"
    for path in ("shop/bomb.py", "setup.py", "conftest.py", "sitecustomize.py"):
        (project / path).write_text(bomb)
    assert build(project, tmp_path / "out").returncode == 0
    assert not marker.exists()
