"""What users call a member whose class they never see: `flask.Flask.route`, of a `Scaffold`.

A public class that inherits it in the same bundle lends its name. Who inherits is found by what the
postings hold of signatures, in which the bases of a class stand, so no database is opened.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from pydocs_bundle import Record
from pydocs_bundle.records import Flag, Kind
from pydocs_native import analyze
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.names import resolve
from pydocs_server.mounted.nearest import shown_name

__all__ = ["asked_as", "called"]

_MEMBERS: Final = frozenset({int(Kind.METHOD), int(Kind.PROPERTY), int(Kind.ATTRIBUTE)})
_SIGNATURE: Final = (0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0)
"""Of the postings' fields, signatures."""

_CLASSES: Final = 1 << Kind.CLASS
_LISTED_DOTS: Final = 2
_MOST_HEIRS: Final = 16
_MOST_GENERATIONS: Final = 3


def called(catalog: Catalog, bundle: int, record: Record, words: Collection[str] = ()) -> str:
    """The name that a public heir lends to a member; empty where its own is the one to use.

    Args:
        catalog: what is mounted.
        bundle: where the member is.
        record: the member.
        words: those of the query in lower case; an heir that they name goes before others.
    """
    if record.kind not in _MEMBERS or record.parent < 0 or record.flags & Flag.TEST:
        return ""
    owner = catalog.bundles[bundle].records[record.parent]
    member = record.qualified_name.rpartition(".")[2]
    if owner.kind != Kind.CLASS or not _is_out_of_sight(owner) or member.startswith("__"):
        return ""
    heirs = [heir for heir in _heirs(catalog, bundle, owner, member) if _is_nearer(heir, owner)]
    if not heirs:
        return ""
    best = min(heirs, key=lambda heir: (not _is_meant(heir, words), *_rank(heir)))
    return f"{shown_name(best)}.{member}"


def asked_as(catalog: Catalog, bundle: int, record: Record, name: str) -> str:
    """The name that a class lends to a member as whose owner a dotted name names it."""
    owner, _, member = name.rpartition(".")
    named = resolve(catalog, owner, [bundle])[:1] if owner and record.kind in _MEMBERS else []
    is_heir = (
        bool(named)
        and named[0].record.kind == Kind.CLASS
        and (named[0].bundle, named[0].record.id) != (bundle, record.parent)
        and record.qualified_name.endswith(f".{member}")
    )
    return f"{shown_name(named[0].record)}.{member}" if is_heir else ""


def _is_out_of_sight(owner: Record) -> bool:
    """Whether no public name leads to a class, or a long one that nobody writes."""
    shown = shown_name(owner)
    is_private = bool(owner.flags & Flag.PRIVATE) or "._" in f".{shown}"
    return is_private or (not owner.public_name and shown.count(".") > _LISTED_DOTS)


def _heirs(catalog: Catalog, bundle: int, owner: Record, member: str) -> Iterator[Record]:
    """The classes of a bundle that have a member from a class, nearest first."""
    records = catalog.bundles[bundle].records
    known = {owner.id}
    generation = [owner]
    for _ in range(_MOST_GENERATIONS):
        heirs: list[Record] = []
        for parent in generation:
            term = analyze(parent.qualified_name.rpartition(".")[2])[:1]
            found = catalog.postings.search(
                term, _SIGNATURE, _MOST_HEIRS, sections=[bundle], kinds=_CLASSES
            )
            for _, _, number in found:
                heir = records[number]
                is_heir = not {parent.qualified_name, *parent.aliases}.isdisjoint(heir.bases)
                if is_heir and number not in known:
                    known.add(number)
                    if not records.find(f"{heir.qualified_name}.{member}"):
                        heirs.append(heir)
        yield from heirs
        generation = heirs[:_MOST_HEIRS]


def _is_nearer(heir: Record, owner: Record) -> bool:
    shown = shown_name(heir)
    is_seen = not heir.flags & (Flag.PRIVATE | Flag.TEST) and "._" not in f".{shown}"
    return is_seen and (
        shown.count(".") < shown_name(owner).count(".") or "._" in f".{shown_name(owner)}"
    )


def _is_meant(heir: Record, words: Collection[str]) -> bool:
    """Whether a query names a class, or the module that it is in."""
    module, _, name = heir.qualified_name.lower().rpartition(".")
    return name in words or module.rpartition(".")[2] in words


def _rank(heir: Record) -> tuple[int, int, str]:
    shown = shown_name(heir)
    return shown.count("."), -heir.popularity, shown
