"""Telling how far a build is: a bar where somebody watches, lines where somebody reads later."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

from pydocs_builder.build import Report
from pydocs_builder.outcomes import Outcome

__all__ = ["pace", "show_progress"]

_LINE_SECONDS: Final = 5.0
_PACED_SECONDS: Final = 1.0
_MINUTE: Final = 60


@contextmanager
def show_progress(total: int, *, is_quiet: bool) -> Iterator[Report]:
    """Gives whom to tell of each target that is done, and of texts that are embedded."""
    if is_quiet:
        yield Report()
    elif sys.stderr.isatty():
        with _bar(total) as report:
            yield report
    else:
        yield _lines(total)


def pace(wanted: int, done: int, seconds: float) -> str:
    """How many texts are embedded, how fast, and how long the known rest takes."""
    said = f"{done:,} of {wanted:,} texts embedded"
    if not done or seconds < _PACED_SECONDS:
        return said
    rate = done / seconds
    left = round((wanted - done) / rate)
    shown = f"{left} s" if left < 2 * _MINUTE else f"{round(left / _MINUTE)} min"
    return f"{said}, {rate:.0f} a second, {shown} left"


class _Clock:
    """The time since texts were first told of, and since something was last said of them."""

    def __init__(self) -> None:
        self._began = self._said = 0.0

    def seconds(self) -> float:
        """How long texts have been under way."""
        self._began = self._began or monotonic()
        return monotonic() - self._began

    def is_time(self) -> bool:
        """Whether something should be said again; the first time only after a while."""
        now = monotonic()
        self._said = self._said or now
        if now - self._said < _LINE_SECONDS:
            return False
        self._said = now
        return True


def _lines(total: int) -> Report:
    done = 0
    clock = _Clock()

    def write(said: str) -> None:
        sys.stderr.write(f"{said}\n")
        sys.stderr.flush()

    def report(outcome: Outcome) -> None:
        nonlocal done
        done = min(done + 1, total)
        write(f"[{done}/{total}] {outcome.name} {outcome.version}: {outcome.fate}")

    def texts(wanted: int, embedded: int) -> None:
        seconds = clock.seconds()
        if embedded < wanted and clock.is_time():
            write(pace(wanted, embedded, seconds))

    return Report(report, texts)


@contextmanager
def _bar(total: int) -> Iterator[Report]:
    from rich.console import Console  # noqa: PLC0415 - only where there is a terminal
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[pace]}"),
    )
    clock = _Clock()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("building", total=total, pace="")

        def report(outcome: Outcome) -> None:
            said = f"{outcome.name} {outcome.version}"
            progress.update(task, advance=1, description=said.replace("[", r"\["))

        def texts(wanted: int, embedded: int) -> None:
            progress.update(task, pace=pace(wanted, embedded, clock.seconds()))

        yield Report(report, texts)
