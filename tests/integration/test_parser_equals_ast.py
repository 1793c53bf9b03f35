"""The Rust parser says of real packages what CPython's own parser says, read by the twin."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

from pydocs_native import _twins

core = pytest.importorskip("pydocs_native._core")

PACKAGES = [
    "_pytest", "anyio", "attr", "click", "h11", "httpcore", "httpx", "hypothesis",
    "idna", "iniconfig", "markdown_it", "mcp", "mypy.plugins", "packaging", "pip",
    "platformdirs", "pluggy", "pydantic", "rich", "starlette", "typing_extensions", "uvicorn",
]  # fmt: skip
STANDARD_LIBRARY = [
    "asyncio", "collections", "concurrent", "email", "http", "importlib", "json", "logging",
    "unittest", "urllib", "xml", "ast", "dataclasses", "enum", "typing",
]  # fmt: skip


def sources(package: str) -> Iterator[Path]:
    try:
        spec = importlib.util.find_spec(package)
    except ModuleNotFoundError:
        return
    if spec is None:
        return
    if spec.submodule_search_locations:
        for folder in spec.submodule_search_locations:
            yield from sorted(Path(folder).rglob("*.py"))
    elif spec.origin and spec.origin.endswith(".py"):
        yield Path(spec.origin)


def compare(paths: list[Path]) -> int:
    """How many files both parsers say the same of; a difference fails with its first place."""
    texts = [path.read_bytes() for path in paths]
    compared = 0
    for path, text, rust in zip(paths, texts, core.parse_all(texts), strict=True):
        python = _twins.parse(text)
        if python.problems:  # this interpreter cannot parse it, so there is nothing to compare
            continue
        assert rust.problems == (), path
        for field, expected, found in zip(python._fields, python, rust, strict=True):
            if expected != found and isinstance(expected, tuple) and isinstance(found, tuple):
                different = [it for it in zip(expected, found, strict=False) if it[0] != it[1]]
                assert not different, f"{path}: {field}"
            assert expected == found, f"{path}: {field}"
        compared += 1
    return compared


def test_over_installed_packages() -> None:
    compared = {package: compare(list(sources(package))) for package in PACKAGES}
    there = [package for package, count in compared.items() if count]
    assert len(there) >= 10, compared
    assert sum(compared.values()) >= 500, compared


def test_over_the_standard_library() -> None:
    compared = {package: compare(list(sources(package))) for package in STANDARD_LIBRARY}
    assert all(compared.values()), compared
    assert sum(compared.values()) >= 150, compared
