"""Every manifest and lock in a project's tree, read: what is wanted, at which versions."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from posixpath import normpath

from pydocs_builder.found.metadata import parse_metadata
from pydocs_builder.pinned.lock_files import is_lock, lock_rank, read_lock
from pydocs_builder.pinned.locks import Lock
from pydocs_builder.planned.tree import Tree
from pydocs_builder.wanted.conda import is_conda_environment, read_conda
from pydocs_builder.wanted.declared import Declared, Pin, Unreadable, combine, want
from pydocs_builder.wanted.pipfile import read_pipfile
from pydocs_builder.wanted.poetry import read_poetry
from pydocs_builder.wanted.pyproject import FileReader, Table, names, read_pyproject, table_at
from pydocs_builder.wanted.requirement_files import (
    beside,
    group_of,
    is_requirements_file,
    read_requirement_files,
)
from pydocs_builder.wanted.setup_cfg import SetupCfg, parse_setup_cfg, read_setup_cfg
from pydocs_builder.wanted.tool_tables import read_tool_tables

__all__ = ["Manifests", "is_aside", "is_manifest", "read_manifests"]

_NAMES = frozenset({"pyproject.toml", "setup.cfg", "Pipfile"})
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
        locks: the lock files, those that count first in front.
        pyprojects: each `pyproject.toml` by path.
        setup_cfgs: each `setup.cfg` by path.
        pins: every exact version that is stated, those that count first in front.
    """

    declared: Declared
    locks: tuple[Lock, ...]
    pyprojects: Mapping[str, Table]
    setup_cfgs: Mapping[str, SetupCfg]
    pins: tuple[Pin, ...] = ()


def is_aside(path: str) -> bool:
    """Whether a path lies in a folder of tests, examples or documents."""
    return not _ASIDE.isdisjoint(path.lower().split("/")[:-1])


def is_manifest(path: str) -> bool:
    """Whether a file says what a project wants."""
    is_named = PurePosixPath(path).name in _NAMES or is_lock(path)
    return is_named or is_requirements_file(path) or is_conda_environment(path)


def read_manifests(tree: Tree) -> Manifests:
    """What all manifests of the tree say; one that cannot be parsed is kept as unreadable."""
    paths = sorted(
        (file.path for file in tree.files if is_manifest(file.path)),
        key=lambda path: (path.count("/"), path),
    )
    bad: list[Declared] = []
    pyprojects: dict[str, Table] = {}
    pipfiles: dict[str, Table] = {}
    setup_cfgs: dict[str, SetupCfg] = {}
    conda: dict[str, str] = {}
    locks: list[Lock] = []
    for path in paths:
        name = PurePosixPath(path).name
        try:
            if is_lock(path):
                locks.append(read_lock(path, _text(tree, path)))
            elif name == "pyproject.toml":
                pyprojects[path] = tomllib.loads(_text(tree, path))
            elif name == "Pipfile":
                pipfiles[path] = tomllib.loads(_text(tree, path))
            elif name == "setup.cfg":
                setup_cfgs[path] = parse_setup_cfg(_text(tree, path))
            elif is_conda_environment(path):
                conda[path], noted = read_conda(path, (tree.root / path).read_bytes())
                bad.append(noted)
        except (OSError, ValueError, RecursionError) as error:
            reason = f"cannot be read: {error}".partition("\n")[0]
            one = Unreadable(path, reason, _aside(path), path)
            bad.append(Declared(unreadable=(one,)))
    locks.sort(key=lambda lock: (_aside(lock.path) != "", lock_rank(lock.path)))
    manifests = Manifests(Declared(), tuple(locks), pyprojects, setup_cfgs)
    parts = [_pyproject(tree, manifests, path) for path in pyprojects]
    parts += [_setup_cfg(tree, manifests, path) for path in setup_cfgs]
    parts += [_placed(path, read_pipfile(path, table)) for path, table in pipfiles.items()]
    starts = [
        (path, _aside(path) or group_of(path)) for path in paths if is_requirements_file(path)
    ]
    parts.append(_read_lines(tree, manifests, starts, {}))
    parts += [
        _read_lines(tree, manifests, [(path, _aside(path))], {path: lines.encode()})
        for path, lines in conda.items()
    ]
    parts += [_needed(lock, paths) for lock in locks]
    declared = combine([*bad, *parts])
    return replace(manifests, declared=declared, pins=_in_order(locks, declared))


