"""From a file's path to the dotted name by which its module is imported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

__all__ = ["is_package", "is_source", "is_stub", "module_name"]

_STUB_ONLY: Final = "-stubs"


def is_source(path: str) -> bool:
    """Whether a path is that of Python source or a stub."""
    return path.endswith((".py", ".pyi", ".pyw"))


def is_stub(path: str) -> bool:
    """Whether a path is that of a stub."""
    return path.endswith(".pyi")


def is_package(path: str) -> bool:
    """Whether a source file is the `__init__` of its folder."""
    return path.rpartition("/")[2].rpartition(".")[0] == "__init__"


def module_name(path: str, source_roots: Sequence[str] = ("",)) -> str:
    """The dotted name of a source file, below the longest source root that holds it.

    A stub has the name of the module it describes, in a stub-only distribution too:
    `yaml-stubs/loader.pyi` is `yaml.loader`. A file outside all roots is named by its whole path.
    """
    roots = [root for root in source_roots if path.startswith(root)]
    relative = path[len(max(roots, key=len, default="")) :].lstrip("/")
    folder, _, name = relative.rpartition("/")
    stem = name.rpartition(".")[0]
    parts = folder.split("/") if folder else []
    if parts and parts[0].endswith(_STUB_ONLY):
        parts[0] = parts[0].removesuffix(_STUB_ONLY)
    if stem != "__init__" or not parts:
        parts.append(stem)
    return ".".join(parts)
