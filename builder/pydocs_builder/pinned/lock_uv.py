"""What a `uv.lock` says."""

from __future__ import annotations

from packaging.utils import canonicalize_name

from pydocs_builder.pinned.locks import Lock, entries, gather, parsed
from pydocs_builder.wanted.declared import Pin
from pydocs_builder.wanted.pyproject import Table, names, table_at
from pydocs_builder.wanted.stated import requirement_text, text_at

__all__ = ["read_uv_lock"]

# A lock lists the project and its members too, with these sources; they are not pins.
_OWN_SOURCES = frozenset({"virtual", "editable"})


def read_uv_lock(path: str, table: Table) -> Lock:
    """What a parsed `uv.lock` says."""
    pins: list[Pin] = []
    needs = []
    provided = []
    for package in entries(table, "package"):
        key = canonicalize_name(text_at(package, "name"))
        source = table_at(package, "source")
        if _OWN_SOURCES & source.keys():
            provided.append(key)
            continue
        if version := text_at(package, "version"):
            marker = " or ".join(f"({one})" for one in names(package.get("resolution-markers")))
            pins.append(Pin(key, version, marker, path, _hashes(package), _address(source)))
        needs.append((key, parsed(_needs(package))))
    return Lock(tuple(pins), gather(needs), tuple(provided), path)


def _hashes(package: Table) -> tuple[str, ...]:
    wheels = package.get("wheels")
    files = [*(wheels if isinstance(wheels, list) else ()), package.get("sdist")]
    return tuple(text_at(file, "hash") for file in files if isinstance(file, dict))


def _address(source: Table) -> str:
    if where := text_at(source, "git"):
        return f"git+{where}"
    return text_at(source, "url")


def _needs(package: Table) -> list[str]:
    found = _edges(package, "dependencies", "")
    optional = table_at(package, "optional-dependencies")
    for extra in sorted(optional):
        found += _edges(optional, extra, f"extra == '{extra}'")
    return found


def _edges(table: Table, key: str, condition: str) -> list[str]:
    return [
        requirement_text(
            text_at(edge, "name"),
            "",
            ",".join(names(edge.get("extra"))),
            (text_at(edge, "marker"), condition),
            "",
        )
        for edge in entries(table, key)
    ]
