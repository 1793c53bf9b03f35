"""Keeping a shelf up with the listings of live projects, in threads beside the calls."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Sequence
from typing import Final

from pydocs_bundle.errors import PydocsError
from pydocs_server.live.building import build, builds
from pydocs_server.live.freshness import Freshness
from pydocs_server.live.projects import Project, listed
from pydocs_server.mounted.loading import load, load_beside
from pydocs_server.mounted.mount import mount
from pydocs_server.mounted.shelf import Shelf

__all__ = ["followed", "keep_built"]

_LOOK_S: Final = 0.3

_State = tuple[int, int] | None


def followed(projects: list[Project], patterns: Sequence[str] = ()) -> Shelf:
    """A shelf that holds the listed bundles of some projects, and those of some patterns.

    A thread exchanges its catalog whenever a listing has changed.
    """
    shelf = Shelf(notice=Freshness(projects).notice)

    def follow() -> None:
        seen: list[_State] = []
        while True:
            now = [_state(project) for project in projects]
            if now != seen and all(now):
                seen = now
                _exchange(shelf, projects, patterns)
            time.sleep(_LOOK_S)

    threading.Thread(target=follow, daemon=True).start()
    return shelf


def keep_built(projects: Sequence[Project], options: Sequence[str], *, is_watching: bool) -> None:
    """Has each project built in a thread of its own, once or after every change."""

    def keep(project: Project) -> None:
        try:
            if is_watching:
                for _ in builds(project, options):
                    pass
            else:
                build(project, options)
        except (PydocsError, OSError) as error:
            _say(str(error))

    for project in projects:
        threading.Thread(target=keep, args=(project,), daemon=True).start()


def _exchange(shelf: Shelf, projects: Sequence[Project], patterns: Sequence[str]) -> None:
    # Two projects may pin one version and see different neighbours of it: one copy serves both.
    paths: dict[str, str] = {}
    for path in (path for project in projects for path in listed(project)):
        paths.setdefault(path.name, str(path))
    try:
        catalog = mount([*paths.values(), *patterns])
    except PydocsError as error:
        _say(str(error))
        return
    for warning in catalog.warnings:
        _say(warning)
    if shelf.catalog is None:
        # The first calls wait for a catalog already.
        shelf.put(catalog)
        load_beside(shelf, _say)
        return
    for problem in load(catalog):
        _say(problem)
    shelf.put(catalog)


def _state(project: Project) -> _State:
    try:
        state = project.listing.stat()
    except OSError:
        return None
    return state.st_ino, state.st_mtime_ns


def _say(sentence: str) -> None:
    print(f"pydocs-mcp: {sentence}", file=sys.stderr, flush=True)  # noqa: T201
