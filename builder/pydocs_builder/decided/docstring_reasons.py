"""Reasons that docstrings give under a heading: `Rationale`, `Notes`, `Why …`, `Background`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from pydocs_builder.decided.decisions import FoundDecision, cut_quote, short_title
from pydocs_builder.extracted.symbols import Definitions, Module

__all__ = ["docstring_reasons"]

# Underlined, as in numpydoc, or with a colon, as Google has it.
_HEADING: Final = re.compile(
    r"^(?P<title>notes?|rationale|background|motivation|why[^\n:]{0,80}"
    r"|design(?: (?:notes?|decisions?|rationale))?)[ \t]*(?::[ \t]*$|\n[=~^-]{3,}[ \t]*$)",
    re.MULTILINE | re.IGNORECASE,
)
_NEXT: Final = re.compile(
    r"^(?:\S[^\n]*\n[=~^-]{3,}[ \t]*$|[A-Z][A-Za-z]+(?: [A-Za-z]+)?:[ \t]*$)", re.MULTILINE
)
_WORDS: Final = ("ote", "ationale", "ackground", "otivation", "hy", "esign")
_END: Final = re.compile(rb"\"\"\"|'''")
_FEWEST_WORDS: Final = 5
_MOST: Final = 2_000


def docstring_reasons(
    modules: Sequence[Module], definitions: Definitions
) -> Iterator[tuple[FoundDecision, int]]:
    """The reasons in the docstrings of a target, each with the draft whose docstring it is in."""
    by_file = {module.file: module for module in modules}
    count = 0
    for number, draft in enumerate(definitions.drafts):
        told = draft.docstring
        if not told or "\n" not in told or not any(word in told for word in _WORDS):
            continue
        for match in _HEADING.finditer(told):
            found = _found(by_file[draft.file], (draft.start, draft.end), told, match)
            if found is not None and count < _MOST:
                count += 1
                yield found, number


def _found(
    module: Module, span: tuple[int, int], told: str, match: re.Match[str]
) -> FoundDecision | None:
    """The reason below a heading, as its file has it."""
    after = _NEXT.search(told, match.end())
    section = told[match.start() : after.start() if after else len(told)].rstrip()
    if len(section.split()) < _FEWEST_WORDS:
        return None
    first, *_ = section.split("\n", 1)
    heading = re.compile(rb"^[ \t]*" + re.escape(first.encode()) + rb"[ \t]*$", re.MULTILINE)
    text = module.text[span[0] : span[1]].replace(b"\r\n", b" \n").replace(b"\r", b"\n")
    place = heading.search(text)
    if place is None:
        return None
    start = span[0] + place.start()
    line = bisect_right(module.starts, start)
    lines = module.text[start : span[1]].splitlines(keepends=True)
    raw = b"".join(lines[: section.count("\n") + 1])
    ended = _END.search(raw)
    raw = raw[: ended.start() if ended else len(raw)].rstrip()
    title = match["title"].strip()
    body = section.split("\n")[1:]
    sentence = " ".join(line.strip() for line in body if line.strip("=~^- \t"))
    is_named = title.lower().startswith("why ")
    return FoundDecision(
        "section",
        short_title(title if is_named else sentence.lstrip("-*+ ")),
        cut_quote(raw),
        module.file,
        start,
        start + len(raw),
        line,
        bisect_right(module.starts, start + len(raw) - 1),
        heading=title,
    )
