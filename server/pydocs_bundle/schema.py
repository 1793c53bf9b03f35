"""The tables of the `DB` section, and what a reader insists on before it queries them.

They relate entries to names. What an entry or a file *is* stands in `CHK` and `TEXT` alone: said
again here, it took a third of the section.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import islice
from typing import Final, cast

__all__ = [
    "COLUMNS",
    "INDEXES",
    "PAGE_BYTES",
    "SCHEMA",
    "TABLES",
    "TIERS",
    "Row",
    "dump_digest",
    "schema_digest",
]

Row = Sequence[int | str | None]

PAGE_BYTES: Final = 4096

# How sure an edge is, as `reference.tier` says it.
TIERS: Final = ("exact", "syntactic")

# What a dotted name ends in, in SQL: `rtrim` takes every character but the dot off its end.
_TAIL: Final = "substr(text, length(rtrim(text, replace(text, '.', ''))) + 1)"

TABLES: Final = (
    "CREATE TABLE metadata(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    f"""CREATE TABLE name(id INTEGER PRIMARY KEY, text TEXT NOT NULL,
  tail TEXT NOT NULL AS ({_TAIL}) VIRTUAL) STRICT""",
    """CREATE TABLE alias(entry INTEGER NOT NULL, position INTEGER NOT NULL,
  name INTEGER NOT NULL REFERENCES name, PRIMARY KEY(entry, position)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE base(entry INTEGER NOT NULL, position INTEGER NOT NULL,
  name INTEGER NOT NULL REFERENCES name, PRIMARY KEY(entry, position)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE decorator(entry INTEGER NOT NULL, position INTEGER NOT NULL,
  name INTEGER NOT NULL REFERENCES name, PRIMARY KEY(entry, position)) STRICT, WITHOUT ROWID""",
    "CREATE TABLE reason(id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT",
    """CREATE TABLE reference(source INTEGER NOT NULL, position INTEGER NOT NULL,
  kind INTEGER NOT NULL, target INTEGER NOT NULL REFERENCES name,
  file INTEGER NOT NULL, line INTEGER NOT NULL, "column" INTEGER NOT NULL,
  is_exact INTEGER NOT NULL, reason INTEGER REFERENCES reason,
  tier TEXT NOT NULL AS (iif(is_exact, 'exact', 'syntactic')) VIRTUAL,
  PRIMARY KEY(source, position)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE score(entry INTEGER PRIMARY KEY, in_degree INTEGER NOT NULL,
  rank INTEGER NOT NULL, community INTEGER NOT NULL) STRICT""",
    """CREATE TABLE decision(entry INTEGER PRIMARY KEY, origin TEXT NOT NULL,
  title TEXT NOT NULL, quote TEXT NOT NULL, status TEXT NOT NULL, date TEXT NOT NULL,
  label TEXT NOT NULL, places INTEGER NOT NULL, successor INTEGER REFERENCES decision) STRICT""",
    """CREATE TABLE governs(decision INTEGER NOT NULL REFERENCES decision,
  position INTEGER NOT NULL, name INTEGER NOT NULL REFERENCES name,
  PRIMARY KEY(decision, position)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE requirement(id INTEGER PRIMARY KEY, name TEXT NOT NULL,
  specifier TEXT NOT NULL, detail TEXT NOT NULL) STRICT""",
)

# A name by its text is found through its tail: an index on the text would cost a sixth of `DB`.
INDEXES: Final = (
    "CREATE INDEX name_tail ON name(tail)",
    "CREATE INDEX alias_name ON alias(name)",
    "CREATE INDEX base_name ON base(name)",
    "CREATE INDEX reference_target ON reference(target)",
    "CREATE INDEX governs_name ON governs(name)",
)

SCHEMA: Final = (*TABLES, *INDEXES)

# The stored columns of each table, those of its key first.
COLUMNS: Final = {
    "metadata": ("key", "value"),
    "name": ("id", "text"),
    "alias": ("entry", "position", "name"),
    "base": ("entry", "position", "name"),
    "decorator": ("entry", "position", "name"),
    "reason": ("id", "text"),
    "reference": (
        *("source", "position", "kind", "target", "file", "line", '"column"', "is_exact", "reason"),
    ),
    "score": ("entry", "in_degree", "rank", "community"),
    "decision": (
        *("entry", "origin", "title", "quote", "status", "date", "label", "places", "successor"),
    ),
    "governs": ("decision", "position", "name"),
    "requirement": ("id", "name", "specifier", "detail"),
}

_BATCH: Final = 4096
# What stands for no number: the one that is least likely to be any.
_NULL: Final = -(1 << 63)


def schema_digest(statements: Iterable[str]) -> str:
    """The SHA-256 of a schema, given as the statements that made it."""
    return sha256("\n".join(sorted(statements)).encode()).hexdigest()


def dump_digest(tables: Iterable[tuple[str, Iterable[Row]]]) -> str:
    """The SHA-256 of what the rows say, whatever bytes SQLite keeps them in.

    Hashed are, table by table in the order of `COLUMNS`, the name and a line end, and then for at
    most 4,096 rows at a time each column: numbers as 8 bytes, texts as a JSON array and a line end.
    """
    digest = sha256()
    for name, rows in tables:
        digest.update(f"{name}\n".encode())
        source = iter(rows)
        while batch := list(islice(source, _BATCH)):
            for column in zip(*batch, strict=True):
                digest.update(_dumped(column))
    return digest.hexdigest()


def _dumped(column: tuple[str | int | None, ...]) -> bytes:
    if isinstance(column[0], str):
        return f"{json.dumps(column, ensure_ascii=False, separators=(',', ':'))}\n".encode()
    if None in column:
        column = tuple(_NULL if value is None else value for value in column)
    numbers = array("q", cast("tuple[int, ...]", column))
    if sys.byteorder != "little":
        numbers.byteswap()
    return numbers.tobytes()
