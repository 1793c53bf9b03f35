"""Every manifest and lock in a project's tree, read: what is wanted, at which versions."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from posixpath import normpath

from pydocs_builder.declared import Declared, Unreadable, combine
from pydocs_builder.locks import Lock, read_uv_lock
from pydocs_builder.metadata import parse_metadata
from pydocs_builder.pyproject import FileReader, Table, names, read_pyproject, table_at
from pydocs_builder.requirement_files import (
    ReadBytes,
    ReadName,
    beside,
    group_of,
    is_requirements_file,
    read_requirement_files,
)
from pydocs_builder.setup_cfg import SetupCfg, parse_setup_cfg, read_setup_cfg
from pydocs_builder.tree import Tree

__all__ = ["Manifests", "is_manifest", "read_manifests"]

_NAMES = frozenset({"pyproject.toml", "setup.cfg", "uv.lock"})
# What stands below such a folder speaks for it, not for the project.
_ASIDE = frozenset(
    {
        *("bench", "benchmarks", "demo", "doc", "docs", "example", "examples", "fixtures"),
        *("sample", "samples", "test", "testdata", "testing", "tests"),
    }
)


@dataclass(frozen=True, slots=True)
class Manifests:
    """What the manifests and locks of a tree say, and the files themselves, parsed.

    Args:
        declared: all that they declare, core requirements and shallow files first.
        locks: the lock files, the shallowest first.
        pyprojects: each `pyproject.toml` by path.
        setup_cfgs: each `setup.cfg` by path.
    """

    declared: Declared
    locks: tuple[Lock, ...]
    pyprojects: Mapping[str, Table]
    setup_cfgs: Mapping[str, SetupCfg]


def is_manifest(path: str) -> bool:
    """Whether a file says what a project wants."""
    return PurePosixPath(path).name in _NAMES or is_requirements_file(path)


def read_manifests(tree: Tree) -> Manifests:
    """What all manifests of the tree say; one that cannot be parsed is kept as unreadable."""
    paths = sorted(
        (file.path for file in tree.files if is_manifest(file.path)),
        key=lambda path: (path.count("/"), path),
    )
    bad: list[Declared] = []
    tables: dict[str, Table] = {}
    setup_cfgs: dict[str, SetupCfg] = {}
    for path in paths:
        try:
            if path.endswith((".toml", ".lock")):
                tables[path] = tomllib.loads((tree.root / path).read_text("utf-8-sig"))
            elif path.endswith(".cfg"):
                setup_cfgs[path] = parse_setup_cfg((tree.root / path).read_text("utf-8-sig"))
        except (OSError, ValueError, RecursionError) as error:
            reason = f"cannot be read: {error}".partition("\n")[0]
            one = Unreadable(path, reason, _aside(path), path)
            bad.append(Declared(unreadable=(one,)))
    pyprojects = {path: table for path, table in tables.items() if path.endswith(".toml")}
    manifests = Manifests(Declared(), (), pyprojects, setup_cfgs)
    parts = [_pyproject(tree, manifests, path) for path in pyprojects]
    parts += [_setup_cfg(tree, manifests, path) for path in setup_cfgs]
    starts = [
        (path, _aside(path) or group_of(path)) for path in paths if is_requirements_file(path)
    ]
    parts.append(read_requirement_files(starts, *_readers(tree, manifests)))
    locks = [read_uv_lock(path, table) for path, table in tables.items() if path.endswith(".lock")]
    return replace(manifests, declared=combine([*bad, *parts]), locks=tuple(locks))


def _pyproject(tree: Tree, manifests: Manifests, path: str) -> Declared:
    table = manifests.pyprojects[path]
    return _placed(path, read_pyproject(path, table, _file_reader(tree, manifests, path)))


def _setup_cfg(tree: Tree, manifests: Manifests, path: str) -> Declared:
    config = manifests.setup_cfgs[path]
    return _placed(path, read_setup_cfg(path, config, _file_reader(tree, manifests, path)))


def _aside(path: str) -> str:
    """The path itself if it stands in a folder of tests, examples or documents."""
    return path if not _ASIDE.isdisjoint(path.lower().split("/")[:-1]) else ""


def _placed(path: str, declared: Declared) -> Declared:
    """What a manifest declares, as a group of its own where it speaks for tests or examples."""
    if not (group := _aside(path)):
        return declared
    return Declared(
        wanted=tuple(replace(one, group=group) for one in declared.wanted),
        unreadable=tuple(replace(one, group=group) for one in declared.unreadable),
        notes=declared.notes,
    )


def _readers(tree: Tree, manifests: Manifests) -> tuple[ReadBytes, ReadName]:
    def read_bytes(path: str) -> bytes:
        return (tree.root / path).read_bytes()

    def read_name(folder: str) -> str:
        return _name_of(tree, manifests, folder)

    return read_bytes, read_name


def _file_reader(tree: Tree, manifests: Manifests, path: str) -> FileReader:
    def read_files(files: tuple[str, ...], group: str) -> Declared:
        starts = [(beside(path, file), group) for file in files]
        return read_requirement_files(starts, *_readers(tree, manifests))

    return read_files


def _name_of(tree: Tree, manifests: Manifests, folder: str) -> str:
    """The name of the distribution that a folder builds, from what it says without being run."""
    prefix = "" if folder == "." else f"{folder}/"
    table = manifests.pyprojects.get(normpath(f"{prefix}pyproject.toml"))
    if table is None:
        try:
            table = tomllib.loads((tree.root / folder / "pyproject.toml").read_text("utf-8-sig"))
        except (OSError, ValueError):
            table = {}
    if stated := names(table_at(table, "project").get("name")):
        return stated[0]
    config = manifests.setup_cfgs.get(normpath(f"{prefix}setup.cfg"))
    if config is not None and config.name:
        return config.name
    for place in sorted((tree.root / folder).glob("*.egg-info/PKG-INFO")):
        return parse_metadata(place.read_bytes()).name
    return ""
