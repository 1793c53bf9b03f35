"""What a `Pipfile.lock` says."""

from __future__ import annotations

from packaging.utils import canonicalize_name

from pydocs_builder.pinned.locks import Lock
from pydocs_builder.wanted.declared import Pin
from pydocs_builder.wanted.pipfile import pipfile_markers
from pydocs_builder.wanted.pyproject import Table, names, table_at
from pydocs_builder.wanted.stated import address_of, text_at

__all__ = ["read_pipenv_lock"]

_GROUPS = {"default": "", "develop": "group dev"}


def read_pipenv_lock(path: str, table: Table) -> Lock:
    """What a parsed `Pipfile.lock` says; it does not tell what needs what."""
    pins = []
    # The section of what the project needs to run goes first: it is what counts.
    for section in sorted(table, key=lambda one: (one != "default", one)):
        if section == "_meta":
            continue
        for name in sorted(table_at(table, section)):
            stated = table_at(table, section, name)
            marker = " and ".join(f"({one})" for one in pipfile_markers(stated) if one)
            pins.append(
                Pin(
                    canonicalize_name(name),
                    text_at(stated, "version").removeprefix("===").removeprefix("=="),
                    marker,
                    path,
                    names(stated.get("hashes")),
                    address_of(stated),
                    _GROUPS.get(section, f"group {section}"),
                )
            )
    return Lock(tuple(pin for pin in pins if pin.version), path=path)
