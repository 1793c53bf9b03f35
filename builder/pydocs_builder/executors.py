"""Where work is done: in worker processes of this machine, or, where there can be none, right here.

Worker processes are forks of a process that has loaded the builder already, so they cost next to
nothing. One that crashes takes nothing else with it.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from multiprocessing.context import BaseContext
from typing import ParamSpec, TypeVar, cast

from pydocs_builder.entry import start_worker
from pydocs_builder.text_counts import TextCounts

__all__ = ["open_executor", "usable_processors"]

_WORKER = "pydocs_builder.worker"
_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


@contextmanager
def open_executor(workers: int) -> Iterator[tuple[Executor, TextCounts | None]]:
    """Gives processes to work in, and what they count; when interrupted they end at once."""
    others = multiprocessing.active_children()
    try:
        context = _context()
        counts = cast("TextCounts", context.Array("q", 2))
        pool = ProcessPoolExecutor(
            workers, mp_context=context, initializer=start_worker, initargs=(counts,)
        )
    except (ImportError, OSError) as error:
        # No semaphores, or no folder for a socket: rare, and no reason to build nothing.
        sys.stderr.write(f"pydocs-build: no worker processes ({error}); building in this one.\n")
        yield _Here(), None
        return
    try:
        yield pool, counts
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            if child not in others:
                child.terminate()
        raise
    finally:
        pool.shutdown()


def usable_processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Here(Executor):
    """Does the work when it is submitted."""

    def submit(
        self, fn: Callable[_Given, _Result], /, *args: _Given.args, **kwargs: _Given.kwargs
    ) -> Future[_Result]:
        future: Future[_Result] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - as any executor, it hands errors over
            future.set_exception(error)
        return future


def _context() -> BaseContext:
    """How to start processes: as forks of this one, or else of a server that loads the builder.

    Only on Linux, and only while there is no other thread that could hold a lock, is it safe to
    fork this process itself; it saves loading everything once more.
    """
    if sys.platform == "linux" and threading.active_count() == 1:
        import_module(_WORKER)
        return multiprocessing.get_context("fork")
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    from multiprocessing import forkserver  # noqa: PLC0415 - POSIX only

    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([_WORKER])
    if threading.current_thread() is threading.main_thread():
        # A terminal sends its interrupt to every process, and only this one should answer: who
        # starts while interrupts are ignored goes on ignoring them.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            forkserver.ensure_running()
        finally:
            signal.signal(signal.SIGINT, before)
    return context
