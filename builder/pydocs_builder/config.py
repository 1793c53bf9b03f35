"""What a build is told: the command line's words and the project's `[tool.pydocs]`, resolved."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

from pydocs_builder.planned.docs_config import DocsConfig, read_docs_config
from pydocs_builder.wanted.pyproject import Table, names, table_at
from pydocs_bundle.errors import UsageError

__all__ = ["BuildConfig", "ProjectConfig", "read_project_config", "read_settings"]


@dataclass(frozen=True, slots=True)
class ProjectConfig:
    """The `[tool.pydocs]` table of the project's `pyproject.toml`.

    Args:
        name: the project's name, where no `[project]` table gives one.
        version: its version, likewise.
        include: patterns, as in a `.gitignore`; if there are any, only what they name counts.
        exclude: patterns, likewise, of what the build does not look at.
        suffixes: the file name suffixes of sources and documents.
        max_file_bytes: files over this size are left out, and noted.
        time_limit: how many seconds one target may take.
        docs: the documentation collections, sorted by id.
    """

    name: str = ""
    version: str = ""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = (".ipynb", ".md", ".py", ".pyi", ".rst", ".txt")
    max_file_bytes: int = 2_000_000
    time_limit: int = 900
    docs: tuple[DocsConfig, ...] = ()


@dataclass(frozen=True, slots=True)
class BuildConfig:
    """One run of the build, with everything resolved.

    Args:
        project: the project's folder, None for single packages and the standard library alone.
        out: the folder that the bundles go to.
        python: the environment to look into, None for the default one.
        jobs: how many targets are built at once, 0 for as many as help.
        is_direct_only: leave out what only dependencies depend on.
        packages: single distributions, `NAME==VERSION` or `NAME`.
        is_stdlib: build the standard library of the environment's interpreter.
        is_fetching: get what is not installed.
        is_inspecting: import compiled modules without stubs for their names.
        is_exact: ask the type checker for exact edges.
        platforms: what pip is to fetch for, none for this platform.
        python_version: likewise, empty for the environment's version.
        is_forced: build what is there and unchanged, too.
        is_project_skipped: build the dependencies alone.
        encoder: what makes vectors: the default encoder's name, an encoder's bundle, or a model of
            sentence-transformers; empty for bundles without vectors.
        cache: the folder of what earlier builds have embedded, None for the user's caches.
        command: the command line, for what is said about it.
        settings_file: where `[tool.pydocs]` stands, None for the project's `pyproject.toml`.
    """

    project: Path | None
    out: Path
    python: str | None = None
    jobs: int = 0
    is_direct_only: bool = False
    packages: tuple[str, ...] = ()
    is_stdlib: bool = False
    is_fetching: bool = False
    is_inspecting: bool = False
    is_exact: bool = True
    platforms: tuple[str, ...] = ()
    python_version: str = ""
    settings_file: Path | None = None
    is_forced: bool = False
    is_project_skipped: bool = False
    encoder: str = ""
    cache: Path | None = None
    command: str = "pydocs-build"


def read_settings(config: BuildConfig) -> ProjectConfig:
    """The project's configuration; a manifest that cannot be parsed is reported with the others."""
    if config.settings_file is not None:
        try:
            table = tomllib.loads(config.settings_file.read_text("utf-8-sig"))
        except ValueError as error:
            raise UsageError(f"{config.settings_file}: cannot be read ({error}).") from error
        if not table_at(table, "tool", "pydocs"):
            raise UsageError(f"{config.settings_file}: has no table [tool.pydocs].")
        return read_project_config(table, config.settings_file.name)
    if config.project is None:
        return ProjectConfig()
    try:
        table = tomllib.loads((config.project / "pyproject.toml").read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return ProjectConfig()
    return read_project_config(table)


def read_project_config(table: Table, file: str = "pyproject.toml") -> ProjectConfig:
    """The configuration in a parsed file; `UsageError` names what is no option."""
    stated = table_at(table, "tool", "pydocs")
    place = f"{file}: [tool.pydocs]"
    known = sorted(field.name.replace("_", "-") for field in fields(ProjectConfig))
    for key in stated:
        if key not in known:
            listed = ", ".join(known)
            raise UsageError(f"{place} has no option {key!r}; it knows {listed}.")
    default = ProjectConfig()
    max_file_bytes = _number(stated, "max-file-bytes", default.max_file_bytes, place)
    return ProjectConfig(
        name=_string(stated, "name", place),
        version=_string(stated, "version", place),
        include=_strings(stated, "include", default.include, place),
        exclude=_strings(stated, "exclude", default.exclude, place),
        suffixes=_strings(stated, "suffixes", default.suffixes, place),
        max_file_bytes=max_file_bytes,
        time_limit=_number(stated, "time-limit", default.time_limit, place),
        docs=read_docs_config(stated.get("docs", {}), place, max_file_bytes),
    )


def _string(stated: Table, key: str, place: str) -> str:
    value = stated.get(key, "")
    if not isinstance(value, str):
        raise UsageError(f"{place} {key} must be a string.")
    return value


def _strings(stated: Table, key: str, default: tuple[str, ...], place: str) -> tuple[str, ...]:
    if key not in stated:
        return default
    value = stated[key]
    if not isinstance(value, list) or len(names(value)) != len(value):
        raise UsageError(f"{place} {key} must be a list of strings.")
    return names(value)


def _number(stated: Table, key: str, default: int, place: str) -> int:
    value = stated.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise UsageError(f"{place} {key} must be a number, 0 or more.")
    return value
