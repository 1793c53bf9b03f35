"""Changelogs, split into their entries: each item of each version is one decision."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from pydocs_builder.decisions import FoundDecision, cut_quote, short_title
from pydocs_builder.documents import Section

__all__ = ["changelog_entries", "is_changelog"]

_STEMS: Final = ("changelog", "changes", "history", "news", "release-notes", "release_notes")
_TITLES: Final = frozenset(
    {"change log", "changelog", "changes", "history", "release history", "release notes"}
)
_DATE: Final = re.compile(
    r"\d{4}-\d{2}-\d{2}|\d{1,2}(?:st|nd|rd|th)? [A-Z][a-z]{2,8},? \d{4}"
    r"|[A-Z][a-z]{2,8} \d{1,2}(?:st|nd|rd|th)?,? \d{4}"
)
_ITEM: Final = re.compile(rb"( {0,8})(?:[-*+]|\d{1,4}[.)])[ \t]+\S")
_MARKS: Final = "-*+ \t0123456789.)"
_MOST_ENTRIES: Final = 5_000


def is_changelog(path: str, section: Section) -> bool:
    """Whether a section tells changes: by its file's name, or by a heading above it."""
    if path.rpartition("/")[2].lower().startswith(_STEMS):
        return True
    return any(title.lower() in _TITLES for title in section.path)


def changelog_entries(
    file: int, path: str, text: bytes, sections: Sequence[Section]
) -> list[tuple[FoundDecision, int]]:
    """The entries of all sections that tell changes, with the number of their section."""
    found: list[tuple[FoundDecision, int]] = []
    for number, section in enumerate(sections):
        if is_changelog(path, section):
            date = next(
                (match[0] for title in reversed(section.path) if (match := _DATE.search(title))), ""
            )
            for start, end, line, end_line in _items(text, section):
                quote = cut_quote(text[start:end])
                title = short_title(quote.lstrip(_MARKS))
                if title and len(found) < _MOST_ENTRIES:
                    decision = FoundDecision(
                        "changelog",
                        title,
                        quote,
                        file,
                        start,
                        end,
                        line,
                        end_line,
                        date=date,
                        heading=section.heading,
                    )
                    found.append((decision, number))
    return found


def _items(text: bytes, section: Section) -> Iterator[tuple[int, int, int, int]]:
    """The outermost list items of a section: start, end, first and last line."""
    lines = text[section.start : section.end].splitlines(keepends=True)
    start, number = section.start, section.start_line
    open_item: tuple[int, int, int] | None = None
    end = end_line = 0
    margin = -1
    for raw in lines:
        match = _ITEM.match(raw)
        indent = len(match[1]) if match else -1
        is_blank = not raw.strip()
        is_inside = is_blank or raw[:1] in b" \t"
        begins = match is not None and (margin < 0 or indent <= margin)
        if open_item is not None and (begins or not is_inside):
            yield open_item[0], end, open_item[1], end_line
            open_item = None
        if begins:
            margin = indent
            open_item = (start, number, indent)
        if not is_blank:
            end, end_line = start + len(raw.rstrip(b"\r\n")), number
        start += len(raw)
        number += 1
    if open_item is not None:
        yield open_item[0], end, open_item[1], end_line
