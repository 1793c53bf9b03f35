"""A light stemmer for English: plurals, `-ed`, `-ing`, and the endings those hide.

Conservative on purpose: `parse`, `parses`, `parsed` and `parsing` meet, `parser` stays apart. A
stem is only compared with stems, never shown.
"""

from __future__ import annotations

import re

__all__ = ["stem"]

_UNCHANGED = frozenset(("canvas", "embed", "https", "use"))
_WORD = re.compile(r"[a-z]{4,}")
_VOWELS = frozenset("aeiouy")
_SHORTEST_STEM = 3


def stem(word: str) -> str:
    """Gives the stem of a lower-case ASCII word; anything else stays as it is."""
    if not _WORD.fullmatch(word):
        return word
    if word in {"used", "uses", "using"}:
        return "use"
    word = _singular(word)
    if word in _UNCHANGED:
        return word
    return _ending(_plain_form(word))


def _singular(word: str) -> str:
    if word.endswith(("sses", "xes", "ches", "shes", "zes", "ies")):
        return word[:-2]
    if word in _UNCHANGED or word.endswith(("ss", "us", "is", "ias")):
        return word
    return word.removesuffix("s")


def _plain_form(word: str) -> str:
    if word.endswith("ied"):
        return word[:-2]
    if word.endswith("ing"):
        form = word[:-3]
    elif word.endswith("ed") and not word.endswith("eed"):
        form = word[:-2]
    else:
        return word
    if len(form) < _SHORTEST_STEM or _VOWELS.isdisjoint(form):
        return word
    is_doubled = len(form) > _SHORTEST_STEM and form[-1] == form[-2]
    return form[:-1] if is_doubled and form[-1] not in "aeiouylsz" else form


def _ending(word: str) -> str:
    before, last = word[-2], word[-1]
    if (last == "e" != before and len(word) > 3) or (len(word) > 5 and word.endswith("ll")):  # noqa: PLR2004 - short words keep what they end in
        return word[:-1]
    if last == "y" and before not in _VOWELS and len(word) > 2:  # noqa: PLR2004 - the same
        return word[:-1] + "i"
    return word
