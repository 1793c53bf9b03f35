"""What of an entry is embedded: its name in words, whose it is, and what is said of it first.

Of a project's own code that is its source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from pydocs_bundle.kinds import Flag, Kind
from pydocs_bundle.records import BundleContent, Entry, IndexText

__all__ = ["LONGEST_OWN_TEXT", "LONGEST_TEXT", "vector_texts"]

LONGEST_TEXT: Final = 240
"""How many characters of docstring, text or source are read."""

LONGEST_OWN_TEXT: Final = 320
"""The same of a project's own source, of which the code itself is read as well."""

_SYMBOLS: Final = (Kind.MODULE, Kind.CLASS, Kind.FUNCTION, Kind.METHOD, Kind.PROPERTY)
_PARTS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\dA-Za-z_]+")


def vector_texts(content: BundleContent) -> Iterator[tuple[int, str]]:
    """The number and the text of each document that gets a vector.

    Tests and decisions get none, nor does a module that says nothing of itself, a special method
    without a docstring, or what a dependency keeps to itself and says nothing of: other searches
    find them, and they would stand beside what people ask for.
    """
    is_own = content.kind != "dependency"
    for number, text in enumerate(content.texts):
        entry = content.entries[number]
        if entry.kind == Kind.DECISION or entry.flags & Flag.TEST:
            continue
        if entry.kind in _SYMBOLS and not entry.docstring:
            is_private = bool(entry.flags & Flag.PRIVATE) and not is_own
            if entry.kind == Kind.MODULE or is_private or text.name.startswith("__"):
                continue
        yield number, _section(text) if text.heading else _symbol(entry, text, is_own=is_own)


def _section(text: IndexText) -> str:
    title = text.heading.rpartition(" > ")[2]
    return f"{title}: {_shortened(text.body)}"


def _symbol(entry: Entry, text: IndexText, *, is_own: bool) -> str:
    owner, _, name = (entry.public_name or entry.qualified_name).rpartition(".")
    whose = _words(owner.rpartition(".")[2])
    if is_own:
        # Whoever asks about a project's own code describes what it does, documented or not.
        said = _shortened(text.body, LONGEST_OWN_TEXT)
    else:
        said = _shortened(entry.docstring) or _shortened(text.body)
    return f"{_words(name)} ({whose}): {said}" if whose else f"{_words(name)}: {said}"


def _words(name: str) -> str:
    return " ".join(_PARTS.findall(name)).lower()


def _shortened(text: str, most: int = LONGEST_TEXT) -> str:
    """The first words of a text, on one line."""
    # More than that is blanks, whatever follows.
    flat = " ".join(text[: 4 * most].split())
    if len(flat) <= most:
        return flat
    return flat[:most].rpartition(" ")[0] or flat[:most]
