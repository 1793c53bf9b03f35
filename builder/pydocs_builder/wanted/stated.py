"""Requirements that a manifest states as a name and a table: Poetry's, and those of a `Pipfile`."""

from __future__ import annotations

from packaging.utils import canonicalize_name

from pydocs_builder.wanted.declared import Unreadable, Wanted, want
from pydocs_builder.wanted.pyproject import Table, names

__all__ = ["address_of", "extras_of", "requirement_text", "text_at", "want_stated"]

_VCS = ("git", "hg", "svn", "bzr")


def want_stated(
    name: str, specifier: str, extras: str, markers: tuple[str, ...], address: str,
    group: str, origin: str,
) -> Wanted | Unreadable:  # fmt: skip
    """The requirement of a name and what a table says of it."""
    return want(requirement_text(name, specifier, extras, markers, address), group, origin)


def requirement_text(
    name: str, specifier: str, extras: str, markers: tuple[str, ...], address: str
) -> str:
    """A requirement as PEP 508 spells it."""
    stated = [one for one in markers if one]
    marker = stated[0] if len(stated) == 1 else " and ".join(f"({one})" for one in stated)
    text = name + (f"[{extras}]" if extras else "")
    text += f" @ {address}" if address else specifier
    return f"{text} ; {marker}" if marker else text


def text_at(table: Table, key: str) -> str:
    """The string of a table's key, empty where there is none."""
    value = table.get(key)
    return value.strip() if isinstance(value, str) else ""


def extras_of(table: Table) -> str:
    """The extras that a table asks for, separated by commas."""
    return ",".join(sorted(canonicalize_name(extra) for extra in names(table.get("extras"))))


def address_of(table: Table) -> str:
    """Where a table says that its distribution comes from, empty for an index or a folder."""
    for system in _VCS:
        if where := text_at(table, system):
            revision = next(filter(None, (text_at(table, key) for key in _REVISIONS)), "")
            return f"{system}+{where}" + (f"@{revision}" if revision else "")
    for key in ("url", "file"):
        if "://" in (where := text_at(table, key)):
            return where
    return ""


_REVISIONS = ("resolved_reference", "revision", "rev", "ref", "tag", "branch", "reference")
