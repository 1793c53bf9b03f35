"""Dotted names over the union: definitions, aliases, members, and what a class inherits.

Names come from users and from bundles that nobody has vouched for, so every walk remembers where it
has been and ends after a bounded number of steps.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final, Literal, NamedTuple

from pydocs_bundle import Record
from pydocs_bundle.records import Flag, Kind
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.nearest import closest, shown_name
from pydocs_server.mounted.places import records_at
from pydocs_server.rendered.answer import NotFound
from pydocs_server.rendered.render import visible

__all__ = ["Found", "Walk", "closest", "members", "mro", "require", "resolve", "shown_name"]

Via = Literal["definition", "alias", "inherited"]

_MOST_STEPS: Final = 2_000
_MOST_SEGMENTS: Final = 24
_MOST_NAMESAKES: Final = 256
_LONGEST: Final = 1_000
_MOST_CLOSEST: Final = 5
_LIKE_ENOUGH: Final = 0.7
_KIND_ORDER: Final[dict[int, int]] = {
    Kind.CLASS: 0,
    Kind.FUNCTION: 1,
    Kind.MODULE: 2,
    Kind.METHOD: 3,
    Kind.PROPERTY: 4,
    Kind.ATTRIBUTE: 5,
    Kind.SECTION: 6,
    Kind.CELL: 7,
    Kind.DECISION: 8,
    Kind.ALIAS: 9,
}


class Found(NamedTuple):
    """A record, the index of its bundle in the catalog, and how the name led to it."""

    bundle: int
    record: Record
    via: Via = "definition"


def resolve(catalog: Catalog, name: str, within: Collection[int] | None = None) -> list[Found]:
    """What a name means, best first, each mounted version apart; empty where it means nothing.

    Takes public and private dotted names, `package@version/dotted.name`, an address
    `package@version/path:line` (the symbol around that line), names that begin with a
    distribution's name, and bare or partly dotted ones (`Client`, `Client.get`).

    Args:
        catalog: what is mounted.
        name: as the user wrote it.
        within: the bundles to look in; aliases and bases may still lead out of them.
    """
    wanted = name.strip().removesuffix("()").strip(".")
    if not wanted or len(wanted) > _LONGEST:
        return []
    bundles = range(len(catalog.bundles)) if within is None else sorted(within)
    walk = Walk(catalog)
    if "/" in wanted and "#" not in wanted:
        return _addressed(walk, wanted, bundles)
    head, _, rest = wanted.partition(".")
    providers = [index for index in catalog.providers(head) if index in bundles]
    return (
        walk.lookup(wanted, providers)
        or walk.lookup(wanted, bundles)
        or _by_distribution(walk, head, rest, bundles)
        or _by_ending(walk, wanted, bundles)
    )


def require(catalog: Catalog, name: str, within: Collection[int] | None = None) -> list[Found]:
    """What a name means, best first, and never nothing.

    Raises:
        NotFound: nothing has that name; names the closest and the call to make.
    """
    found = resolve(catalog, name, within)
    if found:
        return found
    near = _members_like(catalog, name, within) + closest(catalog, name)
    near = list(dict.fromkeys(near))[:_MOST_CLOSEST]
    head = name.strip().partition(".")[0]
    problem = "is not in what is mounted"
    call = (
        f'get_symbol("{near[0]}")' if near else f'search_codebase("{visible(name.strip()[:80])}")'
    )
    if "." in name and not near and not catalog.spelled(head):
        problem = f"is not in what is mounted, and no bundle provides {head!r}"
        call = "get_overview() lists every mounted package"
    raise NotFound(f"{name.strip()[:200]!r}", near, call, problem)


def _members_like(catalog: Catalog, name: str, within: Collection[int] | None) -> list[str]:
    """The members, inherited ones too, of the class that a name begins with, as they are called."""
    from difflib import get_close_matches  # noqa: PLC0415 - only a miss pays for it

    owner, _, wanted = name.strip().removesuffix("()").rpartition(".")
    holders = [one for one in resolve(catalog, owner, within) if _is_class(one)]
    if not holders:
        return []
    offered = {
        member.record.qualified_name.rpartition(".")[2]
        for ancestor in mro(catalog, holders[0])
        for member in members(catalog, ancestor)
    }
    near = get_close_matches(wanted, sorted(offered), n=_MOST_CLOSEST, cutoff=_LIKE_ENOUGH)
    return [f"{owner}.{member}" for member in near]


def mro(catalog: Catalog, found: Found) -> list[Found]:
    """A class and its mounted bases in method resolution order; cycles and gaps are survived."""
    return Walk(catalog).ancestry(found)


def members(catalog: Catalog, found: Found) -> list[Found]:
    """The direct members of a class or module in source order, attributes last."""
    records = catalog.bundles[found.bundle].records
    return [Found(found.bundle, records[child]) for child in found.record.children]


class Walk:
    """One resolution: what it has found, where it is, and how far it may still go."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._steps = 0
        self._open: set[tuple[str, tuple[int, ...]]] = set()
        self._linear: dict[tuple[int, int], list[Found]] = {}
        self._missing: dict[str, int] = {}

    def begin(self) -> None:
        """Gives the next question all its steps; the orders of bases that are known stay known."""
        self._steps = 0

    def lookup(self, name: str, bundles: Sequence[int]) -> list[Found]:
        """A full dotted name: as it stands, else its owner's member."""
        key = (name, tuple(bundles))
        self._steps += 1
        if not bundles or key in self._open or self._steps > _MOST_STEPS:
            return []
        self._open.add(key)
        try:
            found = self._exact(name, bundles)
            owner, _, member = name.rpartition(".")
            if not found and owner and name.count(".") < _MOST_SEGMENTS:
                for holder in self.lookup(owner, bundles):
                    found += self.member(holder, member)
            return _once(found)
        finally:
            self._open.discard(key)

    def lead(self, name: str, start: int) -> list[Found]:
        """Where a name in one bundle leads: into the same bundle, else the newest that has it.

        The newest of those that the bundle means: it may know the version that it was built with.
        """
        here = self.lookup(name, [start])
        if here:
            return here
        for index in self.catalog.meant_by(start, name.partition(".")[0]):
            there = self.lookup(name, [index])
            if there:
                return there
        return []

    def member(self, holder: Found, name: str) -> list[Found]:
        """A member of a class (its bases' too) or of a module."""
        kind = holder.record.kind
        if kind == Kind.MODULE:
            return self.lookup(f"{holder.record.qualified_name}.{name}", [holder.bundle])
        if kind != Kind.CLASS:
            return []
        for ancestor in self.ancestry(holder):
            own = self._exact(f"{ancestor.record.qualified_name}.{name}", [ancestor.bundle])
            if own:
                is_own = (ancestor.bundle, ancestor.record.id) == (holder.bundle, holder.record.id)
                via: Via = holder.via if is_own else "inherited"
                return [found._replace(via=via) for found in own]
        return []

    def ancestry(self, found: Found) -> list[Found]:
        """The C3 linearisation, with what is missing or circular left out."""
        return [one for one in self._line(found) if one.bundle >= 0]

    def _line(self, found: Found) -> list[Found]:
        """The same with what is missing: where `Generic` stands decides on others' places."""
        key = (found.bundle, found.record.id)
        if key in self._linear:
            return self._linear[key]
        self._linear[key] = [found]  # what a cycle through this class sees
        self._steps += 1
        parents: list[Found] = []
        if self._steps <= _MOST_STEPS:
            for base in found.record.bases:
                leads = [lead for lead in self.lead(base, found.bundle) if _is_class(lead)]
                parents += leads[:1] or [self._unseen(base, found)]
        chains = [self._line(parent) if parent.bundle >= 0 else [parent] for parent in parents]
        above = [one for one in _merge([*chains, parents]) if _key(one) != key]
        self._linear[key] = [found, *above]
        return self._linear[key]

    def _unseen(self, base: str, found: Found) -> Found:
        """What stands for a base that is in no bundle, the same for the same name."""
        number = self._missing.setdefault(base, len(self._missing))
        return Found(-1, found.record._replace(id=number, qualified_name=base))

    def _exact(self, name: str, bundles: Iterable[int]) -> list[Found]:
        found: list[Found] = []
        for index in bundles:
            records = self.catalog.bundles[index].records
            for record_id in records.find(name):
                record = records[record_id]
                via: Via = "definition" if record.qualified_name == name else "alias"
                if record.kind == Kind.ALIAS:
                    led = self.lead(record.bases[0], index) if record.bases else []
                    found += [lead._replace(via="alias") for lead in led]
                    if led:
                        continue
                found.append(Found(index, record, via))
        # A package that binds a module's name to something else hides the module.
        is_bound = any(one.record.kind != Kind.MODULE for one in found)
        return sorted(
            found,
            key=lambda one: (is_bound and one.record.kind == Kind.MODULE, *_preference(one)),
        )


