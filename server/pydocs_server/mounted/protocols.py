"""Classes that a protocol means without being named by them: they define all of its members."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from pydocs_bundle import Record
from pydocs_bundle.records import Flag, Kind
from pydocs_server.mounted.edges import Graph, last_of, symbol_of
from pydocs_server.mounted.joins import Symbol
from pydocs_server.mounted.names import Found

__all__ = ["implementors", "protocols"]

_PROTOCOLS: Final = frozenset({"typing.Protocol", "typing_extensions.Protocol"})
_MEMBERS: Final = frozenset({Kind.METHOD, Kind.PROPERTY})
# What nearly every class, or any function, has too says nothing.
_COMMON: Final = frozenset({"__call__", "__eq__", "__hash__", "__init__", "__repr__", "__str__"})
_MOST: Final = 200


def implementors(graph: Graph, found: Found, bundles: Collection[int]) -> list[Found]:
    """The classes in some bundles that define whatever a protocol asks for; none of another class.

    A protocol of nothing but what is common, such as `__call__`, is no way to tell.
    """
    wanted = _asked_for(graph, found)
    if not wanted:
        return []
    rarest = max(sorted(wanted), key=len)
    return [
        one
        for one in _definers(graph, rarest, bundles)
        if symbol_of(one) != symbol_of(found)
        and not is_protocol(one.record)
        and wanted <= _members(graph, one)
    ]


def protocols(graph: Graph, found: Found, member: str) -> list[Found]:
    """The protocols with a member that a class meets, wherever they are mounted."""
    if member in _COMMON:
        return []
    has = _members(graph, found)
    return [
        one
        for one in _definers(graph, member, graph.within)
        if is_protocol(one.record) and (wanted := _asked_for(graph, one)) and wanted <= has
    ]


def is_protocol(record: Record) -> bool:
    """Whether a class is a protocol itself."""
    return record.kind == Kind.CLASS and not _PROTOCOLS.isdisjoint(
        base.partition("[")[0] for base in record.bases
    )


def _asked_for(graph: Graph, found: Found) -> frozenset[str]:
    """The members that make a class one of a protocol; none where it is no protocol."""
    if not is_protocol(found.record):
        return frozenset()
    own = _members(graph, found)
    return own if own - _COMMON else frozenset()


def _members(graph: Graph, found: Found) -> frozenset[str]:
    """The names of the methods and properties of a class, those of its mounted bases too."""
    names: set[str] = set()
    for each in graph.joins.line(found):
        records = graph.catalog.bundles[each.bundle].records
        children = (records[child] for child in each.record.children)
        names.update(last_of(child) for child in children if child.kind in _MEMBERS)
    return frozenset(names)


def _definers(graph: Graph, member: str, bundles: Collection[int]) -> list[Found]:
    """The classes that define a member themselves, tests left out."""
    found: list[Found] = []
    for bundle in sorted(bundles):
        records = graph.catalog.bundles[bundle].records
        for entry in records.find_tail(member, _MOST):
            record = records[entry]
            if record.kind in _MEMBERS and last_of(record) == member and record.parent >= 0:
                owner = graph.found(Symbol(bundle, record.parent))
                if owner.record.kind == Kind.CLASS and not owner.record.flags & Flag.TEST:
                    found.append(owner)
    return found[:_MOST]
