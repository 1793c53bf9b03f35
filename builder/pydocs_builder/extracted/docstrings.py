"""Docstrings as a reader sees them: without their margin, and their first sentence."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["clean", "is_deprecated", "summarise", "summary_of"]

_LONGEST_SUMMARY: Final = 200
_MARKUP: Final = ("!!!", "???", "..", ">>>", ":", "@")
"""What begins a paragraph that is no prose: admonitions, directives, examples, fields."""

_FIELDS: Final = re.compile(r"\n\s*[:@](?:param|parameter|type|returns?|rtype|raises?|keyword)\b")
_BLOCK: Final = re.compile(r"[^\n]*(?:\n{1,2}[ \t]+[^\n]*)?(?:\n[ \t]+[^\n]*){0,5}")
_OF_A_CALL: Final = re.compile(
    r"\b(?:calling|passing|arguments?|parameters?|keywords?)\b", re.IGNORECASE
)
_RULE: Final = re.compile(r"[^\n]+\n\s*([=\-~^*#\"])\1{2,}\s*(?:\n|$)")
_READ: Final = 2_000
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


def summary_of(docstring: str) -> str:
    """The first sentence of a cleaned docstring that says what its symbol is or does.

    Directives, admonitions, titles and lists of parameters in front of it are passed over; where
    nothing else is there, a title is better than nothing, and a directive is not.
    """
    if not docstring.startswith(_MARKUP) and "\n" not in docstring:
        return summarise(docstring)
    title = ""
    for paragraph in docstring[:_READ].lstrip().split("\n\n"):
        bare = paragraph.strip("\n")
        if bare.startswith((" ", "\t", *_MARKUP)) or not bare.strip():
            continue
        headed = _RULE.match(bare)
        if headed:
            title = title or bare.partition("\n")[0]
            bare = bare[headed.end() :].strip("\n")
            if not bare.strip():
                continue
        fields = _FIELDS.search(bare)
        return summarise(bare[: fields.start()] if fields else bare)
    return summarise(title)


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
    if not directive:
        return False
    block = _BLOCK.match(rest)
    _, _, told = " ".join(block[0].split() if block else ()).partition(" ")
    if told.lower().startswith(("use ", "will be ")):
        return True
    # So does one that tells of a way to call it.
    return not told.startswith(("*", "`")) and not _OF_A_CALL.search(told)
