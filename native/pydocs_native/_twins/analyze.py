"""The one analysis of text: documents when postings are written, queries when they are searched.

Text is normalised (NFKC), cut into words, lowered, and each word is given whole and in its parts:
`HTTPServer_v2` is `httpserver_v2`, `http`, `server`, `v2`. Plain words are stemmed. Scripts written
without blanks are given as pairs of characters. Punctuation is never syntax and never a token.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise

from pydocs_native._twins.characters import GRAM, SYMBOL, WORD
from pydocs_native._twins.stem import stem

__all__ = ["analyze", "terms_in"]

_MAX_TOKEN = 64
_MOST_TERMS = 64
_MAX_WORD = 256  # what is longer is encoded data

# One letter before a quote is a string prefix (`b's'`), not a word.
_RUN = re.compile(
    rf"""(?P<contracted>[A-Za-z]{{2,}})['’](?P<suffix>[sStTdDmM]|[rRvV][eE]|[lL][lL])(?![{WORD}])
    |(?P<word>[{WORD}]+)|(?P<gram>[{GRAM}]+)|(?P<symbol>[{SYMBOL}])""",  # noqa: RUF001 - typographic quotes are typed too
    re.VERBOSE,
)
# `HTTPServer`: the last capital belongs to what follows; but `URLs` is a plural.
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])(?![A-Z]s\Z)")
_ACRONYMS = re.compile(r"([A-Z]{2,})s")
_NUMBERED = re.compile(r"([A-Za-z]{2,})[0-9]+")


def analyze(text: str) -> list[str]:
    """Gives the tokens of `text`, in order."""
    return list(_tokens(unicodedata.normalize("NFKC", text)))


def terms_in(texts: Sequence[str], terms: Sequence[str]) -> list[int]:
    """Gives for each text which of the terms it has: bit `k` for term `k`.

    Raises:
        ValueError: there are more than 64 terms.
    """
    if len(terms) > _MOST_TERMS:
        raise ValueError("there are more than 64 terms to look for")
    found = []
    for text in texts:
        said = frozenset(analyze(text))
        found.append(sum(1 << place for place, term in enumerate(terms) if term in said))
    return found


def _tokens(text: str) -> Iterator[str]:
    for run in _RUN.finditer(text):
        match run.lastgroup:
            case "word":
                yield from _word(run.group())
            case "gram":
                yield from _pairs(run.group())
            case "symbol":
                yield run.group()
            case _ if run["suffix"] in "sS":
                yield from _word(run["contracted"])
            case _:
                yield (run["contracted"] + run["suffix"]).lower()[:_MAX_TOKEN]


def _pairs(run: str) -> list[str]:
    return [a + b for a, b in pairwise(run)] or [run]


def _word(run: str) -> Iterator[str]:
    is_plain = "_" not in run and (not run.isascii() or not _CAPITAL.search(run))
    is_encoded = len(run) > _MAX_WORD
    if not is_plain or is_encoded:
        yield _lowered(run)[:_MAX_TOKEN]
    if is_encoded:
        return
    for segment in filter(None, run.split("_")):
        if not segment.isascii():
            yield _lowered(segment)[:_MAX_TOKEN]
            continue
        for piece in _CAPITAL.split(segment):
            yield from _part(piece)


def _part(piece: str) -> Iterator[str]:
    acronyms = _ACRONYMS.fullmatch(piece)
    yield (acronyms[1].lower() if acronyms else stem(piece.lower()))[:_MAX_TOKEN]
    if numbered := _NUMBERED.fullmatch(piece):
        yield stem(numbered[1].lower())[:_MAX_TOKEN]


def _lowered(text: str) -> str:
    # Each character by itself, so that no rule about a word's end applies.
    return "".join(map(str.lower, text)).replace(
        "\N{GREEK SMALL LETTER FINAL SIGMA}", "\N{GREEK SMALL LETTER SIGMA}"
    )
