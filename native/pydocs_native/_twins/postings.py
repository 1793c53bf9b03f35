"""BM25 over the union of PXI sections, equal to one index that holds them all."""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Iterable, Iterator, Sequence

from pydocs_native._twins.postings_codec import FIELDS, Counts, Cursor, row_of
from pydocs_native._twins.postings_write import (
    BLOCK,
    HEADER,
    MEASURED,
    RECORD,
    TERMS_PER_BLOCK,
    VERSION,
    coded_length,
)

__all__ = ["Postings"]

_K1 = 1.2
_FIELD_B = (0.5, 0.5, 0.75)
_LEAST_IDF = 1e-6  # what a term that stands in more than half of all documents is worth
_MAX_WEIGHT = 1e6
_ALL_KINDS = (1 << 64) - 1
_MORE = 15
_UNMEASURED = tuple(field for field in range(FIELDS) if field not in MEASURED)

# The documents of a term with its counts in each, and how many they are.
_List = tuple[Iterable[tuple[int, Counts]], int]


class Postings:
    """The union of mounted PXI sections.

    Args:
        sections: their bytes, read-only.

    Raises:
        TypeError: a section is memory that can be written to.
        ValueError: a section is none.
    """

    def __init__(self, sections: Sequence[bytes | memoryview]) -> None:
        self._sections = [_Section(index, section) for index, section in enumerate(sections)]

    def document_counts(self) -> list[int]:
        """Gives how many documents each section has."""
        return [section.documents for section in self._sections]

    def frequencies(self, terms: Sequence[str]) -> list[int]:
        """Gives in how many documents of the union each term stands."""
        return [sum(row) for row in self.section_frequencies(terms)]

    def section_frequencies(self, terms: Sequence[str]) -> list[list[int]]:
        """Gives in how many documents of each section each term stands: a list for each term."""
        found = []
        for term in terms:
            lists = self._lists(term)
            found.append([lists.get(at, ((), 0))[1] for at in range(len(self._sections))])
        return found

    def search(
        self,
        terms: Sequence[str],
        weights: Sequence[float],
        limit: int,
        *,
        sections: Sequence[int] | None = None,
        kinds: int = _ALL_KINDS,
        flags_excluded: int = 0,
        k1: float = _K1,
        b: float = 0.0,
        field_b: Sequence[float] = _FIELD_B,
    ) -> list[tuple[float, int, int]]:
        """Gives `(score, section, document)` of the best documents, best first.

        Args:
            terms: tokens as `analyze` gives them; repeated ones count once.
            weights: one for each field.
            limit: how many documents at most.
            sections: where they may come from; statistics are those of the whole union always.
            kinds: kinds they may have, bit `k` for kind `k`.
            flags_excluded: flags they may not have.
            k1: how fast repeated terms stop counting.
            b: how much the length of the whole document counts, 0 to 1.
            field_b: how much the lengths of signature, docstring and body count, 0 to 1 each.

        Raises:
            ValueError: a number, a section or the bytes of one are out of bounds.
        """
        _check(weights, sections, len(self._sections))
        _check_numbers(k1, b, field_b)
        documents = sum(section.documents for section in self._sections)
        tokens = sum(section.tokens for section in self._sections)
        if documents == 0 or tokens == 0:
            return []
        score = _Score(self._sections, documents, weights, k1, b, field_b)
        wanted = range(len(self._sections)) if sections is None else frozenset(sections)
        sums: dict[tuple[int, int], float] = {}
        for frequency, lists in self._rarest_first(terms):
            idf = _inverse_frequency(documents, frequency)
            for index, (postings, _) in lists.items():
                if index not in wanted:
                    continue
                section = self._sections[index]
                for document, counts in postings:
                    place = index, document
                    worth = score.of(section.lengths(document), counts, idf)
                    sums[place] = sums.get(place, 0.0) + worth
        hits = (
            (-score, index, document)
            for (index, document), score in sums.items()
            if score > 0 and self._sections[index].admits(document, kinds, flags_excluded)
        )
        return [(-score, index, hit) for score, index, hit in heapq.nsmallest(limit, hits)]

    def _rarest_first(self, terms: Sequence[str]) -> list[tuple[int, dict[int, _List]]]:
        """The lists of each term, in the order in which its scores are summed."""
        found = [self._lists(term) for term in dict.fromkeys(terms)]
        counted = [(sum(list_[1] for list_ in lists.values()), lists) for lists in found]
        return sorted(counted, key=lambda each: each[0])

    def _lists(self, term: str) -> dict[int, _List]:
        key = term.encode("utf-8", "replace")
        found = ((index, section.find(key)) for index, section in enumerate(self._sections))
        return {index: entry for index, entry in found if entry}


