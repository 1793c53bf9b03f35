"""Builds pydocs-native: the Rust extension where cargo is, else the Python twins alone.

So `pip install` works on every machine, and says which of the two it built. Setting
`PYDOCS_NATIVE` to `python` or `rust` takes the choice away from the machine.
"""

from __future__ import annotations

import importlib
import os
import shutil
import sys
from types import ModuleType
from typing import Any

_Settings = dict[str, Any] | None  # what PEP 517 calls config_settings

_MATURIN = "maturin>=1.9.4,<2"
_HATCHLING = "hatchling>=1.27,<2"


def _uses_rust() -> bool:
    match os.environ.get("PYDOCS_NATIVE", ""):
        case "":
            return shutil.which("cargo") is not None
        case "rust":
            return True
        case "python":
            return False
        case other:
            message = f"PYDOCS_NATIVE is {other!r}; set it to 'rust' or 'python', or not at all."
            raise ValueError(message)


def _backend() -> ModuleType:
    if _uses_rust():
        return importlib.import_module("maturin")
    sys.stderr.write(
        "pydocs-native: no cargo, or PYDOCS_NATIVE=python: building without Rust."
        " The answers are the same, only slower.\n"
    )
    return importlib.import_module("hatchling.build")


def get_requires_for_build_wheel(config_settings: _Settings = None) -> list[str]:
    """Lists what builds a wheel on this machine."""
    del config_settings
    return [_MATURIN if _uses_rust() else _HATCHLING]


def get_requires_for_build_editable(config_settings: _Settings = None) -> list[str]:
    """Lists what builds an editable wheel on this machine."""
    return get_requires_for_build_wheel(config_settings)


def get_requires_for_build_sdist(config_settings: _Settings = None) -> list[str]:
    """Lists what builds a source distribution: always maturin, which knows the workspace."""
    del config_settings
    return [_MATURIN]


def build_wheel(
    wheel_directory: str,
    config_settings: _Settings = None,
    metadata_directory: str | None = None,
) -> str:
    """Builds a wheel into `wheel_directory` and gives its name."""
    return str(_backend().build_wheel(wheel_directory, config_settings, metadata_directory))


def build_editable(
    wheel_directory: str,
    config_settings: _Settings = None,
    metadata_directory: str | None = None,
) -> str:
    """Builds an editable wheel into `wheel_directory` and gives its name."""
    return str(_backend().build_editable(wheel_directory, config_settings, metadata_directory))


def build_sdist(sdist_directory: str, config_settings: _Settings = None) -> str:
    """Builds a source distribution, which needs cargo to say what the workspace holds."""
    return str(importlib.import_module("maturin").build_sdist(sdist_directory, config_settings))
