"""Chains of the parser, taken apart: what they begin with, and the links that follow."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from pydocs_builder.resolved.values import Element

__all__ = ["Arguments", "Chain", "Link", "arguments_of", "chain_of", "shown"]

_OPEN: Final = "([{"
_DISPLAYS: Final = {"[": "list", "(": "tuple", "{": "set", "?": "either"}
_LINK: Final = re.compile(r"[.(\[!]")
_BRACKET: Final = re.compile(r"[\[\](){}]")
_SEPARATED: Final = {
    ",": re.compile(r"[\[\](){},]"),
    "|": re.compile(r"[\[\](){}|]"),
}


class Link(NamedTuple):
    """One step of a chain: `.` with a name, `(` with arguments, `[` with a key, `!` for `with`."""

    kind: str
    text: str


class Chain(NamedTuple):
    """A chain: what it begins with, its elements if that is a display, and its links.

    `sort` is `name`, `literal`, `lambda`, `list`, `tuple`, `set`, `dict` or `either`; `root` the
    name, or the type of a literal.
    """

    sort: str
    root: str
    elements: tuple[Element, ...]
    links: tuple[Link, ...]


class Arguments(NamedTuple):
    """What a call is given: by position, by keyword, and unpacked."""

    positional: tuple[Element, ...]
    named: dict[str, str]
    mappings: tuple[str, ...]


@lru_cache(maxsize=65_536)
def chain_of(text: str) -> Chain:
    """A chain, taken apart."""
    if text[:1] == "<":
        end = text.find(">") + 1
        return Chain("literal", text[1 : end - 1], (), _links(text[end:]))
    sort = _DISPLAYS.get(text[:1])
    if sort is None:
        first = _LINK.search(text, 1)
        end = first.start() if first else len(text)
        if end == len(text) and text[:1] != "\\":
            return Chain("name", text, (), ())
        is_lambda = text[:1] == "\\"
        return Chain("lambda" if is_lambda else "name", text[:end], (), _links(text[end:]))
    start = 1 if sort == "either" else 0
    end = _closing(text, start) + 1
    inner = text[start + 1 : end - 1]
    parts = _split(inner, "|" if sort == "either" else ",")
    elements = tuple(map(_element, parts))
    if sort == "set" and any(one.key or one.stars == "**" or _has_key(inner) for one in elements):
        sort = "dict"
    return Chain(sort, "", elements, _links(text[end:]))


@lru_cache(maxsize=65_536)
def arguments_of(text: str) -> Arguments:
    """The arguments of a call, taken apart."""
    positional: list[Element] = []
    named: dict[str, str] = {}
    mappings: list[str] = []
    for part in _split(text, ",") if text else ():
        keyword, equals, value = part.partition("=")
        if part.startswith("**"):
            mappings.append(part[2:])
        elif part.startswith("*"):
            positional.append(Element(part[1:], stars="*"))
        elif equals and keyword.isidentifier():
            named[keyword] = value
        else:
            positional.append(Element(part))
    return Arguments(tuple(positional), named, tuple(mappings))


def shown(text: str) -> str:
    """A chain as answers show it: without arguments, keys, and places of names."""
    if text[:1] in _DISPLAYS or text[:1] == "\\":
        chain = chain_of(text)
        return "<expression>" + "".join(_shown_link(link) for link in chain.links)
    if "@" not in text and "(" not in text and "[" not in text and "!" not in text:
        return text
    chain = chain_of(text)
    root = f"<{chain.root}>" if chain.sort == "literal" else chain.root.partition("@")[0]
    return root + "".join(_shown_link(link) for link in chain.links)


def _shown_link(link: Link) -> str:
    if link.kind == ".":
        return f".{link.text}"
    return {"(": "()", "[": "[]", "!": ""}[link.kind]


def _links(text: str) -> tuple[Link, ...]:
    if not text:
        return ()
    found: list[Link] = []
    at = 0
    while at < len(text):
        kind = text[at]
        if kind == ".":
            following = _LINK.search(text, at + 1)
            end = following.start() if following else len(text)
            found.append(Link(".", text[at + 1 : end]))
        elif kind == "!":
            end = at + 1
            found.append(Link("!", ""))
        else:
            end = _closing(text, at) + 1
            found.append(Link(kind, text[at + 1 : end - 1]))
        at = end
    return tuple(found)


def _closing(text: str, start: int) -> int:
    depth = 0
    for bracket in _BRACKET.finditer(text, start):
        if bracket[0] in _OPEN:
            depth += 1
        else:
            depth -= 1
            if not depth:
                return bracket.start()
    return len(text)


def _split(text: str, separator: str) -> list[str]:
    if not any(one in text for one in _OPEN):
        return text.split(separator)
    parts: list[str] = []
    depth = start = 0
    for mark in _SEPARATED[separator].finditer(text):
        if mark[0] in _OPEN:
            depth += 1
        elif mark[0] != separator:
            depth -= 1
        elif not depth:
            parts.append(text[start : mark.start()])
            start = mark.end()
    parts.append(text[start:])
    return parts


def _has_key(inner: str) -> bool:
    """Whether the elements of a display have keys: `:f`, `'a':f`."""
    return any(part[:1] == ":" for part in _split(inner, ","))


def _element(text: str) -> Element:
    if text.startswith("**"):
        return Element(text[2:], stars="**")
    if text.startswith("*"):
        return Element(text[1:], stars="*")
    if text[:1] == ":":
        return Element(text[1:])
    if text[:1] in "'-0123456789" and text:
        key, colon, value = text.partition(":")
        return Element(value, key) if colon else Element(text)
    return Element(text)
