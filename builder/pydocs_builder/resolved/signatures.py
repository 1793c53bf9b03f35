"""Signatures and annotations as text, taken apart."""

from __future__ import annotations

__all__ = ["parameter_names", "split_outside"]


def parameter_names(signature: str) -> list[str]:
    """The names of the parameters of a signature."""
    start = signature.find("(")
    depth = 0
    names: list[str] = []
    piece: list[str] = []
    quote = ""
    for character in signature[start:]:
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if not depth:
                break
        elif character == "," and depth == 1:
            names.append("".join(piece))
            piece = []
        elif depth == 1:
            piece.append(character)
    names.append("".join(piece))
    return [name.partition(":")[0].partition("=")[0].strip("* ") for name in names]


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
