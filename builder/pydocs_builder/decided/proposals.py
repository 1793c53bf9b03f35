"""Proposals: documents after the manner of PEPs and RFCs, each of which argues for one change."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pydocs_builder.decided.decisions import FoundDecision, cut_quote, short_title
from pydocs_builder.decided.stated_fields import replaced_by, replaces, stated_fields
from pydocs_builder.documented.documents import Section

__all__ = ["is_proposal", "proposal"]

_SERIES: Final = ("pep", "nep", "dep", "jep", "kep", "slep", "rfc", "spec")
_FOLDERS: Final = frozenset(
    {*_SERIES, *(f"{each}s" for each in _SERIES), "enhancements", "proposals"}
)
_FILE: Final = re.compile(r"(?:(?P<series>[a-z]{3,5})[-_]?)?(?P<number>\d{1,6})(?=[-_ .])")
_PARTS: Final = frozenset(
    {"abstract", "alternatives", "backwards compatibility", "backward compatibility", "drawbacks"}
    | {"detailed design", "detailed description", "implementation", "motivation", "proposal"}
    | {"motivation and scope", "rationale", "rejected ideas", "specification", "summary"}
    | {"unresolved questions", "open issues", "reference implementation", "usage and impact"}
)
_ARGUED: Final = (
    *("decision", "resolution", "rationale", "motivation", "motivation and scope"),
    *("proposal", "abstract", "summary", "specification"),
)
_FEWEST_PARTS: Final = 2


def is_proposal(path: str, sections: Sequence[Section]) -> bool:
    """Whether a document is a proposal: by its parts, and by its head or its folder."""
    *folders, name = path.lower().split("/")
    if name.startswith(("readme", "index", "template")) or "template" in name:
        return False
    titles = {section.title.lower() for section in sections}
    if len(titles & _PARTS) < _FEWEST_PARTS:
        return False
    fields = stated_fields(sections[0].text)
    is_headed = "status" in fields and not {"title", "author", *_SERIES}.isdisjoint(fields)
    match = _FILE.match(name)
    is_numbered = match is not None and (match["series"] or "") in {"", *_SERIES}
    return is_headed or (is_numbered and not _FOLDERS.isdisjoint(folders))


def proposal(file: int, path: str, text: bytes, sections: Sequence[Section]) -> FoundDecision:
    """The decision that a proposal argues for, with its rationale as the quote."""
    fields = stated_fields(sections[0].text)
    by_title = {section.title.lower(): section for section in reversed(sections)}
    argued = next((by_title[title] for title in _ARGUED if title in by_title), sections[0])
    top = min(sections, key=lambda section: section.level)
    links = fields.get("status", "")
    return FoundDecision(
        "proposal",
        short_title(fields.get("title", "") or top.title),
        cut_quote(argued.text),
        file,
        0,
        len(text),
        1,
        sections[-1].end_line,
        fields.get("status", ""),
        fields.get("created", "") or fields.get("date", ""),
        top.heading,
        label=_label(path, fields),
        replaced_by=fields.get("superseded-by", "") or replaced_by(links),
        replaces=fields.get("supersedes", "") or replaces(links),
    )


def _label(path: str, fields: dict[str, str]) -> str:
    for series in _SERIES:
        if number := re.match(r"\d{1,6}", fields.get(series, "")):
            return f"{series.upper()} {number[0]}"
    *folders, name = path.lower().split("/")
    match = _FILE.match(name)
    if match is None:
        return ""
    folder = folders[-1].removesuffix("s") if folders else ""
    series = match["series"] or (folder if folder in _SERIES else "proposal")
    return f"{series.upper() if series in _SERIES else series} {int(match['number'])}"
