"""The closure of a project over what is installed and, if asked for, over what can be fetched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from packaging.requirements import Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import NormalizedName

from pydocs_builder.found.environment import Environment
from pydocs_builder.found.fetch import Fetched, Order
from pydocs_builder.pinned.locks import Lock
from pydocs_builder.pinned.pins import is_pinned_version
from pydocs_builder.planned.closure import Closure, Need, close
from pydocs_builder.wanted.declared import Pin, Wanted

__all__ = ["Fetch", "Obtained", "Question", "obtain"]

Fetch = Callable[[Sequence[Order]], Mapping[NormalizedName, Fetched]]
"""Gives what became of each order."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a project asks for.

    Args:
        wanted: its requirements.
        limits: its constraints, those whose markers are true.
        own: what it provides itself.
        pins: the versions that count.
        locks: its lock files.
        markers: the values of the environment's markers.
        is_direct_only: leave out what only dependencies ask for.
    """

    wanted: tuple[Wanted, ...]
    limits: tuple[Wanted, ...]
    own: frozenset[NormalizedName]
    pins: Mapping[NormalizedName, Pin]
    locks: tuple[Lock, ...]
    markers: Mapping[str, str]
    is_direct_only: bool


@dataclass(frozen=True, slots=True)
class Obtained:
    """All that is needed, where it is, and what became of each order for the rest."""

    closure: Closure
    environment: Environment
    fetched: Mapping[NormalizedName, Fetched]


def obtain(question: Question, environment: Environment, fetch: Fetch | None) -> Obtained:
    """What a project needs; each round of fetching may show more that is needed."""
    fetched: dict[NormalizedName, Fetched] = {}
    while True:
        closure = _close(question, environment)
        orders = [
            _order(key, need, question)
            for key, need in closure.needs.items()
            if key not in fetched and _is_missing(key, question, environment)
        ]
        if fetch is None or not orders:
            return Obtained(closure, environment, fetched)
        found = fetch(orders)
        fetched |= {order.key: found[order.key] for order in orders}
        new = [one.distribution for one in found.values() if one.distribution is not None]
        environment = environment.including(new)


def _close(question: Question, environment: Environment) -> Closure:
    def needs_of(key: NormalizedName) -> Iterable[Requirement]:
        """By the metadata of the version that counts, else by the locks."""
        if key in question.own:
            return ()
        locked = [one for lock in question.locks for one in lock.needs.get(key, ())]
        metadata = environment.metadata(key)
        if metadata is None or (locked and _is_missing(key, question, environment)):
            return locked
        return metadata.requirements()

    return close(
        question.wanted, question.markers, needs_of, is_direct_only=question.is_direct_only
    )


def _is_missing(key: NormalizedName, question: Question, environment: Environment) -> bool:
    if environment.distribution(key) is None:
        return True
    metadata, pin = environment.metadata(key), question.pins.get(key)
    return pin is not None and metadata is not None and not is_pinned_version(pin, metadata.version)


def _order(key: NormalizedName, need: Need, question: Question) -> Order:
    pin = question.pins.get(key)
    addresses = sorted(one[2:] for one in need.demands if one.startswith("@ "))
    if pin is not None:
        return Order(key, f"=={pin.version}", True, pin.hashes, pin.address)  # noqa: FBT003
    limits = (str(one.requirement.specifier) for one in question.limits if one.key == key)
    stated = ",".join(sorted({*need.demands, *limits} - {""} - {f"@ {one}" for one in addresses}))
    try:
        specifier = SpecifierSet(stated)
    except InvalidSpecifier:
        specifier = SpecifierSet()
    is_exact = len(specifier) == 1 and str(specifier).startswith("==") and "*" not in stated
    return Order(key, str(specifier), is_exact, address=addresses[0] if addresses else "")
