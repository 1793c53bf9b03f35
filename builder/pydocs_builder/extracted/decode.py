"""Bytes of a file as UTF-8 text: byte-order mark, coding cookie, and what cannot be decoded.

Line ends stay as they are, and so do form feeds and NULs: offsets and lines must be those that an
editor shows.
"""

from __future__ import annotations

import codecs
import re
from typing import Final, NamedTuple

from pydocs_bundle.encodings import MARKS, NOT_FOR_FILES

__all__ = ["Decoded", "decode_document", "decode_source"]

_UTF8: Final = "utf-8"
_LATIN1: Final = "iso-8859-1"
_WINDOWS: Final = "cp1252"
_PROBED: Final = 4_096

# As the tokenizer of the standard library reads a cookie.
_COOKIE: Final = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.ASCII)
_BLANK: Final = re.compile(rb"^[ \t\f]*(?:[#\r\n]|$)", re.ASCII)
# Documents name their encoding as editors read it.
_EDITOR_COOKIE: Final = re.compile(rb"-\*-.*?coding:[ \t]*([-\w.]+).*?-\*-", re.ASCII)


class Decoded(NamedTuple):
    """A text as UTF-8, the encoding that gives its bytes back, and whether something was lost."""

    text: bytes
    encoding: str = _UTF8
    is_lossy: bool = False
    problem: str = ""


def decode_source(raw: bytes) -> Decoded:
    """The text of a Python file, by its byte-order mark, its coding cookie, or UTF-8."""
    marked = _by_mark(raw)
    if marked is not None:
        return marked
    cookie = _cookie(raw)
    if not cookie:
        return _as_utf8(raw)
    encoding = _known(cookie)
    if not encoding:
        plain = _as_utf8(raw)
        return plain._replace(
            problem=f"names the encoding {cookie[:40]!r}, which is not known; it is read as UTF-8"
        )
    return _as_utf8(raw) if encoding == _UTF8 else _recoded(raw, encoding, encoding)


def decode_document(raw: bytes) -> Decoded:
    """The text of a document: by its byte-order mark, a cookie for editors, UTF-8, or a guess.

    What is no UTF-8 was written before UTF-8 was usual: as UTF-16 where every second byte is zero,
    else in the code page of western Windows, which holds Latin-1.
    """
    marked = _by_mark(raw)
    if marked is not None:
        return marked
    if b"\0" in raw[:_PROBED]:
        return _unmarked_utf16(raw) or _as_utf8(raw)
    plain = _as_utf8(raw)
    if not plain.is_lossy:
        return plain
    match = _EDITOR_COOKIE.search(raw[:_PROBED])
    stated = _known(match[1].decode("ascii")) if match else ""
    guessed = _recoded(raw, stated or _WINDOWS, stated or _WINDOWS)
    if guessed.is_lossy:
        return plain
    if stated:
        return guessed
    said = f"holds bytes that are not {_UTF8} and is read as {_WINDOWS}; save it as UTF-8"
    return guessed._replace(problem=said)


def _unmarked_utf16(raw: bytes) -> Decoded | None:
    """UTF-16 without a mark, as nearly all text of it shows itself; None for what is no text."""
    probe = raw[: _PROBED & ~1]
    half = len(probe) // 2
    for codec, zeros, others in (
        ("utf-16-le", probe[1::2], probe[::2]),
        ("utf-16-be", probe[::2], probe[1::2]),
    ):
        if 2 * zeros.count(0) > half and not others.count(0):
            found = _recoded(raw, codec, codec)
            if not found.is_lossy and b"\0" not in found.text:
                return found._replace(problem=f"has no byte-order mark and is read as {codec}")
    return None


def _by_mark(raw: bytes) -> Decoded | None:
    for encoding, (mark, codec) in MARKS.items():
        if raw.startswith(mark):
            rest = raw[len(mark) :]
            if codec == _UTF8:
                return _as_utf8(rest)._replace(encoding=encoding)
            return _recoded(rest, codec, encoding)
    return None


def _as_utf8(raw: bytes) -> Decoded:
    if raw.isascii():
        return Decoded(raw)
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        text = raw.decode(errors="replace").encode()
        return Decoded(text, is_lossy=True, problem=_lost(raw, error.start, _UTF8))
    return Decoded(raw)


def _recoded(raw: bytes, codec: str, encoding: str) -> Decoded:
    problem = ""
    try:
        text = raw.decode(codec)
    except UnicodeError as error:
        text = raw.decode(codec, errors="replace")
        problem = _lost(raw, getattr(error, "start", 0), codec)
    try:
        return Decoded(text.encode(), encoding, bool(problem), problem)
    except UnicodeEncodeError:
        lossless = text.encode(errors="replace")
        return Decoded(lossless, encoding, is_lossy=True, problem=_lost(raw, 0, codec))


def _lost(raw: bytes, position: int, codec: str) -> str:
    line = raw.count(b"\n", 0, position) + 1
    return f"line {line} holds bytes that are not {codec}; they stand as U+FFFD"


def _cookie(raw: bytes) -> str:
    first, _, rest = raw[:400].partition(b"\n")
    second = rest.partition(b"\n")[0]
    for line in (first, second):
        if match := _COOKIE.match(line):
            return match[1].decode("ascii")
        if not _BLANK.match(line):
            return ""
    return ""


def _known(cookie: str) -> str:
    """The codec's own name, empty where it is unknown or must not be used."""
    name = cookie[:40].lower().replace("_", "-")
    if name == _UTF8 or name.startswith("utf-8-"):
        return _UTF8
    if name in {"latin-1", _LATIN1, "iso-latin-1"} or name.startswith(("latin-1-", "iso-8859-1-")):
        return _LATIN1
    try:
        found = codecs.lookup(name)
        "a".encode(found.name)
    except (LookupError, UnicodeError, ValueError):
        return ""
    codec = found.name.replace("_", "-").lower()
    if codec in NOT_FOR_FILES:
        return ""
    return codec
