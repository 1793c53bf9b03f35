"""A PXI section from the texts of its documents."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Sequence

from pydocs_native._twins.analyze import analyze
from pydocs_native._twins.postings_codec import FIELDS, put_number, put_posting

__all__ = ["BLOCK", "HEADER", "RECORD", "TERMS_PER_BLOCK", "VERSION", "write_postings"]

VERSION = 1
HEADER = struct.Struct("<IIQIIIxxxx")
RECORD = struct.Struct("<7HBB")
BLOCK = struct.Struct("<QII")
TERMS_PER_BLOCK = 16
_MORE = 15  # a nibble that says the number goes on in bytes of its own
_MOST = (1 << 16) - 1  # lengths and counts stay at this

_Texts = tuple[str, str, str, str, str, str, str]
_Counts = tuple[int, ...]


def write_postings(texts: Sequence[_Texts], kinds: bytes, flags: bytes) -> bytes:
    """Writes the PXI section of the documents' seven texts.

    Raises:
        ValueError: `kinds` or `flags` has not one byte a document.
    """
    if not len(texts) == len(kinds) == len(flags):
        raise ValueError("texts, kinds and flags are not of one length")
    records = bytearray()
    lists: dict[bytes, list[tuple[int, _Counts]]] = {}
    tokens = 0
    for document, fields in enumerate(texts):
        counted = [Counter(analyze(text)) for text in fields]
        lengths = [min(count.total(), _MOST) for count in counted]
        tokens += sum(lengths)
        records += RECORD.pack(*lengths, kinds[document], flags[document])
        for term in dict.fromkeys(term for count in counted for term in count):
            counts = tuple(min(counted[field][term], _MOST) for field in range(FIELDS))
            lists.setdefault(term.encode(), []).append((document, counts))
    blocks, text, postings = _dictionary(lists)
    header = HEADER.pack(VERSION, len(texts), tokens, len(lists), len(text), len(postings))
    return b"".join((header, records, blocks, text, postings))


def _dictionary(
    lists: dict[bytes, list[tuple[int, _Counts]]],
) -> tuple[bytearray, bytearray, bytearray]:
    blocks, text, postings = bytearray(), bytearray(), bytearray()
    last = b""
    for index, term in enumerate(sorted(lists)):
        start = len(postings)
        following = 0
        for document, counts in lists[term]:
            put_posting(postings, document - following, counts)
            following = document + 1
        is_first = index % TERMS_PER_BLOCK == 0
        if is_first:
            blocks += BLOCK.pack(int.from_bytes(term[:8].ljust(8, b"\0")), len(text), start)
        same = 0 if is_first else _common(last, term)
        _put_term(text, same, term[same:])
        frequency = len(lists[term])
        put_number(text, (len(postings) - start) << 1 | (frequency > 1))
        if frequency > 1:
            put_number(text, frequency - 2)
        last = term
    return blocks, text, postings


def _common(a: bytes, b: bytes) -> int:
    differing = (index for index, (x, y) in enumerate(zip(a, b, strict=False)) if x != y)
    return next(differing, min(len(a), len(b)))


def _put_term(text: bytearray, same: int, rest: bytes) -> None:
    text.append(min(same, _MORE) << 4 | min(len(rest), _MORE))
    for number in (same, len(rest)):
        if number >= _MORE:
            put_number(text, number - _MORE)
    text += rest
