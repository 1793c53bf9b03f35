"""Where a project keeps its import packages, and which names they have."""

from __future__ import annotations

from collections.abc import Iterable
from posixpath import dirname, normpath

from pydocs_builder.wanted.manifests import Manifests, is_aside
from pydocs_builder.wanted.pyproject import Table, names, table_at

__all__ = ["module_names", "source_roots"]

_SOURCES = (".py", ".pyi")
# Modules that stand beside a package without being part of it.
_NO_MODULES = frozenset(
    {
        *("bench", "benchmarks", "conftest", "doc", "docs", "example", "examples", "fabfile"),
        *("noxfile", "scripts", "setup", "tasks", "test", "testing", "tests", "tools"),
    }
)


def source_roots(paths: Iterable[str], manifests: Manifests) -> tuple[str, ...]:
    """The prefixes from which module names count, sorted: `""`, `"src/"`, `"server/"`.

    Every folder with a manifest is one, or the source folder that the manifest names, or its `src`.
    """
    sources = tuple(path for path in paths if path.endswith(_SOURCES))
    found = {""}
    for manifest in (*manifests.pyprojects, *manifests.setup_cfgs):
        folder = dirname(manifest)
        named = _named_folders(manifests, manifest)
        candidates = [_prefix(folder, name) for name in named or ("src", "")]
        existing = [
            prefix for prefix in candidates if any(path.startswith(prefix) for path in sources)
        ]
        found.update(existing if named else existing[:1])
    if not manifests.pyprojects and not manifests.setup_cfgs:
        found.update({"src/"} if any(path.startswith("src/") for path in sources) else ())
    return tuple(sorted(found))


def module_names(paths: Iterable[str], roots: Iterable[str]) -> tuple[str, ...]:
    """The top-level import names below the source roots, sorted.

    Tests, examples, documents and scripts count only where nothing else is there.
    """
    longest_first = sorted(roots, key=len, reverse=True)
    sources = [path for path in paths if path.endswith(_SOURCES)]
    packages = {dirname(path) for path in sources if "/__init__.py" in f"/{path}"}
    found: set[str] = set()
    aside: set[str] = set()
    for path in sources:
        root = next((root for root in longest_first if path.startswith(root)), "")
        top, slash, _ = path[len(root) :].partition("/")
        # Below a named source folder a folder without `__init__` is a namespace package.
        is_package = bool(slash) and (bool(root) or f"{root}{top}" in packages)
        name = top if is_package else "" if slash else top.partition(".")[0]
        if name.isidentifier():
            (aside if is_aside(root) or name in _NO_MODULES else found).add(name)
    return tuple(sorted(found or aside))


def _named_folders(manifests: Manifests, manifest: str) -> tuple[str, ...]:
    """The source folders that a manifest names for its build tool."""
    if manifest in manifests.setup_cfgs:
        return manifests.setup_cfgs[manifest].source_folders
    table = manifests.pyprojects[manifest]
    setuptools = table_at(table, "tool", "setuptools")
    wheel = table_at(table, "tool", "hatch", "build", "targets", "wheel")
    return (
        *names(table_at(setuptools, "package-dir").get("")),
        *names(table_at(setuptools, "packages", "find").get("where")),
        *(dirname(package) for package in names(wheel.get("packages"))),
        *names(table_at(table, "tool", "maturin").get("python-source")),
        *_poetry_folders(table),
    )


def _poetry_folders(table: Table) -> list[str]:
    packages = table_at(table, "tool", "poetry").get("packages")
    listed = packages if isinstance(packages, list) else []
    return [str(one["from"]) for one in listed if isinstance(one, dict) and "from" in one]


def _prefix(folder: str, name: str) -> str:
    joined = normpath(f"{folder}/{name}".strip("/") or ".")
    return "" if joined == "." else f"{joined}/"
