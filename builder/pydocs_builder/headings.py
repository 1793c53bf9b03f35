"""The headings of Markdown and reStructuredText, by the rules of each for what is none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

__all__ = ["Heading", "front_matter", "markdown_headings", "restructured_headings"]

_LONGEST_TITLE: Final = 120

_FENCE: Final = re.compile(r" {0,3}(?P<mark>`{3,}|~{3,})(?P<info>.*)", re.DOTALL)
_ATX: Final = re.compile(r" {0,3}(?P<mark>#{1,6})(?:[ \t]+(?P<title>.*))?$", re.DOTALL)
_SETEXT: Final = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
# What begins a line that is no paragraph, and so no title of an underlined heading.
_BLOCK: Final = re.compile(
    r" {0,3}(?:[-+*](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)|>|\||(?:[-*_][ \t]*){3,}$)"
)
_RAW_HTML: Final = re.compile(
    r" {0,3}<(?P<tag>!--|pre|script|style|textarea)(?![\w-])", re.IGNORECASE
)
_HTML_BLOCK: Final = re.compile(
    r" {0,3}</?(?:address|article|aside|blockquote|body|center|dd|details|div|dl|dt|fieldset"
    r"|figcaption|figure|footer|form|h[1-6]|header|hr|html|iframe|li|main|nav|ol|p|section|summary"
    r"|table|tbody|td|tfoot|th|thead|tr|ul)(?:[\s/>]|$)",
    re.IGNORECASE,
)
_CLOSING_HASHES: Final = re.compile(r"(?:^|[ \t])#+$")
_LINK: Final = re.compile(r"!?\[([^\[\]]{0,200})\]\([^()]{0,400}\)")
_ROLE: Final = re.compile(r":[A-Za-z][\w:+.-]{0,40}:(?=`)")
_PUNCTUATION: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_SHORTEST_UNDERLINE: Final = 4
_LONGEST_FRONT_MATTER: Final = 400


class Heading(NamedTuple):
    """A heading: the first of its lines, counted from 0, its level from 1, and its plain text."""

    line: int
    level: int
    title: str


def markdown_headings(lines: Sequence[str]) -> list[Heading]:
    """The headings of a Markdown text, `#` and underlined; none of code, HTML or front matter."""
    found: list[Heading] = []
    paragraph = -1
    number = front_matter(lines)
    while number < len(lines):
        line = lines[number]
        after = _block_end(lines, number)
        is_code = paragraph < 0 and line.startswith(("    ", "\t"))
        if after > number or is_code or not line.strip():
            paragraph = -1
            number = max(after, number + 1)
            continue
        if heading := _ATX.match(line):
            title = _CLOSING_HASHES.sub("", (heading["title"] or "").rstrip())
            found.append(Heading(number, len(heading["mark"]), _plain(title)))
            paragraph = -1
        elif paragraph >= 0 and _SETEXT.match(line):
            title = " ".join(text.strip() for text in lines[paragraph:number])
            found.append(Heading(paragraph, 1 if "=" in line else 2, _plain(title)))
            paragraph = -1
        elif _BLOCK.match(line):
            paragraph = -1
        elif paragraph < 0:
            paragraph = number
        number += 1
    return found


def front_matter(lines: Sequence[str]) -> int:
    """How many lines of metadata stand in front of a Markdown text."""
    mark = lines[0].rstrip() if lines else ""
    if mark not in ("---", "+++"):
        return 0
    for number in range(1, min(len(lines), _LONGEST_FRONT_MATTER)):
        if lines[number].rstrip() in (mark, "..."):
            return number + 1
    return 0


def restructured_headings(lines: Sequence[str]) -> list[Heading]:
    """The section titles of a reStructuredText, with levels by the order of their underlines."""
    found: list[Heading] = []
    styles: list[tuple[str, bool]] = []
    number = 0
    while number + 1 < len(lines):
        title, below = lines[number].rstrip(), lines[number + 1].rstrip()
        line = number
        is_overlined = _is_rule(title) and number + 2 < len(lines)
        if is_overlined:
            under = lines[number + 2].rstrip()
            title, below = (below.strip(), under) if under == title else ("", "")
        elif title[:1].isspace() or (number and lines[number - 1].strip()):
            title = ""
        number += 1
        if not title or _is_rule(title) or not _is_rule(below):
            continue
        if len(below) < min(len(title), _SHORTEST_UNDERLINE):
            continue
        style = (below[0], is_overlined)
        if style not in styles:
            styles.append(style)
        found.append(Heading(line, styles.index(style) + 1, _plain(_ROLE.sub("", title))))
        number = line + (3 if is_overlined else 2)
    return found


def _block_end(lines: Sequence[str], number: int) -> int:
    """The line behind the fence or HTML block that begins at a line; that line where none does."""
    line = lines[number]
    if fence := _FENCE.match(line):
        mark = fence["mark"]
        if mark[0] == "~" or "`" not in fence["info"]:
            for after in range(number + 1, len(lines)):
                bare = lines[after].strip()
                is_mark = len(bare) >= len(mark) and not bare.strip(mark[0])
                if is_mark and not lines[after].startswith("    "):
                    return after + 1
            return len(lines)
    if raw := _RAW_HTML.match(line):
        closing = "-->" if raw["tag"] == "!--" else f"</{raw['tag'].lower()}>"
        for after in range(number, len(lines)):
            if closing in lines[after].lower():
                return after + 1
        return len(lines)
    if _HTML_BLOCK.match(line):
        return next(
            (after for after in range(number, len(lines)) if not lines[after].strip()), len(lines)
        )
    return number


def _is_rule(line: str) -> bool:
    return len(line) > 1 and line[0] in _PUNCTUATION and not line.strip(line[0])


def _plain(title: str) -> str:
    """A title without links, code marks and emphasis, cut to a limit."""
    text = _LINK.sub(r"\1", title[: 4 * _LONGEST_TITLE].replace("\0", " "))
    text = text.partition("{#")[0].replace("`", "").replace("**", "")
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST_TITLE else text[: _LONGEST_TITLE - 1] + "…"
