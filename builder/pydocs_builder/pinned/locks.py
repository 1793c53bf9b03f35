"""What lock files say: the version of each distribution, and what each of them needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import NormalizedName

from pydocs_builder.wanted.declared import Pin
from pydocs_builder.wanted.pyproject import Table

__all__ = ["Lock", "Needs", "entries", "gather", "parsed"]

Needs = Mapping[NormalizedName, tuple[Requirement, ...]]


@dataclass(frozen=True, slots=True)
class Lock:
    """What one lock file says.

    Args:
        pins: a version for each distribution; several where markers tell them apart.
        needs: for each distribution the requirements that the lock resolved for it, so that the
            closure goes on behind one that is not installed.
        provided: the distributions that the project itself builds.
        path: the file.
    """

    pins: tuple[Pin, ...] = ()
    needs: Needs = field(default_factory=dict)
    provided: tuple[NormalizedName, ...] = ()
    path: str = ""


def entries(table: Table, key: str) -> list[Table]:
    """The tables of a list of tables that have a name; what has another shape says nothing."""
    listed = table.get(key)
    return [
        one
        for one in (listed if isinstance(listed, list) else ())
        if isinstance(one, Mapping) and isinstance(one.get("name"), str)
    ]


def gather(needs: Iterable[tuple[NormalizedName, Iterable[Requirement]]]) -> Needs:
    """The needs of each distribution, those of its several entries together."""
    found: dict[NormalizedName, tuple[Requirement, ...]] = {}
    for key, requirements in needs:
        found[key] = (*found.get(key, ()), *requirements)
    return found


def parsed(texts: Iterable[str]) -> list[Requirement]:
    """The requirements among texts; a tool's own mistakes cannot be helped."""
    found = []
    for text in texts:
        try:
            found.append(Requirement(text))
        except InvalidRequirement:
            continue
    return found
