"""The packages that the graph benches look at: their environment, their bundles, their edges."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from environments import environment, project

from pydocs_bundle.errors import ExitCode

__all__ = ["PACKAGES", "build", "installed"]

HERE = Path(__file__).resolve().parent
PINS = HERE / "packages.txt"
PACKAGES = {
    "httpx": "httpx",
    "rich": "rich",
    "sqlalchemy": "SQLAlchemy",
    "click": "click",
    "jinja2": "Jinja2",
}
"""The import names of the packages, each with what its distribution is called."""


def installed(cache: Path) -> Path:
    """The Python of an environment that has the packages and all they need."""
    return environment(cache / "graph", PINS)


def build(cache: Path, python: Path, *more: str) -> Path:
    """The folder with the bundles of the packages, and of all they need."""
    folder = cache / "-".join(["graph-bundles", *(word.strip("-") for word in more)])
    wanted = project(cache / "graph-project", PINS)
    command: list[str | Path] = [sys.executable, "-m", "pydocs_builder", wanted, "--out", folder]
    command += ["--python", python, "-q", *more]
    if subprocess.run(command, check=False).returncode not in (ExitCode.OK, ExitCode.PARTIAL):
        sys.exit("The bundles cannot be built; pydocs-build says why above.")
    return folder
