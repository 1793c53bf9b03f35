"""What tables of other tools in a `pyproject.toml` declare: uv, PDM, Hatch, Flit."""

from __future__ import annotations

import re

from packaging.utils import canonicalize_name

from pydocs_builder.wanted.declared import Declared, Unreadable, Wanted, combine, sort_out, want
from pydocs_builder.wanted.pyproject import FileReader, Table, names, table_at

__all__ = ["read_tool_tables"]

_EDITABLE = re.compile(r"^-e\s+|^--editable[\s=]+")


def read_tool_tables(path: str, table: Table, read_files: FileReader) -> Declared:
    """What the tables of tools declare beside the standard ones."""
    tool = table_at(table, "tool")
    return combine(
        [
            _uv(path, table_at(tool, "uv")),
            _pdm(path, table_at(tool, "pdm")),
            _hatch(path, table_at(tool, "hatch"), read_files),
            _flit(path, table_at(tool, "flit", "metadata")),
        ]
    )


def _uv(path: str, uv: Table) -> Declared:
    place = f"{path} [tool.uv]"
    limits = [
        want(text, "", f"{place} {key}")
        for key in ("constraint-dependencies", "override-dependencies")
        for text in names(uv.get(key))
    ]
    parts = [_listed(uv.get("dev-dependencies"), "group dev", f"{place} dev-dependencies")]
    return combine([*parts, _limits(limits)])


def _pdm(path: str, pdm: Table) -> Declared:
    parts = [
        _listed(value, f"group {group}", f"{path} [tool.pdm.dev-dependencies] {group}")
        for group, value in sorted(table_at(pdm, "dev-dependencies").items())
    ]
    overrides = [
        want(
            f"{name}{version if version[:1] in '<>=!~' else f'=={version}'}",
            "",
            f"{path} [tool.pdm.resolution.overrides]",
        )
        for name, version in sorted(table_at(pdm, "resolution", "overrides").items())
        if isinstance(version, str) and "://" not in version
    ]
    return combine([*parts, _limits(overrides)])


def _hatch(path: str, hatch: Table, read_files: FileReader) -> Declared:
    hook = table_at(hatch, "metadata", "hooks", "requirements_txt")
    parts = [read_files(names(hook.get("files")), "")]
    for extra, files in sorted(table_at(hook, "optional-dependencies").items()):
        parts.append(read_files(names(files), f"extra {extra}"))
    for environment in sorted(table_at(hatch, "envs")):
        stated = table_at(hatch, "envs", environment)
        for key in ("dependencies", "extra-dependencies"):
            place = f"{path} [tool.hatch.envs.{environment}] {key}"
            parts.append(_listed(stated.get(key), f"environment {environment}", place))
    return combine(parts)


def _flit(path: str, metadata: Table) -> Declared:
    """The table that came before `[project]`."""
    place = f"{path} [tool.flit.metadata]"
    name = metadata.get("dist-name", metadata.get("module"))
    parts = [_listed(metadata.get("requires"), "", f"{place} requires")]
    for extra, value in sorted(table_at(metadata, "requires-extra").items()):
        parts.append(_listed(value, f"extra {extra}", f"{place} requires-extra {extra}"))
    provided = (canonicalize_name(name),) if isinstance(name, str) else ()
    return combine([*parts, Declared(provided=provided)])


def _listed(value: object, group: str, origin: str) -> Declared:
    """The requirements of a list; tools may write `-e` in front of one."""
    if value is None:
        return Declared()
    if not isinstance(value, list):
        return Declared(unreadable=(Unreadable(repr(value), "not a list", group, origin),))
    return sort_out(
        want(_EDITABLE.sub("", one), group, origin)
        if isinstance(one, str)
        else Unreadable(repr(one), "not a string", group, origin)
        for one in value
    )


def _limits(stated: list[Wanted | Unreadable]) -> Declared:
    sorted_out = sort_out(stated)
    return Declared(
        limits=sorted_out.wanted,
        notes=tuple(
            f"{one.origin}: {one.text!r} is no constraint: {one.reason}"
            for one in sorted_out.unreadable
        ),
    )
