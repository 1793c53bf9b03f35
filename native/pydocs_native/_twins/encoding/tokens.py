"""A text as tokens: words in lower case without accents, each as the longest known pieces."""

from __future__ import annotations

import struct
import unicodedata
from collections.abc import Iterator

from pydocs_native._twins.encoding.characters import (
    is_ideograph,
    is_mark,
    is_punctuation,
    is_removed,
    is_space,
)
from pydocs_native._twins.encoding.section import EMPTY, Header, Places, fnv, malformed, probed

__all__ = ["Tokenizer"]

_CONTINUED = b"##"


class Tokenizer:
    """The pieces of a section, and how texts are taken apart into them.

    Raises:
        ValueError: the section's pieces do not hold together.
    """

    def __init__(self, section: memoryview, header: Header, places: Places) -> None:
        self._header = header
        self._slots: tuple[int, ...] = struct.unpack(f"<{header.slots}H", section[places.slots])
        pieces = bytes(section[places.pieces])
        start, self._pieces = 0, []
        for end in struct.unpack(f"<{header.vocabulary}I", section[places.ends]):
            if end < start or end > header.piece_bytes:
                raise malformed("has pieces of words that overlap")
            self._pieces.append(pieces[start:end])
            start = end
        if start != header.piece_bytes:
            raise malformed("has bytes behind its pieces of words")
        if any(header.vocabulary <= token < EMPTY for token in self._slots):
            raise malformed("has a slot for a piece that is not there")

    def tokens(self, text: str) -> list[int]:
        """The tokens of a text, start and end included, cut at what the model takes."""
        _, unknown, start, end, _ = self._header.special
        limit = self._header.positions - 1
        tokens = [start]
        rest: str | None = text
        while rest is not None and len(tokens) < limit:
            before, special, rest = self._next_special(rest)
            for word in _words(before):
                if len(tokens) >= limit:
                    break
                tokens += self._pieces_of(word) or [unknown]
            if rest is not None:
                tokens.append(special)
        return [*tokens[:limit], end]

    def _next_special(self, text: str) -> tuple[str, int, str | None]:
        """What stands before the first special token, that token, and what follows it."""
        found = []
        for token in self._header.special:
            try:
                piece = self._pieces[token].decode()
            except UnicodeDecodeError:
                continue
            at = text.find(piece)
            if piece and at >= 0:
                found.append((at, -len(piece.encode()), token, at + len(piece)))
        if not found:
            return text, 0, None
        at, _, token, after = min(found, key=lambda one: one[:2])
        return text[:at], token, text[after:]

    def _pieces_of(self, word: str) -> list[int]:
        """The tokens of a word; none if it is too long or has a part that is no piece."""
        if len(word) > self._header.word_characters:
            return []
        tokens, start = [], 0
        while start < len(word):
            before = _CONTINUED if start else b""
            for end in range(len(word), start, -1):
                token = self._find(before + word[start:end].encode())
                if token is not None:
                    break
            else:
                return []
            tokens.append(token)
            start = end
        return tokens

    def _find(self, piece: bytes) -> int | None:
        for slot in probed(fnv(piece), len(self._slots)):
            token = self._slots[slot]
            if token >= len(self._pieces):
                return None
            if self._pieces[token] == piece:
                return token
        return None


def _words(text: str) -> Iterator[str]:
    spaced = "".join(
        f" {one} " if is_ideograph(one) else one for one in text if not is_removed(one)
    )
    word = ""
    for taken_apart in unicodedata.normalize("NFD", spaced):
        if is_mark(taken_apart):
            continue
        for character in taken_apart.lower():
            if is_space(character) or is_punctuation(character):
                if word:
                    yield word
                if not is_space(character):
                    yield character
                word = ""
            else:
                word += character
    if word:
        yield word
