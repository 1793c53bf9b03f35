"""At which version a distribution is wanted, by locks and pinned requirements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from packaging.markers import InvalidMarker, Marker
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import NormalizedName
from packaging.version import InvalidVersion, Version

from pydocs_builder.wanted.declared import Pin

__all__ = ["choose_pins", "is_pinned_version"]

_PLACE = re.compile(r":\d+$| \[.*$")


def choose_pins(
    pins: Iterable[Pin], markers: Mapping[str, str]
) -> tuple[dict[NormalizedName, Pin], tuple[str, ...]]:
    """The pin that counts for each distribution, and a note on each two files that disagree.

    Pins come in order of precedence: the first whose marker is true counts.
    """
    chosen: dict[NormalizedName, Pin] = {}
    disagreements: dict[tuple[str, str], dict[str, str]] = {}
    for pin in pins:
        if not _suits(pin, markers):
            continue
        first = chosen.setdefault(pin.key, pin)
        if not _is_same(first.version, pin.version):
            files = (_file(first.origin), _file(pin.origin))
            said = f"{pin.key} {first.version}, not {pin.version}"
            disagreements.setdefault(files, {}).setdefault(pin.key, said)
        elif not first.hashes and _file(first.origin) != _file(pin.origin):
            # Whoever knows the digests of the same version may tell them.
            chosen[pin.key] = replace(first, hashes=pin.hashes)
    notes = (
        f"{first} and {second} disagree, and {first} counts: {'; '.join(said.values())}"
        for (first, second), said in disagreements.items()
    )
    return chosen, tuple(notes)


def is_pinned_version(pin: Pin, version: str) -> bool:
    """Whether an installed version is the pinned one; a local version label needs no pin."""
    try:
        return SpecifierSet(f"=={pin.version}").contains(version, prereleases=True)
    except (InvalidSpecifier, InvalidVersion):
        return pin.version == version


def _file(origin: str) -> str:
    """The file of an origin, which may tell a line or a table too."""
    return _PLACE.sub("", origin)


def _suits(pin: Pin, markers: Mapping[str, str]) -> bool:
    if not pin.marker:
        return True
    try:
        return _parse(pin.marker).evaluate(dict(markers), context="requirement")
    except (InvalidMarker, InvalidVersion, KeyError, ValueError):
        # A marker that cannot be decided, as one on the groups to install, rules nothing out.
        return True


@lru_cache(maxsize=4096)
def _parse(marker: str) -> Marker:
    return Marker(marker)


def _is_same(one: str, other: str) -> bool:
    try:
        return Version(one) == Version(other)
    except InvalidVersion:
        return one == other
