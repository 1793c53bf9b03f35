"""What `app.route` means, where `app` is a variable: a method, by what variables are called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pydocs_bundle import Record
from pydocs_bundle.records import Flag, Kind
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.names import Found, resolve
from pydocs_server.ranked.rank import is_private

__all__ = ["methods_of"]

_MOST_CLASSES: Final = 24
_MOST_NAMESAKES: Final = 64
_CALLED: Final = frozenset({int(Kind.METHOD), int(Kind.FUNCTION), int(Kind.PROPERTY)})


def methods_of(catalog: Catalog, name: str, bundles: Sequence[int]) -> list[Found]:
    """The methods that `variable.method` may mean, likeliest first.

    A variable is called like its class (`session`) or like the module that its class is in (`app`
    for `flask.app.Flask`). Where nothing is called like it (`df`), all methods of that name count,
    the most used first.
    """
    variable, _, method = name.rpartition(".")
    receiver = variable.rpartition(".")[2]
    found: dict[tuple[int, int], tuple[int, Found]] = {}
    for bundle, owner in _classes(catalog, receiver, bundles):
        for one in resolve(catalog, f"{owner.qualified_name}.{method}", [bundle]):
            key = (one.bundle, one.record.id)
            if one.record.kind in _CALLED and owner.popularity >= found.get(key, (0,))[0]:
                found[key] = (owner.popularity, one)
    if found:
        ranked = sorted(found.values(), key=lambda each: (*_likeness(each[1]), -each[0]))
        return [one for _, one in ranked]
    namesakes = [
        Found(bundle, record)
        for bundle in bundles
        for record in _ending(catalog, bundle, method, _MOST_NAMESAKES)
        if record.kind in _CALLED
    ]
    return sorted(namesakes, key=lambda one: (*_likeness(one), -one.record.popularity))


def _classes(
    catalog: Catalog, receiver: str, bundles: Iterable[int]
) -> Iterable[tuple[int, Record]]:
    """The classes called like a variable, and those of the modules called so, the used first."""
    classes: list[tuple[int, Record]] = []
    for bundle in bundles:
        for record in _ending(catalog, bundle, receiver, _MOST_NAMESAKES):
            within = (record.id, *(record.children if record.kind == Kind.MODULE else ()))
            for number in within:
                one = catalog.bundles[bundle].records[number]
                if one.kind == Kind.CLASS and not one.flags & Flag.TEST:
                    classes.append((bundle, one))
    return sorted(classes, key=lambda each: (is_private(each[1]), -each[1].popularity))[
        :_MOST_CLASSES
    ]


def _ending(catalog: Catalog, bundle: int, tail: str, most: int) -> list[Record]:
    records = catalog.bundles[bundle].records
    return [records[number] for number in records.find_tail(tail, most)]


def _likeness(found: Found) -> tuple[bool, bool, bool]:
    record = found.record
    return (
        bool(record.flags & Flag.TEST),
        bool(record.flags & Flag.DEPRECATED),
        is_private(record),
    )
