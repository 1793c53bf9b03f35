"""The tables of the `DB` section, and what a reader insists on before it queries them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import islice
from typing import Final

__all__ = ["DUMP_ORDER", "PAGE_BYTES", "SCHEMA", "TIERS", "Row", "dump_digest", "schema_digest"]

Row = Sequence[int | str | None]

PAGE_BYTES: Final = 4096

# `reference.tier` is an index into this.
TIERS: Final = ("", "exact", "syntactic")

TABLES: Final = (
    "CREATE TABLE metadata(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """CREATE TABLE file(id INTEGER PRIMARY KEY, path TEXT NOT NULL, module TEXT NOT NULL,
  encoding TEXT NOT NULL, is_lossy INTEGER NOT NULL, size INTEGER NOT NULL) STRICT""",
    "CREATE TABLE name(id INTEGER PRIMARY KEY, text TEXT NOT NULL, tail TEXT NOT NULL) STRICT",
    """CREATE TABLE entry(id INTEGER PRIMARY KEY, name INTEGER NOT NULL REFERENCES name,
  public_name INTEGER REFERENCES name, kind INTEGER NOT NULL, flags INTEGER NOT NULL,
  file INTEGER NOT NULL REFERENCES file, start_byte INTEGER NOT NULL, end_byte INTEGER NOT NULL,
  start_line INTEGER NOT NULL, end_line INTEGER NOT NULL,
  parent INTEGER REFERENCES entry) STRICT""",
    """CREATE TABLE alias(entry INTEGER NOT NULL REFERENCES entry, position INTEGER NOT NULL,
  name INTEGER NOT NULL REFERENCES name, PRIMARY KEY(entry, position)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE base(entry INTEGER NOT NULL REFERENCES entry, position INTEGER NOT NULL,
  name INTEGER NOT NULL REFERENCES name, PRIMARY KEY(entry, position)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE decorator(entry INTEGER NOT NULL REFERENCES entry, position INTEGER NOT NULL,
  name INTEGER NOT NULL REFERENCES name, PRIMARY KEY(entry, position)) STRICT, WITHOUT ROWID""",
    "CREATE TABLE reason(id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT",
    """CREATE TABLE reference(source INTEGER NOT NULL REFERENCES entry, position INTEGER NOT NULL,
  kind INTEGER NOT NULL, target INTEGER NOT NULL REFERENCES name,
  file INTEGER NOT NULL REFERENCES file, line INTEGER NOT NULL, col INTEGER NOT NULL,
  tier INTEGER NOT NULL, reason INTEGER REFERENCES reason,
  PRIMARY KEY(source, position)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE decision(entry INTEGER PRIMARY KEY REFERENCES entry, origin TEXT NOT NULL,
  title TEXT NOT NULL, quote TEXT NOT NULL, status TEXT NOT NULL, date TEXT NOT NULL) STRICT""",
    """CREATE TABLE governs(decision INTEGER NOT NULL REFERENCES decision,
  position INTEGER NOT NULL, name INTEGER NOT NULL REFERENCES name,
  PRIMARY KEY(decision, position)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE requirement(id INTEGER PRIMARY KEY, name TEXT NOT NULL,
  specifier TEXT NOT NULL, fate TEXT NOT NULL, version TEXT NOT NULL,
  detail TEXT NOT NULL) STRICT""",
)

INDEXES: Final = (
    "CREATE INDEX name_text ON name(text)",
    "CREATE INDEX name_tail ON name(tail)",
    "CREATE INDEX entry_name ON entry(name)",
    "CREATE INDEX alias_name ON alias(name)",
    "CREATE INDEX base_name ON base(name)",
    "CREATE INDEX reference_target ON reference(target)",
    "CREATE INDEX governs_name ON governs(name)",
)

SCHEMA: Final = (*TABLES, *INDEXES)

# Each table with the columns that put its rows in order.
DUMP_ORDER: Final = {
    "metadata": "key",
    "file": "id",
    "name": "id",
    "entry": "id",
    "alias": "entry, position",
    "base": "entry, position",
    "decorator": "entry, position",
    "reason": "id",
    "reference": "source, position",
    "decision": "entry",
    "governs": "decision, position",
    "requirement": "id",
}

_BATCH: Final = 4096


def schema_digest(statements: Iterable[str]) -> str:
    """The SHA-256 of a schema, given as the statements that made it."""
    return sha256("\n".join(sorted(statements)).encode()).hexdigest()


def dump_digest(tables: Iterable[tuple[str, Iterable[Row]]]) -> str:
    """The SHA-256 of what the rows say, whatever bytes SQLite keeps them in.

    Hashed are, table by table in the order of `DUMP_ORDER`, the name and then the rows as JSON
    arrays of at most 4,096 rows, every one with a line end.
    """
    digest = sha256()
    for name, rows in tables:
        digest.update(f"{name}\n".encode())
        source = iter(rows)
        while batch := list(islice(source, _BATCH)):
            text = json.dumps(batch, ensure_ascii=False, separators=(",", ":"))
            digest.update(f"{text}\n".encode())
    return digest.hexdigest()
