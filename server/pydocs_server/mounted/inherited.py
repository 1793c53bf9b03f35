"""What a symbol has from its bases: how a class is called, and the words that explain a member."""

from __future__ import annotations

from typing import Final

from pydocs_bundle.records import Kind
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.names import Found, mro, resolve

__all__ = ["constructor", "documentation"]

_CONSTRUCTORS: Final = ("__init__", "__new__")
_DOCUMENTED_MEMBERS: Final = frozenset({Kind.METHOD, Kind.PROPERTY})


def constructor(catalog: Catalog, found: Found) -> Found | None:
    """What says how a class is called: an `__init__` or `__new__` of its own or of a base."""
    for ancestor in mro(catalog, found):
        records = catalog.bundles[ancestor.bundle].records
        for name in _CONSTRUCTORS:
            ids = records.find(f"{ancestor.record.qualified_name}.{name}")
            if ids:
                return Found(ancestor.bundle, records[ids[-1]])
    return None


def documentation(catalog: Catalog, found: Found) -> str:
    """The docstring of a symbol, else that of the first base that has one, as Python has it."""
    own = _docstring(catalog, found)
    if own:
        return own
    if found.record.kind == Kind.CLASS:
        return next(filter(None, (_docstring(catalog, one) for one in mro(catalog, found)[1:])), "")
    if found.record.kind not in _DOCUMENTED_MEMBERS:
        return ""
    owner, _, name = found.record.qualified_name.rpartition(".")
    for holder in resolve(catalog, owner, [found.bundle])[:1]:
        for ancestor in mro(catalog, holder)[1:]:
            records = catalog.bundles[ancestor.bundle].records
            for number in records.find(f"{ancestor.record.qualified_name}.{name}"):
                inherited = _docstring(catalog, Found(ancestor.bundle, records[number]))
                if inherited:
                    return inherited
    return ""


def _docstring(catalog: Catalog, found: Found) -> str:
    return catalog.bundles[found.bundle].docstring(found.record.id)
