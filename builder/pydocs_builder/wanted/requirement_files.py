"""Requirements files with what they include: each read once, cycles and gaps noted."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import PurePosixPath
from posixpath import dirname, join, normpath

from pydocs_builder.wanted.declared import (
    Declared,
    Pin,
    Unreadable,
    Wanted,
    combine,
    exact_version,
    want,
)
from pydocs_builder.wanted.requirement_lines import Ask, Line, decode, parse_lines

__all__ = [
    "ReadBytes",
    "ReadName",
    "beside",
    "group_of",
    "is_requirements_file",
    "read_requirement_files",
]

ReadBytes = Callable[[str], bytes]
"""Gives the bytes of a file by its path below the project; raises `OSError`."""

ReadName = Callable[[str], str]
"""Gives the name of the distribution that a folder below the project builds, empty if unknown."""

# A file of one of these names says what a project needs to run; any other one (`dev`, `docs`,
# `lint`, …) says what some of its users need, like an extra.
_CORE_WORDS = frozenset(
    {
        *("all", "base", "common", "core", "default", "in", "install", "main", "prod"),
        *("production", "requirements", "requirement", "reqs", "run", "runtime", "txt"),
    }
)
_NAME = re.compile(r"^(?:.*[-_.])?(?:requirements|reqs)(?:[-_.].*)?\.(?:txt|in)$", re.IGNORECASE)
_FOLDERS = frozenset({"requirements", "reqs", "requires"})


def is_requirements_file(path: str) -> bool:
    """Whether a path reads like a requirements file; one for constraints does not."""
    pure = PurePosixPath(path)
    if "constraint" in pure.name.lower():
        return False
    is_listed = pure.parent.name.lower() in _FOLDERS and pure.suffix in {".txt", ".in"}
    return is_listed or _NAME.match(pure.name) is not None


def group_of(path: str) -> str:
    """The path itself for files that not every user needs, empty for the core ones."""
    words = re.findall(r"[a-z0-9]+", PurePosixPath(path).name.lower())
    return "" if _CORE_WORDS.issuperset(words) else path


def read_requirement_files(
    paths: Iterable[tuple[str, str]], read_bytes: ReadBytes, read_name: ReadName, root: str = ""
) -> Declared:
    """What the files and all that they include declare.

    Args:
        paths: the files to start from, each with the group it speaks for; core ones go first.
        read_bytes: reads one file.
        read_name: names the distribution of a folder that a line installs.
        root: the absolute path of the project, for lines that name its files by such ones.
    """
    starts = sorted(paths, key=lambda start: (start[1] != "", start))
    reading = _Reading(read_bytes, read_name, root)
    constraints = _constraints(starts, reading)
    parts = [reading.follow(path, group, ()) for path, group in starts if path not in constraints]
    return combine([*parts, *(reading.constrain(path) for path in sorted(constraints))])


class _Reading:
    """The files seen so far, so that each is read once whichever way leads to it."""

    def __init__(self, read_bytes: ReadBytes, read_name: ReadName, root: str) -> None:
        self._read_bytes = read_bytes
        self._read_name = read_name
        self._root = root
        self._lines: dict[str, tuple[Line, ...] | OSError] = {}
        self._done: set[str] = set()

    def lines(self, path: str) -> tuple[Line, ...] | OSError:
        if path not in self._lines:
            try:
                self._lines[path] = parse_lines(decode(self._read_bytes(path)))
            except OSError as error:
                self._lines[path] = error
        return self._lines[path]

    def beside(self, path: str, relative: str) -> str:
        """The path that `relative` means in the file `path`, spelled from the project's folder."""
        found = beside(path, relative)
        if not self._root:
            return found
        whole = os.path.normpath(os.path.join(self._root, found))  # noqa: PTH118 - text, no file
        return os.path.relpath(whole, self._root).replace(os.sep, "/")

    def follow(self, path: str, group: str, trail: tuple[str, ...]) -> Declared:
        """What a file and its includes declare; nothing the second time."""
        if path in trail:
            cycle = " → ".join((*trail[trail.index(path) :], path))
            return Declared(notes=(f"{path}: includes itself ({cycle}); each file is read once",))
        if path in self._done:
            return Declared()
        self._done.add(path)
        lines = self.lines(path)
        if isinstance(lines, OSError):
            return Declared(notes=(_missing(path, trail, lines),))
        return combine(self._line(line, path, group, (*trail, path)) for line in lines)

    def constrain(self, path: str) -> Declared:
        """The pins of a constraints file; it makes nothing a dependency."""
        lines = self.lines(path)
        if isinstance(lines, OSError):
            return Declared(notes=(_missing(path, (), lines),))
        stated = [
            (want(line.text, "", f"{path}:{line.number}"), line)
            for line in lines
            if line.ask is Ask.REQUIREMENT
        ]
        return Declared(
            pins=tuple(chain.from_iterable(_pins(one, line) for one, line in stated)),
            limits=tuple(one for one, _ in stated if isinstance(one, Wanted)),
            notes=tuple(
                f"{one.origin}: {one.text!r} is no constraint: {one.reason}"
                for one, _ in stated
                if isinstance(one, Unreadable)
            ),
        )

    def _line(self, line: Line, path: str, group: str, trail: tuple[str, ...]) -> Declared:
        origin = f"{path}:{line.number}"
        match line.ask:
            case Ask.INCLUDE | Ask.CONSTRAINT if _is_remote(line.text):
                return Declared(notes=(f"{origin}: {line.text} is not fetched",))
            case Ask.INCLUDE:
                return self.follow(self.beside(path, line.text), group, trail)
            case Ask.CONSTRAINT:
                return Declared()
            case Ask.UNKNOWN:
                reason = "pip has no such option"
                return Declared(unreadable=(Unreadable(line.text, reason, group, origin),))
            case Ask.EDITABLE | Ask.REQUIREMENT:
                stated = self._want(line, path, group, origin)
                if isinstance(stated, Unreadable):
                    return Declared(unreadable=(stated,))
                return Declared(wanted=(stated,), pins=_pins(stated, line))

    def _want(self, line: Line, path: str, group: str, origin: str) -> Wanted | Unreadable:
        """A requirement, where a path to a folder stands for the distribution it builds."""
        stated = want(line.text, group, origin)
        if isinstance(stated, Wanted) or _is_remote(line.text):
            return stated
        folder, _, extras = line.text.partition("[")
        folder = folder.partition(" ;")[0].strip()
        if line.ask is Ask.REQUIREMENT and not folder.startswith((".", "/")) and "/" not in folder:
            return stated
        name = self._read_name(self.beside(path, folder))
        if not name:
            reason = "the folder has no metadata that tells its distribution's name"
            return Unreadable(line.text, reason, group, origin)
        return want(f"{name}[{extras}" if extras else name, group, origin)


