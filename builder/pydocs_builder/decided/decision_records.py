"""Decision records: documents that hold one decision each, after Nygard or MADR."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pydocs_builder.decided.decisions import FoundDecision, cut_quote, short_title
from pydocs_builder.decided.stated_fields import (
    replaced_by,
    replaces,
    stated_date,
    stated_fields,
    stated_status,
)
from pydocs_builder.documented.documents import Section

__all__ = ["decision_record", "is_decision_record"]

_FOLDERS: Final = frozenset(
    {"adr", "adrs", "architecture-decisions", "decision-log", "decision-records", "decisions"}
    | {"architecture_decisions", "decision_log", "decision_records", "rationale"}
)
_OUTCOMES: Final = ("decision outcome", "decision", "decisions", "the decision", "resolution")
_QUESTIONS: Final = ("context and problem statement", "context", "problem", "problem statement")
_NUMBER: Final = re.compile(
    r"(?:(?:adr|decision)[\s#:-]{0,3})?\d{1,6}\s?[.:)\u2013\u2014-]?\s*", re.IGNORECASE
)
_FILE_NUMBER: Final = re.compile(r"(?:adr[-_ ]?)?(\d{1,6})(?=[-_ .])", re.IGNORECASE)
_TITLE_NUMBER: Final = re.compile(
    r"(?:adr|decision)?[\s#:-]{0,3}(\d{1,6})\s?[.:)\u2013\u2014-]", re.IGNORECASE
)
_NO_RECORDS: Final = ("readme", "index", "template", "adr-template", "0000-template")


def is_decision_record(path: str, sections: Sequence[Section]) -> bool:
    """Whether a document is one decision record: by its folder, and by its headings or status."""
    *folders, name = path.lower().split("/")
    titles = {_bare(section.title) for section in sections}
    is_told = not titles.isdisjoint(_OUTCOMES)
    has_status = any(title.startswith("status") for title in titles) or any(
        "status" in stated_fields(p.text) for p in sections[:2]
    )
    if name.startswith(_NO_RECORDS):
        return False
    is_placed = not _FOLDERS.isdisjoint(folders) or name.startswith("adr-")
    if is_placed:
        return is_told or has_status
    return is_told and has_status and not titles.isdisjoint(_QUESTIONS)


def decision_record(
    file: int, path: str, text: bytes, sections: Sequence[Section]
) -> FoundDecision:
    """The decision of a record, with the quote of what was decided."""
    by_title = {_bare(section.title): section for section in reversed(sections)}
    top = min(sections, key=lambda section: section.level)
    fields: dict[str, str] = {}
    for section in sections[:2]:
        fields = stated_fields(section.text) | fields
    told = by_title["status"].text.partition(b"\n")[2] if "status" in by_title else b""
    for section in sections:
        if section.title.lower().startswith("status:"):
            told = section.title.partition(":")[2].strip().encode()
    status = stated_status(told) or fields.get("status", "")
    date = stated_date(status) or stated_date(fields.get("date", "")) or fields.get("date", "")
    outcome = next((by_title[title] for title in _OUTCOMES if title in by_title), sections[0])
    links = f"{told.decode(errors='replace')}\n{fields.get('status', '')}"
    return FoundDecision(
        "adr",
        short_title(_NUMBER.sub("", top.title, count=1) or top.title),
        cut_quote(outcome.text),
        file,
        0,
        len(text),
        1,
        sections[-1].end_line,
        status,
        date,
        top.heading,
        label=_label(path, top.title),
        replaced_by=fields.get("superseded-by", "") or replaced_by(links),
        replaces=fields.get("supersedes", "") or replaces(links),
    )


def _bare(title: str) -> str:
    """A heading without its number: `2. Decision` is `decision`."""
    return re.sub(r"^\d{1,2}[.)]\s*", "", title.lower()).strip(" :")


def _label(path: str, title: str) -> str:
    number = _FILE_NUMBER.match(path.rpartition("/")[2]) or _TITLE_NUMBER.match(title)
    return f"ADR-{number[1]}" if number else ""
