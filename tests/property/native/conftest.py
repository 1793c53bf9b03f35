"""Property tests hold the Rust extension equal to its Python twins."""

from __future__ import annotations

import importlib
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def core() -> ModuleType:
    """The Rust extension; without it there is nothing to compare."""
    pytest.importorskip("pydocs_native._core")
    return importlib.import_module("pydocs_native._core")