def _check(weights: Sequence[float], sections: Collection[int] | None, mounted: int) -> None:
    if len(weights) != FIELDS:
        raise ValueError(f"expected a sequence of length {FIELDS} (got {len(weights)})")
    if not all(0 <= weight <= _MAX_WEIGHT for weight in weights):
        raise ValueError("a weight is not between 0 and 1000000")
    for section in sections or ():
        if section >= mounted:
            raise ValueError(f"section {section} is not among the {mounted} mounted")


def _check_numbers(k1: float, b: float, field_b: Sequence[float]) -> None:
    if not 0.01 <= k1 <= 100:  # noqa: PLR2004 - bounds
        raise ValueError("k1 is not between 0.01 and 100")
    if len(field_b) != len(MEASURED):
        raise ValueError(f"expected a sequence of length {len(MEASURED)} (got {len(field_b)})")
    if not all(0 <= each <= 1 for each in (b, *field_b)):
        raise ValueError("a b is not between 0 and 1")


class _Score:
    """What a term adds to the score of a document, by the numbers of one search."""

    def __init__(
        self,
        sections: Sequence[_Section],
        documents: int,
        weights: Sequence[float],
        k1: float,
        b: float,
        field_b: Sequence[float],
    ) -> None:
        self._weights = [float(weight) for weight in weights]
        self._k1 = float(k1)
        self._b = float(b)
        self._average = float(max(1, sum(s.tokens for s in sections))) / float(documents)
        self._shares = [
            _shares(
                float(each),
                float(max(1, sum(s.field_tokens[place] for s in sections))) / float(documents),
            )
            for place, each in enumerate(field_b)
        ]

    def of(self, lengths: Sequence[int], counts: Sequence[int], idf: float) -> float:
        """The addition for a document that has a term so often; one fixed order of all sums."""
        length, *codes = lengths
        # Not `sum`: since Python 3.12 that rounds otherwise than one addition after the other.
        count = 0.0
        for field in _UNMEASURED:
            count += self._weights[field] * counts[field]
        for place, field in enumerate(MEASURED):
            count += self._weights[field] * counts[field] * self._shares[place][codes[place]]
        norm = self._k1
        if self._b:
            norm *= 1.0 - self._b + self._b * float(max(1, length)) / self._average
        return idf * ((count * (self._k1 + 1.0)) / (count + norm))


def _shares(b: float, average: float) -> list[float]:
    """By what a count in a field is multiplied, for each code of the field's length."""
    return [1.0 / (1.0 - b + b * coded_length(code) / average) for code in range(256)]


def _inverse_frequency(documents: int, frequency: int) -> float:
    ratio = (documents - frequency + 0.5) / (frequency + 0.5)
    idf = math.log(ratio) if ratio > 0 else 0.0
    return idf if idf > 0 else _LEAST_IDF


