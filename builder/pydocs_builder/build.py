"""Carrying out a plan: what is whole and unchanged is reused, the rest is built.

Targets are built in worker processes, so that one that crashes takes nothing else with it. They
start from one fork server that has loaded the builder already, so the second one is nearly free.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import NamedTuple

from packaging.utils import canonicalize_name

from pydocs_builder.config import BuildConfig
from pydocs_builder.entry import build_target, start_worker
from pydocs_builder.fingerprint import fingerprint, identify
from pydocs_builder.out_folder import open_out_folder
from pydocs_builder.outcomes import BUILT, FAILED, REUSED, Outcome
from pydocs_builder.plan import Plan
from pydocs_builder.targets import Task
from pydocs_bundle.errors import BundleError
from pydocs_bundle.names import file_name
from pydocs_bundle.reader import Bundle

__all__ = ["Report", "build"]

Report = Callable[[Outcome], None]
"""Told of each target as soon as it is done."""

_WORKER = "pydocs_builder.worker"


class _Job(NamedTuple):
    task: Task
    path: Path
    fingerprint: str
    bytes_to_read: int


def build(plan: Plan, config: BuildConfig, report: Report) -> tuple[Outcome, ...]:
    """Build or reuse every bundle of a plan; gives what became of each, the project first.

    The project's bundle says what became of its requirements. It is built along with them as if all
    went well, and once more if not.
    """
    with open_out_folder(config.out):
        project = _job(plan.project, config.out)
        others = [_job(task, config.out) for task in plan.dependencies]
        *dependencies, first = _carry_out([*others, project], config.jobs, report)
        failed = {one.name: one.detail for one in dependencies if one.fate == FAILED}
        if failed:
            known = _job(_with_failures(plan.project, failed), config.out)
            (first,) = _carry_out([known], config.jobs, report)
        return (first, *dependencies)


def _job(task: Task, out: Path) -> _Job:
    known = identify(task)
    target = known.target
    size = sum(_size(Path(target.root, path)) for path in target.files)
    return _Job(known, out / file_name(target.name, target.version), fingerprint(known), size)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _carry_out(jobs: Sequence[_Job], most_workers: int, report: Report) -> list[Outcome]:
    """The outcome of each job, in their order."""
    outcomes: dict[Path, Outcome] = {}
    for job in jobs:
        if (reused := _reuse(job)) is not None:
            outcomes[job.path] = reused
            report(reused)
    # The largest first, so that no worker is left alone with it at the end.
    waiting = sorted(
        (job for job in jobs if job.path not in outcomes), key=lambda job: -job.bytes_to_read
    )
    if waiting:
        workers = min(most_workers or _processors(), len(waiting))
        lost = _work(waiting, workers, outcomes, report)
        # Nobody can tell which of those under way took the pool down: each gets one of its own.
        for job in lost:
            if _work([job], 1, outcomes, report):
                outcomes[job.path] = _crashed(job)
                report(outcomes[job.path])
    return [outcomes[job.path] for job in jobs]


def _reuse(job: _Job) -> Outcome | None:
    """The outcome of a job whose bundle is there, whole, and made of the same."""
    try:
        with Bundle.open(job.path, verify="all") as bundle:
            if bundle.manifest.fingerprint != job.fingerprint:
                return None
            notes = bundle.manifest.notes
    except (BundleError, OSError):
        return None
    target = job.task.target
    size = _size(job.path)
    return Outcome(
        target.kind, target.name, target.version, REUSED, job.path.name, size, notes=notes
    )


def _work(
    jobs: Iterable[_Job], workers: int, outcomes: dict[Path, Outcome], report: Report
) -> list[_Job]:
    """Do the jobs in processes; gives those that were lost because a process died."""
    lost = []
    with _pool(workers) as pool:
        under_way = {
            pool.submit(build_target, job.task, job.path, job.fingerprint): job for job in jobs
        }
        for future in as_completed(under_way):
            job = under_way[future]
            try:
                outcomes[job.path] = future.result()
            except BrokenProcessPool:
                lost.append(job)
            else:
                report(outcomes[job.path])
    return lost


@contextmanager
def _pool(workers: int) -> Iterator[Executor]:
    """Processes to work in; when the build is interrupted they end at once."""
    others = multiprocessing.active_children()
    pool = ProcessPoolExecutor(workers, mp_context=_context(), initializer=start_worker)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            if child not in others:
                child.terminate()
        raise
    finally:
        pool.shutdown()


def _context() -> BaseContext:
    """How to start processes: by a fork server that has loaded the builder, where there is one."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([_WORKER])
    from multiprocessing import forkserver  # noqa: PLC0415 - POSIX only

    if threading.current_thread() is threading.main_thread():
        # A terminal sends its interrupt to every process, and only this one should answer: who
        # starts while interrupts are ignored goes on ignoring them.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            forkserver.ensure_running()
        finally:
            signal.signal(signal.SIGINT, before)
    return context


def _processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _crashed(job: _Job) -> Outcome:
    target = job.task.target
    detail = "the worker process that built it crashed"
    return Outcome(target.kind, target.name, target.version, FAILED, detail=detail)


def _with_failures(task: Task, failed: dict[str, str]) -> Task:
    """The project's task, its requirements telling which of them have no bundle."""
    reasons = {canonicalize_name(name): detail for name, detail in failed.items()}
    return replace(
        task,
        requirements=tuple(
            row._replace(fate=FAILED, detail=reasons[key])
            if row.fate == BUILT and (key := canonicalize_name(row.name)) in reasons
            else row
            for row in task.requirements
        ),
    )
