from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from pydocs_bundle.records import BundleContent, Decision

Built = Callable[..., BundleContent]


def records(content: BundleContent) -> list[Decision]:
    return [one for one in content.decisions if one.origin in {"adr", "proposal"}]


def replaced(content: BundleContent) -> dict[str, str]:
    """The label of each replaced decision with that of its successor."""
    labels = {one.entry: one.label for one in content.decisions}
    return {one.label: labels[one.successor] for one in content.decisions if one.successor >= 0}


def record(number: int, status: str) -> str:
    return (
        f"# {number}. Choice {number}\n\n## Status\n\n{status}\n\n## Decision\n\nWe do {number}.\n"
    )


@pytest.mark.parametrize(
    "files",
    [
        {1: "Superseded by [ADR-0002](0002-b.md)", 2: "Accepted"},
        {1: "Accepted\n\nSuperceded by [2. Choice 2](0002-b.md)", 2: "Accepted"},
        {1: "Superseded by ADR-0002 on 2024-05-03", 2: "Accepted"},
        {1: "superseded by #2", 2: "Accepted"},
        {1: "Replaced by: Choice 2", 2: "Accepted"},
        {1: "Accepted", 2: "Accepted\n\nSupersedes [1. Choice 1](0001-a.md)"},
        {1: "Accepted", 2: "Accepted\n\nSupercedes ADR-0001"},
    ],
)
def test_record_leads_to_the_one_that_replaces_it(built: Built, files: Mapping[int, str]) -> None:
    names = {1: "0001-a.md", 2: "0002-b.md"}
    content = built({f"docs/adr/{names[n]}": record(n, said) for n, said in files.items()})
    assert replaced(content) == {"ADR-0001": "ADR-0002"}


def test_status_may_stand_in_its_heading(built: Built) -> None:
    text = "# ADR-002 Second\n\n## Status: Superseded by ADR-003\n\n## Decision\n\nOld.\n"
    content = built({"adr/002.md": text, "adr/003.md": record(3, "*Accepted* (2024-05-06)")})
    assert records(content)[0].status == "Superseded by ADR-003"
    assert replaced(content) == {"ADR-002": "ADR-003"}
    assert records(content)[1].date == "2024-05-06"


def test_status_is_the_one_that_ends_a_record(built: Built) -> None:
    content = built({"adr/0001-a.md": record(1, "Accepted\n\nDeprecated since 2.0")})
    assert [one.status for one in records(content)] == ["Deprecated since 2.0"]


@pytest.mark.parametrize(
    "head",
    [
        "---\nstatus: superseded by [0005](0005-b.md)\ndate: 2024-01-02\n---\n# Choice\n",
        "# Choice\n\n* Status: superseded by [0005](0005-b.md)\n* Date: 2024-01-02\n",
        "# Choice\n\n**Status**: superseded by [0005](0005-b.md)\n**Date:** 2024-01-02\n",
        "# Choice\n\n| Status | superseded by [0005](0005-b.md) |\n| Date | 2024-01-02 |\n",
    ],
)
def test_head_of_any_shape_tells_status_and_date(built: Built, head: str) -> None:
    content = built(
        {
            "decisions/0004-a.md": f"{head}\n## Decision Outcome\n\nChosen: A.\n",
            "decisions/0005-b.md": record(5, "Accepted"),
        }
    )
    first = records(content)[0]
    assert (first.status, first.date) == ("superseded by [0005](0005-b.md)", "2024-01-02")
    assert replaced(content) == {"ADR-0004": "ADR-0005"}


def test_records_that_name_themselves_or_nothing_known_lead_nowhere(built: Built) -> None:
    content = built(
        {
            "adr/0001-a.md": record(1, "Superseded by ADR-0001"),
            "adr/0002-b.md": record(2, "Superseded by ADR-0099"),
        }
    )
    assert replaced(content) == {}


PEP = """\
PEP: 7001
Title: Talk slowly
Author: A. B. <a@example.org>
Status: Superseded
Superseded-By: 7002
Created: 05-Jul-2021

Abstract
========

Slow talk.

Rationale
=========

Because `shop.sell` cannot hear.

Specification
=============

None.
"""


def test_proposals_after_the_manner_of_peps_are_decisions(built: Built) -> None:
    later = (
        PEP.replace("7001", "7002").replace("slowly", "fast").replace("Superseded-By: 7002\n", "")
    )
    content = built(
        {
            "peps/pep-7001.rst": PEP,
            "peps/pep-7002.rst": later.replace("Superseded", "Final"),
            "shop.py": "def sell(): ...\n",
        }
    )
    first, second = records(content)
    assert (first.origin, first.title, first.label) == ("proposal", "Talk slowly", "PEP 7001")
    assert (first.status, first.date) == ("Superseded", "05-Jul-2021")
    assert "Because `shop.sell` cannot hear." in first.quote
    assert first.governs == ("shop.sell",)
    assert second.status == "Final"
    assert replaced(content) == {"PEP 7001": "PEP 7002"}


def test_numbered_proposals_in_a_folder_of_theirs_need_no_head(built: Built) -> None:
    content = built(
        {
            "rfcs/0012-loud.md": "# Be loud\n\n## Summary\n\nx\n\n## Motivation\n\nNobody hears.\n",
            "rfcs/README.md": "# RFCs\n\n## Summary\n\nx\n\n## Motivation\n\ny\n",
            "docs/0012-other.md": "# Other\n\n## Summary\n\nx\n\n## Motivation\n\ny z a b\n",
        }
    )
    (one,) = records(content)
    assert (one.title, one.label) == ("Be loud", "RFC 12")


def test_a_record_is_found_by_its_context_too(built: Built) -> None:
    text = record(1, "Accepted").replace("## Decision", "## Context\n\nPigeons.\n\n## Decision")
    content = built({"adr/0001-a.md": text})
    (one,) = records(content)
    assert "Pigeons" not in one.quote
    assert "Pigeons" in content.texts[one.entry].body
