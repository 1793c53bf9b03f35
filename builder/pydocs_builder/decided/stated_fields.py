"""What a document states about itself in fields: status, date, what it replaces."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["replaced_by", "replaces", "stated_date", "stated_fields", "stated_status"]

_NAMES: Final = (
    r"status|date|created|title|authors?|superseded[- ]by|replaced[- ]by|supersedes|replaces"
    r"|pep|nep|dep|jep|kep|slep|rfc|spec"
)
_FIELD: Final = re.compile(
    r"[ \t]{0,3}(?:[-*+][ \t]{1,3})?\*{0,2}:?(?P<name>" + _NAMES + r")\*{0,2}:\*{0,2}[ \t]*"
    r"(?P<value>.*)",
    re.IGNORECASE,
)
_ROW: Final = re.compile(
    r"[ \t]*\|[ \t]*\*{0,2}(?P<name>" + _NAMES + r"):?\*{0,2}[ \t]*\|[ \t]*(?P<value>[^|]*)\|",
    re.IGNORECASE,
)
_SAME: Final = {"replaced-by": "superseded-by", "replaces": "supersedes", "authors": "author"}
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2}[- ][A-Z][a-z]{2,8}[- ]\d{4}")
# Some templates spell it with a c.
_REPLACED: Final = re.compile(
    r"(?:super[sc]ee?ded|replaced|obsoleted)\s+(?:by|with)\b[: \t]*(?P<what>[^\n]*)",
    re.IGNORECASE,
)
_REPLACES: Final = re.compile(
    r"\b(?:super[sc]edes|replaces|obsoletes)\b[: \t]*(?P<what>[^\n]*)", re.IGNORECASE
)
_ENDED: Final = re.compile(r"super[sc]ee?ded|replaced|obsolete|deprecated", re.IGNORECASE)
_HEAD_LINES: Final = 40
_LONGEST: Final = 200


def stated_fields(text: bytes) -> dict[str, str]:
    """`Status: …` and its like by name: in front matter, field lists, tables or prose."""
    found: dict[str, str] = {}
    for line in text.decode(errors="replace").splitlines()[:_HEAD_LINES]:
        match = _FIELD.match(line[:_LONGEST]) or _ROW.match(line[:_LONGEST])
        value = match["value"].strip(" \"'*|") if match else ""
        if match and value:
            name = match["name"].lower().replace(" ", "-")
            found.setdefault(_SAME.get(name, name), value)
    return found


def stated_status(text: bytes) -> str:
    """The status in the lines below its heading: the one that ends it, else the first."""
    lines = [line.strip(" \t>*_-+") for line in text.decode(errors="replace").splitlines()]
    told = [line[:_LONGEST] for line in lines if line.strip("=-~^#")]
    told = [line.replace("**", "").replace("* ", " ") for line in told]
    ended = (line for line in told if _ENDED.search(line))
    return next(ended, told[0] if told else "")


def stated_date(text: str) -> str:
    """The first date in a text."""
    match = _DATE.search(text)
    return match[0] if match else ""


def replaced_by(text: str) -> str:
    """What a text says it is superseded by, as written."""
    match = _REPLACED.search(text)
    return match["what"].strip() if match else ""


def replaces(text: str) -> str:
    """What a text says it supersedes, as written."""
    match = _REPLACES.search(text)
    return match["what"].strip() if match else ""
