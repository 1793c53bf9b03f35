"""Telling how far a build is: a bar where somebody watches, lines where somebody reads later."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from pydocs_builder.build import Report
from pydocs_builder.outcomes import Outcome

__all__ = ["show_progress"]


@contextmanager
def show_progress(total: int, *, is_quiet: bool) -> Iterator[Report]:
    """Gives what to tell of each target that is done."""
    if is_quiet:
        yield lambda _: None
    elif sys.stderr.isatty():
        with _bar(total) as report:
            yield report
    else:
        yield _lines(total)


def _lines(total: int) -> Report:
    done = 0

    def report(outcome: Outcome) -> None:
        nonlocal done
        done = min(done + 1, total)
        sys.stderr.write(f"[{done}/{total}] {outcome.name} {outcome.version}: {outcome.fate}\n")
        sys.stderr.flush()

    return report


@contextmanager
def _bar(total: int) -> Iterator[Report]:
    from rich.console import Console  # noqa: PLC0415 - only where there is a terminal
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("building", total=total)

        def report(outcome: Outcome) -> None:
            said = f"{outcome.name} {outcome.version}"
            progress.update(task, advance=1, description=said.replace("[", r"\["))

        yield report
