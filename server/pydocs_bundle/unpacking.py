"""Unpacking a bundle into plain files: a database to query, the sources, the vectors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Final, NamedTuple

import apsw

from pydocs_bundle.encodings import encoded
from pydocs_bundle.errors import BundleError, UsageError
from pydocs_bundle.names import file_name
from pydocs_bundle.reader import Bundle
from pydocs_bundle.schema import Row
from pydocs_bundle.verification import verify

__all__ = ["Unpacked", "unpack"]

_READABLE_FOLDER: Final = 0o755

_ADDED: Final = (
    """CREATE TABLE file(id INTEGER PRIMARY KEY, path TEXT NOT NULL, module TEXT NOT NULL,
  encoding TEXT NOT NULL, is_lossy INTEGER NOT NULL, text TEXT NOT NULL) STRICT""",
    """CREATE TABLE entry(id INTEGER PRIMARY KEY, qualified_name TEXT NOT NULL,
  public_name TEXT NOT NULL, kind INTEGER NOT NULL, flags INTEGER NOT NULL,
  file INTEGER NOT NULL REFERENCES file, start_byte INTEGER NOT NULL, end_byte INTEGER NOT NULL,
  start_line INTEGER NOT NULL, end_line INTEGER NOT NULL, parent INTEGER REFERENCES entry,
  signature TEXT NOT NULL, summary TEXT NOT NULL, docstring TEXT NOT NULL,
  body TEXT NOT NULL) STRICT""",
    """CREATE VIRTUAL TABLE entry_search USING fts5(qualified_name, public_name, signature,
  docstring, body, content='entry', content_rowid='id')""",
)
_NEW_ENTRY: Final = f"INSERT INTO entry VALUES({','.join('?' * 15)})"


class Unpacked(NamedTuple):
    """What lies in the folder: `altered` are the sources whose own encoding could not be kept."""

    database: Path
    vectors: Path | None
    sources: int
    altered: tuple[str, ...]


def unpack(path: Path, to: Path) -> Unpacked:
    """Write the bundle's content as plain files into the new or empty folder `to`.

    There will be `NAME-VERSION.db`, the `DB` section with two tables more (`file` with the text,
    `entry`) and an FTS5 index (`entry_search`); `NAME-VERSION.tq` if there are vectors; and the
    files under `sources/`, in the encodings they had. The folder appears when all of it is there.

    Raises:
        BundleError: the bundle is not sound, or a file cannot have its name here.
        UsageError: the folder holds something already.
    """
    if to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise UsageError(f"{to} is there and not empty; name a new folder to unpack into.")
    verify(path)
    to.parent.mkdir(parents=True, exist_ok=True)
    partial = Path(mkdtemp(prefix=f".{to.name}.", suffix=".partial", dir=to.parent))
    try:
        with Bundle.open(path) as bundle:
            unpacked = _write_all(bundle, partial, to)
        partial.chmod(_READABLE_FOLDER)
        if to.exists():
            to.rmdir()
        partial.rename(to)
    except BaseException:
        rmtree(partial, ignore_errors=True)
        raise
    return unpacked


def _write_all(bundle: Bundle, folder: Path, to: Path) -> Unpacked:
    # `file_name` leaves no character that could lead out of the folder.
    stem = file_name(bundle.manifest.name, bundle.manifest.version).removesuffix(".pdx")
    _write_database(bundle, folder / f"{stem}.db")
    if bundle.vectors is not None:
        (folder / f"{stem}.tq").write_bytes(bundle.vectors)
    altered = tuple(_write_sources(bundle, folder / "sources"))
    vectors = to / f"{stem}.tq" if bundle.vectors is not None else None
    return Unpacked(to / f"{stem}.db", vectors, len(bundle.text), altered)


def _write_sources(bundle: Bundle, folder: Path) -> Iterator[str]:
    """Write every file, and give the paths of those that could not have their own encoding."""
    folder.mkdir()
    for index, path in enumerate(bundle.text.paths):
        text = bundle.text.read(index)
        own = None if bundle.text.is_lossy(index) else encoded(text, bundle.text.encoding(index))
        if own is None:
            yield path
        target = folder / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as file:
                file.write(text if own is None else own)
        except OSError as error:
            raise BundleError(
                str(bundle.path),
                f"{path!r} cannot be written here ({error.strerror})",
                "unpack onto a file system that keeps such names apart",
            ) from error


def _write_database(bundle: Bundle, file: Path) -> None:
    connection = apsw.Connection(":memory:")
    try:
        connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        connection.deserialize("main", bundle.database_image())
        with connection:
            for statement in _ADDED:
                connection.execute(statement)
            connection.executemany("INSERT INTO file VALUES(?,?,?,?,?,?)", _file_rows(bundle))
            connection.executemany(_NEW_ENTRY, _entry_rows(bundle))
            connection.execute("INSERT INTO entry_search(entry_search) VALUES('rebuild')")
        connection.execute("VACUUM INTO ?", (str(file),))
    finally:
        connection.close()


def _file_rows(bundle: Bundle) -> Iterator[Row]:
    text = bundle.text
    for number, path in enumerate(text.paths):
        is_lossy = int(text.is_lossy(number))
        content = text.read(number).decode()
        yield number, path, text.module(number), text.encoding(number), is_lossy, content


def _entry_rows(bundle: Bundle) -> Iterator[Row]:
    for record in bundle.records:
        # What only has a name (an attribute, an alias) is no document of its own.
        is_searchable = record.id < bundle.records.docs
        body = bundle.source(record.id).decode(errors="replace") if is_searchable else ""
        yield (
            *(record.id, record.qualified_name, record.public_name, record.kind, record.flags),
            *(record.file, record.start, record.end, record.start_line, record.end_line),
            record.parent if record.parent >= 0 else None,
            *(record.signature, record.summary, bundle.docstring(record.id), body),
        )