def beside(path: str, relative: str) -> str:
    """The path that `relative` means in the file `path`."""
    stated = relative.removeprefix("file://").removeprefix("file:")
    return normpath(join(dirname(path), stated.replace(os.sep, "/")))


def _is_remote(text: str) -> bool:
    return "://" in text and not text.startswith("file:")


def _constraints(starts: list[tuple[str, str]], reading: _Reading) -> frozenset[str]:
    """The files that some file reachable from `starts` constrains by, and what they include."""
    included: dict[str, list[str]] = {}
    named: list[str] = []
    waiting = [path for path, _ in starts]
    while waiting:
        path = waiting.pop()
        if path in included:
            continue
        included[path] = []
        lines = reading.lines(path)
        for line in () if isinstance(lines, OSError) else lines:
            if line.ask in {Ask.INCLUDE, Ask.CONSTRAINT} and not _is_remote(line.text):
                target = reading.beside(path, line.text)
                (included[path] if line.ask is Ask.INCLUDE else named).append(target)
                waiting.append(target)
    found: set[str] = set()
    while named:
        path = named.pop()
        if path not in found:
            found.add(path)
            named += included[path]
    return frozenset(found)


def _pins(stated: Wanted | Unreadable, line: Line) -> tuple[Pin, ...]:
    if isinstance(stated, Unreadable) or not (version := exact_version(stated.requirement)):
        return ()
    marker = str(stated.requirement.marker or "")
    # A bare address of a wheel tells the version, too.
    address = line.text.partition(" ;")[0].strip() if "://" in line.text else ""
    return (Pin(stated.key, version, marker, stated.origin, line.hashes, address),)


def _missing(path: str, trail: tuple[str, ...], error: OSError) -> str:
    said = (error.strerror or "cannot be read").lower()
    by = f", included by {trail[-1]}," if trail else ""
    return f"{path}{by} was left out: {said}"
