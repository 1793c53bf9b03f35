"""What a `poetry.lock` says."""

from __future__ import annotations

import re
from collections.abc import Mapping

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from pydocs_builder.pinned.locks import Lock, entries, gather, parsed
from pydocs_builder.wanted.declared import Pin
from pydocs_builder.wanted.poetry_versions import as_marker, as_specifier
from pydocs_builder.wanted.pyproject import Table, names, table_at
from pydocs_builder.wanted.stated import extras_of, requirement_text, text_at

__all__ = ["read_poetry_lock"]

_PARENTHESES = re.compile(r"\s*\(([^()]*)\)")
_FOLDERS = frozenset({"directory", "file"})


def read_poetry_lock(path: str, table: Table) -> Lock:
    """What a parsed `poetry.lock` says; before 1.5 the hashes stood apart from their packages."""
    older = table_at(table, "metadata", "files")
    pins, needs = [], []
    for package in entries(table, "package"):
        name = text_at(package, "name")
        key = canonicalize_name(name)
        groups = names(package.get("groups")) or names(package.get("category"))
        is_core = not groups or "main" in groups
        pins.append(
            Pin(
                key,
                text_at(package, "version"),
                _marker(package.get("markers")),
                path,
                _hashes(package.get("files", older.get(name))),
                _address(table_at(package, "source")),
                "" if is_core else f"group {groups[0]}",
            )
        )
        needs.append((key, parsed(_needs(package))))
    return Lock(tuple(pins), gather(needs), path=path)


def _marker(value: object) -> str:
    """The marker of a package; where it differs from group to group, any of them will do."""
    stated = sorted(map(str, value.values())) if isinstance(value, Mapping) else [*names(value)]
    if not all(stated):
        return ""
    return stated[0] if len(stated) == 1 else " or ".join(f"({one})" for one in stated)


def _hashes(files: object) -> tuple[str, ...]:
    listed = files if isinstance(files, list) else ()
    return tuple(text_at(file, "hash") for file in listed if isinstance(file, Mapping))


def _address(source: Table) -> str:
    kind, where = text_at(source, "type"), text_at(source, "url")
    if kind in _FOLDERS:
        return f"file:{where}"
    if kind == "git":
        return f"git+{where}@{text_at(source, 'resolved_reference')}"
    return where if kind == "url" else ""


def _needs(package: Table) -> list[str]:
    extras = table_at(package, "extras")
    optional = {
        canonicalize_name(_name_of(text)): extra
        for extra in sorted(extras)
        for text in names(extras[extra])
    }
    found = []
    for name, value in sorted(table_at(package, "dependencies").items()):
        for one in value if isinstance(value, list) else [value]:
            stated = one if isinstance(one, Mapping) else {"version": str(one)}
            extra = optional.get(canonicalize_name(name), "")
            if stated.get("optional") is True and not extra:
                continue
            # Newer locks say it in the marker.
            is_open = extra and stated.get("optional") and "extra" not in text_at(stated, "markers")
            condition = f"extra == '{extra}'" if is_open else ""
            found.append(_need(name, stated, condition))
    return found


def _need(name: str, stated: Table, condition: str) -> str:
    try:
        specifier = as_specifier(text_at(stated, "version"))
        python = as_marker(text_at(stated, "python"))
    except ValueError:
        specifier, python = "", ""
    markers = (text_at(stated, "markers"), python, condition)
    return requirement_text(name, specifier, extras_of(stated), markers, "")


def _name_of(text: str) -> str:
    """The name in `pysocks (>=1.5.6)`."""
    try:
        return Requirement(_PARENTHESES.sub(r"\1", text)).name
    except InvalidRequirement:
        return text.partition(" ")[0].partition("[")[0]
