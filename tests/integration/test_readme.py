"""The README's examples, run in order as its reader would, in a project that uses rich."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pydocs_bundle.errors import ExitCode

README = Path(__file__).resolve().parents[2] / "README.md"
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DEMO = '''\
"""A demo."""

from rich.table import Table


# DECISION: the table width follows the terminal, because fixed widths wrap on phones.
def table() -> Table:
    """A table with a border."""
    return Table()
'''
EXAMPLES = [
    line.removeprefix("$ ")
    for language, body in FENCE.findall(README.read_text("utf-8"))
    if language == "console"
    for line in body.splitlines()
    if line.startswith("$ ")
]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("readme")
    (folder / "pyproject.toml").write_text(
        '[project]\nname = "demo"\nversion = "1"\ndependencies = ["rich"]\n', "utf-8"
    )
    (folder / "demo.py").write_text(DEMO, "utf-8")
    return folder


def stand_ins(folder: Path) -> Path:
    """The two commands for a checkout that is only on the path, not installed."""
    folder.mkdir()
    for name, module in (("pydocs-build", "pydocs_builder"), ("pydocs-mcp", "pydocs_server")):
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {module} "$@"\n', "utf-8")
        script.chmod(0o755)
    return folder


@pytest.mark.skipif(os.name == "nt", reason="the examples are for a POSIX shell")
def test_every_example_runs(project: Path) -> None:
    assert len(EXAMPLES) >= 12
    commands = [Path(sys.executable).parent, stand_ins(project / "bin")]
    path = os.pathsep.join([*map(str, commands), os.environ["PATH"]])
    env = {**os.environ, "PATH": path}
    env.pop("PYDOCS_BUNDLES", None)
    for example in EXAMPLES:
        done = subprocess.run(
            ["bash", "-c", example],
            cwd=project,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{example}\n{done.stdout}\n{done.stderr}"
        assert done.stdout.strip() or example.startswith("pydocs-build"), example
        if example.endswith("--json"):
            assert json.loads(done.stdout)["results"]


def test_the_client_configuration_is_json() -> None:
    blocks = [
        body for language, body in FENCE.findall(README.read_text("utf-8")) if language == "json"
    ]
    assert [list(json.loads(block)["mcpServers"]) for block in blocks] == [["pydocs"]]


def test_the_exit_statuses_are_the_ones_in_the_code() -> None:
    rows = re.findall(r"^\| (\d+) \|", README.read_text("utf-8"), re.MULTILINE)
    assert [int(row) for row in rows] == sorted(ExitCode)
