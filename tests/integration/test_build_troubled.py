"""Builds in which something breaks: the others are written, and the status tells."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pydocs_bundle import Bundle, verify

PROJECT = '[project]\nname = "shop"\nversion = "1.0"\ndependencies = {dependencies}\n'
# Breaks the build of one target in whatever process it happens.
SABOTAGE = """\
import os, signal, pydocs_builder.content as content
whole = content.build_content

def build_content(target, *others):
    if target.name in {names!r}:
        {action}
    return whole(target, *others)

content.build_content = build_content
"""
NO_SEMAPHORES = """\
import _multiprocessing

def refuse(*_):
    raise OSError("no semaphores here")

_multiprocessing.SemLock = type("SemLock", (_multiprocessing.SemLock,), {"__new__": refuse})
"""
RAISE = 'raise RuntimeError("it broke")'
CRASH = "os.kill(os.getpid(), signal.SIGKILL)"

posix = pytest.mark.skipif(os.name != "posix", reason="kills as POSIX does")


def make_project(folder: Path, *dependencies: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "pyproject.toml").write_text(PROJECT.format(dependencies=json.dumps(dependencies)))
    (folder / "shop.py").write_text('"""Sells things."""\n')
    return folder


def command(project: Path, out: Path, *options: str) -> list[str]:
    words = [str(project), "--out", str(out), "--no-exact", *options]
    return [sys.executable, "-m", "pydocs_builder", *words]


def build(
    project: Path, out: Path, *options: str, sabotage: str = ""
) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ)
    if sabotage:
        place = project.parent / "sabotage"
        place.mkdir(exist_ok=True)
        (place / "sitecustomize.py").write_text(sabotage)
        path = filter(None, (str(place), os.environ.get("PYTHONPATH")))
        environment["PYTHONPATH"] = os.pathsep.join(path)
    return subprocess.run(
        command(project, out, *options),
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )


def fates(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    return {one["name"]: one["fate"] for one in json.loads(done.stdout)["bundles"]}


@posix
@pytest.mark.parametrize(
    ("action", "said"), [(RAISE, "RuntimeError: it broke"), (CRASH, "crashed")]
)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_target_that_fails_takes_no_other_with_it(
    tmp_path: Path, action: str, said: str, jobs: str
) -> None:
    project = make_project(tmp_path / "shop", "iniconfig", "packaging", "pluggy")
    sabotage = SABOTAGE.format(names=["packaging"], action=action)
    done = build(project, tmp_path / "out", "--json", "--jobs", jobs, sabotage=sabotage)
    assert done.returncode == 3
    assert fates(done) == {
        "shop": "built",
        "iniconfig": "built",
        "packaging": "failed",
        "pluggy": "built",
    }
    rows = {row["name"]: row for row in json.loads(done.stdout)["requirements"]}
    assert rows["packaging"]["fate"] == "failed"
    assert said in rows["packaging"]["detail"]
    names = sorted(path.name.partition("-")[0] for path in (tmp_path / "out").iterdir())
    assert names == ["iniconfig", "pluggy", "shop"]


# Each target is handed out only when what was done with the one before has come to its end.
SLOW_HAND = """
import time
from concurrent.futures.process import ProcessPoolExecutor

hand_out = ProcessPoolExecutor.submit

def slowly(*arguments, **words):
    handed = hand_out(*arguments, **words)
    time.sleep(2)
    return handed

