"""Where a worker process begins: light to import for whoever only submits the work."""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import connection, parent_process
from pathlib import Path

from pydocs_builder.checked.reports import NO_REPORT, ReportPlace
from pydocs_builder.outcomes import LateError, Outcome
from pydocs_builder.targets import Task
from pydocs_builder.text_counts import TextCounts, share_counts

__all__ = ["build_target", "late", "start_worker"]

_GRACE_SECONDS = 10


def start_worker(counts: TextCounts | None = None) -> None:
    """Make this process end when the build that started it is killed, and collect less garbage.

    Records of strings and numbers have no cycles; looking for some takes a tenth of a build.

    Args:
        counts: where `note_texts` adds to.
    """
    # A terminal sends its interrupt to every process, and only the one that started should answer.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    share_counts(counts)
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
