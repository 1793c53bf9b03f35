"""Whether a live project's files are still those that its bundle was made of."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Final

from pydocs_bundle import Bundle
from pydocs_bundle.encodings import encoded
from pydocs_server.live.projects import Project
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.rendered.render import counted, visible

__all__ = ["Freshness"]

_LOOK_S: Final = 2.0

_Stamp = tuple[int, int]


class Freshness:
    """What has changed since the bundles were made; it looks at most every two seconds.

    A file counts as changed when its bytes differ, not when it was merely touched. New modules
    count where a folder already holds some.

    Args:
        projects: the live projects.
    """

    def __init__(self, projects: list[Project]) -> None:
        self._projects = {str(project.folder): project for project in projects}
        self._looked_at: tuple[str, ...] = ()
        self._when = 0.0
        self._said = ""
        self._same: dict[tuple[str, str], _Stamp] = {}

    def notice(self, catalog: Catalog) -> str:
        """A sentence that names what differs, empty where nothing does."""
        live = [
            (project.root, bundle)
            for bundle in catalog.bundles
            if bundle.manifest.kind == "project"
            and (project := self._projects.get(str(bundle.path.parent))) is not None
        ]
        looked_at = tuple(bundle.content_id for _, bundle in live)
        if looked_at != self._looked_at or time.monotonic() - self._when >= _LOOK_S:
            changed = [path for root, bundle in live for path in self._changed(root, bundle)]
            self._said = _sentence(changed)
            self._looked_at, self._when = looked_at, time.monotonic()
        return self._said

    def _changed(self, root: Path, bundle: Bundle) -> list[str]:
        changed = []
        known = set(bundle.text.paths)
        for number, path in enumerate(bundle.text.paths):
            key = bundle.content_id, path
            try:
                state = (root / path).stat()
            except OSError:
                changed.append(path)
                continue
            stamp = state.st_size, state.st_mtime_ns
            if self._same.get(key) != stamp:
                if not _is_same(root / path, bundle, number):
                    changed.append(path)
                    continue
                self._same[key] = stamp
        folders = sorted({os.path.dirname(path) for path in known if path.endswith(".py")})  # noqa: PTH120
        for folder in folders:
            prefix = f"{folder}/" if folder else ""
            changed += [
                f"{prefix}{name}"
                for name in _modules(root / folder)
                if f"{prefix}{name}" not in known
            ]
        return changed


def _is_same(path: Path, bundle: Bundle, number: int) -> bool:
    text = bundle.text
    if text.is_lossy(number):
        return True  # its bytes are not in the bundle
    try:
        there = path.read_bytes()
    except OSError:
        return False
    return there == encoded(text.read(number), text.encoding(number))


def _modules(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(
                entry.name
                for entry in entries
                if entry.name.endswith(".py") and entry.is_file(follow_symlinks=False)
            )
    except OSError:
        return []


def _sentence(changed: list[str]) -> str:
    if not changed:
        return ""
    first = visible(changed[0])
    what = first if len(changed) == 1 else f"{first} and {counted(len(changed) - 1, 'more file')}"
    return (
        f"Note: {what} changed since this was indexed; what is said here is of the former state"
        " until `pydocs-mcp index` has run."
    )
