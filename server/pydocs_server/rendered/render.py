"""Text for a reader: third-party text fenced, labelled, and with nothing invisible in it."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["counted", "fence", "location", "one_line", "quote", "sealed", "visible"]

# Characters that change what a reader sees, or hide from one: controls but for tab and line feed,
# soft hyphen, the Arabic and Mongolian marks, zero-width and bidirectional ones, line and paragraph
# separators, invisible operators, hieroglyph joiners, variation selectors beyond the emoji one,
# byte-order mark, interlinear annotation, tags, and halves of surrogate pairs.
_HIDDEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb"
    "\ud800-\udfff\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_SPACES: Final = re.compile(r"\s+")
_TICKS: Final = re.compile("`{3,}")
_SHORT: Final = {"\r": "\\r", "\x1b": "\\x1b", "\x00": "\\0"}


def visible(text: str) -> str:
    r"""The text with control, bidirectional and zero-width characters shown as escapes.

    Line ends become `\n` and tabs stay; everything that prints as itself is untouched.
    """
    if text.isascii() and text.isprintable():
        return text
    return _HIDDEN.sub(_escape, text.replace("\r\n", "\n"))


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    if character in _SHORT:
        return _SHORT[character]
    code = ord(character)
    if code < 0x100:  # noqa: PLR2004 - the widths of Python's own escapes
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"  # noqa: PLR2004


def one_line(text: str, most: int = 200) -> str:
    """The text on one line, nothing hidden, cut at a word with `…` past `most` characters."""
    line = visible(_SPACES.sub(" ", text).strip())
    if len(line) <= most:
        return line
    cut = line[: most - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > most // 2 else cut).rstrip(" ,;:") + "…"


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 file`, `2,000 files`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def fence(text: str, label: str, language: str = "python") -> str:
    """Third-party text between fences that it cannot close, under a label that says whose it is.

    Args:
        text: the text as the file has it.
        label: where it is from: `package@version/path:line`.
        language: what to colour it as.
    """
    shown = visible(text).rstrip("\n")
    longest = max((len(run) for run in _TICKS.findall(shown)), default=2)
    ticks = "`" * (longest + 1)
    return f"{ticks}{language} {one_line(label)}\n{shown}\n{ticks}"


def quote(text: str) -> str:
    """Third-party prose as a block quotation, nothing hidden."""
    return "\n".join(f"> {line}".rstrip() for line in visible(text).strip("\n").split("\n"))


def location(package: str, version: str, path: str, line: int = 0) -> str:
    """The address that `read_file` takes: `package@version/path`, and `:line` if known."""
    address = f"{package}@{version}/{path}" if version else f"{package}/{path}"
    return visible(f"{address}:{line}" if line else address)


def sealed(text: str) -> str:
    """Rendered lines that quote third parties, between fences that they cannot close."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=2)
    ticks = "`" * (longest + 1)
    return f"{ticks}text\n{text}\n{ticks}"
