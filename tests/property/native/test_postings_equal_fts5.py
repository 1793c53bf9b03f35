"""The union of sections ranks as one SQLite FTS5 table that holds all documents.

Scores by the length of the whole document are FTS5's; those by the lengths of fields have their own
reference in `test_postings_equal_reference`.
"""

from __future__ import annotations

import ast
import json
import logging
import random
import unittest
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pydocs_bundle.records import IndexText
from pydocs_native import Postings, analyze, write_postings

WEIGHTS = (8.0, 2.0, 2.0, 1.5, 1.0, 0.5, 2.0)
FTS5: Any = {"k1": 1.2, "b": 0.75, "field_b": (0, 0, 0)}
LIMIT = 10
Hits = list[tuple[float, int]]


def encoded(text: str) -> str:
    """The tokens of `text`, spelled so that FTS5 keeps each whole."""
    return " ".join(token.encode().hex() for token in analyze(text))


def merged(sections: list[list[IndexText]]) -> apsw.Connection:
    database = apsw.Connection(":memory:")
    columns = ", ".join(IndexText._fields)
    database.execute(f"CREATE VIRTUAL TABLE one USING fts5({columns}, tokenize = 'ascii')")
    rows = (tuple(map(encoded, text)) for section in sections for text in section)
    database.executemany("INSERT INTO one VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    return database


def by_fts5(database: apsw.Connection, terms: list[str]) -> Hits:
    """All hits: the score, positive, and the document's place in the merged table."""
    query = " OR ".join(f'"{term.encode().hex()}"' for term in dict.fromkeys(terms))
    weights = ", ".join(map(str, WEIGHTS))
    rows = database.execute(f"SELECT -bm25(one, {weights}), rowid FROM one(?)", (query,))  # noqa: S608 - our own numbers
    return [(score, rowid - 1) for score, rowid in rows if score > 0]


def by_union(sections: list[list[IndexText]], union: Postings, terms: list[str]) -> Hits:
    starts = [sum(map(len, sections[:index])) for index in range(len(sections))]
    hits = union.search(terms, WEIGHTS, 10_000, **FTS5)
    return [(score, starts[section] + document) for score, section, document in hits]


def best(hits: Hits) -> Hits:
    """The ten best, scores that differ by rounding alone counting as one."""
    return sorted(hits, key=lambda hit: (-round(hit[0], 8), hit[1]))[:LIMIT]


def assert_equal(sections: list[list[IndexText]], queries: list[list[str]]) -> None:
    written = [write_postings(texts, bytes(len(texts)), bytes(len(texts))) for texts in sections]
    union = Postings(written)
    database = merged(sections)
    for terms in filter(None, queries):
        ours, theirs = by_union(sections, union, terms), by_fts5(database, terms)
        assert [place for _, place in best(ours)] == [place for _, place in best(theirs)], terms
        scores = {place: score for score, place in theirs}
        assert scores.keys() == {place for _, place in ours}
        assert all(abs(score - scores[place]) < 1e-9 for score, place in ours), terms
        every = union.search(terms, WEIGHTS, 10_000, **FTS5)
        assert union.search(terms, WEIGHTS, LIMIT, **FTS5) == every[:LIMIT], (
            "what is left out cannot win"
        )


words = st.sampled_from(
    ["open", "opens", "Socket", "socket_pool", "HTTPClient", "self", "连接池", "x", "don't"]
)
fields = st.lists(words, max_size=12).map(" ".join)
texts = st.builds(IndexText, *[fields] * 7)


@given(
    sections=st.lists(st.lists(texts, max_size=8), min_size=1, max_size=4),
    queries=st.lists(st.lists(words, min_size=1, max_size=4).map(" ".join), min_size=1, max_size=4),
)
@settings(deadline=None, max_examples=60)
def test_generated_documents(sections: list[list[IndexText]], queries: list[str]) -> None:
    assert_equal(sections, [analyze(query) for query in queries])


def documents(module: ModuleType) -> Iterator[IndexText]:
    """One document for each function, class and module of a package, crudely cut."""
    folder = Path(module.__file__ or "").parent
    for path in sorted(folder.rglob("*.py")):
        source = path.read_text("utf-8")
        tree = ast.parse(source)
        name = f"{module.__name__}.{path.stem}"
        yield IndexText(path.stem, name, "", ast.get_docstring(tree) or "", "", str(path.name), "")
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                body = ast.get_source_segment(source, node) or ""
                head = body.partition(":")[0]
                doc = ast.get_docstring(node) or ""
                yield IndexText(node.name, f"{name}.{node.name}", head, doc, body, path.name, "")


@pytest.mark.parametrize("seed", [1, 2])
def test_real_packages(seed: int) -> None:
    sections = [list(islice(documents(module), 400)) for module in (json, logging, unittest)]
    chosen = random.Random(seed)  # noqa: S311 - a choice of queries
    pool = [text for section in sections for text in section]
    queries = []
    for text in chosen.sample(pool, 100):
        sentence = text.docstring.split()
        start = chosen.randrange(max(1, len(sentence) - 4))
        queries.append(analyze(" ".join([*sentence[start : start + 4], text.name])))
    assert_equal(sections, queries)
