"""What a build did, for people and for programs, and the exit status that says so in one number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from packaging.utils import NormalizedName, canonicalize_name

from pydocs_builder.fate_lines import fate_lines, printable
from pydocs_builder.outcomes import (
    BUILT,
    FAILED,
    NOT_FOUND,
    NOT_INSTALLED,
    REUSED,
    Outcome,
)
from pydocs_builder.planned.plan import Plan
from pydocs_bundle.errors import ExitCode
from pydocs_bundle.records import Requirement

__all__ = ["Summary", "as_json", "as_text", "summarize"]

_MOST_NOTES = 10
_LONGEST_NOTE = 300


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
        hint: what would help those that are not there, empty if nothing is missing.
        is_fetching: whether what is not installed was to be fetched.
        encoder: the file of the encoder's bundle, empty where there is none.
    """

    out: Path
    environment: str
    outcomes: tuple[Outcome, ...]
    requirements: tuple[Requirement, ...]
    notes: tuple[str, ...]
    exit_code: ExitCode
    hint: str = ""
    is_fetching: bool = False
    encoder: str = ""


def summarize(
    plan: Plan,
    out: Path,
    outcomes: tuple[Outcome, ...],
    fetch_command: str = "",
    encoder: str = "",
) -> Summary:
    """The summary of a plan that was carried out.

    Args:
        plan: the plan.
        out: where the bundles are.
        outcomes: what became of each target.
        fetch_command: what would fetch the missing, empty if this build did.
        encoder: the file of the encoder's bundle, empty if there is none.
    """
    known = {
        (canonicalize_name(one.name), one.version): one for one in outcomes if one.kind != "docs"
    }
    requirements = tuple(_final(row, known) for row in plan.requirements)
    notes = [*plan.notes]
    if others := _others(out, outcomes, encoder):
        notes.append(f"{out} also holds bundles of other builds: {', '.join(others)}")
    # What is odd about somebody else's code is of the least use.
    for outcome in sorted(outcomes, key=lambda one: one.kind == "dependency"):
        notes += [f"{outcome.name} {outcome.version}: {note}" for note in outcome.notes]
    return Summary(
        out=out,
        environment=plan.environment,
        outcomes=outcomes,
        requirements=requirements,
        notes=tuple(notes),
        exit_code=_exit(outcomes, requirements),
        hint=_hint(requirements, fetch_command),
        is_fetching=not fetch_command,
        encoder=encoder,
    )


def as_json(summary: Summary) -> dict[str, object]:
    """The summary for a program."""
    return {
        "out": str(summary.out),
        "environment": summary.environment,
        "bundles": [one._asdict() for one in summary.outcomes],
        "encoder": summary.encoder,
        "requirements": [one._asdict() for one in summary.requirements],
        "hint": summary.hint,
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
    for one in summary.outcomes:
        if one.kind != "dependency":
            called = f"{one.kind} {one.name} {one.version}".rstrip()
            lines.append(f"{called}: {one.fate}{_why(one.detail)}")
    lines += fate_lines(summary.requirements, is_fetching=summary.is_fetching)
    lines += [f"hint: {summary.hint}"] if summary.hint else []
    for note in summary.notes[:_MOST_NOTES]:
        lines.append(f"note: {_shortened(note)}")
    if (more := len(summary.notes) - _MOST_NOTES) > 0:
        lines.append(f"note: {more} more with --json, or with `pydocs-build inspect`")
    return "".join(f"{printable(line)}\n" for line in lines)


def _final(row: Requirement, outcomes: Mapping[tuple[NormalizedName, str], Outcome]) -> Requirement:
    """The row of something planned, with what became of it."""
    outcome = outcomes.get((canonicalize_name(row.name), row.version))
    if row.fate != BUILT or outcome is None:
        return row
    detail = outcome.detail if outcome.fate == FAILED else row.detail
    return row._replace(fate=outcome.fate, detail=detail)


def _others(out: Path, outcomes: Iterable[Outcome], encoder: str) -> list[str]:
    known = {one.file for one in outcomes} | {encoder}
    return sorted(path.name for path in out.glob("*.pdx") if path.name not in known)


def _exit(outcomes: Iterable[Outcome], requirements: Iterable[Requirement]) -> ExitCode:
    fates = {one.fate for one in outcomes}
    if not fates & {BUILT, REUSED}:
        return ExitCode.FAILED
    fates |= {row.fate for row in requirements}
    return ExitCode.PARTIAL if fates & {FAILED, NOT_FOUND} else ExitCode.OK


def _hint(rows: Iterable[Requirement], fetch_command: str) -> str:
    if not any(row.fate in {NOT_FOUND, NOT_INSTALLED} for row in rows):
        return ""
    if not fetch_command:
        return "--python names another environment; pip's configuration names another index"
    return f"`{fetch_command}` gets what is not there; --python names another environment"


def _shortened(note: str) -> str:
    if len(note) <= _LONGEST_NOTE:
        return note
    return f"{note[:_LONGEST_NOTE].rpartition(' ')[0]} … (--json has all of it)"


def _why(detail: str) -> str:
    return f" ({detail})" if detail else ""