def _addressed(walk: Walk, address: str, bundles: Sequence[int]) -> list[Found]:
    """`package@version/path:line`, `package/path`, a bare path, or a name after a package."""
    package, _, rest = address.partition("/")
    name = package.replace("==", "@").partition("@")[0]
    if walk.catalog.spelled(name):
        named = [index for index in walk.catalog.package(package) if index in bundles]
        head = rest.partition(".")[0]
        providers = [index for index in walk.catalog.providers(head) if index in named]
        found = (
            _at(walk, rest, named)
            or walk.lookup(rest, providers or named)
            or _by_ending(walk, rest, named)
        )
        if found:
            return found
    return _at(walk, address, bundles)


def _at(walk: Walk, address: str, bundles: Iterable[int]) -> list[Found]:
    return [Found(index, record) for index, record in records_at(walk.catalog, address, bundles)]


def _by_distribution(walk: Walk, head: str, rest: str, bundles: Iterable[int]) -> list[Found]:
    """`PyYAML.safe_load`: a distribution's name in front of its module's members."""
    for index in walk.catalog.spelled(head):
        if index not in bundles:
            continue
        for module in sorted(walk.catalog.bundles[index].manifest.modules):
            found = walk.lookup(f"{module}.{rest}" if rest else module, [index])
            if found:
                return found
    return []


