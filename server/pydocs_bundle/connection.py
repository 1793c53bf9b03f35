"""Opening the `DB` section: inflated when first wanted, and never trusted further than read."""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from tempfile import mkstemp
from time import monotonic
from typing import Final

import apsw

from pydocs_bundle.errors import BundleError
from pydocs_bundle.limits import Limits
from pydocs_bundle.schema import SCHEMA, schema_digest

__all__ = ["open_cached", "open_in_memory"]

_FLAGS: Final = (
    (apsw.SQLITE_DBCONFIG_DEFENSIVE, 1),
    (apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
    (apsw.SQLITE_DBCONFIG_ENABLE_VIEW, 0),
    (apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
    (apsw.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
    (apsw.SQLITE_DBCONFIG_DQS_DDL, 0),
    (apsw.SQLITE_DBCONFIG_DQS_DML, 0),
)

_LIMITS: Final = (
    (apsw.SQLITE_LIMIT_LENGTH, 64 * 1024 * 1024),
    (apsw.SQLITE_LIMIT_SQL_LENGTH, 100_000),
    (apsw.SQLITE_LIMIT_COLUMN, 100),
    (apsw.SQLITE_LIMIT_EXPR_DEPTH, 100),
    (apsw.SQLITE_LIMIT_COMPOUND_SELECT, 20),
    (apsw.SQLITE_LIMIT_VDBE_OP, 100_000),
    (apsw.SQLITE_LIMIT_FUNCTION_ARG, 16),
    (apsw.SQLITE_LIMIT_ATTACHED, 0),
    (apsw.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
    (apsw.SQLITE_LIMIT_VARIABLE_NUMBER, 5000),
    (apsw.SQLITE_LIMIT_TRIGGER_DEPTH, 1),
    (apsw.SQLITE_LIMIT_WORKER_THREADS, 0),
)

_STEPS_BETWEEN_CHECKS: Final = 5000
_KNOWN_SCHEMA: Final = schema_digest(SCHEMA)
_READ_ONLY: Final = 0o444


def open_in_memory(raw: bytes, path: str) -> apsw.Connection:
    """A guarded connection to the database in `raw`.

    Raises:
        BundleError: it is no database, or not one of this format.
    """
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", raw)
    return _guarded(connection, path)


def open_cached(
    inflate: Callable[[], bytes], digest: str, cache: Path, path: str
) -> apsw.Connection:
    """A guarded connection to a file in `cache` that holds the database named by `digest`.

    The file is written when it is not there or not what its name says. A cache that cannot be
    written is no error: the database then stays in memory.
    """
    file = cache / f"{digest}.db"
    if not _holds(file, digest):
        raw = inflate()
        try:
            _write_whole(file, raw)
        except OSError:
            return open_in_memory(raw, path)
    uri = file.absolute().as_uri() + "?immutable=1&mode=ro"
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    return _guarded(apsw.Connection(uri, flags=flags), path)


def _holds(file: Path, digest: str) -> bool:
    try:
        return sha256(file.read_bytes()).hexdigest() == digest
    except OSError:
        return False


def _write_whole(file: Path, raw: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = mkstemp(prefix=file.stem, suffix=".partial", dir=file.parent)
    partial = Path(name)
    try:
        with os.fdopen(handle, "wb") as opened:
            opened.write(raw)
        partial.chmod(_READ_ONLY)
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)


def _guarded(connection: apsw.Connection, path: str) -> apsw.Connection:
    """The connection, made harmless; closed and refused if its schema is not ours."""
    for flag, value in _FLAGS:
        connection.config(flag, value)
    for limit, most in _LIMITS:
        connection.limit(limit, most)
    try:
        connection.pragma("query_only", 1)
        connection.pragma("cell_size_check", 1)
        found = [
            sql for (sql,) in connection.execute("SELECT sql FROM sqlite_schema WHERE sql <> ''")
        ]
    except (apsw.Error, UnicodeDecodeError) as error:
        connection.close()
        raise BundleError(path, f"section DB is not a sound database ({error})") from error
    if schema_digest(map(str, found)) != _KNOWN_SCHEMA:
        connection.close()
        raise BundleError(path, "section DB has tables of another format", "update pydocs-server")
    _set_deadline(connection, Limits.STATEMENT_SECONDS)
    return connection


def _set_deadline(connection: apsw.Connection, seconds: float) -> None:
    """Interrupt any statement that runs longer than `seconds`, with `apsw.InterruptError`."""
    deadline = monotonic() + seconds

    def restart(_cursor: apsw.Cursor, _sql: str, _bindings: object) -> bool:
        nonlocal deadline
        deadline = monotonic() + seconds
        return True

    connection.exec_trace = restart
    connection.set_progress_handler(lambda: monotonic() > deadline, _STEPS_BETWEEN_CHECKS)
