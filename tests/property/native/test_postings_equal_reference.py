"""The union of sections scores as BM25F written down in a few lines over the raw texts.

The reference knows nothing of sections, codes or pruning: it sees all documents of the union as one
list, and every score has to be the same to the last bit.
"""

from __future__ import annotations

import math
from collections import Counter
from types import ModuleType

from hypothesis import given, settings
from hypothesis import strategies as st

from pydocs_bundle.records import IndexText

MEASURED = (2, 3, 4)
OTHERS = (0, 1, 5, 6)
FIELD_B = (0.5, 0.5, 0.75)
K1 = 1.2


def kept(length: int) -> int:
    """A length as it is kept: its five highest bits, and at least 1."""
    shift = max(0, length.bit_length() - 5)
    return max(1, length >> shift << shift)


def scores(
    native: ModuleType, documents: list[IndexText], terms: list[str], weights: list[float]
) -> list[float]:
    counted = [[Counter(native.analyze(text)) for text in document] for document in documents]
    lengths = [[count.total() for count in counts] for counts in counted]
    if not documents:
        return []
    averages = [max(1, sum(each[field] for each in lengths)) / len(documents) for field in range(7)]
    having = [sum(any(count[t] for count in counts) for counts in counted) for t in terms]
    rarest_first = sorted(range(len(terms)), key=lambda index: (having[index], index))
    found = [0.0] * len(documents)
    for index in rarest_first:
        ratio = (len(documents) - having[index] + 0.5) / (having[index] + 0.5)
        idf = max(math.log(ratio), 0.0) or 1e-6
        for place, counts in enumerate(counted):
            frequency = [count[terms[index]] for count in counts]
            if not any(frequency):
                continue
            total = 0.0
            for field in OTHERS:
                total += weights[field] * frequency[field]
            for field, b in zip(MEASURED, FIELD_B, strict=True):
                share = 1.0 / (1.0 - b + b * kept(lengths[place][field]) / averages[field])
                total += weights[field] * frequency[field] * share
            found[place] += idf * (total * (K1 + 1.0) / (total + K1))
    return found


words = st.sampled_from(
    ["open", "opens", "Socket", "socket_pool", "HTTPClient", "self", "连接池", "x", "don't"]
)
fields = st.lists(words, max_size=12).map(" ".join)
long_fields = st.tuples(words, st.integers(1, 90)).map(lambda pair: f"{pair[0]} " * pair[1])
texts = st.builds(IndexText, *[st.one_of(fields, long_fields)] * 7)


@given(
    sections=st.lists(st.lists(texts, max_size=8), min_size=1, max_size=4),
    query=st.lists(words, min_size=1, max_size=6).map(" ".join),
    weights=st.lists(st.floats(0, 10), min_size=7, max_size=7),
)
@settings(deadline=None)
def test_every_bit_of_every_score(
    core: ModuleType, sections: list[list[IndexText]], query: str, weights: list[float]
) -> None:
    written = [core.write_postings(each, bytes(len(each)), bytes(len(each))) for each in sections]
    terms = list(dict.fromkeys(core.analyze(query)))
    places = [(at, doc) for at, each in enumerate(sections) for doc in range(len(each))]
    documents = [text for each in sections for text in each]
    expected = [
        (score, *place)
        for score, place in zip(scores(core, documents, terms, weights), places, strict=True)
        if score > 0
    ]
    expected.sort(key=lambda hit: (-hit[0], *hit[1:]))
    union = core.Postings(written)
    assert union.search(terms, weights, 1000) == expected
    assert union.search(terms, weights, 3) == expected[:3], "what is left out cannot win"
