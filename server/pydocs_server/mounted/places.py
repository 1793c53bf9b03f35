"""Places in files as names: the symbol around a line, the module that a file is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from pydocs_bundle import Record
from pydocs_bundle.records import Kind
from pydocs_server.mounted.catalog import Catalog

__all__ = ["records_at"]

_PLACE: Final = re.compile(r"(?P<path>.+?)(?::(?P<line>\d{1,9})(?:-\d+)?)?")


def records_at(
    catalog: Catalog, place: str, bundles: Iterable[int]
) -> Iterator[tuple[int, Record]]:
    """The bundles that have a `path:line`, each with the innermost symbol around that line.

    Without a line it is the module that the file is, or the first section of a document.
    """
    match = _PLACE.fullmatch(place)
    for index in bundles if match else ():
        file = catalog.bundles[index].text.index(match["path"]) if match else None
        if match is not None and file is not None:
            record = _innermost(catalog, index, file, int(match["line"] or 0))
            if record is not None:
                yield index, record


def _innermost(catalog: Catalog, bundle: int, file: int, line: int) -> Record | None:
    records = catalog.bundles[bundle].records
    # Searchable records are sorted by file and start, so halving finds the last that begins before.
    low, high = 0, records.docs
    while low < high:
        middle = (low + high) // 2
        record = records[middle]
        if (record.file, record.start_line if line else 1) <= (file, line):
            low = middle + 1
        else:
            high = middle
    if not line:
        return records[low] if low < records.docs and records[low].file == file else None
    for index in range(low - 1, -1, -1):
        record = records[index]
        if record.file != file:
            return None
        if record.start_line <= line <= record.end_line and record.kind != Kind.DECISION:
            return record
    return None
