"""A plain peer: one SQLite FTS5 table with a row for each definition, as many tools have it."""

from __future__ import annotations

import re
from pathlib import Path

import apsw

from pydocs_native import parse

__all__ = ["build_index", "find"]

_WORD = re.compile(r"\w+")
_FILLERS = re.compile(r"an?|and|as|at|by|for|from|how|i|in|into|is|it|of|on|or|so|the|to|with")


def build_index(folder: Path) -> apsw.Connection:
    """An index in memory of every definition below a folder of Python files."""
    connection = apsw.Connection(":memory:")
    connection.execute(
        "CREATE VIRTUAL TABLE chunk USING fts5(path, name, body, tokenize='porter unicode61')"
    )
    connection.execute("BEGIN")
    for file in sorted(folder.rglob("*.py")):
        text = file.read_bytes()
        rows = [
            (str(file), symbol.name, text[symbol.start : symbol.end].decode(errors="replace"))
            for symbol in parse(text).symbols
        ]
        connection.executemany("INSERT INTO chunk VALUES (?, ?, ?)", rows)
    connection.execute("COMMIT")
    return connection


def find(connection: apsw.Connection, query: str) -> list[tuple[str, str]]:
    """The ten best rows for any of the words."""
    words = [word for word in _WORD.findall(query.lower()) if not _FILLERS.fullmatch(word)]
    wanted = " OR ".join(f'"{word}"' for word in words) or '""'
    sql = "SELECT path, name FROM chunk WHERE chunk MATCH ? ORDER BY bm25(chunk, 0, 4, 1) LIMIT 10"
    return list(connection.execute(sql, (wanted,)))
