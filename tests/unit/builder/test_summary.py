"""What a build says about itself at the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from pydocs_builder.outcomes import Outcome
from pydocs_builder.planned.plan import Plan
from pydocs_builder.summary import as_json, as_text, summarize
from pydocs_builder.targets import Target, Task
from pydocs_bundle.errors import ExitCode
from pydocs_bundle.records import Requirement

PROJECT = Outcome("project", "p", "1", "built", "p-1.pdx", 1_000_000)
ALPHA = Outcome("dependency", "Alpha_X", "2", "built", "Alpha_X-2.pdx", 500_000, notes=("odd",))
WANTED = Requirement("alpha-x", ">=1", "built", "2")


def plan(*rows: Requirement) -> Plan:
    task = Task(Target("project", "p", "1", "/nowhere", (), ()), rows)
    return Plan(task, (), rows, "Python 3.12", ("a note",))


@pytest.mark.parametrize(
    ("rows", "outcomes", "code"),
    [
        ([WANTED], [PROJECT, ALPHA], ExitCode.OK),
        ([WANTED], [PROJECT._replace(fate="reused"), ALPHA._replace(fate="reused")], ExitCode.OK),
        ([WANTED], [PROJECT, ALPHA._replace(fate="failed")], ExitCode.PARTIAL),
        ([WANTED], [PROJECT._replace(fate="failed"), ALPHA], ExitCode.PARTIAL),
        ([WANTED], [PROJECT._replace(fate="failed")], ExitCode.FAILED),
        ([Requirement("b", "", "not found")], [PROJECT], ExitCode.PARTIAL),
        ([Requirement("b", "", "failed")], [PROJECT], ExitCode.PARTIAL),
        ([Requirement("b", "", "not installed")], [PROJECT], ExitCode.OK),
        ([Requirement("b", "", "not for this environment")], [PROJECT], ExitCode.OK),
    ],
)
def test_the_exit_status_tells_how_it_went(
    tmp_path: Path, rows: list[Requirement], outcomes: list[Outcome], code: ExitCode
) -> None:
    assert summarize(plan(*rows), tmp_path, tuple(outcomes)).exit_code is code


def test_a_requirement_has_the_fate_of_its_bundle_whatever_its_spelling(tmp_path: Path) -> None:
    failed = ALPHA._replace(fate="failed", detail="it broke")
    (row,) = summarize(plan(WANTED), tmp_path, (PROJECT, failed)).requirements
    assert (row.fate, row.detail) == ("failed", "it broke")


def test_the_text_lists_every_requirement_by_its_fate(tmp_path: Path) -> None:
    rows = (
        WANTED,
        Requirement("gone", "==1", "not found", detail="the environment does not have it"),
        Requirement("win", "", "not for this environment"),
    )
    text = as_text(summarize(plan(*rows), tmp_path, (PROJECT, ALPHA), "pydocs-build . --fetch"))
    assert text.splitlines() == [
        f"{tmp_path}: 2 bundles, 1.5 MB (2 built, 0 reused, 0 failed)",
        "versions from Python 3.12",
        "project p 1: built",
        "built: alpha-x 2",
        "not for this environment: win",
        "not found: gone ==1 (the environment does not have it)",
        "hint: `pydocs-build . --fetch` gets what is not there; --python names another environment",
        "note: a note",
        "note: Alpha_X 2: odd",
    ]


def test_many_notes_are_cut_in_the_text_and_whole_in_the_json(tmp_path: Path) -> None:
    noisy = PROJECT._replace(notes=tuple(f"note {number}" for number in range(50)))
    summary = summarize(plan(), tmp_path, (noisy,))
    assert len(as_text(summary).splitlines()) == 14
    assert len(as_json(summary)["notes"]) == 51  # type: ignore[arg-type]


def test_bundles_of_other_builds_are_mentioned(tmp_path: Path) -> None:
    (tmp_path / "old-0.pdx").touch()
    (note,) = (
        one for one in summarize(plan(), tmp_path, (PROJECT,)).notes if "other builds" in one
    )
    assert note.endswith("old-0.pdx")


def test_nothing_from_a_target_commands_the_terminal(tmp_path: Path) -> None:
    row = Requirement("evil", "", "failed", detail="\x1b]0;owned\x07 a\u202eb")
    text = as_text(summarize(plan(row), tmp_path, (PROJECT,)))
    assert "failed: evil (\\x1b]0;owned\\x07 a\\u202eb)\n" in text


def test_many_that_are_not_installed_are_counted_in_the_text(tmp_path: Path) -> None:
    rows = tuple(Requirement(f"d{number:02}", "", "not installed", "1") for number in range(80))
    summary = summarize(plan(*rows), tmp_path, (PROJECT,), "pydocs-build . --fetch")
    (line,) = (one for one in as_text(summary).splitlines() if one.startswith("not installed"))
    assert line.startswith("not installed: 80: d00 1, d01 1, ")
    assert line.endswith("d11 1 and 68 more (--json lists them)")
    assert len(as_json(summary)["requirements"]) == 80  # type: ignore[arg-type]


def test_after_fetching_nobody_is_told_to_fetch(tmp_path: Path) -> None:
    row = Requirement("gone", "==1", "not found")
    assert "--fetch" not in summarize(plan(row), tmp_path, (PROJECT,)).hint


def test_a_long_note_is_cut_in_the_text(tmp_path: Path) -> None:
    noisy = PROJECT._replace(notes=("word " * 200,))
    summary = summarize(plan(), tmp_path, (noisy,))
    assert all(len(line) < 350 for line in as_text(summary).splitlines())
    assert len(summary.notes[-1]) > 900


def test_two_versions_of_one_distribution_have_their_own_fates(tmp_path: Path) -> None:
    rows = (Requirement("a", "==1", "built", "1"), Requirement("a", "==2", "built", "2"))
    one = Outcome("dependency", "a", "1", "built", "a-1.pdx")
    other = Outcome("dependency", "a", "2", "failed", detail="it broke")
    found = summarize(Plan(None, (), rows, "x", ()), tmp_path, (one, other)).requirements
    assert [(row.version, row.fate) for row in found] == [("1", "built"), ("2", "failed")]


def test_what_does_not_suit_the_project_is_told(tmp_path: Path) -> None:
    row = WANTED._replace(detail="the environment's version is not >=3")
    text = as_text(summarize(plan(row), tmp_path, (PROJECT, ALPHA)))
    assert "note: alpha-x 2: the environment's version is not >=3\n" in text


def test_after_fetching_every_gap_is_told_with_its_reason(tmp_path: Path) -> None:
    row = Requirement("gone", "", "not installed", detail="the index has no such version")
    text = as_text(summarize(plan(row), tmp_path, (PROJECT,)))
    assert "not installed: gone (the index has no such version)\n" in text