class _Section:
    """One section's parts."""

    def __init__(self, index: int, section: bytes | memoryview) -> None:
        view = memoryview(section)
        if not view.readonly:
            raise TypeError("memory that can be written to cannot be searched")
        view = view.cast("B")
        if len(view) < HEADER.size:
            raise ValueError(f"postings section {index} is shorter than its header")
        version, self.documents, self.tokens, self._terms, *sizes = HEADER.unpack_from(view)
        text, postings, payloads, *self.field_tokens = sizes
        if version != VERSION:
            raise ValueError(f"postings section {index} is not of version 1")
        self._blocks_start = HEADER.size + self.documents * RECORD.size
        self._block_count = -(-self._terms // TERMS_PER_BLOCK)
        rows_start = self._blocks_start + self._block_count * BLOCK.size
        text_start = rows_start + payloads * FIELDS
        if text_start + text + postings != len(view):
            raise ValueError(f"postings section {index} has parts that do not add up to its length")
        self._view = view
        self._rows = [tuple(view[at : at + FIELDS]) for at in range(rows_start, text_start, FIELDS)]
        self._text = view[text_start : text_start + text]
        self._postings = view[text_start + text :]

    def lengths(self, document: int) -> tuple[int, ...]:
        """Gives the tokens of a document, and the codes of its measured fields' lengths."""
        return self._record(document)[:-2]

    def admits(self, document: int, kinds: int, flags_excluded: int) -> bool:
        """Tells whether a document may be a hit."""
        *_, kind, flags = self._record(document)
        return bool((kinds & _ALL_KINDS) >> kind & 1) and not flags & flags_excluded

    def find(self, term: bytes) -> _List | None:
        """Gives the documents that have `term`, and how many they are."""
        block = self._block_of(term)
        if block < 0:
            return None
        _, text_start, postings_start = self._block(block)
        cursor = Cursor(self._text, text_start)
        postings = Cursor(self._postings, postings_start)
        last, single = b"", None
        for _ in range(min(TERMS_PER_BLOCK, self._terms - block * TERMS_PER_BLOCK)):
            last = _term(cursor, last)
            number = cursor.number()
            if number & 1:
                frequency = cursor.number() + 2
                entry = postings.take(number >> 1)
                found: _List = (self._documents(entry, frequency), frequency)
            else:
                single = self._single(cursor, number) or single
                if single is None:
                    raise ValueError(
                        "a postings section is damaged:"
                        " a block's first document is that of the term before"
                    )
                found = (self._checked([single]), 1)
            if last >= term:
                return found if last == term else None
        return None

    def _single(self, cursor: Cursor, number: int) -> tuple[int, Counts] | None:
        """Reads the only document of a term; None for that of the term before."""
        if not number:
            return None
        coded = (number >> 1) - 1
        counts = cursor.payload(self._rows) if coded & 1 else row_of(self._rows, 0)
        return coded >> 1, counts

    def _documents(self, postings: memoryview, frequency: int) -> Iterator[tuple[int, Counts]]:
        cursor = Cursor(postings)
        yield from self._checked(cursor.postings(frequency, self._rows))
        if cursor.at != len(postings):
            raise ValueError(
                "a postings section is damaged: a posting list goes on behind its last document"
            )

    def _checked(self, documents: Iterable[tuple[int, Counts]]) -> Iterator[tuple[int, Counts]]:
        for document, counts in documents:
            if document >= self.documents:
                raise ValueError(
                    "a postings section is damaged: a posting names a document that is not there"
                )
            yield document, counts

    def _record(self, document: int) -> tuple[int, ...]:
        return RECORD.unpack_from(self._view, HEADER.size + document * RECORD.size)

    def _block(self, block: int) -> tuple[int, int, int]:
        key, text, postings = BLOCK.unpack_from(self._view, self._blocks_start + block * BLOCK.size)
        return key, text, postings

    def _block_of(self, term: bytes) -> int:
        """Gives the last block whose first term is not after `term`, or -1."""
        low, high = 0, self._block_count
        while low < high:
            middle = (low + high) // 2
            first = _term(Cursor(self._text, self._block(middle)[1]), b"")
            if first <= term:
                low = middle + 1
            else:
                high = middle
        return low - 1


def _term(cursor: Cursor, last: bytes) -> bytes:
    nibbles = cursor.byte()
    same, rest = nibbles >> 4, nibbles & 15
    if same == _MORE:
        same += cursor.number()
    if rest == _MORE:
        rest += cursor.number()
    return last[:same] + bytes(cursor.take(rest))
