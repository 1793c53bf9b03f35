"""The encodings of files: how each is named in a bundle, so that its bytes can be had again."""

from __future__ import annotations

import codecs
from typing import Final

__all__ = ["MARKS", "NOT_FOR_FILES", "encoded"]

# Python's own `utf-16` writes the byte order of the machine, and `utf-16-be` no mark: neither gives
# back what the file had. UTF-32 goes before UTF-16, whose mark is a prefix of it.
MARKS: Final = {
    "utf-8-sig": (codecs.BOM_UTF8, "utf-8"),
    "utf-32-le-sig": (codecs.BOM_UTF32_LE, "utf-32-le"),
    "utf-32-be-sig": (codecs.BOM_UTF32_BE, "utf-32-be"),
    "utf-16-le-sig": (codecs.BOM_UTF16_LE, "utf-16-le"),
    "utf-16-be-sig": (codecs.BOM_UTF16_BE, "utf-16-be"),
}
"""Encodings with a byte-order mark: the mark, and the codec of what follows it."""

NOT_FOR_FILES: Final = frozenset(
    {"idna", "mbcs", "oem", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"}
)
"""Codecs that Python counts as text, but that take a page of it the square of the time, or change
it into what no editor writes."""


def encoded(text: bytes, encoding: str) -> bytes | None:
    """The UTF-8 text in a file's own encoding, or None if that cannot hold it."""
    mark, codec = MARKS.get(encoding, (b"", encoding))
    try:
        if codecs.lookup(codec).name.replace("_", "-") in NOT_FOR_FILES:
            return None
        return mark + text.decode().encode(codec)
    except (LookupError, ValueError):
        return None
