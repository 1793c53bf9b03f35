"""What manifests declare: wanted distributions, pinned versions, and what the project provides."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import NormalizedName, canonicalize_name

__all__ = [
    "Declared",
    "Pin",
    "Unreadable",
    "Wanted",
    "combine",
    "exact_version",
    "sort_out",
    "want",
]

_URL = re.compile(r"(?:(?:git|hg|svn|bzr)\+)?(?:https?|ssh|file|git)(?:\+\w+)?:")
_WHEEL = re.compile(r"(?P<name>[A-Za-z0-9._]+)-(?P<version>[^-/]+)-[^/]+\.whl$")
_EGG = re.compile(r"[#&]egg=(?P<name>[A-Za-z0-9._-]+)(?:\[(?P<extras>[^\]]*)\])?")


@dataclass(frozen=True, slots=True)
class Wanted:
    """One requirement as a manifest states it.

    Args:
        requirement: the requirement, parsed.
        group: the extra, dependency group or file that asks for it, empty for a core requirement.
        origin: the manifest and line.
        is_direct: whether the project itself asks for it; else a lock says that it is needed.
    """

    requirement: Requirement
    group: str
    origin: str
    is_direct: bool = True

    @property
    def key(self) -> NormalizedName:
        """The normalised name."""
        return canonicalize_name(self.requirement.name)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Something that stands where a requirement or a manifest should, and why it is none."""

    text: str
    reason: str
    group: str
    origin: str


@dataclass(frozen=True, slots=True)
class Pin:
    """The version that a lock or a pinned requirement gives a distribution.

    Args:
        key: the normalised name.
        version: the version.
        marker: where the pin counts, empty for everywhere.
        origin: the lock, or the manifest and line.
        hashes: the digests that its files may have, `sha256:…`; none if nothing says.
        address: where its file is, for those that come from no index.
        group: the section of the lock that it stands in, empty for the core one.
    """

    key: NormalizedName
    version: str
    marker: str
    origin: str
    hashes: tuple[str, ...] = ()
    address: str = ""
    group: str = ""


@dataclass(frozen=True, slots=True)
class Declared:
    """What one or several manifests say.

    Args:
        wanted: the requirements.
        pins: exact versions.
        provided: the distributions that the manifests are of.
        unreadable: what should be one of these and is none.
        notes: what a reader should know and may ignore.
        limits: what constraints ask of a version; it makes nothing a dependency.
    """

    wanted: tuple[Wanted, ...] = ()
    pins: tuple[Pin, ...] = ()
    provided: tuple[NormalizedName, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    notes: tuple[str, ...] = ()
    limits: tuple[Wanted, ...] = ()


def combine(parts: Iterable[Declared]) -> Declared:
    """One record of them all, in their order."""
    every = tuple(parts)
    return Declared(
        wanted=tuple(chain.from_iterable(part.wanted for part in every)),
        pins=tuple(chain.from_iterable(part.pins for part in every)),
        provided=tuple(chain.from_iterable(part.provided for part in every)),
        unreadable=tuple(chain.from_iterable(part.unreadable for part in every)),
        notes=tuple(chain.from_iterable(part.notes for part in every)),
        limits=tuple(chain.from_iterable(part.limits for part in every)),
    )


def sort_out(stated: Iterable[Wanted | Unreadable]) -> Declared:
    """The requirements among what `want` gave, and what is none."""
    every = tuple(stated)
    return Declared(
        wanted=tuple(one for one in every if isinstance(one, Wanted)),
        unreadable=tuple(one for one in every if isinstance(one, Unreadable)),
    )


def want(text: str, group: str, origin: str) -> Wanted | Unreadable:
    """The requirement that `text` states, or why it is none.

    Bare addresses count where they tell a name: by `#egg=` or by a wheel's file name.
    """
    try:
        return Wanted(Requirement(text), group, origin)
    except InvalidRequirement as error:
        named = _named_by_address(text)
        if named is not None:
            return Wanted(named, group, origin)
        reason = str(error).partition("\n")[0].rstrip(".")
        if _URL.match(text):
            reason = "the address does not tell which distribution it is (write `NAME @ ADDRESS`)"
        return Unreadable(text, reason, group, origin)


def exact_version(requirement: Requirement) -> str:
    """The version a requirement allows when it allows exactly one, else empty."""
    clauses = list(requirement.specifier)
    if len(clauses) != 1 or clauses[0].operator not in {"==", "==="}:
        return ""
    version = clauses[0].version
    return "" if version.endswith(".*") else version


def _named_by_address(text: str) -> Requirement | None:
    address, _, marker = text.partition(" ;")
    egg = _EGG.search(address)
    wheel = _WHEEL.search(address.partition("#")[0].partition("?")[0].rstrip())
    if egg is not None and _URL.match(address):
        stated = f"{egg['name']}[{egg['extras'] or ''}]"
    elif wheel is not None:
        stated = f"{wheel['name']}=={wheel['version']}"
    else:
        return None
    try:
        return Requirement(f"{stated} ; {marker}" if marker.strip() else stated)
    except InvalidRequirement:
        return None
