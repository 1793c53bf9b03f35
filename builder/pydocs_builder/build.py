"""Carrying out a plan: what is whole and unchanged is reused, the rest is built."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple

from packaging.utils import canonicalize_name

from pydocs_builder.checked.checker import Limits
from pydocs_builder.checked.reports import NO_REPORT, ReportPlace, open_reports
from pydocs_builder.config import BuildConfig
from pydocs_builder.entry import build_target, late
from pydocs_builder.executors import open_executor, usable_processors
from pydocs_builder.out_folder import open_out_folder
from pydocs_builder.outcomes import BUILT, FAILED, REUSED, Outcome
from pydocs_builder.planned.fingerprint import fingerprint, identify
from pydocs_builder.planned.plan import Plan
from pydocs_builder.targets import Target, Task
from pydocs_bundle.errors import BundleError
from pydocs_bundle.names import file_name
from pydocs_bundle.reader import Bundle

__all__ = ["Report", "build"]


class Report(NamedTuple):
    """Who is told how far a build is: of each target that is done, and of texts to be embedded.

    `texts` is told how many there are so far, and how many of them are done.
    """

    target: Callable[[Outcome], None] = lambda _: None
    texts: Callable[[int, int], None] = lambda _wanted, _done: None


_TELL_SECONDS: Final = 0.5


class _Job(NamedTuple):
    task: Task
    path: Path
    fingerprint: str
    bytes_to_read: int


class _How(NamedTuple):
    most_workers: int
    plan: Plan
    report: Report
    is_anew: bool


def build(plan: Plan, config: BuildConfig, report: Report) -> tuple[Outcome, ...]:
    """Build or reuse every bundle of a plan; gives what became of each, the project first.

    The project's bundle says what became of its requirements. It is built along with them as if all
    went well, and once more if not.
    """
    with open_out_folder(config.out):
        how = _How(config.jobs, plan, report, config.is_forced)
        others = [_job(task, config.out) for task in (*plan.dependencies, *plan.collections)]
        if plan.project is None or config.is_project_skipped:
            return (*_carry_out(others, how), *plan.unread)
        *built, first = _carry_out([*others, _job(plan.project, config.out)], how)
        dependencies = built[: len(plan.dependencies)]
        failed = {one.name: one.detail for one in dependencies if one.fate == FAILED}
        if failed:
            known = _job(_with_failures(plan.project, failed), config.out)
            (first,) = _carry_out([known], how)
        return (first, *built, *plan.unread)


def _job(task: Task, out: Path) -> _Job:
    known = identify(task)
    target = known.target
    size = sum(_size(Path(target.root, path)) for path in target.files)
    # A collection takes the place of its last revision; of a distribution several can be there.
    version = target.version if target.collection is None else target.kind
    return _Job(known, out / file_name(target.name, version), fingerprint(known), size)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _carry_out(jobs: Sequence[_Job], how: _How) -> list[Outcome]:
    """The outcome of each job, in their order."""
    outcomes: dict[Path, Outcome] = {}
    for job in jobs:
        if not how.is_anew and (reused := _reuse(job)) is not None:
            outcomes[job.path] = reused
            how.report.target(reused)
    # The largest first, so that no worker is left alone with it at the end.
    waiting = sorted(
        (job for job in jobs if job.path not in outcomes), key=lambda job: -job.bytes_to_read
    )
    if waiting:
        workers = min(how.most_workers or usable_processors(), len(waiting))
        plan, threads = how.plan, how.most_workers or usable_processors()
        targets = [(job.task.target, job.bytes_to_read) for job in waiting]
        limits = Limits(threads, plan.time_limit)
        with open_reports(targets, plan.views, plan.checker, limits, plan.scratch) as reports:
            lost = _work(waiting, workers, outcomes, how, reports)
            # Nobody can tell which of those under way took the pool down: each gets one of its own.
            for job in lost:
                began = monotonic()
                if _work([job], 1, outcomes, how, reports):
                    is_late = 0 < plan.time_limit <= monotonic() - began
                    outcomes[job.path] = _crashed(job, plan.time_limit if is_late else 0)
                    how.report.target(outcomes[job.path])
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
    jobs: Iterable[_Job],
    workers: int,
    outcomes: dict[Path, Outcome],
    how: _How,
    reports: Mapping[str, ReportPlace],
) -> list[_Job]:
    """Do the jobs in processes; gives those that were lost because a process died."""
    lost = []
    under_way: dict[Future[Outcome], _Job] = {}
    with open_executor(workers) as (pool, counts):
        for job in jobs:
            report = _report_on(job.task.target, reports)
            what = (job.task, job.path, job.fingerprint, how.plan.time_limit, report)
            try:
                under_way[pool.submit(build_target, *what)] = job
            except BrokenProcessPool:
                # A worker may die before the last job is handed out.
                lost.append(job)
        waiting = set(under_way)
        while waiting:
            done, waiting = wait(waiting, _TELL_SECONDS, FIRST_COMPLETED)
            for future in done:
                job = under_way[future]
                try:
                    outcomes[job.path] = future.result()
                except BrokenProcessPool:
                    lost.append(job)
                else:
                    how.report.target(outcomes[job.path])
            if counts is not None and counts[0]:
                how.report.texts(counts[0], counts[1])
    return lost


def _report_on(target: Target, reports: Mapping[str, ReportPlace]) -> ReportPlace:
    checking = target.checking
    return reports.get(checking.key, NO_REPORT) if checking is not None else NO_REPORT


def _crashed(job: _Job, time_limit: int) -> Outcome:
    target = job.task.target
    detail = late(time_limit) if time_limit else "the worker process that built it crashed"
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
