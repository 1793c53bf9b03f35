"""A sentence of somebody's documentation without its markup, which costs tokens and says nothing.

What a program reads keeps it; only what is shown on one line loses it.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["unmarked"]

_MARKED: Final = re.compile(r"[`\[]|[~=\-^*\"#.]{4}")
_ROLE: Final = re.compile(r":[\w:+.-]{1,30}:`(?P<said>[^`]{1,200})`")
_CUT_ROLE: Final = re.compile(r":[\w:+.-]{1,30}:`(?=[^`]{0,200}$)")
_LITERAL: Final = re.compile(r"``(?P<said>[^`]{1,200})``")
_REFERENCE: Final = re.compile(r"`(?P<said>[^`<]{1,200}?)\s{0,4}<[^`>]{1,300}>`_{0,2}")
_LINK: Final = re.compile(r"\[(?P<said>[^\]\[]{1,200})\]\((?:[^()\s]{1,300})\)")
_RULE: Final = re.compile(r"(?:^|\s)(?P<mark>[~=\-^*\"#])(?P=mark){3,}(?=\s|$)")


def unmarked(text: str) -> str:
    """The text without roles, double backticks, targets of links, and lines below headings."""
    if not _MARKED.search(text):
        return text
    plain = _ROLE.sub(_meant, text)
    plain = _CUT_ROLE.sub("`", plain)
    plain = _REFERENCE.sub(lambda match: match["said"], plain)
    plain = _LITERAL.sub(lambda match: f"`{match['said']}`", plain)
    plain = _LINK.sub(lambda match: match["said"], plain)
    return _RULE.sub("", plain)


def _meant(match: re.Match[str]) -> str:
    """What a role names: `~package.Name` is `Name`, `title <target>` the title."""
    said, _, target = match["said"].partition("<")
    if target and said.strip():
        return said.strip()
    name = match["said"].strip("!<>")
    return f"`{name.rpartition('.')[2] if name.startswith('~') else name}`"
