"""The files of an installed distribution that a bundle is made of, from its `RECORD`."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from posixpath import normpath

from pydocs_builder.found.installed import Distribution

__all__ = ["InstalledFiles", "list_installed_files"]

_METADATA_FOLDER = re.compile(r"[^/]+\.(?:dist-info|egg-info|data)$|EGG-INFO$", re.IGNORECASE)
_IMPORTABLE = (".py", ".pyi", ".so", ".pyd")
_EDITABLE = re.compile(r"__editable__|_?_editable_")
_STUBS = "-stubs"


@dataclass(frozen=True, slots=True)
class InstalledFiles:
    """What a distribution put into its folder.

    Args:
        paths: every file below the folder, sorted, bytecode aside.
        modules: the top-level import names among them, sorted.
        note: where the list comes from if not from a record, empty otherwise.
    """

    paths: tuple[str, ...]
    modules: tuple[str, ...]
    note: str = ""


def list_installed_files(distribution: Distribution) -> InstalledFiles:
    """The files of a distribution, by the list its installer left, else by its module names."""
    place = Path(distribution.folder, distribution.metadata)
    for name, read in (("RECORD", _record), ("installed-files.txt", _installed_list)):
        try:
            text = (place / name).read_text("utf-8", "surrogateescape")
        except OSError:
            continue
        paths = _kept(read(text, distribution.metadata))
        return InstalledFiles(paths, _modules(paths))
    paths = _kept(_below_modules(distribution, place))
    return InstalledFiles(paths, _modules(paths), "no record of its files; found by module names")


def _record(text: str, _: str) -> list[str]:
    return [row[0] for row in csv.reader(text.splitlines()) if row]


def _installed_list(text: str, metadata: str) -> list[str]:
    """The paths are relative to the metadata folder."""
    return [normpath(f"{metadata}/{line.strip()}") for line in text.splitlines() if line.strip()]


def _kept(paths: Iterable[str]) -> tuple[str, ...]:
    """Paths that stay below the folder; scripts lie elsewhere, and bytecode says nothing."""
    kept = set()
    for path in paths:
        clean = normpath(path.replace("\\", "/"))
        parts = clean.split("/")
        is_below = not clean.startswith("/") and ".." not in parts and ":" not in parts[0]
        if is_below and "\0" not in clean and "__pycache__" not in parts and clean != ".":
            kept.add(clean)
    return tuple(sorted(path for path in kept if not path.endswith((".pyc", ".pyo"))))


def _modules(paths: Iterable[str]) -> tuple[str, ...]:
    """The names that `import` finds at the top; a stub-only package stands for the real one."""
    found = set()
    for path in paths:
        top, slash, rest = path.partition("/")
        if slash:
            name = "" if _METADATA_FOLDER.match(top) else top.removesuffix(_STUBS)
            name = name if rest.endswith(_IMPORTABLE) else ""
        else:
            is_module = top.endswith(_IMPORTABLE) and not _EDITABLE.match(top)
            name = top.partition(".")[0] if is_module else ""
        if name.isidentifier():
            found.add(name)
    return tuple(sorted(found))


def _below_modules(distribution: Distribution, place: Path) -> list[str]:
    """The files of the modules that the metadata names, or else of the one called like it."""
    try:
        stated = (place / "top_level.txt").read_text("utf-8", "replace").split()
    except OSError:
        stated = [distribution.key.replace("-", "_")]
    try:
        shared = (place / "namespace_packages.txt").read_text("utf-8", "replace").split()
    except OSError:
        shared = []
    # Others have a part in a namespace, too; the name tells which part is this one's.
    own = distribution.key.replace("-", "/")
    stated = [own if name in shared else name for name in stated]
    found = []
    for name in stated:
        clean = normpath(name)
        if clean.startswith((".", "/")):
            continue
        single = (clean + suffix for suffix in (".py", ".pyi"))
        found += [path for path in single if Path(distribution.folder, path).is_file()]
        for folder, folders, files in os.walk(Path(distribution.folder, clean)):
            folders.sort()
            below = Path(folder).relative_to(distribution.folder).as_posix()
            found += [f"{below}/{file}" for file in files]
    if place.is_dir():
        found += [f"{distribution.metadata}/{path.name}" for path in place.iterdir()]
    return found
