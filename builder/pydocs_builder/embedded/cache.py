"""Vectors of texts that were embedded before, whichever package or version they stood in.

A database in the user's caches, of a size that is bounded. It saves time and decides nothing: what
it gives is what the encoder gives, and without it everything is embedded.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Final

import apsw

__all__ = ["VectorCache", "text_key"]

MOST_BYTES: Final = 512 << 20
"""How much all vectors of the cache may take; the least recently used go first."""

_FILE: Final = "vectors-1.sqlite"
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS vector(key BLOB PRIMARY KEY, day INTEGER NOT NULL, value BLOB NOT NULL)
STRICT"""
_SECONDS_A_DAY: Final = 86_400
_BUSY_MS: Final = 10_000
_KEYS_AT_ONCE: Final = 500
_CHECK_BYTES: Final = 8
_KEY_BYTES: Final = 20


def text_key(identity: str, text: str) -> bytes:
    """What a text's vector of one encoder is kept under."""
    said = f"{identity}\n{text}".encode("utf-8", "surrogatepass")
    return blake2b(said, digest_size=_KEY_BYTES).digest()


class VectorCache:
    """The vectors in a folder, for any number of processes at once.

    Nothing here raises: where the file cannot be read or written, nothing is known.

    Args:
        folder: where the file is, or is to be.
        most_bytes: how much it may hold.
    """

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self._file = folder / _FILE
        self._most_bytes = most_bytes

    def known(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The vectors that are there, by key; a damaged one is none."""
        found: dict[bytes, bytes] = {}
        with suppress(apsw.Error, OSError), closing(self._open()) as connection:
            for at in range(0, len(keys), _KEYS_AT_ONCE):
                some = keys[at : at + _KEYS_AT_ONCE]
                marks = ",".join("?" * len(some))
                query = f"SELECT key, value FROM vector WHERE key IN ({marks})"  # noqa: S608 - marks
                for key, value in connection.execute(query, some):
                    vector = value[:-_CHECK_BYTES]
                    if value[-_CHECK_BYTES:] == _check(key, vector):
                        found[key] = vector
        return found

    def keep(self, vectors: Mapping[bytes, bytes], used: Iterable[bytes]) -> None:
        """Keeps new vectors, and notes that others were used today."""
        today = int(time.time()) // _SECONDS_A_DAY
        with suppress(apsw.Error, OSError), closing(self._open()) as connection, connection:
            connection.executemany(
                "INSERT OR REPLACE INTO vector VALUES(?, ?, ?)",
                ((key, today, value + _check(key, value)) for key, value in vectors.items()),
            )
            connection.executemany(
                "UPDATE vector SET day = ?1 WHERE key = ?2 AND day < ?1",
                ((today, key) for key in used),
            )
            self._shrink(connection)

    def _open(self) -> apsw.Connection:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        try:
            return _connected(self._file)
        except (apsw.NotADBError, apsw.CorruptError, apsw.SQLError):
            # Something else lies there, or half of it: a cache can begin anew.
            self._file.unlink(missing_ok=True)
            return _connected(self._file)

    def _shrink(self, connection: apsw.Connection) -> None:
        pages = connection.pragma("page_count") - connection.pragma("freelist_count")
        page_bytes = connection.pragma("page_size")
        if pages * page_bytes <= self._most_bytes:
            return
        count = connection.execute("SELECT count(*) FROM vector").get
        surplus = count - int(count * 0.9 * self._most_bytes / (pages * page_bytes))
        connection.execute(
            "DELETE FROM vector WHERE rowid IN "
            "(SELECT rowid FROM vector ORDER BY day, rowid LIMIT ?)",
            (surplus,),
        )


def _connected(file: Path) -> apsw.Connection:
    connection = apsw.Connection(str(file))
    try:
        connection.set_busy_timeout(_BUSY_MS)
        # Whoever is killed leaves a journal; only a computer that loses power could leave damage,
        # and each vector has its own check.
        connection.pragma("synchronous", 0)
        connection.execute(_SCHEMA)
    except BaseException:
        connection.close()
        raise
    return connection


def _check(key: bytes, vector: bytes) -> bytes:
    return blake2b(key + vector, digest_size=_CHECK_BYTES).digest()
