"""Writing the `DB` section: the relations between names, as SQLite bytes that repeat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import apsw

from pydocs_bundle.records import BundleContent, Reference
from pydocs_bundle.schema import (
    COLUMNS,
    INDEXES,
    PAGE_BYTES,
    TABLES,
    Row,
    dump_digest,
)

__all__ = ["DatabaseImage", "write_database"]


class DatabaseImage(NamedTuple):
    """A database as bytes, and the digest of what its rows say."""

    raw: bytes
    dump: str


def write_database(content: BundleContent) -> DatabaseImage:
    """The `DB` section of `content`, in its raw form."""
    tables = _tables(content)
    connection = apsw.Connection(":memory:")
    try:
        connection.pragma("page_size", PAGE_BYTES)
        connection.pragma("encoding", "UTF-8")
        with connection:
            for statement in TABLES:
                connection.execute(statement)
            for name, rows in tables.items():
                connection.executemany(_insertion(name), rows)
            for statement in INDEXES:
                connection.execute(statement)
        # Rows come in key order and indexes last, but only VACUUM makes the pages canonical.
        connection.execute("VACUUM")
        return DatabaseImage(connection.serialize("main"), dump_digest(tables.items()))
    finally:
        connection.close()


def _insertion(table: str) -> str:
    columns = COLUMNS[table]
    marks = ",".join("?" * len(columns))
    return f"INSERT INTO {table}({','.join(columns)}) VALUES({marks})"


def _tables(content: BundleContent) -> dict[str, Sequence[Row]]:
    """The rows of every table, in key order, with names and reasons interned."""
    names = _interned(_all_names(content))
    reasons = _interned(reference.reason for reference in content.references)
    rows: dict[str, Sequence[Row]] = {
        "metadata": sorted(
            {"kind": content.kind, "name": content.name, "version": content.version}.items()
        ),
        "name": [(number, text) for text, number in names.items()],
        "reason": [(number, text) for text, number in reasons.items()],
        "reference": _reference_rows(content, names, reasons),
        "score": content.scores,
        "decision": [
            (
                *(made.entry, made.origin, made.title, made.quote, made.status, made.date),
                *(made.label, made.places, made.successor if made.successor >= 0 else None),
            )
            for made in sorted(content.decisions)
        ],
        # Those with a fate stand in the manifest.
        "requirement": [
            (number, wanted.name, wanted.specifier, wanted.detail)
            for number, wanted in enumerate(
                sorted(wanted for wanted in content.requirements if not wanted.fate)
            )
        ],
        "alias": _listed(((n, e.aliases) for n, e in enumerate(content.entries)), names),
        "base": _listed(((n, e.bases) for n, e in enumerate(content.entries)), names),
        "decorator": _listed(((n, e.decorators) for n, e in enumerate(content.entries)), names),
        "governs": _listed(((d.entry, d.governs) for d in sorted(content.decisions)), names),
    }
    return {name: rows[name] for name in COLUMNS}


def _all_names(content: BundleContent) -> Iterable[str]:
    for entry in content.entries:
        yield from (*entry.aliases, *entry.bases, *entry.decorators)
    for reference in content.references:
        yield reference.target
    for decision in content.decisions:
        yield from decision.governs


def _interned(texts: Iterable[str]) -> dict[str, int]:
    """A number for each text but the empty one.

    Names that end alike get numbers that follow each other, which makes the index on their ends
    small.
    """
    ordered = sorted(set(texts) - {""}, key=lambda text: (text.rpartition(".")[2], text))
    return {text: number for number, text in enumerate(ordered)}


def _listed(lists: Iterable[tuple[int, Sequence[str]]], names: dict[str, int]) -> list[Row]:
    return [
        (owner, position, names[text])
        for owner, texts in lists
        for position, text in enumerate(texts)
    ]


def _reference_rows(
    content: BundleContent, names: dict[str, int], reasons: dict[str, int]
) -> list[Row]:
    if not content.references:
        return []
    # Column by column: there are more references than all other rows together.
    ordered = sorted(content.references, key=itemgetter(Reference._fields.index("source")))
    kinds, sources, targets, files, lines, columns, tiers, why = zip(*ordered, strict=True)
    positions: list[int] = []
    for _, same in groupby(sources):
        positions += range(sum(1 for _ in same))
    return list(
        zip(
            *(sources, positions, map(int, kinds), map(names.__getitem__, targets)),
            *(files, lines, columns),
            *(map(int, map("exact".__eq__, tiers)), map(reasons.get, why)),
            strict=True,
        )
    )
