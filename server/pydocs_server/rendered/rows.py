"""One JSON row for each symbol, with the same names in every tool's structured answer."""

from __future__ import annotations

from typing import Final

from pydocs_bundle import Record
from pydocs_bundle.records import Flag, Kind
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.nearest import shown_name
from pydocs_server.rendered.render import location, one_line, visible
from pydocs_server.rendered.signatures import overloads

__all__ = ["brief_row", "kind_label", "place", "row"]

_BRIEF: Final = 160
_CLAIMS: Final = (
    (Flag.PRIVATE, "is_private"),
    (Flag.TEST, "is_test"),
    (Flag.DEPRECATED, "is_deprecated"),
    (Flag.GENERATED, "is_generated"),
    (Flag.OVERLOAD, "is_overload"),
    (Flag.ASYNC, "is_async"),
    (Flag.STUB, "is_stub"),
)


def row(catalog: Catalog, bundle: int, record: Record, **more: object) -> dict[str, object]:
    """A record for a program: names, kind, package, version, place, signature, summary, claims.

    `path` is the file's path inside its bundle, `address` is what `read_file` takes. Claims such as
    `is_deprecated` are there only where they hold.
    """
    manifest = catalog.bundles[bundle].manifest
    path = catalog.bundles[bundle].text.paths[record.file]
    return {
        "qualified_name": visible(record.qualified_name),
        "public_name": visible(shown_name(record)),
        "kind": kind_label(record.kind),
        "package": visible(manifest.name),
        "version": visible(manifest.version),
        "path": visible(path),
        "start_line": record.start_line,
        "end_line": record.end_line,
        "address": location(manifest.name, manifest.version, path, record.start_line),
        "signature": visible("\n".join(overloads(record.signature))),
        "summary": visible(record.summary),
        **{claim: True for flag, claim in _CLAIMS if record.flags & flag},
        **more,
    }


def brief_row(record: Record, name: str = "") -> dict[str, object]:
    """A member for a program, where its owner's row says package and version."""
    return {
        "qualified_name": visible(record.qualified_name),
        "public_name": visible(name or shown_name(record)),
        "kind": kind_label(record.kind),
        "start_line": record.start_line,
        "signature": one_line(overloads(record.signature)[0], _BRIEF),
        "summary": one_line(record.summary, _BRIEF),
    }


def place(catalog: Catalog, bundle: int, record: Record) -> str:
    """Where a record is: `package@version/path:line`."""
    manifest = catalog.bundles[bundle].manifest
    path = catalog.bundles[bundle].text.paths[record.file]
    return location(manifest.name, manifest.version, path, record.start_line)


def kind_label(kind: int) -> str:
    """The lower-case word for a kind; `entry` for one this reader does not know."""
    return Kind(kind).label if kind in Kind._value2member_map_ else "entry"
