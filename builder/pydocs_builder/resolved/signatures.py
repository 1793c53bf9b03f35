"""Signatures and annotations as text, taken apart."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["parameter_names", "split_outside", "starred_names"]

_MARK: Final = re.compile(r"[\[\](){},'\"]")


def parameter_names(signature: str) -> list[str]:
    """The names of the parameters of a signature."""
    return [name.strip("* ") for name in starred_names(signature)]


def starred_names(signature: str) -> list[str]:
    """The names of the parameters of a signature with their stars, and the marks `*` and `/`."""
    start = signature.find("(") + 1
    end = signature.rfind(")")
    if not start or end < start:
        return []
    depth = 0
    names: list[str] = []
    begin = start
    quote = ""
    for match in _MARK.finditer(signature, start):
        mark = match[0]
        if quote:
            quote = "" if mark == quote else quote
        elif mark in "'\"":
            quote = mark
        elif mark in "([{":
            depth += 1
        elif mark in ")]}":
            depth -= 1
            if depth < 0:
                end = match.start()
                break
        elif not depth:
            names.append(signature[begin : match.start()])
            begin = match.end()
    names.append(signature[begin:end])
    return [name.partition(":")[0].partition("=")[0].strip() for name in names]


def split_outside(text: str, separator: str) -> list[str]:
    """A text cut at a separator outside brackets."""
    if "[" not in text and "(" not in text:
        return text.split(separator)
    parts: list[str] = []
    depth = 0
    start = 0
    for position, character in enumerate(text):
        if character in "[(":
            depth += 1
        elif character in "])":
            depth -= 1
        elif character == separator and not depth:
            parts.append(text[start:position])
            start = position + 1
    parts.append(text[start:])
    return parts
