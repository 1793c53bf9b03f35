"""What a `pdm.lock` says."""

from __future__ import annotations

from packaging.utils import canonicalize_name

from pydocs_builder.pinned.locks import Lock, entries, gather, parsed
from pydocs_builder.wanted.declared import Pin
from pydocs_builder.wanted.pyproject import Table, names
from pydocs_builder.wanted.stated import address_of, text_at

__all__ = ["read_pdm_lock"]


def read_pdm_lock(path: str, table: Table) -> Lock:
    """What a parsed `pdm.lock` says; a package has another entry for each set of its extras."""
    pins, needs, provided = [], [], []
    for package in entries(table, "package"):
        key = canonicalize_name(text_at(package, "name"))
        if text_at(package, "path") and package.get("editable") is True:
            provided.append(key)
            continue
        groups = names(package.get("groups"))
        group = "" if not groups or "default" in groups else f"group {groups[0]}"
        if version := text_at(package, "version"):
            marker = text_at(package, "marker")
            address = address_of(package) or text_at(package, "path")
            pins.append(Pin(key, version, marker, path, _hashes(package), address, group))
        needs.append((key, parsed(_needs(package, key))))
    return Lock(tuple(pins), gather(needs), tuple(provided), path)


def _hashes(package: Table) -> tuple[str, ...]:
    files = package.get("files")
    listed = files if isinstance(files, list) else ()
    return tuple(text_at(file, "hash") for file in listed if isinstance(file, dict))


def _needs(package: Table, key: str) -> list[str]:
    """What an entry needs: that of `requests[socks]` only whoever asks for the extra."""
    extras = names(package.get("extras"))
    stated = names(package.get("dependencies"))
    if not extras:
        return list(stated)
    found = []
    for text in stated:
        requirement, _, marker = text.partition(";")
        # The entry with extras names the one without, at its version.
        if parsed([text]) and canonicalize_name(parsed([text])[0].name) == key:
            continue
        condition = " or ".join(f'extra == "{extra}"' for extra in extras)
        joined = f"({condition}) and ({marker.strip()})" if marker else condition
        found.append(f"{requirement.strip()} ; {joined}")
    return found
