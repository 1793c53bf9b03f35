"""A PXI section from the texts of its documents."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Sequence

from pydocs_native._twins.analyze import analyze
from pydocs_native._twins.postings_codec import (
    FIELDS,
    Counts,
    Payloads,
    put_list,
    put_number,
    put_payload,
)

__all__ = [
    "BLOCK",
    "HEADER",
    "MEASURED",
    "RECORD",
    "TERMS_PER_BLOCK",
    "VERSION",
    "coded_length",
    "write_postings",
]

VERSION = 1
HEADER = struct.Struct("<IIQIIII3Q")
RECORD = struct.Struct("<H3BBB")
MEASURED = (2, 3, 4)  # the fields whose lengths are kept: signature, docstring, body
BLOCK = struct.Struct("<QII")
TERMS_PER_BLOCK = 32
_MORE = 15  # a nibble that says the number goes on in bytes of its own
_MOST = (1 << 16) - 1  # lengths and counts stay at this
_EXACT = 32  # lengths below this are their own codes

_Texts = tuple[str, str, str, str, str, str, str]
_Postings = list[tuple[int, Counts]]


def write_postings(texts: Sequence[_Texts], kinds: bytes, flags: bytes) -> bytes:
    """Writes the PXI section of the documents' seven texts.

    Raises:
        ValueError: `kinds` or `flags` has not one byte a document.
    """
    if not len(texts) == len(kinds) == len(flags):
        raise ValueError("texts, kinds and flags are not of one length")
    records = bytearray()
    lists: dict[bytes, _Postings] = {}
    tokens = 0
    field_tokens = [0] * len(MEASURED)
    for document, fields in enumerate(texts):
        counted = [Counter(analyze(text)) for text in fields]
        length = min(sum(count.total() for count in counted), _MOST)
        lengths = [min(counted[field].total(), _MOST) for field in MEASURED]
        tokens += length
        field_tokens = [a + b for a, b in zip(field_tokens, lengths, strict=True)]
        codes = map(_length_code, lengths)
        records += RECORD.pack(length, *codes, kinds[document], flags[document])
        for term in dict.fromkeys(term for count in counted for term in count):
            counts = tuple(min(counted[field][term], _MOST) for field in range(FIELDS))
            lists.setdefault(term.encode(), []).append((document, counts))
    payloads = Payloads(counts for postings in lists.values() for _, counts in postings)
    blocks, text, postings = _dictionary(lists, payloads)
    sizes = (len(lists), len(text), len(postings), len(payloads.rows) // FIELDS)
    header = HEADER.pack(VERSION, len(texts), tokens, *sizes, *field_tokens)
    return b"".join((header, records, blocks, payloads.rows, text, postings))


def coded_length(code: int) -> int:
    """The length that a code stands for, and at least 1."""
    return max(code, 1) if code < _EXACT else (16 + code % 16) << (code // 16 - 1)


def _length_code(length: int) -> int:
    """The code of a length in one byte, by which it is at most a sixteenth too low.

    Below 32 it is the length, above that its five highest bits and where they stand.
    """
    if length < _EXACT:
        return length
    shift = length.bit_length() - 5
    return shift * 16 + (length >> shift)


def _dictionary(
    lists: dict[bytes, _Postings], payloads: Payloads
) -> tuple[bytearray, bytearray, bytearray]:
    blocks, text, postings = bytearray(), bytearray(), bytearray()
    last, single = b"", None
    for index, term in enumerate(sorted(lists)):
        start = len(postings)
        if index % TERMS_PER_BLOCK == 0:
            last, single = b"", None
            blocks += BLOCK.pack(int.from_bytes(term[:8].ljust(8, b"\0")), len(text), start)
        same = _common(last, term)
        _put_term(text, same, term[same:])
        last = term
        if len(lists[term]) == 1:
            before, single = single, lists[term][0]
            _put_single(text, single, before, payloads)
        else:
            put_list(postings, lists[term], payloads)
            put_number(text, (len(postings) - start) << 1 | 1)
            put_number(text, len(lists[term]) - 2)
    return blocks, text, postings


def _put_single(
    text: bytearray,
    single: tuple[int, Counts],
    before: tuple[int, Counts] | None,
    payloads: Payloads,
) -> None:
    if single == before:
        text.append(0)
        return
    document, counts = single
    rank = payloads.ranks.get(counts)
    put_number(text, ((document << 1 | (rank != 0)) + 1) << 1)
    if rank != 0:
        put_payload(text, rank, counts)


def _common(a: bytes, b: bytes) -> int:
    differing = (index for index, (x, y) in enumerate(zip(a, b, strict=False)) if x != y)
    return next(differing, min(len(a), len(b)))


def _put_term(text: bytearray, same: int, rest: bytes) -> None:
    text.append(min(same, _MORE) << 4 | min(len(rest), _MORE))
    for number in (same, len(rest)):
        if number >= _MORE:
            put_number(text, number - _MORE)
    text += rest
