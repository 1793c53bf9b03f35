"""What the `[tool.poetry]` table of a `pyproject.toml` declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from packaging.utils import canonicalize_name

from pydocs_builder.wanted.declared import Declared, Unreadable, Wanted, combine, sort_out
from pydocs_builder.wanted.poetry_versions import as_marker, as_specifier
from pydocs_builder.wanted.pyproject import Table, names, table_at
from pydocs_builder.wanted.stated import address_of, extras_of, text_at, want_stated

__all__ = ["read_poetry"]

_PLATFORMS = {"linux": "linux", "win32": "win32", "windows": "win32", "darwin": "darwin"}


def read_poetry(path: str, table: Table) -> Declared:
    """What Poetry's tables of a parsed `pyproject.toml` declare."""
    poetry = table_at(table, "tool", "poetry")
    name = poetry.get("name")
    extras = _extras(poetry)
    place = f"{path} [tool.poetry"
    parts = [_section(table_at(poetry, "dependencies"), "", f"{place}.dependencies]", extras)]
    parts.append(
        _section(
            table_at(poetry, "dev-dependencies"), "group dev", f"{place}.dev-dependencies]", {}
        )
    )
    for group in sorted(table_at(poetry, "group")):
        section = table_at(poetry, "group", group, "dependencies")
        parts.append(_section(section, f"group {group}", f"{place}.group.{group}]", {}))
    provided = (canonicalize_name(name),) if isinstance(name, str) else ()
    return combine([*parts, Declared(provided=provided)])


def _extras(poetry: Table) -> dict[str, str]:
    """The first extra that lists each optional distribution."""
    found: dict[str, str] = {}
    for extra, listed in sorted(table_at(poetry, "extras").items()):
        for name in names(listed):
            found.setdefault(canonicalize_name(name.partition("[")[0].strip()), extra)
    return found


def _section(section: Table, group: str, origin: str, extras: Mapping[str, str]) -> Declared:
    stated: list[Wanted | Unreadable] = []
    for name, value in sorted(section.items()):
        if name.lower() == "python":
            continue
        for one in value if isinstance(value, list) else [value]:
            table = {"version": one} if isinstance(one, str) else one
            if isinstance(table, Mapping):
                stated += _stated(name, table, group, f"{origin} {name}", extras)
            else:
                reason = "neither a version nor a table"
                stated.append(Unreadable(f"{name} = {one!r}", reason, group, f"{origin} {name}"))
    return sort_out(stated)


def _stated(
    name: str, table: Table, group: str, origin: str, extras: Mapping[str, str]
) -> Iterator[Wanted | Unreadable]:
    extra = extras.get(canonicalize_name(name), "")
    if not group and (extra or table.get("optional") is True):
        group = f"extra {extra}" if extra else "optional"
    try:
        specifier = as_specifier(text_at(table, "version"))
        python = as_marker(text_at(table, "python"))
    except ValueError as error:
        # The distribution is wanted all the same, at whichever version.
        yield Unreadable(name, str(error), group or "version", origin)
        specifier, python = "", ""
    platform = _PLATFORMS.get(text_at(table, "platform"), text_at(table, "platform"))
    on_platform = f'sys_platform == "{platform}"' if platform else ""
    markers = (text_at(table, "markers"), python, on_platform)
    address = address_of(table)
    yield want_stated(name, specifier, extras_of(table), markers, address, group, origin)
