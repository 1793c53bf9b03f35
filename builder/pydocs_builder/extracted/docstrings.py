"""Docstrings as a reader sees them: without their margin, and their first sentence."""

from __future__ import annotations

from typing import Final

__all__ = ["clean", "is_deprecated", "summarise"]

_LONGEST_SUMMARY: Final = 200
_ABBREVIATIONS: Final = ("e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.")
_DEPRECATIONS: Final = (".. deprecat", "deprecated.", "deprecated:", "deprecated ")


def clean(docstring: str) -> str:
    """The docstring without the margin of its lines, as `inspect.cleandoc` has it."""
    text = docstring.expandtabs() if "\t" in docstring else docstring
    if "\n" not in text:
        return text.lstrip()
    first, *rest = text.split("\n")
    margin = min((len(line) - len(bare) for line in rest if (bare := line.lstrip())), default=0)
    if margin:
        rest = [line[margin:] for line in rest]
    return "\n".join([first.lstrip(), *rest]).strip("\n")


def summarise(text: str) -> str:
    """The first sentence of a text, or its first paragraph where that is shorter."""
    if not text:
        return ""
    paragraph = text.lstrip()[: 2 * _LONGEST_SUMMARY].partition("\n\n")[0]
    if "\n" in paragraph or "  " in paragraph:
        paragraph = " ".join(paragraph.split())
    end = paragraph.find(". ")
    while end >= 0 and paragraph.endswith(_ABBREVIATIONS, 0, end + 1):
        end = paragraph.find(". ", end + 1)
    sentence = paragraph[: end + 1] if end >= 0 else paragraph.rstrip()
    if len(sentence) > _LONGEST_SUMMARY:
        return sentence[: _LONGEST_SUMMARY - 1] + "…"
    return sentence


def is_deprecated(docstring: str) -> bool:
    """Whether a cleaned docstring says that its symbol is deprecated."""
    if docstring[:12].lower().startswith(_DEPRECATIONS):
        return True
    # An indented directive, or one that goes on with a marked name, speaks of a parameter.
    _, directive, rest = docstring.partition("\n.. deprecated::")
    _, _, told = rest.partition("\n")[0].strip().partition(" ")
    return bool(directive) and not told.startswith(("*", "`"))
