"""Decision records: documents that hold one decision each, after Nygard or MADR."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pydocs_builder.decisions import FoundDecision, cut_quote, short_title
from pydocs_builder.documents import Section

__all__ = ["decision_record", "is_decision_record"]

_FOLDERS: Final = frozenset(
    {"adr", "adrs", "architecture-decisions", "decision-log", "decision-records", "decisions"}
)
_OUTCOMES: Final = ("decision outcome", "decision", "decisions")
_QUESTIONS: Final = ("context and problem statement", "context")
_NUMBER: Final = re.compile(
    r"(?:(?:adr|decision)[\s#:-]{0,3})?\d{1,6}\s?[.:)\u2013\u2014-]?\s*", re.IGNORECASE
)
_FIELD: Final = re.compile(
    r"[ \t]{0,3}(?:[-*+][ \t]{1,3})?\*{0,2}:?(?P<name>status|date)\*{0,2}:\*{0,2}[ \t]*"
    r"(?P<value>.*)",
    re.IGNORECASE,
)
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")


def is_decision_record(path: str, sections: Sequence[Section]) -> bool:
    """Whether a document is one decision record: by its folder, and by its headings or status."""
    *folders, name = path.lower().split("/")
    titles = {section.title.lower() for section in sections}
    is_told = not titles.isdisjoint(_OUTCOMES)
    has_status = "status" in titles or any("status" in _fields(part.text) for part in sections[:2])
    if name.startswith(("readme", "index", "template")):
        return False
    is_placed = not _FOLDERS.isdisjoint(folders) or name.startswith("adr-")
    if is_placed:
        return is_told or has_status
    return is_told and has_status and not titles.isdisjoint(_QUESTIONS)


def decision_record(file: int, text: bytes, sections: Sequence[Section]) -> FoundDecision:
    """The decision of a record, with the quote of what was decided."""
    by_title = {section.title.lower(): section for section in reversed(sections)}
    top = min(sections, key=lambda section: section.level)
    fields: dict[str, str] = {}
    for section in sections[:2]:
        fields = _fields(section.text) | fields
    if "status" in by_title:
        status = _first_line(by_title["status"].text)
        fields = {"status": status} | fields
        if date := _DATE.search(status):
            fields = {"date": date[0]} | fields
    outcome = next((by_title[title] for title in _OUTCOMES if title in by_title), sections[0])
    last = sections[-1]
    return FoundDecision(
        "adr",
        short_title(_NUMBER.sub("", top.title, count=1) or top.title),
        cut_quote(outcome.text),
        file,
        0,
        len(text),
        1,
        last.end_line,
        fields.get("status", ""),
        fields.get("date", ""),
        top.heading,
    )


def _fields(text: bytes) -> dict[str, str]:
    """`Status: …` and `Date: …` lines, in front matter, lists or prose."""
    found: dict[str, str] = {}
    for line in text.decode(errors="replace").splitlines()[:40]:
        match = _FIELD.match(line[:200])
        if match and match["value"].strip(" \"'*"):
            found.setdefault(match["name"].lower(), match["value"].strip(" \"'*"))
    return found


def _first_line(text: bytes) -> str:
    """The first line below a section's heading."""
    lines = [line.strip() for line in text.decode(errors="replace").splitlines()[1:]]
    return next((line[:200].strip("*_") for line in lines if line.strip("=-~^")), "")
