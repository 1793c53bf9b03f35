"""Each test of the native part runs twice: on the Rust extension and on its Python twin."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(params=["rust", "python"])
def native(request: pytest.FixtureRequest) -> ModuleType:
    """The functions of one implementation."""
    if request.param == "rust":
        pytest.importorskip("pydocs_native._core")
        return importlib.import_module("pydocs_native._core")
    return importlib.import_module("pydocs_native._twins")


@pytest.fixture(scope="session")
def inputs() -> Path:
    """The folder of troublesome inputs."""
    return Path(__file__).parents[2] / "inputs"
