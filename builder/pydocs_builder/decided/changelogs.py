"""Changelogs, split into their entries: each item of each version is one decision."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from pydocs_builder.decided.decisions import FoundDecision, cut_quote, short_title
from pydocs_builder.documented.documents import Section

__all__ = ["changelog_entries", "is_changelog"]

_NAME: Final = re.compile(
    r"(?:change[-_]?log(?:$|[^a-z])"
    r"|(?:changes|history|news|release[-_]?(?:notes|history)|releases|what'?s[-_]?new)"
    r"(?:$|\.|[-_]?v?\d))"
)
# Where each version has a file of its own, and where each change has.
_FOLDERS: Final = re.compile(r"(?:^|/)(?:changelogs?|releases?|release[-_]notes|what'?s_?new)/")
_FRAGMENTS: Final = re.compile(
    r"(?:^|/)(?:newsfragments?|news|changes|changelog\.d|changelog[-_]fragments|upcoming_changes)/"
    r"\+?[\w-]+\.[a-z]{2,20}(?:\.\d+)?\.(?:md|rst|txt)$"
)
_TITLES: Final = frozenset(
    {"change log", "changelog", "changes", "history", "news", "release history", "release notes"}
    | {"releases", "what's changed", "what's new"}
)
_DATE: Final = re.compile(
    r"\d{4}[-/]\d{2}[-/]\d{2}|\d{1,2}(?:st|nd|rd|th)?[ -][A-Z][a-z]{2,8}\.?,?[ -]\d{4}"
    r"|[A-Z][a-z]{2,8}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}"
)
# A version stands at the beginning of a heading, behind a word or two at most.
_VERSION: Final = re.compile(
    r"\W{0,4}(?:(?:version|release|changes in|what's new in|[a-z][\w.-]{0,40})[\s:]{1,3})?\W{0,2}"
    r"(?:v(?:ersion)?\.?\s?)?(?P<version>\d{1,4}(?:\.[\dx]{1,6}){1,4}(?:[-.]?[a-z]+\.?\d*)?"
    r"|(?<=version )\d{1,4}|unreleased)(?![\w])",
    re.IGNORECASE,
)
_RELEASED: Final = re.compile(r"\W{0,4}(?:released?|date|published)?\b", re.IGNORECASE)
_ITEM: Final = re.compile(
    rb"(?P<indent> {0,8})(?:(?:[-*+]|\d{1,4}[.)]|\xe2\x80\xa2)[ \t]+\S|\.\. change::)"
)
_MARKS: Final = "-*+\u2022 \t0123456789.)"
_DIRECTIVE: Final = re.compile(r"^(?:\.\. change::|[ \t]+:[a-z]+:).*\n?", re.MULTILINE)
_CREDIT: Final = re.compile(r"\s+by\s+@[\w\[\]-]+(?:\s+in\s+\S+)?\s*$")
_NO_CHANGE: Final = "made their first contribution"
_INTRODUCED: Final = 8
_FEWEST_WORDS: Final = 3
_MOST_ENTRIES: Final = 5_000


class _Release(NamedTuple):
    version: str = ""
    date: str = ""


class _Item(NamedTuple):
    start: int
    end: int
    line: int
    end_line: int
    release: _Release


def is_changelog(path: str, section: Section) -> bool:
    """Whether a section tells changes: by its file's name, or by a heading above it."""
    if _tells_changes(path):
        return True
    return any(title.lower().strip(" :") in _TITLES for title in section.path)


def changelog_entries(
    file: int, path: str, text: bytes, sections: Sequence[Section]
) -> list[tuple[FoundDecision, int]]:
    """The entries of all sections that tell changes, with the number of their section.

    Each has the version as its label and the date, as the headings or the line below one have them.
    """
    if _FRAGMENTS.search(path.lower()):
        return [_fragment(file, text, sections)] if sections else []
    found: list[tuple[FoundDecision, int]] = []
    releases: list[_Release] = []
    outermost = _Release(_version(path.rpartition("/")[2])) if _is_of_one(path) else _Release()
    for number, section in enumerate(sections):
        above = releases[section.parent] if section.parent >= 0 else outermost
        if not above.version and number and section.title.lower().strip(" :") in _TITLES:
            above = releases[-1]  # `What's changed` stands beside its version.
        releases.append(_release(section, above))
        if not is_changelog(path, section):
            continue
        for item in _told(text, section, releases[-1]):
            quote = cut_quote(text[item.start : item.end])
            title = _title(quote)
            if title and _NO_CHANGE not in quote and len(found) < _MOST_ENTRIES:
                decision = FoundDecision(
                    "changelog",
                    title,
                    quote,
                    file,
                    *item[:-1],
                    date=item.release.date,
                    heading=section.heading,
                    label=item.release.version,
                )
                found.append((decision, number))
    return found


