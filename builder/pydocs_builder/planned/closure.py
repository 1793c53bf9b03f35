"""Which distributions a project needs: what is wanted, followed through metadata and locks."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from packaging.markers import Marker, UndefinedComparison, UndefinedEnvironmentName
from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name
from packaging.version import InvalidVersion

from pydocs_builder.wanted.declared import Wanted

__all__ = ["Closure", "Need", "Needs", "Unsuited", "applies", "close"]

Needs = Callable[[NormalizedName], Iterable[Requirement]]
"""Gives what a distribution requires, every extra included."""

_EXTRA = re.compile(r"""\bextra\s*(?:==|in)\s*['"]([^'"]+)['"]""")


@dataclass(slots=True)
class Need:
    """One distribution that is needed.

    Args:
        name: as the first that asks for it spells it.
        specifiers: what the project itself asks of its version; what its groups ask counts only
            where nothing else asks for it.
        demands: what everybody asks of it.
        origins: the manifests that ask for it, or the distribution that does.
        is_core: whether it is needed without any extra or group.
        is_direct: whether the project itself asks for it.
    """

    name: str
    specifiers: set[str] = field(default_factory=set)
    demands: set[str] = field(default_factory=set)
    origins: list[str] = field(default_factory=list)
    is_core: bool = False
    is_direct: bool = False


class Unsuited(NamedTuple):
    """A requirement whose marker is false in the environment."""

    name: str
    specifier: str
    marker: str
    is_direct: bool


@dataclass(frozen=True, slots=True)
class Closure:
    """All that is needed, by normalised name, and what the environment's markers rule out."""

    needs: Mapping[NormalizedName, Need]
    unsuited: tuple[Unsuited, ...]


class _Ask(NamedTuple):
    requirement: Requirement
    extras: frozenset[str]
    origin: str
    is_core: bool
    is_direct: bool


def close(
    wanted: Iterable[Wanted], markers: Mapping[str, str], needs_of: Needs, *, is_direct_only: bool
) -> Closure:
    """What is wanted, and what that needs in turn, with extras and markers evaluated."""
    needs: dict[NormalizedName, Need] = {}
    unsuited: dict[tuple[str, str, str], Unsuited] = {}
    followed: set[tuple[NormalizedName, str]] = set()
    asks = [
        _Ask(
            one.requirement,
            # A group stands for an extra of that name, and no extra is asked for without one.
            _extras_in(one.requirement) if one.group else frozenset(),
            one.origin,
            is_core=not one.group,
            is_direct=one.is_direct,
        )
        for one in wanted
        if one.is_direct or not is_direct_only
    ]
    # Core needs first, with all that is behind them: what an extra needs too stays core.
    waiting = deque(sorted(asks, key=lambda ask: (not ask.is_core, not ask.is_direct)))
    while waiting:
        ask = waiting.popleft()
        requirement = ask.requirement
        verdict = applies(requirement, ask.extras, markers)
        if verdict is False or (verdict is None and ask.is_direct):
            one = Unsuited(
                requirement.name, _specifier(requirement), str(requirement.marker), ask.is_direct
            )
            unsuited.setdefault((canonicalize_name(one.name), one.specifier, one.marker), one)
        if not verdict:
            continue
        key = canonicalize_name(requirement.name)
        need = needs.setdefault(key, Need(requirement.name))
        _record(need, ask)
        if is_direct_only:
            continue
        behind = []
        for extra in ("", *sorted(canonicalize_name(one) for one in requirement.extras)):
            if (key, extra) not in followed:
                followed.add((key, extra))
                behind += [
                    _Ask(one, frozenset({extra}), need.name, is_core=ask.is_core, is_direct=False)
                    for one in needs_of(key)
                ]
        waiting.extendleft(reversed(behind))
    kept = sorted(
        one
        for one in unsuited.values()
        if one.is_direct or canonicalize_name(one.name) not in needs
    )
    return Closure(dict(sorted(needs.items())), tuple(kept))


def applies(
    requirement: Requirement, extras: Iterable[str], markers: Mapping[str, str]
) -> bool | None:
    """Whether a requirement counts: no by the environment is False, by its extras None."""
    if requirement.marker is None:
        return True
    stated = _extras_in(requirement)
    asked = [extra for extra in extras if extra in stated] or [""]
    if any(_is_true(str(requirement.marker), extra, tuple(markers.items())) for extra in asked):
        return True
    return None if stated and asked == [""] else False


@lru_cache(maxsize=4096)
def _parse_marker(text: str) -> Marker:
    """The marker that a text states."""
    return Marker(text)


@lru_cache(maxsize=4096)
def _is_true(marker: str, extra: str, markers: tuple[tuple[str, str], ...]) -> bool:
    try:
        return _parse_marker(marker).evaluate({**dict(markers), "extra": extra})
    except (InvalidVersion, UndefinedComparison, UndefinedEnvironmentName):
        # A marker that cannot be decided rules nothing out.
        return True


def _extras_in(requirement: Requirement) -> frozenset[str]:
    marker = str(requirement.marker or "")
    return frozenset(canonicalize_name(extra) for extra in _EXTRA.findall(marker))


def _specifier(requirement: Requirement) -> str:
    return f"@ {requirement.url}" if requirement.url else str(requirement.specifier)


def _record(need: Need, ask: _Ask) -> None:
    # Core requirements come first.
    is_second = need.is_core and not ask.is_core
    need.is_core = need.is_core or ask.is_core
    if not is_second:
        need.demands.add(_specifier(ask.requirement))
    if ask.is_direct:
        if not need.is_direct:
            need.origins.clear()
        if not is_second or not need.is_direct:
            need.specifiers.add(_specifier(ask.requirement))
        need.is_direct = True
    if ask.is_direct or (not need.is_direct and not need.origins):
        need.origins.append(ask.origin)