def _by_ending(walk: Walk, name: str, bundles: Iterable[int]) -> list[Found]:
    """`Client` or `Client.get`: every symbol one of whose names ends so, the likeliest first."""
    ending = f".{name}"
    tail = name.rpartition(".")[2]
    found: list[Found] = []
    left = _MOST_NAMESAKES
    for index in bundles:
        if left <= 0:
            break
        records = walk.catalog.bundles[index].records
        for record_id in records.find_tail(tail, left):
            record = records[record_id]
            left -= 1
            if record.kind == Kind.ALIAS:
                continue
            if f".{record.qualified_name}".endswith(ending):
                found.append(Found(index, record))
            elif any(f".{n}".endswith(ending) for n in (record.public_name, *record.aliases)):
                found.append(Found(index, record, "alias"))
    owner, _, member = name.rpartition(".")
    if not found and owner and name.count(".") < _MOST_SEGMENTS:
        for holder in _by_ending(walk, owner, bundles):
            found += walk.member(holder, member)
    return _once(sorted(found, key=_likelihood))


def _preference(found: Found) -> tuple[bool, bool, bool, int, int]:
    """Definitions before aliases, the product before its tests, code before stubs."""
    record = found.record
    return (
        found.via != "definition",
        bool(record.flags & Flag.TEST),
        bool(record.flags & Flag.STUB),
        _KIND_ORDER.get(record.kind, len(_KIND_ORDER)),
        record.id,
    )


def _likelihood(found: Found) -> tuple[object, ...]:
    """Public before private, product before tests, classes before methods, short before long."""
    record = found.record
    shown = shown_name(record)
    return (
        bool(record.flags & Flag.TEST),
        bool(record.flags & Flag.PRIVATE) or "._" in f".{shown}",
        *_preference(found)[2:4],
        shown.count("."),
        len(shown),
        shown,
        found.bundle,
        record.id,
    )


def _is_class(found: Found) -> bool:
    return found.record.kind == Kind.CLASS


def _once(found: Iterable[Found]) -> list[Found]:
    return list({(one.bundle, one.record.id): one for one in reversed(list(found))}.values())[::-1]


def _merge(chains: Sequence[Sequence[Found]]) -> list[Found]:
    """C3's merge; where no order satisfies all, the first chain goes first."""
    left = [list(chain) for chain in chains if chain]
    merged: list[Found] = []
    while left:
        later = {_key(one) for chain in left for one in chain[1:]}
        head = next((c[0] for c in left if _key(c[0]) not in later), left[0][0])
        merged.append(head)
        left = [[one for one in chain if _key(one) != _key(head)] for chain in left]
        left = [chain for chain in left if chain]
    return merged


def _key(found: Found) -> tuple[int, int]:
    return (found.bundle, found.record.id)