ProcessPoolExecutor.submit = slowly
"""


@posix
def test_a_worker_that_dies_before_all_is_handed_out_takes_no_other_with_it(
    tmp_path: Path,
) -> None:
    project = make_project(tmp_path / "shop", "iniconfig", "packaging", "pluggy")
    sabotage = SLOW_HAND + SABOTAGE.format(names=["packaging"], action=CRASH)
    done = build(project, tmp_path / "out", "--json", "--jobs", "1", sabotage=sabotage)
    assert done.returncode == 3, done.stderr
    assert fates(done)["packaging"] == "failed"
    assert sorted(fates(done).values()) == ["built", "built", "built", "failed"]


@posix
def test_a_target_that_takes_too_long_fails_and_the_others_go_on(tmp_path: Path) -> None:
    project = make_project(tmp_path / "shop", "iniconfig", "packaging", "pluggy")
    manifest = project / "pyproject.toml"
    manifest.write_text(manifest.read_text() + "\n[tool.pydocs]\ntime-limit = 2\n")
    sabotage = SABOTAGE.format(names=["packaging"], action="time.sleep(100)")
    done = build(project, tmp_path / "out", "--json", sabotage=f"import time\n{sabotage}")
    assert done.returncode == 3
    assert fates(done)["packaging"] == "failed"
    assert sorted(fates(done).values()) == ["built", "built", "built", "failed"]
    rows = {row["name"]: row for row in json.loads(done.stdout)["requirements"]}
    assert rows["packaging"]["detail"].startswith("it took longer than 2 seconds")


def test_the_projects_bundle_knows_what_failed(tmp_path: Path) -> None:
    project = make_project(tmp_path / "shop", "iniconfig", "pluggy")
    sabotage = SABOTAGE.format(names=["pluggy"], action=RAISE)
    build(project, tmp_path / "out", sabotage=sabotage)
    with Bundle.open(tmp_path / "out" / "shop-1.0.pdx") as bundle:
        rows = [(row.name, row.fate) for row in bundle.manifest.requirements]
    assert rows == [("iniconfig", "built"), ("pluggy", "failed")]


def test_what_failed_is_tried_again_and_the_rest_reused(tmp_path: Path) -> None:
    project = make_project(tmp_path / "shop", "iniconfig", "pluggy")
    sabotage = SABOTAGE.format(names=["pluggy"], action=RAISE)
    assert build(project, tmp_path / "out", sabotage=sabotage).returncode == 3
    done = build(project, tmp_path / "out", "--json")
    assert done.returncode == 0
    assert fates(done) == {"shop": "built", "iniconfig": "reused", "pluggy": "built"}


def test_a_build_in_which_everything_fails_says_so(tmp_path: Path) -> None:
    project = make_project(tmp_path / "shop", "iniconfig")
    sabotage = SABOTAGE.format(names=["shop", "iniconfig"], action=RAISE)
    done = build(project, tmp_path / "out", sabotage=sabotage)
    assert done.returncode == 4
    assert list((tmp_path / "out").iterdir()) == []


def test_a_missing_core_requirement_makes_the_build_partial(tmp_path: Path) -> None:
    project = make_project(tmp_path / "shop", "iniconfig", "no-such-distribution-here>=3")
    done = build(project, tmp_path / "out")
    assert done.returncode == 3
    assert "not found: no-such-distribution-here >=3" in done.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc takes no folders")
def test_a_folder_that_cannot_be_written_gets_a_sentence(tmp_path: Path) -> None:
    project = make_project(tmp_path / "shop")
    done = build(project, Path("/proc/nowhere/out"))
    assert done.returncode == 4
    assert done.stderr.startswith("pydocs-build: /proc/nowhere/out: cannot be made")
    assert len(done.stderr.splitlines()) == 1


def test_without_worker_processes_the_build_goes_on_and_says_so(tmp_path: Path) -> None:
    project = make_project(tmp_path / "shop", "iniconfig", "pluggy")
    assert build(project, tmp_path / "usual").returncode == 0
    done = build(project, tmp_path / "out", sabotage=NO_SEMAPHORES)
    assert done.returncode == 0
    assert "no worker processes (no semaphores here)" in done.stderr
    files = sorted((tmp_path / "usual").iterdir())
    assert [path.name for path in files] == sorted(
        path.name for path in (tmp_path / "out").iterdir()
    )
    assert all(path.read_bytes() == (tmp_path / "out" / path.name).read_bytes() for path in files)


@posix
def test_a_terminal_gets_a_bar_and_the_summary(tmp_path: Path) -> None:
    import pty  # noqa: PLC0415 - POSIX only

    project = make_project(tmp_path / "shop", "iniconfig")
    terminal, end = pty.openpty()
    with subprocess.Popen(command(project, tmp_path / "out"), stderr=end) as running:
        os.close(end)
        shown = b""
        with contextlib.suppress(OSError):
            while piece := os.read(terminal, 4096):
                shown += piece
    os.close(terminal)
    assert running.returncode == 0
    assert b"2/2" in shown
    assert b"2 bundles" in shown


@posix
def test_a_killed_build_leaves_only_whole_bundles_and_the_next_one_goes_on(tmp_path: Path) -> None:
    project = make_project(tmp_path / "shop", "hypothesis", "iniconfig", "packaging", "pytest")
    out = tmp_path / "out"
    killed = subprocess.Popen(
        command(project, out, "--jobs", "2", "-q"), start_new_session=True, stderr=subprocess.PIPE
    )
    _wait_until(lambda: len(_bundles(out)) >= 1)
    killed.kill()
    killed.communicate()
    _wait_until(lambda: not _group_lives(killed.pid))
    left = {path.name for path in _bundles(out)}
    assert left
    for path in _bundles(out):
        verify(path)
    # As a kill in the middle of a write leaves it, whichever moment this kill has met.
    (out / ".pytest-9.pdx.abc123.partial").write_bytes(b"\x89PDX")

    done = build(project, out, "--json")
    assert done.returncode == 0, done.stderr
    whole = {path.name for path in _bundles(out)}
    reused = {one["file"] for one in json.loads(done.stdout)["bundles"] if one["fate"] == "reused"}
    assert reused == left
    assert left < whole
    assert {path.name for path in out.iterdir()} == whole


@posix
def test_an_interrupted_build_ends_with_its_workers(tmp_path: Path) -> None:
    # The first one done is far from the last.
    project = make_project(
        tmp_path / "shop", "iniconfig", "packaging", "pygments", "pytest", "rich"
    )
    out = tmp_path / "out"
    running = subprocess.Popen(
        command(project, out, "-q"), start_new_session=True, stderr=subprocess.PIPE, text=True
    )
    _wait_until(lambda: len(_bundles(out)) >= 1)
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=20)
    assert (running.returncode, said) == (
        130,
        "pydocs-build: interrupted; the next run goes on from what is there.\n",
    )
    assert all(path.suffix == ".pdx" for path in out.iterdir())
    _wait_until(lambda: not _group_lives(running.pid))


def _bundles(out: Path) -> list[Path]:
    return sorted(out.glob("*.pdx")) if out.is_dir() else []


def _group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def _wait_until(is_so: object, seconds: float = 30.0) -> None:
    assert callable(is_so)
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.005)
