"""The project as a target: who it is, from what it says statically, and its files."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from packaging.utils import canonicalize_name

from pydocs_builder.config import ProjectConfig
from pydocs_builder.decided.history import History, read_history
from pydocs_builder.found.environment import Environment
from pydocs_builder.found.metadata import Metadata, parse_metadata
from pydocs_builder.planned.layout import module_names, source_roots
from pydocs_builder.planned.selection import is_licence_file, is_taken, storable
from pydocs_builder.planned.tree import Tree
from pydocs_builder.targets import Target
from pydocs_builder.wanted.manifests import Manifests
from pydocs_builder.wanted.pyproject import Table, names, table_at

__all__ = ["Identity", "identify_project", "project_target"]

_VERSION = re.compile(
    r"""^(?:__version__|VERSION|version)\s*(?::\s*[\w.]+\s*)?=\s*['"]([^'"\n]+)['"]""", re.MULTILINE
)
_UNKNOWN_VERSION = "0"


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a project is.

    Args:
        name: its name as stated, else the folder's.
        version: its version as stated, `0` where nothing static says it.
        summary: one line.
        licence: its licence as stated.
        metadata: what it is installed with, or what a build left beside it.
    """

    name: str
    version: str
    summary: str
    licence: str
    metadata: Metadata | None


def identify_project(
    tree: Tree,
    manifests: Manifests,
    config: ProjectConfig,
    environment: Environment,
) -> Identity:
    """Who a project is, by the first that says so.

    The name stands in `[project]`, `[tool.poetry]`, `[tool.pydocs]`, `setup.cfg` or the metadata
    that a build left beside it; else it is the folder's. The version stands in the same places or
    in the file that a dynamic one comes from, else it is that of the installed distribution,
    else `0`.
    """
    table = manifests.pyprojects.get("pyproject.toml", {})
    project, poetry = table_at(table, "project"), table_at(table, "tool", "poetry")
    setup_cfg = manifests.setup_cfgs.get("setup.cfg")
    left = _left_metadata(tree.root)
    name = (
        _text(project, "name")
        or _text(poetry, "name")
        or config.name
        or (setup_cfg.name if setup_cfg else "")
        or (left.name if left else "")
        or tree.root.resolve().name
        or "project"
    )
    known = environment.metadata(canonicalize_name(name)) or left
    stated = setup_cfg.version if setup_cfg else ""
    version = (
        _text(project, "version")
        or _text(poetry, "version")
        or config.version
        or _dynamic_version(tree.root, table)
        or _stated_version(tree.root, stated)
        or (known.version if known else "")
        or _UNKNOWN_VERSION
    )
    return Identity(
        name=name,
        version=version,
        summary=_text(project, "description") or (known.summary if known else ""),
        licence=_licence(project) or (known.licence if known else ""),
        metadata=known,
    )


def project_target(
    tree: Tree, manifests: Manifests, config: ProjectConfig, identity: Identity, kind: str
) -> Target:
    """A project's folder as a target: the project itself, or a dependency in editable mode."""
    is_included = _includer(config.include)
    taken = (
        (file.path, file.size)
        for file in tree.files
        if is_taken(file.path, config) and is_included(file.path)
    )
    paths, notes = storable(taken, config)
    if not paths:
        notes = (*notes, "there are no sources or documents")
    roots = source_roots(paths, manifests)
    history = read_history(tree.root) if kind == "project" else History()
    return Target(
        kind=kind,
        name=identity.name,
        version=identity.version,
        root=str(tree.root),
        files=paths,
        modules=module_names(paths, roots),
        source_roots=roots,
        summary=identity.summary,
        licence=identity.licence,
        licence_files=tuple(path for path in paths if is_licence_file(path)),
        readme=identity.metadata.readme if identity.metadata else "",
        history=history.text,
        notes=(*tree.notes, *notes, *history.notes),
    )


def _includer(include: tuple[str, ...]) -> Callable[[str], bool]:
    """Whether a path is one of those to include; without patterns every one is."""
    if not include:
        return lambda _: True
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - slow, and often not needed

    return GitIgnoreSpec.from_lines(include).match_file


def _text(table: Table, key: str) -> str:
    value = table.get(key)
    return value.strip() if isinstance(value, str) else ""


def _licence(project: Table) -> str:
    """The expression, or the text of the older table if it is short enough to be a name."""
    stated = _text(project, "license") or _text(table_at(project, "license"), "text")
    return "" if "\n" in stated else stated


def _left_metadata(root: Path) -> Metadata | None:
    for path in sorted(root.glob("*.egg-info/PKG-INFO")):
        metadata = parse_metadata(path.read_bytes())
        if metadata.name:
            return metadata
    return None


def _dynamic_version(root: Path, table: Table) -> str:
    """The version in the file that setuptools, hatch or flit would take it from."""
    source = table_at(table, "tool", "setuptools", "dynamic", "version")
    if attribute := _text(source, "attr"):
        return _attribute(root, attribute)
    for file in names(source.get("file")):
        return _read(root, file).strip()
    if path := _text(table_at(table, "tool", "hatch", "version"), "path"):
        return _version_in(_read(root, path))
    if table_at(table, "tool", "flit") or "flit" in str(table_at(table, "build-system")):
        module = _text(table_at(table, "tool", "flit", "module"), "name")
        return _attribute(
            root, f"{module or _text(table_at(table, 'project'), 'name')}.__version__"
        )
    return ""


def _stated_version(root: Path, stated: str) -> str:
    """The version of a `setup.cfg`, where it may point to an attribute or a file."""
    how, colon, where = stated.partition(":")
    if not colon:
        return stated
    return _attribute(root, where.strip()) if how == "attr" else _read(root, where.strip()).strip()


def _attribute(root: Path, dotted: str) -> str:
    module, _, _ = dotted.rpartition(".")
    path = module.replace(".", "/")
    for candidate in (f"{path}.py", f"{path}/__init__.py", f"{path}/_version.py"):
        for prefix in ("", "src/"):
            if version := _version_in(_read(root, prefix + candidate)):
                return version
    return ""


def _version_in(text: str) -> str:
    match = _VERSION.search(text)
    return match[1] if match else ""


def _read(root: Path, path: str) -> str:
    """The text of a file of the project; empty where it is none, or lies elsewhere."""
    if ".." in PurePosixPath(path).parts or PurePosixPath(path).is_absolute():
        return ""
    try:
        return (root / path).read_text("utf-8", "replace")
    except OSError:
        return ""
