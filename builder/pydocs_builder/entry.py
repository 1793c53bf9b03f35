"""Where a worker process begins: light to import for whoever only submits the work."""

from __future__ import annotations

import gc
import os
import threading
from multiprocessing import connection, parent_process
from pathlib import Path

from pydocs_builder.outcomes import Outcome
from pydocs_builder.targets import Task

__all__ = ["build_target", "start_worker"]


def start_worker() -> None:
    """Make this process end when the build that started it is killed, and collect less garbage.

    Records of strings and numbers have no cycles; looking for some takes a tenth of a build.
    """
    gc.freeze()
    gc.disable()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def build_target(task: Task, path: Path, fingerprint: str) -> Outcome:
    """Build the bundle of one target; a failure is an outcome, not an exception."""
    from pydocs_builder.worker import build_bundle  # noqa: PLC0415 - SQLite is for workers only

    outcome = build_bundle(task, path, fingerprint)
    gc.collect()
    return outcome


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
