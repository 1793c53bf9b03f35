"""An installed distribution as a target: its files, names and licence, without importing it."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

from pydocs_builder.config import ProjectConfig
from pydocs_builder.found.inspection import compiled_modules
from pydocs_builder.found.installed import Distribution, project_folder
from pydocs_builder.found.installed_files import list_installed_files
from pydocs_builder.found.metadata import Metadata
from pydocs_builder.planned.project import Identity, project_target
from pydocs_builder.planned.selection import is_licence_file, is_taken, storable
from pydocs_builder.planned.tree import read_tree
from pydocs_builder.targets import Target
from pydocs_builder.wanted.manifests import is_manifest, read_manifests
from pydocs_bundle.errors import PydocsError

__all__ = ["NoSourcesError", "dependency_target"]


class NoSourcesError(PydocsError):
    """A distribution is installed, but there is nothing to make a bundle of."""


def dependency_target(
    distribution: Distribution, metadata: Metadata, config: ProjectConfig
) -> Target:
    """The target of an installed distribution; `NoSourcesError` says why there is none.

    One in editable mode has its sources in its project's folder, and nothing of what its installer
    put into the environment to find them counts.
    """
    folder = project_folder(distribution)
    if folder is not None:
        return _folder_target(Path(folder), distribution, metadata, config)
    installed = list_installed_files(distribution)
    if not installed.paths:
        raise NoSourcesError(
            "no record of its files, and no module of its name beside its metadata"
        )
    present, notes = _present(distribution, installed.paths, config)
    paths, left_out = storable(present, config)
    if not paths and notes:
        raise NoSourcesError("its files are no longer there; install it again")
    return Target(
        kind="dependency",
        name=metadata.name,
        version=metadata.version,
        root=distribution.folder,
        files=paths,
        modules=installed.modules,
        summary=metadata.summary,
        licence=metadata.licence,
        licence_files=tuple(path for path in paths if is_licence_file(path)),
        readme=metadata.readme,
        source=distribution.source,
        compiled=compiled_modules(installed.paths),
        notes=(*((installed.note,) if installed.note else ()), *notes, *left_out),
    )


def _folder_target(
    folder: Path, distribution: Distribution, metadata: Metadata, config: ProjectConfig
) -> Target:
    where = f"installed in editable mode from a folder {folder.name}"
    if not folder.is_dir():
        raise NoSourcesError(f"{where} that is not there")
    settings = ProjectConfig(suffixes=config.suffixes, max_file_bytes=config.max_file_bytes)
    tree = read_tree(folder, (), lambda path: is_taken(path, settings) or is_manifest(path))
    identity = Identity(
        metadata.name, metadata.version, metadata.summary, metadata.licence, metadata
    )
    target = project_target(tree, read_manifests(tree), settings, identity, "dependency")
    if not target.files:
        raise NoSourcesError(f"{where} that holds no sources")
    return replace(target, source=distribution.source)


def _present(
    distribution: Distribution, paths: tuple[str, ...], config: ProjectConfig
) -> tuple[list[tuple[str, int]], list[str]]:
    """The files to take, with their sizes, and notes on those that are recorded but not there."""
    inside = f"{distribution.metadata}/"
    present: list[tuple[str, int]] = []
    missing = 0
    for path in paths:
        # Of the metadata folder only the licences are for readers.
        is_wanted = is_licence_file(path) if path.startswith(inside) else is_taken(path, config)
        if not is_wanted:
            continue
        try:
            status = Path(distribution.folder, path).stat()
        except (OSError, ValueError):
            missing += 1
            continue
        if stat.S_ISREG(status.st_mode):
            present.append((path, status.st_size))
    notes = [f"{missing} recorded files are not there"] if missing else []
    return present, notes
