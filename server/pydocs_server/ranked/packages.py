"""Which packages a query speaks of: mounted ones, in which version, and such as are not mounted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.spelling import has_version, normalised, taken_apart
from pydocs_server.ranked.ordinary import is_ordinary
from pydocs_server.ranked.well_known import WELL_KNOWN

__all__ = ["Absent", "Spoken", "packages_in"]

_LEADING: Final = "in with using via from use import of package library module"
_TRAILING: Final = "package library module session"
# Who pastes a list of requirements is told of the first few, and of no more looked for in texts.
_MOST_ABSENT: Final = 8
_VERSION: Final = re.compile(r"v?(\d{1,4}(?:\.\d{1,4}){0,3})", re.IGNORECASE)


class Absent(NamedTuple):
    """A package or a version of it that a query names and that is not mounted.

    `mounted` are the versions that are; empty where the package is not mounted at all.
    """

    name: str
    version: str = ""
    mounted: tuple[str, ...] = ()


class Spoken(NamedTuple):
    """The bundles named for certain, the ones perhaps named, and the words that only name one.

    `others` are the bundles of other versions than one that is asked for with `==` or `@`.
    """

    certain: frozenset[int]
    perhaps: frozenset[int]
    naming: frozenset[str]
    others: frozenset[int]
    absent: tuple[Absent, ...]


def packages_in(catalog: Catalog, words: Sequence[str]) -> Spoken:
    """The packages that the words of a query name."""
    certain: set[int] = set()
    perhaps: set[int] = set()
    naming: set[str] = set()
    others: set[int] = set()
    absent: dict[Absent, None] = {}
    leading, trailing = map(str.split, (_LEADING, _TRAILING))
    for position, word in enumerate(words):
        name, version = taken_apart(word)
        mounted = catalog.spelled(name)
        before = words[position - 1].lower() if position else ""
        after = words[position + 1].lower() if position + 1 < len(words) else ""
        if not mounted:
            is_asked = bool(version) and bool(_VERSION.fullmatch(version))
            known = name if is_asked else _well_known(name) or _imported(catalog, name)
            absent.update({Absent(known): None} if known else {})
            continue
        bundles = _of_version(catalog, mounted, version)
        if version and not bundles:
            there = tuple(catalog.bundles[index].manifest.version for index in mounted)
            absent[Absent(name, version, there)] = None
            bundles = mounted
        elif version:
            others.update(set(mounted) - set(bundles))
        is_signed = bool(version) or "." in name or before in leading or after in trailing
        if is_signed or not is_ordinary(catalog, name, bundles):
            said = _VERSION.fullmatch(after)
            # `click 8.2` asks for a version less firmly: the others are only behind it.
            meant = _of_version(catalog, mounted, said[1]) if said and not version else bundles
            certain.update(meant or bundles)
            if "." not in name:
                naming.add(word)
        else:
            perhaps.update(bundles)
    return Spoken(
        frozenset(certain),
        frozenset(perhaps - certain),
        frozenset(naming),
        frozenset(others - certain),
        tuple(absent)[:_MOST_ABSENT],
    )


def _of_version(catalog: Catalog, bundles: Sequence[int], version: str) -> list[int]:
    if not version:
        return list(bundles)
    return [i for i in bundles if has_version(catalog.bundles[i].manifest.version, version)]


def _well_known(name: str) -> str:
    """The well-known package that a word is, or begins with as `keras.layers` does."""
    return next((n for n in (name, name.partition(".")[0]) if normalised(n) in WELL_KNOWN), "")


def _imported(catalog: Catalog, name: str) -> str:
    """The package that a dotted name begins with, where something mounted imports it."""
    head, dot, _ = name.partition(".")
    wanted = normalised(head)
    imported = (one for bundle in catalog.bundles for one in bundle.manifest.imports)
    return head if dot and any(normalised(one) == wanted for one in imported) else ""
