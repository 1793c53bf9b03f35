"""What a build is told: the command line's words and the project's `[tool.pydocs]`, resolved."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

from pydocs_builder.pyproject import Table, names, table_at
from pydocs_bundle.errors import UsageError

__all__ = ["BuildConfig", "ProjectConfig", "read_project_config"]

_PLACE = "pyproject.toml: [tool.pydocs]"


@dataclass(frozen=True, slots=True)
class ProjectConfig:
    """The `[tool.pydocs]` table of the project's `pyproject.toml`.

    Args:
        name: the project's name, where no `[project]` table gives one.
        version: its version, likewise.
        exclude: patterns, as in a `.gitignore`, of what the build does not look at.
        suffixes: the file name suffixes of sources and documents.
        max_file_bytes: files over this size are left out, and noted.
    """

    name: str = ""
    version: str = ""
    exclude: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = (".ipynb", ".md", ".py", ".pyi", ".rst", ".txt")
    max_file_bytes: int = 2_000_000


@dataclass(frozen=True, slots=True)
class BuildConfig:
    """One run of the build, with everything resolved.

    Args:
        project: the project's folder.
        out: the folder that the bundles go to.
        python: the environment to look into, None for the default one.
        jobs: how many targets are built at once, 0 for as many as help.
        is_direct_only: leave out what only dependencies depend on.
    """

    project: Path
    out: Path
    python: str | None = None
    jobs: int = 0
    is_direct_only: bool = False


def read_project_config(table: Table) -> ProjectConfig:
    """The configuration in a parsed `pyproject.toml`; `UsageError` names what is no option."""
    stated = table_at(table, "tool", "pydocs")
    known = sorted(field.name.replace("_", "-") for field in fields(ProjectConfig))
    for key in stated:
        if key not in known:
            listed = ", ".join(known)
            raise UsageError(f"{_PLACE} has no option {key!r}; it knows {listed}.")
    default = ProjectConfig()
    return ProjectConfig(
        name=_string(stated, "name"),
        version=_string(stated, "version"),
        exclude=_strings(stated, "exclude", default.exclude),
        suffixes=_strings(stated, "suffixes", default.suffixes),
        max_file_bytes=_number(stated, "max-file-bytes", default.max_file_bytes),
    )


def _string(stated: Table, key: str) -> str:
    value = stated.get(key, "")
    if not isinstance(value, str):
        raise UsageError(f"{_PLACE} {key} must be a string.")
    return value


def _strings(stated: Table, key: str, default: tuple[str, ...]) -> tuple[str, ...]:
    if key not in stated:
        return default
    value = stated[key]
    if not isinstance(value, list) or len(names(value)) != len(value):
        raise UsageError(f"{_PLACE} {key} must be a list of strings.")
    return names(value)


def _number(stated: Table, key: str, default: int) -> int:
    value = stated.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise UsageError(f"{_PLACE} {key} must be a number, 0 or more.")
    return value
