"""Reading a report of the type checker: only the files that are needed, and only what has a shape.

A report has a file for each module under `call_graphs` and `definitions`, called
`MODULE:NUMBER.json`. Numbers differ from run to run and mean nothing outside of one report.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from pydocs_builder.checked.checker import CheckError

__all__ = ["Described", "Origin", "Report", "Shape", "open_report"]

Shape = dict[str, "object"]
"""A JSON object, whatever is in it."""

FORMAT: Final = 1
_LARGEST_FILE: Final = 1 << 30


class Origin:
    """Where a module is from, as a report says it."""

    FILE: Final = "FileSystem"
    STANDARD: Final = "BundledTypeshed"


class Described(NamedTuple):
    """The functions and classes of one module, each with its name and what it is defined in.

    `functions` are by the report's ids (`F:12`), `classes` by their numbers; what they are defined
    in is one of these, or None for the module. `lines` says where the name of each stands.
    `members` gives the function of a class and a name; `orders` the classes that a class inherits
    from, in the order that they are asked, each as numbers of its module and of itself.
    """

    name: str
    origin: str
    path: str
    functions: dict[str, tuple[str, str | int | None]]
    classes: dict[int, tuple[str, str | int | None]]
    lines: dict[str | int, int]
    members: dict[tuple[str | int | None, str], str]
    orders: dict[str | int, tuple[tuple[int, int], ...]]

    def name_of(self, key: str | int) -> str:
        """The bare name of a function or class; empty if there is none of that key."""
        return self._defined(key)[0]

    def qualname(self, key: str | int) -> str:
        """The dotted name in the module; of what is in a function, that of the function."""
        parts: list[str] = []
        at: str | int | None = key
        # Nothing is in itself, whatever the report says.
        for _ in range(len(self.functions) + len(self.classes)):
            if at is None:
                break
            name, parent = self._defined(at)
            parts = [name] if isinstance(at, str) else [name, *parts]
            at = parent
        return ".".join(parts) if all(parts) else ""

    def _defined(self, key: str | int) -> tuple[str, str | int | None]:
        nothing = ("", None)
        return (
            self.functions.get(key, nothing)
            if isinstance(key, str)
            else self.classes.get(key, nothing)
        )


class Report(NamedTuple):
    """An opened report: the file of each module by its number, and what has been read of them."""

    folder: Path
    names: dict[int, str]
    described: dict[int, Described | None]

    def describe(self, number: int) -> Described | None:
        """What a module defines; None if the report does not say."""
        if number not in self.described:
            name = self.names.get(number)
            found = _read(self.folder / "definitions" / name) if name else None
            self.described[number] = _described(found) if found else None
        return self.described[number]

    def calls(self, number: int) -> Iterator[tuple[str, str, Shape]]:
        """Each expression of a module: the function it is in, its place, what it is."""
        graphs = _read(self.folder / "call_graphs" / self.names[number]).get("call_graphs")
        if not isinstance(graphs, dict):
            raise CheckError("pyrefly's report has another shape than the one known")
        for caller, expressions in graphs.items():
            if isinstance(expressions, dict):
                for place, said in expressions.items():
                    if isinstance(said, dict):
                        yield caller, place, said


def open_report(folder: Path) -> Report:
    """The report in a folder.

    Raises:
        CheckError: there is none.
    """
    names: dict[int, str] = {}
    try:
        found = sorted(path.name for path in (folder / "definitions").iterdir())
    except OSError as error:
        raise CheckError("pyrefly wrote no report") from error
    for name in found:
        stem, dot, suffix = name.rpartition(".")
        number = stem.rpartition(":")[2]
        if dot and suffix == "json" and number.isdecimal():
            names[int(number)] = name
    return Report(folder, names, {})


def _read(path: Path) -> Shape:
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise CheckError(f"pyrefly's report has a file over {_LARGEST_FILE} bytes")
        found = json.loads(path.read_bytes())
    except OSError as error:
        raise CheckError("pyrefly's report lacks a file") from error
    except (ValueError, RecursionError) as error:
        raise CheckError("pyrefly's report is not JSON") from error
    if not isinstance(found, dict) or found.get("format_version") != FORMAT:
        raise CheckError("pyrefly's report has another format than the one known")
    return found


def _described(found: Shape) -> Described:
    origin, path = "", ""
    source = found.get("source_path")
    if isinstance(source, dict) and len(source) == 1:
        ((origin, where),) = source.items()
        path = where if isinstance(where, str) else ""
    described = Described(str(found.get("module_name")), origin, path, {}, {}, {}, {}, {})
    for key, said in _objects(found, "function_definitions"):
        name, parent = said.get("name"), _parent(said.get("parent"))
        if isinstance(name, str):
            described.functions[key] = (name, parent)
            described.lines[key] = _line(said)
            described.members.setdefault((parent, name), key)
    for _, said in _objects(found, "class_definitions"):
        number, name = said.get("class_id"), said.get("name")
        if isinstance(number, int) and isinstance(name, str):
            described.classes[number] = (name, _parent(said.get("parent")))
            described.lines[number] = _line(said)
            described.orders[number] = _order(said.get("mro"))
    return described


def _objects(found: Shape, name: str) -> Iterator[tuple[str, Shape]]:
    members = found.get(name)
    if isinstance(members, dict):
        for key, said in members.items():
            if isinstance(said, dict):
                yield key, said


def _parent(said: object) -> str | int | None:
    if isinstance(said, dict):
        if isinstance(inner := said.get("Class"), dict):
            number = inner.get("class_id")
            return number if isinstance(number, int) else None
        if isinstance(inner := said.get("Function"), dict):
            return f"F:{inner.get('func_def_index')}"
    return None


def _line(said: Mapping[str, object]) -> int:
    """The line of the name of a definition, 0 where there is none."""
    line = str(said.get("name_location", "")).partition(":")[0]
    return int(line) if line.isdecimal() else 0


def _order(said: object) -> tuple[tuple[int, int], ...]:
    listed = said.get("Resolved") if isinstance(said, dict) else None
    found = []
    for one in listed if isinstance(listed, list) else ():
        if isinstance(one, dict):
            module, number = one.get("module_id"), one.get("class_id")
            if isinstance(module, int) and isinstance(number, int):
                found.append((module, number))
    return tuple(found)
