"""Why things are as they are: what comments, sections, records and changelogs decide.

Each decision has a quote taken verbatim from its file, its status and date as the text has them,
and what it governs: the symbols and files that it names, and the symbol whose comment it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from pydocs_builder.documented.documents import Section
from pydocs_builder.extracted.docstrings import summarise
from pydocs_builder.resolved.mentions import MentionIndex, mentions

__all__ = [
    "FoundDecision",
    "comment",
    "cut_quote",
    "governed",
    "merge",
    "short_title",
    "why_sections",
]

_LONGEST_QUOTE: Final = 2_000
_LONGEST_TITLE: Final = 120
_MOST_GOVERNED: Final = 20
_FEWEST_WORDS: Final = 3
# Headings that promise a reason, and those whose every subsection gives one.
_REASONS: Final = frozenset(
    {"background", "motivation", "notes", "reasoning", "justification", "philosophy"}
    | {"alternatives", "alternatives considered", "rejected ideas", "trade-offs", "tradeoffs"}
    | {"non-goals", "caveats", "limitations", "known limitations"}
)
_DESIGN: Final = re.compile(
    r"(?:the )?(?:why\b|rationale\b|decisions?\b|reasons? (?:for|why)\b"
    r"|design (?:decision|rationale|note|choice|principle|philosophy|consideration|goal)s?\b"
    r"|architect(?:ure|ural) (?:decision|choice|note)s?\b)|.*\b(?:rationale|design decisions)\b",
    re.IGNORECASE,
)
_RECORDS: Final = frozenset({"adr", "proposal"})
_WORD: Final = re.compile(r"\w+")
_SAME_WORDS: Final = 0.9
_LARGEST_BUCKET: Final = 32


class FoundDecision(NamedTuple):
    """A decision at its place in a file.

    `quote` is a part of the file's text; `heading` is the path of headings it stands under, or
    the word that marks it; `parent` is the draft of the symbol or section around it, or -1;
    `label` is what it is cited by, `places` how often it was found. `replaced_by` and `replaces`
    are the words that name other decisions, `successor` is the one that the former means, by its
    number among all decisions.
    """

    origin: str
    title: str
    quote: str
    file: int
    start: int
    end: int
    line: int
    end_line: int
    status: str = ""
    date: str = ""
    heading: str = ""
    governs: tuple[str, ...] = ()
    parent: int = -1
    label: str = ""
    places: int = 1
    replaced_by: str = ""
    replaces: str = ""
    successor: int = -1


def comment(
    word: str, text: bytes, file: int, span: tuple[int, int], lines: tuple[int, int]
) -> FoundDecision | None:
    """The decision that a marked comment tells; None where it tells nothing."""
    quote = cut_quote(text[span[0] : span[1]])
    told = " ".join(line.lstrip("# \t") for line in quote.splitlines())
    told = told.partition(":")[2].strip()
    if len(told.split()) < _FEWEST_WORDS:
        return None
    return FoundDecision("comment", short_title(told), quote, file, *span, *lines, heading=word)


def why_sections(file: int, sections: Sequence[Section]) -> list[tuple[FoundDecision, int]]:
    """The sections of a document whose headings promise a reason, with their numbers."""
    found = []
    for number, section in enumerate(sections):
        title = section.title.lower().strip(" ?!.:")
        is_design = any(_DESIGN.match(above) for above in section.path)
        if title not in _REASONS and not is_design:
            continue
        told = section.text.partition(b"\n")[2].strip(b"=-~^#* \r\n")
        if len(told.split()) < _FEWEST_WORDS:
            continue
        decision = FoundDecision(
            "section",
            short_title(section.title),
            cut_quote(section.text),
            file,
            section.start,
            section.end,
            section.start_line,
            section.end_line,
            heading=section.heading,
        )
        found.append((decision, number))
    return found


def governed(text: bytes, index: MentionIndex, around: Iterable[str] = ()) -> tuple[str, ...]:
    """What a text governs: what it stands in, then the symbols and files it names, each once."""
    found = dict.fromkeys(around)
    for mention in mentions(text):
        if len(found) >= _MOST_GOVERNED:
            break
        if meant := index.meant(mention.text):
            found[meant] = None
    return tuple(found)


def merge(decisions: Iterable[FoundDecision]) -> list[FoundDecision]:
    """The decisions without near duplicates; the first governs what any does, and counts them."""
    kept: list[FoundDecision] = []
    buckets: dict[tuple[str, ...], list[tuple[int, frozenset[str]]]] = {}
    for decision in decisions:
        words = _WORD.findall(decision.quote.lower())
        # Records may argue alike; they are one only if they are called alike, too.
        title = decision.title if decision.origin in _RECORDS else ""
        bucket = buckets.setdefault((title, *words[:_FEWEST_WORDS]), [])
        told = frozenset(words)
        for number, known in bucket[:_LARGEST_BUCKET]:
            if len(told & known) >= _SAME_WORDS * len(told | known):
                first = kept[number]
                governs = tuple(dict.fromkeys((*first.governs, *decision.governs)))
                kept[number] = first._replace(
                    governs=governs[:_MOST_GOVERNED], places=first.places + 1
                )
                break
        else:
            bucket.append((len(kept), told))
            kept.append(decision)
    return kept


def cut_quote(text: bytes) -> str:
    """The beginning of a text, whole lines of it, without blank lines around."""
    if len(text) > _LONGEST_QUOTE:
        end = text.rfind(b"\n", 0, _LONGEST_QUOTE)
        text = text[: end if end > 0 else _LONGEST_QUOTE]
    return text.decode(errors="ignore").strip("\r\n")


def short_title(text: str) -> str:
    """The first sentence of a text in one line, cut to a limit."""
    title = summarise(text).rstrip(".")
    return title if len(title) <= _LONGEST_TITLE else title[: _LONGEST_TITLE - 1] + "…"
