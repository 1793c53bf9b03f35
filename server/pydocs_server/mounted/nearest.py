"""The mounted names nearest to one that is not there: another case, a slip, a word that fits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pydocs_bundle import Record
from pydocs_bundle.records import Flag, Kind
from pydocs_server.mounted.catalog import Catalog

__all__ = ["closest", "shown_name"]

_SCANNED_BUNDLES: Final = 3
_SCANNED_RECORDS: Final = 40_000
_CANDIDATES: Final = 60
_LIKE_ENOUGH: Final = 0.6
_QUITE_ALIKE: Final = 0.85
_OTHER_CASE: Final = 0.01
_LONGEST_SLIP: Final = 40
_NAME_FIELDS: Final = (3.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
_LONGEST: Final = 120


def shown_name(record: Record) -> str:
    """The name to call a record by: its public one where it has one."""
    return record.public_name or record.qualified_name


def closest(catalog: Catalog, name: str, most: int = 5) -> list[str]:
    """The mounted names nearest to one that is not there, best first."""
    wanted = name.strip().removesuffix("()").strip(".")[:_LONGEST]
    if not wanted:
        return []
    home = _home(catalog, wanted)
    candidates = _namesakes(catalog, wanted) | _worded(catalog, wanted)
    likeness = {shown: _likeness(wanted, shown) for shown in candidates}
    if home and max(likeness.values(), default=0.0) < _QUITE_ALIKE:
        # Reading all names of a big package takes half a second, so only if nothing else helps.
        candidates |= _within(catalog, home, wanted)
        likeness = {shown: _likeness(wanted, shown) for shown in candidates}
    # Of a package that is not mounted, only something of quite the same name is near.
    least = _LIKE_ENOUGH if home or "." not in wanted else _QUITE_ALIKE
    enough = [shown for shown, like in likeness.items() if like >= least]
    return sorted(enough, key=lambda s: (-likeness[s], _rank(candidates[s]), len(s), s))[:most]


def _home(catalog: Catalog, name: str) -> list[int]:
    """The bundles that the name seems to belong to, a slip in the package's name forgiven."""
    head = name.partition(".")[0].partition("@")[0]
    named = catalog.spelled(head)
    if named or "." not in name:
        return named[:_SCANNED_BUNDLES]
    from difflib import get_close_matches  # noqa: PLC0415 - only a miss pays for it

    modules = sorted({module for bundle in catalog.bundles for module in bundle.manifest.modules})
    near = get_close_matches(head, modules, n=1, cutoff=0.75)
    return catalog.providers(near[0])[:_SCANNED_BUNDLES] if near else []


def _within(catalog: Catalog, bundles: Iterable[int], name: str) -> dict[str, Record]:
    """Names of some bundles whose last segment is like the last one wanted."""
    from difflib import get_close_matches  # noqa: PLC0415 - only a miss pays for it

    tail = name.rpartition(".")[2].lower()
    by_tail: dict[str, list[Record]] = {}
    for index in bundles:
        records = catalog.bundles[index].records
        for _, record in zip(range(_SCANNED_RECORDS), records, strict=False):
            if record.kind in {Kind.DECISION, Kind.SECTION, Kind.CELL, Kind.ALIAS}:
                continue
            last = shown_name(record).rpartition(".")[2].lower()
            if _may_match(tail, last):
                by_tail.setdefault(last, []).append(record)
    near = get_close_matches(tail, sorted(by_tail), n=12, cutoff=0.6)
    found = [record for last in near for record in sorted(by_tail[last], key=_rank)[:8]]
    return {shown_name(record): record for record in found}


def _may_match(one: str, other: str) -> bool:
    """A cheap no: lengths too far apart, or hardly a letter in common."""
    shorter, longer = sorted((len(one), len(other)))
    return shorter * 2.5 >= longer and len(set(one) & set(other)) * 2 >= min(len(set(one)), 6)


def _namesakes(catalog: Catalog, name: str) -> dict[str, Record]:
    """Names anywhere whose last segment is the same in another case, or but for a slip."""
    found: dict[str, Record] = {}
    for tail in _slips(name.rpartition(".")[2]):
        for bundle in catalog.bundles:
            for record_id in bundle.records.find_tail(tail, _CANDIDATES):
                record = bundle.records[record_id]
                if record.kind != Kind.ALIAS:
                    found.setdefault(shown_name(record), record)
        if len(found) >= _CANDIDATES:
            break
    return found


def _slips(word: str) -> list[str]:
    """The word itself, then what a slip may have made it of: swapped, doubled, missed letters."""
    places = range(len(word) if len(word) <= _LONGEST_SLIP else 0)
    swapped = [word[:i] + word[i + 1 : i + 2] + word[i] + word[i + 2 :] for i in places]
    dropped = [word[:i] + word[i + 1 :] for i in places]
    doubled = [word[:i] + word[i] + word[i:] for i in places]
    split = [f"{word[:i]}_{word[i:]}" for i in places]
    slips = [word, *swapped, *dropped, *doubled, *split, word.replace("_", ""), f"{word}s"]
    return [slip for slip in dict.fromkeys(slips) if slip]


def _worded(catalog: Catalog, name: str) -> dict[str, Record]:
    """Names anywhere that share words with the last segment."""
    from pydocs_native import analyze  # noqa: PLC0415 - only a miss pays for it

    terms = list(dict.fromkeys(analyze(name.rpartition(".")[2])))
    found: dict[str, Record] = {}
    for _, section, doc in catalog.postings.search(terms, _NAME_FIELDS, _CANDIDATES):
        record = catalog.bundles[section].records[doc]
        if record.kind not in {Kind.DECISION, Kind.SECTION, Kind.CELL}:
            found.setdefault(shown_name(record), record)
    return found


def _likeness(wanted: str, shown: str) -> float:
    """0 to 1: how alike the last segments are, and a little how alike the whole names are."""
    from difflib import SequenceMatcher  # noqa: PLC0415 - only a miss pays for it

    tail, other = wanted.rpartition(".")[2].lower(), shown.rpartition(".")[2].lower()
    last = SequenceMatcher(None, tail, other).ratio()
    last -= _OTHER_CASE * (not shown.endswith(wanted.rpartition(".")[2]))
    whole = SequenceMatcher(None, wanted.lower(), shown.lower()).ratio()
    return 0.7 * last + 0.3 * whole if "." in wanted else last


def _rank(record: Record) -> tuple[bool, bool, int]:
    return (
        bool(record.flags & Flag.TEST),
        bool(record.flags & Flag.PRIVATE),
        shown_name(record).count("."),
    )
