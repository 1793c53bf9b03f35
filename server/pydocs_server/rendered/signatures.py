"""Signatures as a caller reads them: overloads apart, without prose, and short where they must."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

__all__ = ["bases", "briefly", "overloads", "without_prose"]

_MARK: Final = ", Doc("
_LONGEST: Final = 20_000
_OWNERS: Final = frozenset({"self", "cls", "mcs", "_self", "__self", "__pydantic_self__"})
_LONGEST_DEFAULT: Final = 24
_NO_BASES: Final = ("metaclass=", "Generic[", "t.Generic[", "typing.Generic[", "Protocol[")
# `Annotated[str, Doc("""…""")]`, whole or with the end of the text left out by the build.
_DOCUMENTED: Final = (
    r"Annotated\[(?P<type>(?:(?!Annotated\[).)*?), Doc\(\s*(?P<quote>\"\"\"|'''|\"|')"
    r".*?(?:(?P=quote)\s*,?\s*\)\s*,?\s*\]|…(?= = |, |\)|$))"
)


def overloads(signature: str) -> list[str]:
    """The overloads that a signature lists, one line for each; at least one, maybe empty."""
    # Text inside a default may span lines, and an overload begins with its parameters.
    each = re.split(r"\n(?=\()", without_prose(signature))
    return [re.sub(r"\s*\n\s*", " ", one) for one in each]


def briefly(signature: str, most: int, *, is_method: bool = False) -> str:
    """How to call it, on one line: of several overloads the one that takes most.

    A method's owner is left out, past `most` characters the annotations too, then what is returned,
    and at last parameters, with `…` for them. What is no signature of a callable is given as it is.
    """
    every = overloads(signature)
    split = [_parted(one) for one in every]
    parameters, behind = max(split, key=lambda each: len(each[0]))
    if not every[0].startswith("("):
        return every[0]
    if is_method and parameters and _named(parameters[0]) in _OWNERS:
        parameters = parameters[2 if parameters[1:2] == ["/"] else 1 :]
    whole = f"({', '.join(parameters)}){behind}"
    if len(whole) <= most:
        return whole
    bare = [_without_annotation(each) for each in parameters]
    short = f"({', '.join(bare)})"
    if len(short) + len(behind) <= most:
        return short + behind
    return short if len(short) <= most else f"({', '.join(_beginning(bare, most))}, …)"


def bases(signature: str) -> str:
    """What a class inherits from, in parentheses, without what no reader asks for; maybe empty."""
    named, _ = _parted(overloads(signature)[0])
    told = [each for each in named if each != "object" and not each.startswith(_NO_BASES)]
    return f"({', '.join(told)})" if told else ""


def _parted(signature: str) -> tuple[list[str], str]:
    """The parameters that stand between the outermost parentheses, and what stands behind them."""
    if not signature.startswith("("):
        return [], signature
    parts: list[str] = []
    begin, end = 1, len(signature)
    for position, character, depth in _unquoted(signature):
        if character == "," and depth == 1:
            parts.append(signature[begin:position])
            begin = position + 1
        elif character in ")]}" and depth == 0:
            end = position
            break
    parts.append(signature[begin:end])
    return [part.strip() for part in parts if part.strip()], signature[end + 1 :]


def _unquoted(text: str) -> Iterator[tuple[int, str, int]]:
    """What stands outside of quotes: each place, its character, and how many brackets are open."""
    depth, quote = 0, ""
    for position, character in enumerate(text):
        if quote:
            # A quote behind a backslash is text; two backslashes before one are rarer than rare.
            is_end = character == quote and text[position - 1] != "\\"
            quote = "" if is_end else quote
        elif character in "\"'":
            quote = character
        else:
            depth += (character in "([{") - (character in ")]}")
            yield position, character, depth


def _without_annotation(parameter: str) -> str:
    """`name=default` of `name: annotation = default`; a long default as `…`."""
    name = _named(parameter)
    default = next(
        (
            parameter[at + 1 :].strip()
            for at, character, depth in _unquoted(parameter)
            if character == "=" and depth == 0 and parameter[at + 1 : at + 2] != "="
        ),
        "",
    )
    if not default:
        return name
    return f"{name}={default if len(default) <= _LONGEST_DEFAULT else '…'}"


def _named(parameter: str) -> str:
    return parameter.partition(":")[0].partition("=")[0].strip()


def _beginning(parameters: Iterable[str], most: int) -> list[str]:
    room = most - len("(, …)")
    kept: list[str] = []
    for each in parameters:
        room -= len(each) + 2
        if room < 0:
            break
        kept.append(each)
    return kept


def without_prose(signature: str) -> str:
    """The signature with `Annotated[T, Doc("…")]` as the plain `T` that a caller needs."""
    if _MARK not in signature or len(signature) > _LONGEST:
        return signature
    return re.sub(_DOCUMENTED, _plain, signature, flags=re.DOTALL)


def _plain(match: re.Match[str]) -> str:
    """The type alone, or with what else is said of it than prose."""
    said = match["type"]
    depth = 0
    for character in said:
        depth += (character in "[(") - (character in "])")
        if character == "," and depth == 0:
            return f"Annotated[{said}]"
    return said
