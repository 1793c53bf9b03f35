"""What a module offers to whoever imports it, whichever private module defines it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pydocs_bundle import Record
from pydocs_bundle.records import Flag, Kind
from pydocs_server.catalog import Catalog
from pydocs_server.nearest import shown_name
from pydocs_server.render import one_line

__all__ = ["api_name", "declaration", "declarations", "is_failure", "public_api", "submodules"]

_ORDER: Final[dict[int, int]] = {Kind.CLASS: 0, Kind.FUNCTION: 1, Kind.ATTRIBUTE: 3}
_FAILURES: Final = ("Error", "Exception", "Warning")
_FAILURE_ORDER: Final = 2
_ENTRY_WORDS: Final[dict[int, str]] = {
    Kind.CLASS: "class ",
    Kind.FUNCTION: "def ",
    Kind.METHOD: "def ",
    Kind.PROPERTY: "property ",
    Kind.MODULE: "module ",
}


def public_api(catalog: Catalog, bundle: int, modules: Iterable[str]) -> list[Record]:
    """The public classes, functions, exceptions and values of some modules, in that order."""
    owners = set(modules)
    best: dict[str, Record] = {}
    for record in catalog.bundles[bundle].records:
        if record.kind not in _ORDER or record.flags & (Flag.TEST | Flag.STUB):
            continue
        name = api_name(record, owners)
        if name:
            best.setdefault(name, record)
    return [record for _, record in sorted(best.items(), key=lambda one: _order(*one))]


def api_name(record: Record, owners: Iterable[str]) -> str:
    """The public name by which one of the owners offers a record, empty if none does."""
    for name in (record.public_name, record.qualified_name, *record.aliases):
        owner, _, own = name.rpartition(".")
        if owner in owners and not own.startswith("_"):
            return name
    return ""


def submodules(catalog: Catalog, bundle: int, parent: str = "") -> list[Record]:
    """The modules below a module (all of the bundle's without one), by name, tests left out."""
    records = catalog.bundles[bundle].records
    found = (records[index] for index in range(records.docs))
    return sorted(
        (
            record
            for record in found
            if record.kind == Kind.MODULE
            and not record.flags & (Flag.TEST | Flag.STUB)
            and (not parent or record.qualified_name.startswith(f"{parent}."))
        ),
        key=lambda record: record.qualified_name,
    )


def declarations(record: Record, most: int = 400) -> list[str]:
    """One declaration for each overload that the signature lists, or the only one."""
    signatures = record.signature.split("\n")
    return [declaration(record._replace(signature=one), most=most) for one in signatures]


def declaration(record: Record, name: str = "", most: int = 400) -> str:
    """A record as it would be declared: `def get(url, *, params=None) -> Response`."""
    first, *others = record.signature.split("\n")
    more = f"  (+{len(others)} overloads)" if others else ""
    word = _ENTRY_WORDS.get(record.kind, "")
    if record.flags & Flag.ASYNC and word == "def ":
        word = "async def "
    called = name or shown_name(record).rpartition(".")[2]
    return one_line(f"{word}{called}{first}", most) + more


def is_failure(name: str) -> bool:
    """Whether a class is called like an exception."""
    return name.endswith(_FAILURES)


def _order(name: str, record: Record) -> tuple[int, int, str]:
    kind = _ORDER[record.kind]
    if record.kind == Kind.CLASS and is_failure(name):
        kind = _FAILURE_ORDER
    return (kind, name.count("."), name)
