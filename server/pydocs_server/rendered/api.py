"""What a module offers to whoever imports it, whichever private module defines it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from pydocs_bundle import Bundle, Record
from pydocs_bundle.records import Flag, Kind
from pydocs_native import parse
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.nearest import shown_name
from pydocs_server.rendered.render import one_line
from pydocs_server.rendered.signatures import overloads

__all__ = ["api_name", "declaration", "declarations", "is_failure", "public_api", "submodules"]

_ORDER: Final[dict[int, int]] = {Kind.CLASS: 0, Kind.FUNCTION: 1, Kind.ATTRIBUTE: 3}
_FAILURES: Final = ("Error", "Exception", "Warning")
_FAILURE_ORDER: Final = 2
_NOT_OFFERED: Final = int(Flag.TEST | Flag.STUB)
_TESTS: Final = frozenset({"test", "tests", "conftest", "testing"})
_LONGEST_MODULE: Final = 1_000_000
_ENTRY_WORDS: Final[dict[int, str]] = {
    Kind.CLASS: "class ",
    Kind.FUNCTION: "def ",
    Kind.METHOD: "def ",
    Kind.PROPERTY: "property ",
    Kind.MODULE: "module ",
}


def public_api(catalog: Catalog, bundle: int, modules: Sequence[str]) -> list[Record]:
    """The public classes, functions, exceptions and values of some modules, in that order."""
    best: dict[str, Record] = {}
    for record in _candidates(catalog.bundles[bundle], modules):
        if record.kind not in _ORDER or record.flags & _NOT_OFFERED:
            continue
        name = api_name(record, modules)
        if name:
            best.setdefault(name, record)
    named = sorted(best.items(), key=lambda one: _order(one[0], one[1], modules))
    return [record for _, record in named]


def _candidates(bundle: Bundle, modules: Iterable[str]) -> Iterator[Record]:
    """The records that modules may offer: looked up by what the modules say, else all there are."""
    records = bundle.records
    for module in modules:
        names = _names_said(bundle, module)
        if names is None:
            yield from records
            return
        for name in names:
            yield from (records[number] for number in records.find(f"{module}.{name}"))


def _names_said(bundle: Bundle, module: str) -> list[str] | None:
    """The names that a module's text defines, imports or lists; None where the text cannot tell."""
    for number in bundle.records.find(module):
        record = bundle.records[number]
        if record.kind != Kind.MODULE or bundle.text.size(record.file) > _LONGEST_MODULE:
            continue
        parsed = parse(bundle.text.read(record.file))
        names = [symbol.name for symbol in parsed.symbols if symbol.parent < 0]
        imported = [one for one in parsed.imports if one.scope < 0]
        is_open = "__getattr__" in names or any(one.name == "*" for one in imported)
        if is_open and parsed.exports is None:
            return None
        names += [one.alias or one.name for one in imported if one.name]
        return sorted({*names, *(parsed.exports or ())})
    return None


def api_name(record: Record, owners: Sequence[str]) -> str:
    """The public name by which the first owner that does offers a record, empty if none does."""
    offered = {
        owner: name
        for name in (*record.aliases, record.qualified_name, record.public_name)
        for owner, _, own in (name.rpartition("."),)
        if not own.startswith("_")
    }
    return next((offered[owner] for owner in owners if owner in offered), "")


def submodules(catalog: Catalog, bundle: int, parent: str = "") -> list[str]:
    """The modules below a module (all of the bundle's without one), by name, tests left out."""
    text = catalog.bundles[bundle].text
    names = {text.module(file) for file in range(len(text))}
    return sorted(
        name
        for name in names
        if name
        and not _TESTS & set(name.split("."))
        and (not parent or name.startswith(f"{parent}."))
    )


_WHOLE: Final = 8_000
"""More characters than a signature has that is no attack: a caller needs all of it."""


def declarations(record: Record, most: int = _WHOLE) -> list[str]:
    """One declaration for each overload that the signature lists, or the only one, whole."""
    signatures = overloads(record.signature)
    return [declaration(record._replace(signature=one), most=most) for one in signatures]


def declaration(record: Record, name: str = "", most: int = 400) -> str:
    """A record as it would be declared: `def get(url, *, params=None) -> Response`."""
    first, *others = overloads(record.signature)
    more = f"  (+{len(others)} overloads)" if others else ""
    word = _ENTRY_WORDS.get(record.kind, "")
    if record.flags & Flag.ASYNC and word == "def ":
        word = "async def "
    called = name or shown_name(record).rpartition(".")[2]
    return one_line(f"{word}{called}{first}", most) + more


def is_failure(name: str) -> bool:
    """Whether a class is called like an exception."""
    return name.endswith(_FAILURES)


def _order(name: str, record: Record, owners: Sequence[str]) -> tuple[int, int, str]:
    kind = _ORDER[record.kind]
    if record.kind == Kind.CLASS and is_failure(name):
        kind = _FAILURE_ORDER
    return (kind, owners.index(name.rpartition(".")[0]), name)
