"""What a `pyproject.toml` declares: dependencies, extras, groups, and fields read from files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeGuard

from packaging.utils import canonicalize_name

from pydocs_builder.wanted.declared import Declared, Unreadable, combine, sort_out, want

__all__ = ["FileReader", "Table", "has_own_table", "names", "read_pyproject", "table_at"]

Table = Mapping[str, object]
"""A table of a TOML file."""

FileReader = Callable[[tuple[str, ...], str], Declared]
"""Reads requirements files (paths beside the manifest) for a group."""

_CORE, _EXTRAS = "dependencies", "optional-dependencies"


def read_pyproject(path: str, table: Table, read_files: FileReader) -> Declared:
    """What a parsed `pyproject.toml` declares.

    Args:
        path: the manifest's path below the project, to say where something stands.
        table: the parsed file.
        read_files: reads requirements files that dynamic fields point to.
    """
    project = table_at(table, "project")
    name = project.get("name")
    parts = [
        _requirements(project.get(_CORE), "", f"{path} [project] {_CORE}"),
        *(
            _requirements(value, f"extra {extra}", f"{path} [project.{_EXTRAS}] {extra}")
            for extra, value in sorted(table_at(project, _EXTRAS).items())
        ),
        _dynamic(path, table, names(project.get("dynamic")), read_files),
        _groups(path, table_at(table, "dependency-groups")),
    ]
    provided = (canonicalize_name(name),) if isinstance(name, str) else ()
    return combine([*parts, Declared(provided=provided)])


def table_at(table: Table, *keys: str) -> Table:
    """The table below `keys`, empty where there is none."""
    for key in keys:
        inner = table.get(key)
        if not _is_table(inner):
            return {}
        table = inner
    return table


def names(value: object) -> tuple[str, ...]:
    """A string, or the strings of a list, as a tuple; anything else counts as none."""
    if isinstance(value, str):
        return (value,)
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def has_own_table(table: Table) -> bool:
    """Whether a tool's own table states what is dynamic: Poetry's, or Hatch's hook."""
    hook = table_at(table, "tool", "hatch", "metadata", "hooks", "requirements_txt")
    return bool(hook or table_at(table, "tool", "poetry", "dependencies"))


def _is_table(value: object) -> TypeGuard[Table]:
    return isinstance(value, Mapping)


def _requirements(value: object, group: str, origin: str) -> Declared:
    """The requirements of a list; what is no requirement is kept as unreadable."""
    if value is None:
        return Declared()
    if not isinstance(value, list):
        return Declared(unreadable=(Unreadable(repr(value), "not a list", group, origin),))
    stated = [
        want(one, group, origin)
        if isinstance(one, str)
        else Unreadable(repr(one), "not a string", group, origin)
        for one in value
    ]
    return sort_out(stated)


def _dynamic(path: str, table: Table, fields: Iterable[str], read_files: FileReader) -> Declared:
    """Fields that setuptools fills from files; one that nothing here can read is noted."""
    sources = table_at(table, "tool", "setuptools", "dynamic")
    parts = []
    for field in fields:
        if field not in {_CORE, _EXTRAS}:
            continue
        if field not in sources:
            parts += [] if has_own_table(table) else [_unknown_dynamic(path, field)]
        elif field == _CORE:
            parts.append(read_files(names(table_at(sources, _CORE).get("file")), ""))
        else:
            parts += [
                read_files(names(table_at(sources, _EXTRAS, extra).get("file")), f"extra {extra}")
                for extra in sorted(table_at(sources, _EXTRAS))
            ]
    return combine(parts)


def _unknown_dynamic(path: str, field: str) -> Declared:
    note = f"{path}: {field} are dynamic and no table says where they come from"
    return Declared(notes=(note,))


def _groups(path: str, groups: Table) -> Declared:
    """PEP 735: every group counts, so an included one needs to exist and no more."""
    known: dict[str, str] = {canonicalize_name(group): group for group in groups}
    included: dict[str, list[str]] = {}
    parts = []
    for group, value in sorted(groups.items()):
        origin = f"{path} [dependency-groups] {group}"
        entries = value if isinstance(value, list) else [value]
        includes = [one for one in entries if _is_table(one) and "include-group" in one]
        parts.append(
            _requirements([one for one in entries if one not in includes], f"group {group}", origin)
        )
        targets = [canonicalize_name(str(one["include-group"])) for one in includes]
        included[canonicalize_name(group)] = [target for target in targets if target in known]
        parts += [
            Declared(notes=(f"{origin}: includes {target}, which is no group",))
            for target in targets
            if target not in known
        ]
    cycles = sorted(known[key] for key in included if _reaches(key, key, included))
    if cycles:
        parts.append(Declared(notes=(f"{path}: groups include each other: {', '.join(cycles)}",)))
    return combine(parts)


def _reaches(start: str, goal: str, edges: Mapping[str, list[str]]) -> bool:
    seen: set[str] = set()
    waiting = list(edges.get(start, ()))
    while waiting:
        key = waiting.pop()
        if key == goal:
            return True
        if key not in seen:
            seen.add(key)
            waiting += edges.get(key, ())
    return False
