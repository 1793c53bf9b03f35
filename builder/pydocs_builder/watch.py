"""Building again whenever the project's files change."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from watchfiles import Change
from watchfiles import watch as watch_files

from pydocs_builder.config import BuildConfig
from pydocs_builder.planned.tree import PRUNED
from pydocs_builder.run import run
from pydocs_builder.summary import Summary
from pydocs_bundle.errors import PydocsError, UsageError

__all__ = ["watch"]

# An editor saves a file in several steps, and a checkout writes many files.
_QUIET_MS: Final = 300
_LOOK_MS: Final = 500


def watch(config: BuildConfig, built: Callable[[Summary], None], *, is_quiet: bool = True) -> None:
    """Builds, and builds again after each change of the project, until interrupted or orphaned.

    A build that cannot be, say of a manifest in the middle of an edit, is told of on stderr, and
    the next change is waited for.

    Args:
        config: what to build; its project is what is watched.
        built: told of each build that came to an end.
        is_quiet: no progress.
    """
    for _ in _moments(config):
        try:
            built(run(config, is_quiet=is_quiet))
        except (PydocsError, OSError) as error:
            sys.stderr.write(f"pydocs-build: {error}\n")
            sys.stderr.flush()


def _moments(config: BuildConfig) -> Iterator[None]:
    """The times to build: now, and after each change."""
    if config.project is None or not config.project.is_dir():
        raise UsageError(f"{config.project}: is no folder that could be watched.")
    root, out, parent = config.project.resolve(), config.out.resolve(), os.getppid()

    def is_wanted(_: Change, path: str) -> bool:
        changed = Path(path)
        return not changed.is_relative_to(out) and PRUNED.isdisjoint(
            changed.relative_to(root).parts if changed.is_relative_to(root) else ()
        )

    is_first = True
    changes = watch_files(
        root,
        watch_filter=is_wanted,
        debounce=_QUIET_MS * 4,
        step=_QUIET_MS,
        rust_timeout=_LOOK_MS,
        # From its first answer on it sees what changes while a build runs.
        yield_on_timeout=True,
    )
    for changed in changes:
        if os.getppid() != parent:
            return
        if is_first or changed:
            is_first = False
            yield
