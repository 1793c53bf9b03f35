"""The tables of the `DB` section, and the hash of their definition that a reader insists on."""

from __future__ import annotations

from typing import Final

__all__ = ["SCHEMA"]

SCHEMA: Final = (
    "CREATE TABLE metadata(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE name(id INTEGER PRIMARY KEY, text TEXT NOT NULL, tail TEXT NOT NULL) STRICT",
    """CREATE TABLE file(id INTEGER PRIMARY KEY, path TEXT NOT NULL, module TEXT NOT NULL,
  encoding TEXT NOT NULL, is_lossy INTEGER NOT NULL, size INTEGER NOT NULL) STRICT""",
    """CREATE TABLE entry(id INTEGER PRIMARY KEY, name INTEGER NOT NULL REFERENCES name,
  kind INTEGER NOT NULL, flags INTEGER NOT NULL, file INTEGER NOT NULL REFERENCES file,
  start INTEGER NOT NULL, "end" INTEGER NOT NULL, start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL, parent INTEGER REFERENCES entry,
  public_name INTEGER REFERENCES name) STRICT""",
    """CREATE TABLE alias(name INTEGER NOT NULL REFERENCES name,
  entry INTEGER NOT NULL REFERENCES entry, PRIMARY KEY(name, entry)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE base(entry INTEGER NOT NULL REFERENCES entry, position INTEGER NOT NULL,
  name INTEGER NOT NULL REFERENCES name, PRIMARY KEY(entry, position)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE decorator(entry INTEGER NOT NULL REFERENCES entry, position INTEGER NOT NULL,
  name INTEGER NOT NULL REFERENCES name, PRIMARY KEY(entry, position)) STRICT, WITHOUT ROWID""",
    "CREATE TABLE reason(id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT",
    """CREATE TABLE reference(id INTEGER PRIMARY KEY, kind INTEGER NOT NULL,
  source INTEGER NOT NULL REFERENCES entry, target INTEGER NOT NULL REFERENCES name,
  file INTEGER NOT NULL REFERENCES file, line INTEGER NOT NULL, "column" INTEGER NOT NULL,
  tier TEXT NOT NULL, reason INTEGER REFERENCES reason) STRICT""",
    """CREATE TABLE decision(entry INTEGER PRIMARY KEY REFERENCES entry, origin TEXT NOT NULL,
  title TEXT NOT NULL, quote TEXT NOT NULL, status TEXT NOT NULL, date TEXT NOT NULL) STRICT""",
    """CREATE TABLE governs(decision INTEGER NOT NULL REFERENCES decision,
  position INTEGER NOT NULL, name INTEGER NOT NULL REFERENCES name,
  PRIMARY KEY(decision, position)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE requirement(id INTEGER PRIMARY KEY, name TEXT NOT NULL,
  specifier TEXT NOT NULL, fate TEXT NOT NULL, version TEXT NOT NULL, detail TEXT NOT NULL)
  STRICT""",
    "CREATE INDEX name_text ON name(text)",
    "CREATE INDEX name_tail ON name(tail)",
    "CREATE INDEX reference_source ON reference(source)",
    "CREATE INDEX reference_target ON reference(target)",
    "CREATE INDEX governs_name ON governs(name)",
    "CREATE INDEX base_name ON base(name)",
)
