"""Where the bundles of a live project lie, and which of them belong to it now.

A project has a folder of its own in the user's caches. A build may leave bundles of former
versions there; the listing beside them says which count.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from pydocs_bundle.caches import user_caches
from pydocs_bundle.errors import UsageError

__all__ = ["Project", "listed", "projects", "write_listing"]

_LISTING: Final = "listing.json"
_UNFIT: Final = re.compile(r"[^A-Za-z0-9._-]+")


class Project(NamedTuple):
    """A project's own folder, and the one where its bundles are kept."""

    root: Path
    folder: Path

    @property
    def listing(self) -> Path:
        """The file that says which bundles there count."""
        return self.folder / _LISTING


def projects(paths: Iterable[str]) -> list[Project]:
    """The projects in some folders, each once.

    Raises:
        UsageError: one is no folder.
    """
    found: dict[Path, Project] = {}
    for written in paths:
        root = Path(written).expanduser()
        if not root.is_dir():
            raise UsageError(
                f"{written}: is no folder of a project; bundles are named with --bundle."
            )
        root = root.resolve()
        name = _UNFIT.sub("-", root.name) or "project"
        digest = sha256(os.fsencode(root)).hexdigest()[:12]
        found[root] = Project(root, user_caches() / "projects" / f"{name[:40]}-{digest}")
    return list(found.values())


def write_listing(project: Project, files: Sequence[str]) -> None:
    """Says which bundles count from now on, in one step, and takes the others away."""
    text = json.dumps({"project": str(project.root), "bundles": sorted(files)}, indent=1)
    partial = project.listing.with_suffix(f".{os.getpid()}.partial")
    partial.write_text(text, encoding="utf-8")
    partial.replace(project.listing)
    for path in project.folder.glob("*.pdx"):
        if path.name not in files:
            # Whoever has it mapped keeps it.
            path.unlink(missing_ok=True)


def listed(project: Project) -> list[Path]:
    """The bundles that count, empty where none was built yet."""
    try:
        stated = json.loads(project.listing.read_text("utf-8"))
        names = [name for name in stated["bundles"] if isinstance(name, str)]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    # A name is a file of this folder and nothing else.
    return [project.folder / name for name in names if name == Path(name).name]
