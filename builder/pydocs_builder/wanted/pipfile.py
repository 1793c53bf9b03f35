"""What a `Pipfile` declares."""

from __future__ import annotations

from collections.abc import Mapping

from pydocs_builder.wanted.declared import Declared, Unreadable, Wanted, combine, sort_out
from pydocs_builder.wanted.pyproject import Table, table_at
from pydocs_builder.wanted.stated import address_of, extras_of, text_at, want_stated

__all__ = ["pipfile_markers", "pipfile_version", "read_pipfile"]

_NO_SECTIONS = frozenset({"source", "sources", "requires", "scripts", "pipenv", "pipfile"})
_GROUPS = {"packages": "", "dev-packages": "group dev"}
_VARIABLES = (
    *("os_name", "sys_platform", "platform_machine", "platform_python_implementation"),
    *("platform_release", "platform_system", "platform_version", "python_version"),
    *("python_full_version", "implementation_name", "implementation_version"),
)


def read_pipfile(path: str, table: Table) -> Declared:
    """What a parsed `Pipfile` declares; a category of one's own is a group."""
    parts = []
    for section in table:
        if section not in _NO_SECTIONS:
            group = _GROUPS.get(section, f"group {section}")
            parts.append(_section(table_at(table, section), group, f"{path} [{section}]"))
    return combine(parts)


def pipfile_version(table: Table) -> str:
    """The specifier of an entry, where `*` and nothing mean any."""
    version = text_at(table, "version")
    if version in {"", "*"}:
        return ""
    return version if version[0] in "<>=!~" else f"=={version}"


def pipfile_markers(table: Table) -> tuple[str, ...]:
    """The markers of an entry; each variable may have a key of its own."""
    keyed = ((variable, text_at(table, variable)) for variable in _VARIABLES)
    stated = (f"{variable} {value}" for variable, value in keyed if value)
    return (text_at(table, "markers"), *stated)


def _section(section: Table, group: str, origin: str) -> Declared:
    stated: list[Wanted | Unreadable] = []
    for name, value in sorted(section.items()):
        table = {"version": value} if isinstance(value, str) else value
        if isinstance(table, Mapping):
            stated.append(
                want_stated(
                    name,
                    pipfile_version(table),
                    extras_of(table),
                    pipfile_markers(table),
                    address_of(table),
                    group,
                    f"{origin} {name}",
                )
            )
        else:
            reason = "neither a version nor a table"
            stated.append(Unreadable(f"{name} = {value!r}", reason, group, origin))
    return sort_out(stated)
