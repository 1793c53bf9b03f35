"""What a build did, for people and for programs, and the exit status that says so in one number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from packaging.utils import canonicalize_name

from pydocs_builder.outcomes import (
    BUILT,
    FAILED,
    NOT_FOUND,
    NOT_INSTALLED,
    REUSED,
    UNSUITED,
    Outcome,
)
from pydocs_builder.plan import Plan
from pydocs_bundle.errors import ExitCode
from pydocs_bundle.records import Requirement

__all__ = ["Summary", "as_json", "as_text", "summarize"]

_FATES = (BUILT, REUSED, UNSUITED, NOT_INSTALLED, NOT_FOUND, FAILED)
_MOST_NOTES = 10


@dataclass(frozen=True, slots=True)
class Summary:
    """What a build did.

    Args:
        out: where the bundles are.
        environment: the environment looked into.
        outcomes: what became of each target, the project first.
        requirements: every requirement with its final fate.
        notes: what was left open or left out, a clause each.
        exit_code: the exit status that all this comes to.
    """

    out: Path
    environment: str
    outcomes: tuple[Outcome, ...]
    requirements: tuple[Requirement, ...]
    notes: tuple[str, ...]
    exit_code: ExitCode


def summarize(plan: Plan, out: Path, outcomes: tuple[Outcome, ...]) -> Summary:
    """The summary of a plan that was carried out."""
    by_name: dict[str, Outcome] = {canonicalize_name(one.name): one for one in outcomes}
    requirements = tuple(_final(row, by_name) for row in plan.requirements)
    notes = [*plan.notes]
    for outcome in outcomes:
        notes += [f"{outcome.name} {outcome.version}: {note}" for note in outcome.notes]
    if others := _others(out, outcomes):
        notes.append(f"{out} also holds bundles of other builds: {', '.join(others)}")
    return Summary(
        out, plan.environment, outcomes, requirements, tuple(notes), _exit(outcomes, requirements)
    )


def as_json(summary: Summary) -> dict[str, object]:
    """The summary for a program."""
    return {
        "out": str(summary.out),
        "environment": summary.environment,
        "bundles": [one._asdict() for one in summary.outcomes],
        "requirements": [one._asdict() for one in summary.requirements],
        "notes": list(summary.notes),
        "exit_status": int(summary.exit_code),
    }


def as_text(summary: Summary) -> str:
    """The summary for a person: totals, then every requirement by its fate, then notes."""
    written = [one for one in summary.outcomes if one.file]
    size = sum(one.size_bytes for one in written) / 1e6
    counts = ", ".join(
        f"{sum(one.fate == fate for one in summary.outcomes)} {fate}"
        for fate in (BUILT, REUSED, FAILED)
    )
    lines = [f"{summary.out}: {len(written)} bundles, {size:.1f} MB ({counts})"]
    lines += [f"versions from {summary.environment}"]
    project = summary.outcomes[0]
    lines += [f"project {project.name} {project.version}: {project.fate}{_why(project.detail)}"]
    for fate in _FATES:
        lines += _rows(fate, [row for row in summary.requirements if row.fate == fate])
    for note in summary.notes[:_MOST_NOTES]:
        lines.append(f"note: {note}")
    if (more := len(summary.notes) - _MOST_NOTES) > 0:
        lines.append(f"note: {more} more with --json, or with `pydocs-build inspect`")
    return "".join(f"{_printable(line)}\n" for line in lines)


def _printable(text: str) -> str:
    """The text with escapes for what could command a terminal; names and reasons are others'."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _final(row: Requirement, outcomes: dict[str, Outcome]) -> Requirement:
    """The row of something planned, with what became of it."""
    outcome = outcomes.get(canonicalize_name(row.name))
    if row.fate != BUILT or outcome is None:
        return row
    detail = outcome.detail if outcome.fate == FAILED else row.detail
    return row._replace(fate=outcome.fate, detail=detail)


def _others(out: Path, outcomes: Iterable[Outcome]) -> list[str]:
    known = {one.file for one in outcomes}
    return sorted(path.name for path in out.glob("*.pdx") if path.name not in known)


def _exit(outcomes: Iterable[Outcome], requirements: Iterable[Requirement]) -> ExitCode:
    fates = {one.fate for one in outcomes}
    if not fates & {BUILT, REUSED}:
        return ExitCode.FAILED
    fates |= {row.fate for row in requirements}
    return ExitCode.PARTIAL if fates & {FAILED, NOT_FOUND} else ExitCode.OK


def _rows(fate: str, rows: list[Requirement]) -> Iterator[str]:
    """Fates that need nobody's attention in one line together, the others each with its reason."""
    if fate in {NOT_FOUND, FAILED}:
        for row in rows:
            yield f"{fate}: {row.name} {row.specifier}".rstrip() + _why(row.detail)
    elif rows:
        names = dict.fromkeys(f"{row.name} {row.version}".rstrip() for row in rows)
        yield f"{fate}: {', '.join(names)}"


def _why(detail: str) -> str:
    return f" ({detail})" if detail else ""
