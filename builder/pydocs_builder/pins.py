"""At which version a distribution is wanted, by locks and pinned requirements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from packaging.markers import InvalidMarker, Marker
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import NormalizedName
from packaging.version import InvalidVersion, Version

from pydocs_builder.declared import Pin

__all__ = ["choose_pins", "is_pinned_version"]


def choose_pins(
    pins: Iterable[Pin], markers: Mapping[str, str]
) -> tuple[dict[NormalizedName, Pin], tuple[str, ...]]:
    """The pin that counts for each distribution, and a note where pins disagree.

    Pins come in order of precedence: the first whose marker is true counts.
    """
    chosen: dict[NormalizedName, Pin] = {}
    notes = []
    for pin in pins:
        if not _suits(pin, markers):
            continue
        first = chosen.setdefault(pin.key, pin)
        if not _is_same(first.version, pin.version):
            notes.append(
                f"{pin.key}: {first.origin} has {first.version}, {pin.origin} has {pin.version}; "
                f"the first one counts"
            )
    return chosen, tuple(dict.fromkeys(notes))


def is_pinned_version(pin: Pin, version: str) -> bool:
    """Whether an installed version is the pinned one; a local version label needs no pin."""
    try:
        return SpecifierSet(f"=={pin.version}").contains(version, prereleases=True)
    except (InvalidSpecifier, InvalidVersion):
        return pin.version == version


def _suits(pin: Pin, markers: Mapping[str, str]) -> bool:
    if not pin.marker:
        return True
    try:
        return Marker(pin.marker).evaluate(dict(markers))
    except (InvalidMarker, InvalidVersion, ValueError):
        return True


def _is_same(one: str, other: str) -> bool:
    try:
        return Version(one) == Version(other)
    except InvalidVersion:
        return one == other
