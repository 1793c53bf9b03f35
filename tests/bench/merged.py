"""One merged SQLite FTS5 index over the same tokens, the ranking that a union has to equal.

Each distinct token stands in FTS5 as `t` and a number, so that its own tokeniser changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import apsw

from pydocs_bundle.records import IndexText
from pydocs_native import analyze

Row = tuple[int, int]


class MergedIndex:
    """An FTS5 table in memory over the searchable records of several bundles.

    Args:
        sections: the searchable texts of each bundle, in the order of the union.
    """

    def __init__(self, sections: Iterable[Sequence[IndexText]]) -> None:
        self._numbers: dict[str, int] = {}
        self._rows: list[Row] = []
        columns = ", ".join(IndexText._fields)
        self._database = apsw.Connection(":memory:")
        self._database.execute(
            f"CREATE VIRTUAL TABLE merged USING fts5({columns}, content='', tokenize='ascii')"
        )
        with self._database:
            for section, texts in enumerate(sections):
                for doc, text in enumerate(texts):
                    self._rows.append((section, doc))
                    self._add(len(self._rows), text)

    def search(self, terms: Sequence[str], weights: Sequence[float]) -> list[tuple[float, int]]:
        """The best ten, as FTS5 scores them (lower is better) and by row number."""
        known = [self._numbers[term] for term in terms if term in self._numbers]
        if not known:
            return []
        match = " OR ".join(f"t{number}" for number in known)
        found = self._database.execute(
            "SELECT bm25(merged, ?, ?, ?, ?, ?, ?, ?) AS score, rowid FROM merged "
            "WHERE merged MATCH ? ORDER BY score LIMIT 10",
            (*weights, match),
        )
        return [(float(score), int(row)) for score, row in found]

    def best(self, terms: Sequence[str], weights: Sequence[float]) -> list[tuple[float, Row]]:
        """The best ten with positive scores; those that differ by rounding only, in union order."""
        known = [self._numbers[term] for term in terms if term in self._numbers]
        if not known:
            return []
        match = " OR ".join(f"t{number}" for number in known)
        found = self._database.execute(
            "SELECT bm25(merged, ?, ?, ?, ?, ?, ?, ?), rowid FROM merged WHERE merged MATCH ?",
            (*weights, match),
        )
        scored = [(-float(score), self._rows[int(row) - 1]) for score, row in found]
        return sorted(scored, key=lambda each: (-round(each[0], 9), each[1]))[:10]

    def _add(self, row: int, text: IndexText) -> None:
        fields = [
            " ".join(f"t{self._numbers.setdefault(t, len(self._numbers))}" for t in analyze(field))
            for field in text
        ]
        marks = ", ".join("?" * (len(fields) + 1))
        columns = ", ".join(IndexText._fields)
        self._database.execute(
            f"INSERT INTO merged(rowid, {columns}) VALUES ({marks})",  # noqa: S608 - our own names
            (row, *fields),
        )