def _tells_changes(path: str) -> bool:
    name = path.rpartition("/")[2].lower()
    return _NAME.match(name) is not None or _is_of_one(path)


def _is_of_one(path: str) -> bool:
    """Whether a file tells the changes of one version, which its name states."""
    lower = path.lower()
    return _FOLDERS.search(lower) is not None and bool(_version(lower.rpartition("/")[2]))


def _fragment(file: int, text: bytes, sections: Sequence[Section]) -> tuple[FoundDecision, int]:
    quote = cut_quote(text)
    last = sections[-1].end_line
    title = _title(quote)
    return FoundDecision(
        "changelog", title, quote, file, 0, len(text), 1, last, label="Unreleased"
    ), 0  # fmt: skip


def _title(quote: str) -> str:
    told = _DIRECTIVE.sub("", quote).lstrip(_MARKS + "\n#").lstrip()
    return short_title(_CREDIT.sub("", told))


def _version(text: str) -> str:
    match = _VERSION.match(text.removesuffix(".md").removesuffix(".rst").removesuffix(".txt"))
    return match["version"] if match else ""


def _release(section: Section, above: _Release) -> _Release:
    """The version and the date that a section states, else those of the section above it."""
    version = _version(section.title) or above.version
    match = _DATE.search(section.title)
    if match is None:
        head = section.text[:1_000].decode(errors="ignore").splitlines()[1:_INTRODUCED]
        for line in head:
            if _ITEM.match(line.encode()):
                break
            stated = _RELEASED.match(line)
            found = _DATE.search(line, stated.end() if stated else 0)
            if found and found.start() <= (stated.end() if stated else 0) + _INTRODUCED:
                match = found
                break
    return _Release(version, match[0] if match else above.date if version == above.version else "")


def _told(text: bytes, section: Section, release: _Release) -> list[_Item]:
    """The items of a section; its paragraphs where it is a version's and has no items."""
    items = list(_items(text, section, release))
    if items or not _version(section.title):
        return items
    return [
        item
        for item in _paragraphs(text, section, release)
        if len(text[item.start : item.end].split()) >= _FEWEST_WORDS
        and not _RELEASED.fullmatch(_DATE.sub("", text[item.start : item.end].decode(), count=1))
    ]


def _items(text: bytes, section: Section, release: _Release) -> Iterator[_Item]:
    """The outermost list items of a section, below lines that name another version."""
    start, number = section.start, section.start_line
    opened: tuple[int, int] | None = None
    end = end_line = 0
    margin = -1
    is_one = bool(_version(section.title))
    for raw in text[section.start : section.end].splitlines(keepends=True):
        match = _ITEM.match(raw)
        indent = len(match["indent"]) if match else -1
        is_blank = not raw.strip()
        is_inside = is_blank or raw[:1] in b" \t"
        begins = match is not None and (margin < 0 or indent <= margin)
        if opened is not None and (begins or not is_inside):
            yield _Item(opened[0], end, opened[1], end_line, release)
            opened = None
        if begins:
            margin = indent
            opened = (start, number)
        elif not is_inside and not is_one:
            margin = -1
            line = raw[:200].decode(errors="ignore").strip(" *_=\r\n")
            if version := _version(line):
                date = _DATE.search(line)
                release = _Release(version, date[0] if date else "")
        if not is_blank:
            end, end_line = start + len(raw.rstrip(b"\r\n")), number
        start += len(raw)
        number += 1
    if opened is not None:
        yield _Item(opened[0], end, opened[1], end_line, release)


def _paragraphs(text: bytes, section: Section, release: _Release) -> Iterator[_Item]:
    """The paragraphs below a section's heading."""
    start, number = section.start, section.start_line
    opened: tuple[int, int] | None = None
    end = end_line = 0
    for raw in text[section.start : section.end].splitlines(keepends=True):
        is_told = bool(raw.strip(b" \t\r\n=-~^#*+\"'")) and number > section.start_line
        if opened is None and is_told:
            opened = (start, number)
        elif opened is not None and not raw.strip():
            yield _Item(opened[0], end, opened[1], end_line, release)
            opened = None
        if opened is not None:
            end, end_line = start + len(raw.rstrip(b"\r\n")), number
        start += len(raw)
        number += 1
    if opened is not None:
        yield _Item(opened[0], end, opened[1], end_line, release)