def _in_order(locks: list[Lock], declared: Declared) -> tuple[Pin, ...]:
    """Locks before requirements, and whatever speaks for tests and examples behind all others."""
    pins = [pin for lock in locks for pin in lock.pins] + list(declared.pins)
    return tuple(sorted(pins, key=lambda pin: _aside(pin.origin) != ""))


def _needed(lock: Lock, paths: list[str]) -> Declared:
    """What is needed because a lock lists it.

    A lock without a manifest beside it says what is wanted, too. One that does not tell what needs
    what is all there is to know of what is behind the things that are wanted.
    """
    folder = PurePosixPath(lock.path).parent
    is_alone = all(is_lock(path) for path in paths if PurePosixPath(path).parent == folder)
    if not is_alone and any(lock.needs.values()):
        return Declared()
    group = _aside(lock.path)
    stated = (
        want(f"{pin.key} ; {pin.marker}" if pin.marker else pin.key, group or pin.group, lock.path)
        for pin in lock.pins
    )
    wanted = (one for one in stated if not isinstance(one, Unreadable))
    return Declared(wanted=tuple(replace(one, is_direct=is_alone) for one in wanted))


def _text(tree: Tree, path: str) -> str:
    return (tree.root / path).read_text("utf-8-sig")


def _pyproject(tree: Tree, manifests: Manifests, path: str) -> Declared:
    table = manifests.pyprojects[path]
    read_files = _file_reader(tree, manifests, path)
    parts = [
        read_pyproject(path, table, read_files),
        read_poetry(path, table),
        read_tool_tables(path, table, read_files),
    ]
    return _placed(path, combine(parts))


def _setup_cfg(tree: Tree, manifests: Manifests, path: str) -> Declared:
    config = manifests.setup_cfgs[path]
    return _placed(path, read_setup_cfg(path, config, _file_reader(tree, manifests, path)))


def _aside(path: str) -> str:
    """The path itself if it stands in a folder of tests, examples or documents."""
    return path if is_aside(path) else ""


def _placed(path: str, declared: Declared) -> Declared:
    """What a manifest declares, as a group of its own where it speaks for tests or examples."""
    if not (group := _aside(path)):
        return declared
    return Declared(
        wanted=tuple(replace(one, group=group) for one in declared.wanted),
        pins=declared.pins,
        unreadable=tuple(replace(one, group=group) for one in declared.unreadable),
        notes=declared.notes,
    )


def _read_lines(
    tree: Tree, manifests: Manifests, starts: list[tuple[str, str]], known: Mapping[str, bytes]
) -> Declared:
    """What requirements files declare; the lines of some are known already."""

    def read_bytes(path: str) -> bytes:
        return known[path] if path in known else (tree.root / path).read_bytes()

    def read_name(folder: str) -> str:
        return _name_of(tree, manifests, folder)

    return read_requirement_files(starts, read_bytes, read_name, str(tree.root.absolute()))


def _file_reader(tree: Tree, manifests: Manifests, path: str) -> FileReader:
    def read_files(files: tuple[str, ...], group: str) -> Declared:
        return _read_lines(tree, manifests, [(beside(path, file), group) for file in files], {})

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
    for keys in (("project",), ("tool", "poetry")):
        if stated := names(table_at(table, *keys).get("name")):
            return stated[0]
    config = manifests.setup_cfgs.get(normpath(f"{prefix}setup.cfg"))
    if config is not None and config.name:
        return config.name
    for place in sorted((tree.root / folder).glob("*.egg-info/PKG-INFO")):
        return parse_metadata(place.read_bytes()).name
    return ""
