"""One JSON row for each symbol, with the same names in every tool's structured answer."""

from __future__ import annotations

from pydocs_bundle import Record
from pydocs_server.catalog import Catalog

__all__ = ["row"]


def row(catalog: Catalog, bundle: int, record: Record, **more: object) -> dict[str, object]:
    """A record for a program: names, kind, package, version, place, signature, summary, claims.

    `path` is the file's path inside its bundle; `address` is what `read_file` takes.
    """
    raise NotImplementedError
