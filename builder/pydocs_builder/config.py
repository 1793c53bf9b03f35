"""What a build is told: the command line's words and the project's `[tool.pydocs]`, resolved."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

from pydocs_builder.pyproject import Table, names, table_at
from pydocs_bundle.errors import UsageError

__all__ = ["BuildConfig", "ProjectConfig", "read_project_config"]


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
    options = {field.name.replace("_", "-"): field for field in fields(ProjectConfig)}
    found: dict[str, str | int | tuple[str, ...]] = {}
    for key, value in stated.items():
        field = options.get(key)
        if field is None:
            known = ", ".join(sorted(options))
            raise UsageError(
                f"pyproject.toml: [tool.pydocs] has no option {key!r}; it knows {known}."
            )
        default = field.default
        if isinstance(default, tuple):
            is_right = isinstance(value, list) and len(names(value)) == len(value)
        else:
            is_right = type(value) is type(default)
        if not is_right:
            kind = {str: "a string", int: "a number", tuple: "a list of strings"}[type(default)]
            raise UsageError(f"pyproject.toml: [tool.pydocs] {key} must be {kind}.")
        found[field.name] = names(value) if isinstance(default, tuple) else value
    return ProjectConfig(**found)
