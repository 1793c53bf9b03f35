"""The database is opened for reading, and for nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import apsw
import pytest

from pydocs_bundle import Bundle, BundleError
from pydocs_bundle.connection import open_in_memory
from pydocs_bundle.limits import Limits
from pydocs_bundle.schema import INDEXES, SCHEMA, TABLES


def image_of(*statements: str) -> bytes:
    connection = apsw.Connection(":memory:")
    for statement in statements:
        connection.execute(statement)
    return connection.serialize("main")


def test_the_cache_holds_the_database_under_its_hash(written: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    with Bundle.open(written) as bundle:
        assert bundle.database(cache).execute("SELECT count(*) FROM reference").get == 3
        digest = bundle.manifest.sections["DB"]
        image = bundle.database_image()
    assert [file.name for file in cache.iterdir()] == [f"{digest}.db"]
    assert (cache / f"{digest}.db").read_bytes() == image
    assert (cache / f"{digest}.db").stat().st_mode & 0o777 == 0o444


def test_a_cached_database_is_used_again(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Bundle.open(written) as bundle:
        bundle.database(tmp_path).close()
        monkeypatch.setattr(Bundle, "database_image", None)
        assert bundle.database(tmp_path).execute("SELECT count(*) FROM reference").get == 3


@pytest.mark.parametrize("wrong", [b"", b"other"])
def test_a_cached_file_that_is_not_what_its_name_says_is_replaced(
    written: Path, tmp_path: Path, wrong: bytes
) -> None:
    with Bundle.open(written) as bundle:
        cached = tmp_path / f"{bundle.manifest.sections['DB']}.db"
        cached.write_bytes(wrong)
        assert bundle.database(tmp_path).execute("SELECT count(*) FROM reference").get == 3
        assert cached.read_bytes() == bundle.database_image()


def test_without_a_writable_cache_the_database_is_in_memory(written: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    with Bundle.open(written) as bundle:
        connection = bundle.database(blocked / "cache")
        assert connection.execute("SELECT count(*) FROM reference").get == 3
        assert connection.filename == ""


def test_a_cache_in_a_folder_with_an_odd_name_works(written: Path, tmp_path: Path) -> None:
    with Bundle.open(written) as bundle:
        connection = bundle.database(tmp_path / "a?b#c%20ü")
        assert connection.filename.startswith(os.fspath(tmp_path))


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO metadata VALUES('a', 'b')",
        "CREATE TABLE other(x)",
        "CREATE TEMP VIEW v AS SELECT 1",
        "PRAGMA writable_schema=1; DELETE FROM sqlite_schema",
        "ATTACH 'other.db' AS other",
        "SELECT load_extension('x')",
    ],
)
@pytest.mark.parametrize("in_memory", [True, False])
def test_nothing_can_be_written(
    written: Path, tmp_path: Path, statement: str, *, in_memory: bool
) -> None:
    with Bundle.open(written) as bundle:
        connection = bundle.database(None if in_memory else tmp_path / "cache")
        with pytest.raises(apsw.Error):
            connection.execute(statement).fetchall()


def test_a_statement_that_never_ends_is_interrupted(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Limits, "STATEMENT_SECONDS", 0.05)
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
    with Bundle.open(written) as bundle:
        connection = bundle.database()
        for _ in range(2):
            with pytest.raises(apsw.InterruptError):
                connection.execute(endless).fetchall()
            assert connection.execute("SELECT count(*) FROM reference").get == 3


@pytest.mark.parametrize(
    "statements",
    [
        [],
        TABLES,
        (*SCHEMA, "CREATE VIEW v AS SELECT 1"),
        (*SCHEMA, "CREATE TRIGGER t AFTER INSERT ON name BEGIN SELECT 1; END"),
        (*SCHEMA, "CREATE VIRTUAL TABLE f USING fts5(x)"),
        (TABLES[0].replace("STRICT, ", ""), *TABLES[1:], *INDEXES),
    ],
)
def test_other_tables_than_ours_are_refused(statements: list[str]) -> None:
    with pytest.raises(BundleError, match="tables of another format; update pydocs-server"):
        open_in_memory(image_of(*statements), "x.pdx")


def test_our_own_tables_are_accepted() -> None:
    open_in_memory(image_of(*SCHEMA), "x.pdx").close()


@pytest.mark.parametrize("image", [b"SQLite format 3\0", b"x" * 4096, bytes(512)])
def test_bytes_that_are_no_database_are_refused(image: bytes) -> None:
    with pytest.raises(BundleError, match="section DB"):
        open_in_memory(image, "x.pdx")
