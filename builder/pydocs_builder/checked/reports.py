"""The reports on many targets: one run over all of them, and over fewer where that fails.

A run spends most of its time on what targets have in common, the stubs of the standard library and
one another, so one run for all takes a third of what one for each does. What it says of a target is
the same: each is seen with its own requirements alone.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from pydocs_builder.checked.checker import Checker, CheckError, Limits, run_checker
from pydocs_builder.checked.view import make_views
from pydocs_builder.extracted.modules import is_source, is_stub
from pydocs_builder.targets import Target, Viewed

__all__ = ["NO_REPORT", "ReportPlace", "open_reports"]

# More at once would take memory in proportion: a run needs some 35 times the size of the sources.
_MOST_BYTES: Final = 48 << 20


class ReportPlace(NamedTuple):
    """Where the report on a target is: the folder of its run, and the number of its view there.

    `problem` is a clause that says why there is none.
    """

    folder: str = ""
    view: int = -1
    problem: str = ""


NO_REPORT: Final = ReportPlace()
"""For a target that nobody asked the type checker about."""


@contextmanager
def open_reports(
    targets: Sequence[tuple[Target, int]],
    views: Sequence[Viewed],
    checker: Checker | None,
    limits: Limits,
    scratch: Path | None,
) -> Iterator[dict[str, ReportPlace]]:
    """The reports on some targets, by the keys of their views, for as long as they are needed.

    Args:
        targets: the targets, each with the size of its files in bytes.
        views: what is seen of them and of what they depend on.
        checker: the type checker, None if there is none.
        limits: what one run may use.
        scratch: where the reports are written, None for the system's folder.
    """
    asked = [
        (target, size)
        for target, size in targets
        if target.checking is not None
        and any(is_source(path) and not is_stub(path) for path in target.files)
    ]
    if checker is None:
        problem = "no exact edges, as pyrefly is not installed"
        yield {_key(target): ReportPlace(problem=problem) for target, _ in asked}
        return
    if not asked:
        yield {}
        return
    known = {view.key: view for view in views}
    with ExitStack() as stack:
        name = tempfile.TemporaryDirectory(
            prefix="checked-", dir=scratch, ignore_cleanup_errors=True
        )
        folder = Path(stack.enter_context(name)).resolve()
        found: dict[str, ReportPlace] = {}
        for batch in _batches(asked):
            found |= _check(batch, known, checker, limits, folder)
        yield found


def _batches(asked: Sequence[tuple[Target, int]]) -> Iterator[list[Target]]:
    batch: list[Target] = []
    size = 0
    for target, bytes_ in asked:
        if batch and size + bytes_ > _MOST_BYTES:
            yield batch
            batch, size = [], 0
        batch.append(target)
        size += bytes_
    yield batch


def _check(
    batch: Sequence[Target],
    views: dict[str, Viewed],
    checker: Checker,
    limits: Limits,
    folder: Path,
) -> dict[str, ReportPlace]:
    """The reports on a batch; where its run fails, those on each half."""
    place = Path(tempfile.mkdtemp(dir=folder))
    keys = list(map(_key, batch))
    needed = {key for own in keys for key in (own, *views[own].sees)}
    seen = [views[key] for key in sorted(needed) if key in views]
    files = {
        _key(target): [path for path in target.files if path.endswith(".py")] for target in batch
    }
    try:
        make_views(place, seen, files)
        projects = [place / str(number) for number in range(len(seen))]
        run_checker(checker.executable, place, projects, batch[0].python, limits)
    except (CheckError, OSError) as error:
        if len(batch) > 1:
            middle = len(batch) // 2
            first = _check(batch[:middle], views, checker, limits, folder)
            return first | _check(batch[middle:], views, checker, limits, folder)
        said = str(error) if isinstance(error, CheckError) else error.strerror or "no reason given"
        return {keys[0]: ReportPlace(problem=f"no exact edges ({said})")}
    numbers = {view.key: number for number, view in enumerate(seen)}
    return {key: ReportPlace(str(place), numbers[key]) for key in keys}


def _key(target: Target) -> str:
    return target.checking.key if target.checking is not None else ""
