"""Where a worker process begins: light to import for whoever only submits the work."""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from multiprocessing import connection, parent_process
from pathlib import Path
from typing import Protocol

from pydocs_builder.checked.reports import NO_REPORT, ReportPlace
from pydocs_builder.outcomes import Outcome
from pydocs_builder.targets import Task

__all__ = ["LateError", "TextCounts", "build_target", "late", "note_texts", "start_worker"]

_GRACE_SECONDS = 10


class LateError(Exception):
    """A target took longer than it may."""


class TextCounts(Protocol):
    """How many texts are to be embedded and how many are, shared by all workers of a build."""

    def __getitem__(self, index: int) -> int: ...
    def __setitem__(self, index: int, count: int) -> None: ...
    def get_lock(self) -> AbstractContextManager[object]:
        """What to hold while they are changed."""


_counts: list[TextCounts] = []


def note_texts(wanted: int, done: int) -> None:
    """Adds to what all workers have to embed, and to what they have embedded."""
    for counts in _counts:
        with counts.get_lock():
            counts[0] += wanted
            counts[1] += done


def start_worker(counts: TextCounts | None = None) -> None:
    """Make this process end when the build that started it is killed, and collect less garbage.

    Records of strings and numbers have no cycles; looking for some takes a tenth of a build.

    Args:
        counts: where `note_texts` adds to.
    """
    # A terminal sends its interrupt to every process, and only the one that started should answer.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _counts[:] = [] if counts is None else [counts]
    gc.freeze()
    gc.disable()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def build_target(
    task: Task,
    path: Path,
    fingerprint: str,
    time_limit: int = 0,
    report: ReportPlace = NO_REPORT,
) -> Outcome:
    """Build the bundle of one target; a failure is an outcome, not an exception.

    Args:
        task: the target and its requirements.
        path: where the bundle goes.
        fingerprint: what it is made of.
        time_limit: how many seconds that may take, 0 for any.
        report: what the type checker says of the target.
    """
    from pydocs_builder.worker import build_bundle  # noqa: PLC0415 - SQLite is for workers only

    with _limited(time_limit):
        outcome = build_bundle(task, path, fingerprint, report)
    gc.collect()
    return outcome


def late(time_limit: int) -> str:
    """What is said of a target that took too long."""
    return f"it took longer than {time_limit} seconds (time-limit in [tool.pydocs])"


@contextmanager
def _limited(seconds: int) -> Iterator[None]:
    """Raises when the time is up; native code that does not return ends with its process."""
    is_worker = parent_process() is not None
    if not seconds or not is_worker or threading.current_thread() is not threading.main_thread():
        yield
        return
    last = threading.Timer(seconds + _GRACE_SECONDS, os._exit, (1,))
    last.daemon = True
    last.start()
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, lambda *_: _stop(seconds))
        signal.alarm(seconds)
    try:
        yield
    finally:
        last.cancel()
        if hasattr(signal, "SIGALRM"):
            signal.alarm(0)


def _stop(seconds: int) -> None:
    raise LateError(late(seconds))


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
