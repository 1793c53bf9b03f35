"""The headings of Markdown and reStructuredText, by the rules of each for what is none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple
from unicodedata import combining, east_asian_width

__all__ = [
    "Heading",
    "front_matter",
    "front_matter_title",
    "markdown_headings",
    "restructured_headings",
]

_LONGEST_TITLE: Final = 120

# A fence may begin behind the marks of the list item that it is in. With colons it is a directive
# of MyST, where a heading is none of the document's.
_FENCE: Final = re.compile(
    r"(?P<items>(?: {0,3}(?:[-+*]|\d{1,9}[.)])[ \t]{1,4})*) {0,3}"
    r"(?P<mark>`{3,}|~{3,}|:{3,}(?=[ \t]*\{))(?P<info>.*)",
    re.DOTALL,
)
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
_LINK: Final = re.compile(
    r"!?\[([^\[\]]{0,200})\](?:\((?:[^()]|\([^()]{0,200}\)){0,400}\)|\[[^\[\]]{0,200}\])"
)
_TAG: Final = re.compile(
    r"</?(?:a|b|br|code|em|font|i|img|kbd|small|span|strong|sub|sup)(?:\s[^<>]{0,200})?/?>",
    re.IGNORECASE,
)
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
# What begins a line that no underline makes a title: items, fields, directives, doctests.
_NO_TITLE: Final = re.compile(
    r"(?:[-*+\u2022]|\.\.|__|\||>>>)(?:\s|$)|:(?![: ])(?:[^:\\]|\\.)*(?<! ):(?:\s|$)"
)
_ROLE: Final = re.compile(r":[A-Za-z][\w:+.-]{0,40}:(?=`)")
_PUNCTUATION: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_STATED_TITLE: Final = re.compile(r"title[ \t]*[:=][ \t]*(.+)")
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


def front_matter_title(lines: Sequence[str]) -> str:
    """The title that the metadata in front of a Markdown text states, empty if it states none."""
    for line in lines[1 : front_matter(lines)]:
        if match := _STATED_TITLE.match(line):
            return _plain(match[1].strip().strip("\"'"))
    return ""


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
        if not title or _is_rule(title) or not _is_rule(below) or _NO_TITLE.match(title):
            continue
        if len(below) < min(_width(title), _SHORTEST_UNDERLINE):
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
    if (fence := _FENCE.match(line)) and (fence["mark"][0] != "`" or "`" not in fence["info"]):
        return _fence_end(lines, number, fence["mark"], fence["items"])
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


def _fence_end(lines: Sequence[str], number: int, mark: str, items: str) -> int:
    """The line behind a fence; `items` are the marks of list items in front of it."""
    margin = " " * (len(items) + 4)
    for after in range(number + 1, len(lines)):
        line = lines[after]
        bare = line.strip()
        is_mark = len(bare) >= len(mark) and not bare.strip(mark[0])
        if is_mark and not line.startswith(margin):
            return after + 1
        if items and bare and not line[0].isspace():
            return after  # The list is over, and the fence in it.
    return len(lines)


def _is_rule(line: str) -> bool:
    return bool(line) and line[0] in _PUNCTUATION and not line.strip(line[0])


def _width(title: str) -> int:
    """How many columns a title takes; a wide character takes two."""
    if title.isascii():
        return len(title)
    return sum(
        0 if combining(each) else 2 if east_asian_width(each) in "WF" else 1 for each in title
    )


def _plain(title: str) -> str:
    """A title without links, tags, code marks and emphasis, cut to a limit."""
    text = _LINK.sub(r"\1", title[: 4 * _LONGEST_TITLE].replace("\0", " "))
    if "<" in text:
        text = _TAG.sub("", text)
    text = text.partition("{#")[0].replace("`", "").replace("**", "")
    text = _ESCAPE.sub(r"\1", text)
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST_TITLE else text[: _LONGEST_TITLE - 1] + "…"
