"""Lock files: the version of each distribution, and what each of them needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import NormalizedName, canonicalize_name

from pydocs_builder.declared import Pin
from pydocs_builder.pyproject import Table, names, table_at

__all__ = ["Lock", "read_uv_lock"]

# A lock lists the project and its members too, with these sources; they are not pins.
_OWN_SOURCES = frozenset({"virtual", "editable"})


@dataclass(frozen=True, slots=True)
class Lock:
    """What one lock file says.

    Args:
        pins: a version for each distribution; several where markers tell them apart.
        needs: for each distribution the requirements that the lock resolved for it, so that the
            closure goes on behind one that is not installed.
        provided: the distributions that the project itself builds.
    """

    pins: tuple[Pin, ...]
    needs: Mapping[NormalizedName, tuple[Requirement, ...]]
    provided: tuple[NormalizedName, ...]


def read_uv_lock(path: str, table: Table) -> Lock:
    """What a parsed `uv.lock` says."""
    pins: list[Pin] = []
    needs: dict[NormalizedName, tuple[Requirement, ...]] = {}
    provided: list[NormalizedName] = []
    packages = table.get("package")
    for package in packages if isinstance(packages, list) else ():
        if not isinstance(package, Mapping) or not isinstance(package.get("name"), str):
            continue
        key = canonicalize_name(package["name"])
        if _OWN_SOURCES & table_at(package, "source").keys():
            provided.append(key)
            continue
        if isinstance(version := package.get("version"), str):
            marker = " or ".join(f"({one})" for one in names(package.get("resolution-markers")))
            pins.append(Pin(key, version, marker, path))
        needs[key] = (*needs.get(key, ()), *_needs(package))
    return Lock(tuple(pins), needs, tuple(provided))


def _needs(package: Table) -> list[Requirement]:
    found = _edges(package.get("dependencies"), "")
    for extra, edges in sorted(table_at(package, "optional-dependencies").items()):
        found += _edges(edges, extra)
    return found


def _edges(edges: object, extra: str) -> list[Requirement]:
    found = []
    for edge in edges if isinstance(edges, list) else ():
        if not isinstance(edge, Mapping) or not isinstance(edge.get("name"), str):
            continue
        extras = ",".join(names(edge.get("extra")))
        marker = edge.get("marker") if isinstance(edge.get("marker"), str) else ""
        if extra:
            marker = f"({marker}) and extra == '{extra}'" if marker else f"extra == '{extra}'"
        text = edge["name"] + (f"[{extras}]" if extras else "")
        try:
            found.append(Requirement(f"{text} ; {marker}" if marker else text))
        except InvalidRequirement:
            continue
    return found
