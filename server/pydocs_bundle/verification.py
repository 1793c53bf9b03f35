"""Checking everything: all that `Bundle.open` checks, and what only a full reading shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

import apsw

from pydocs_bundle.errors import BundleError
from pydocs_bundle.layout import check_padding
from pydocs_bundle.manifest import Manifest
from pydocs_bundle.popularity import popularity
from pydocs_bundle.reader import Bundle
from pydocs_bundle.schema import COLUMNS, Row, dump_digest
from pydocs_native import Encoder, Postings, Vectors

__all__ = ["verify"]

# How many rows name an entry or a file that the other sections do not have.
_STRAYS: Final = """
WITH used(entry, file) AS (
  SELECT source, file FROM reference
  UNION ALL SELECT entry, 0 FROM alias UNION ALL SELECT entry, 0 FROM base
  UNION ALL SELECT entry, 0 FROM decorator UNION ALL SELECT entry, 0 FROM decision
  UNION ALL SELECT entry, 0 FROM score
  UNION ALL SELECT successor, 0 FROM decision WHERE successor IS NOT NULL)
SELECT count(*) FROM used WHERE entry NOT BETWEEN 0 AND ?1 - 1 OR file NOT BETWEEN 0 AND ?2 - 1
"""


def verify(path: Path) -> Manifest:
    """The manifest of the bundle at `path`, once every byte of it has been accounted for.

    Raises:
        BundleError: anything in the file is not as it was written, or contradicts itself.
    """
    with Bundle.open(path, verify="all") as bundle:
        name = str(path)
        check_padding(bundle.view, bundle.layout, name)
        _check_raw_hashes(bundle, name)
        _check_spans(bundle, name)
        _check_postings(bundle, name)
        _check_vectors(bundle, name)
        _check_database(bundle, name)
        if bundle.manifest.kind == "encoder":
            _check_encoder(bundle, name)
        return bundle.manifest


def _check_raw_hashes(bundle: Bundle, name: str) -> None:
    """The raw form of every section is what the manifest says, whatever it is stored as."""
    expected = bundle.manifest.sections
    if expected.keys() != bundle.layout.sections.keys():
        raise BundleError(name, "its manifest and its section table name different sections")
    for section, digest in expected.items():
        if _digest(bundle.raw_section(section)) != digest:
            raise BundleError(name, f"section {section} does not match the hash in the manifest")


def _digest(pieces: Iterable[bytes | memoryview]) -> str:
    digest = sha256()
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()


def _check_spans(bundle: Bundle, name: str) -> None:
    """Every file is UTF-8, every record lies in its file and is found by its names."""
    text, records = bundle.text, bundle.records
    sizes = [text.size(index) for index in range(len(text))]
    if bundle.manifest.counts.get("text_bytes") != sum(sizes):
        raise BundleError(name, "its manifest and section TEXT disagree in their counts")
    known = {"", *bundle.manifest.layers}
    for index, path in enumerate(text.paths):
        if text.layer(index) not in known:
            raise BundleError(name, f"{path!r} is in a layer that the manifest does not have")
        try:
            text.read(index).decode()
        except UnicodeDecodeError as error:
            raise BundleError(name, f"the text of {path!r} is not UTF-8") from error
    records.check_names()
    for record in records:
        if record.end > sizes[record.file]:
            raise BundleError(name, f"entry {record.id} reaches over the end of its file")


def _check_postings(bundle: Bundle, name: str) -> None:
    """The postings are sound, and agree with the records on what each document is."""
    try:
        counts = Postings([bundle.postings]).document_counts()
    except ValueError as error:
        raise BundleError(name, f"section PXI is refused, {error}") from error
    if counts != [bundle.records.docs]:
        raise BundleError(name, "sections PXI and CHK disagree in their counts")
    for document in range(bundle.records.docs):
        record = bundle.records[document]
        if bundle.postings_marks(document) != (record.kind, record.flags):
            raise BundleError(name, f"sections PXI and CHK disagree on entry {document}")


def _check_encoder(bundle: Bundle, name: str) -> None:
    """The model can be used, and is the one that the manifest speaks of."""
    try:
        model = Encoder(bundle.model)
    except ValueError as error:
        raise BundleError(name, f"section ENC is refused, {error}") from error
    declared = (bundle.manifest.encoder.get("identity"), bundle.manifest.encoder.get("dimensions"))
    if declared != (bundle.manifest.sections["ENC"], str(model.dimensions)):
        raise BundleError(name, "its manifest and section ENC speak of different encoders")


def _check_vectors(bundle: Bundle, name: str) -> None:
    """The vectors are sound, and agree with the records on what each is the vector of."""
    if bundle.vectors is None:
        if bundle.manifest.encoder and bundle.manifest.kind != "encoder":
            raise BundleError(name, "its manifest names an encoder, and there are no vectors")
        return
    try:
        rows = Vectors([bundle.vectors]).rows(0)
    except ValueError as error:
        raise BundleError(name, f"section TQ is refused, {error}") from error
    for number, kind, flags in rows:
        if number >= bundle.records.docs:
            raise BundleError(name, f"section TQ has a vector of {number}, which is no document")
        record = bundle.records[number]
        if (kind, flags) != (record.kind, record.flags):
            raise BundleError(name, f"sections TQ and CHK disagree on entry {number}")


def _check_database(bundle: Bundle, name: str) -> None:
    connection = bundle.database()
    try:
        faults = connection.pragma("integrity_check")
        if faults != "ok" or list(connection.execute("PRAGMA foreign_key_check")):
            raise BundleError(name, f"section DB is not a sound database ({faults})")
        if dump_digest(_rows(connection)) != bundle.manifest.dump:
            raise BundleError(name, "section DB does not say what the manifest says it says")
        counts = {
            table: connection.execute(f"SELECT count(*) FROM {table}").get  # noqa: S608 # ours
            for table in COLUMNS
        }
        ranks = dict(connection.execute("SELECT entry, rank FROM score"))
        strays = connection.execute(_STRAYS, (len(bundle.records), len(bundle.text))).get
    except (apsw.Error, UnicodeDecodeError, TypeError) as error:
        # SQLite does not check that its text is UTF-8.
        raise BundleError(name, f"section DB is not a sound database ({error})") from error
    finally:
        connection.close()
    counts["requirement"] += len(bundle.manifest.requirements)
    declared = {
        "reference": bundle.manifest.counts.get("references"),
        "decision": bundle.manifest.counts.get("decisions"),
        "requirement": bundle.manifest.counts.get("requirements"),
    }
    if any(counts[table] != count for table, count in declared.items()):
        raise BundleError(name, "section DB and the manifest disagree in their counts")
    if strays:
        raise BundleError(name, "section DB relates entries or files that are not there")
    if any(record.popularity != popularity(ranks.get(record.id, 0)) for record in bundle.records):
        raise BundleError(name, "sections CHK and DB disagree on how popular an entry is")


def _rows(connection: apsw.Connection) -> Iterator[tuple[str, Iterator[Row]]]:
    for table, columns in COLUMNS.items():
        listed = ", ".join(columns)
        yield table, connection.execute(f"SELECT {listed} FROM {table} ORDER BY 1, 2")  # noqa: S608 # ours
