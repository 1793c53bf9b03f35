"""One requirements file as pip reads it: logical lines, and what each of them asks for."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

__all__ = ["Ask", "Line", "decode", "parse_lines"]

_COMMENT = re.compile(r"(^|\s)#.*$")
_COOKIE = re.compile(rb"coding[:=]\s*([-\w.]+)")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_FILE_OPTIONS = {
    "-r": "include",
    "--requirement": "include",
    "-c": "constraint",
    "--constraint": "constraint",
    "-e": "editable",
    "--editable": "editable",
}
# Options of pip that say where and how to install, not what.
_OTHER_OPTIONS = ("-i", "-f", "--")
# A requirement's own options stand behind it: `alpha==1 --hash=sha256:…`.
_OWN_OPTIONS = re.compile(r"\s--(?:hash|global-option|install-option|config-settings?)\b.*$")

_HASH = re.compile(r"--hash[=\s]\s*(sha(?:256|384|512):[0-9a-fA-F]+)")


class Ask(Enum):
    """What a line asks for."""

    REQUIREMENT = "requirement"
    INCLUDE = "include"
    CONSTRAINT = "constraint"
    EDITABLE = "editable"
    UNKNOWN = "unknown"


class Line(NamedTuple):
    """One logical line: what it asks for, the text that says it, where it begins, its hashes."""

    ask: Ask
    text: str
    number: int
    hashes: tuple[str, ...] = ()


def decode(raw: bytes) -> str:
    """The text of a requirements file: by its byte-order mark, its cookie, or as UTF-8."""
    for mark, encoding in _BOMS:
        if raw.startswith(mark):
            return raw.decode(encoding, "replace").lstrip("\ufeff")
    for line in raw.split(b"\n")[:2]:
        cookie = _COOKIE.search(line) if line.startswith(b"#") else None
        if cookie is not None:
            try:
                text = raw.decode(cookie[1].decode("ascii"), "replace")
            except (LookupError, UnicodeError):
                break
            # Some codecs are none for whole files: under them not even the cookie is legible.
            if text.startswith("#"):
                return text
    return raw.decode("utf-8", "replace")


def parse_lines(text: str) -> tuple[Line, ...]:
    """What each logical line asks for; comments and options that name nothing are left out."""
    lines = (_classify(stripped, number) for number, stripped in _logical_lines(text))
    return tuple(line for line in lines if line is not None)


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with continuations joined and comments gone, each with the number it begins on."""
    joined, start = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        start = start or number
        is_comment = line.lstrip().startswith("#")
        if line.endswith("\\") and not is_comment:
            joined += line[:-1]
            continue
        joined += " " + line if is_comment else line
        if stripped := _COMMENT.sub("", joined).strip():
            yield start, stripped
        joined, start = "", 0
    if stripped := _COMMENT.sub("", joined).strip():
        yield start, stripped


def _classify(text: str, number: int) -> Line | None:
    if not text.startswith("-"):
        stated = _OWN_OPTIONS.sub("", text)
        hashes = tuple(_HASH.findall(text[len(stated) :]))
        return Line(Ask.REQUIREMENT, stated.strip(), number, hashes)
    for option, ask in _FILE_OPTIONS.items():
        if not text.startswith(option):
            continue
        # `--requirement-like` is another option; `-rname` needs neither blank nor sign.
        rest = text[len(option) :]
        if option.startswith("--") and rest[:1] not in {"=", " ", "\t"}:
            continue
        value = rest.strip().removeprefix("=").strip()
        if value[:1] in {'"', "'"} and value[-1:] == value[:1]:
            value = value[1:-1]
        return Line(Ask(ask), value, number)
    if text.startswith(_OTHER_OPTIONS):
        return None
    return Line(Ask.UNKNOWN, text, number)
