"""The programs of micro/, their true edges, and names that mean the same call.

Each file is a group; each program has its sources (`main` is main.py, `files` are others) and its
edges, one caller a line: `caller -> callee …`. A mark before a callee says more of it:

- none: this run makes the call;
- `?`: the program can make it, this run does not;
- `~`: neither right nor wrong. What a decorator hides behind a wrapper, a lambda that another
  entry calls, the other items of a container, a method that an override replaces.

Those of unseen/ are of all groups, and were not at hand when the tiers were first made.

Entries are what a bundle has: a module, a class (its body), a function or a method. Nested
functions, lambdas and comprehensions belong to the outermost function around them, and calls
inside one entry of what is nested in it count for nothing. A decorator is called by what is around
the decorated, a class by way of the `__init__` or `__new__` that the program defines for it, if
any. Builtins and the standard library count as callees, not as callers.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

__all__ = ["CONSTRUCTORS", "UNSEEN", "Edge", "Program", "canonical", "faults", "programs"]

HERE = Path(__file__).resolve().parent
# Where the types of the standard library declare a name, and what the interpreter calls it.
SAME = {
    "collections.abc.Generator.send": "builtins.generator.send",
    "typing.Generator.send": "builtins.generator.send",
    "types.GeneratorType.send": "builtins.generator.send",
    "collections.abc.MutableMapping.update": "builtins.dict.update",
    "typing.MutableMapping.update": "builtins.dict.update",
}
UNSEEN = "unseen"
CONSTRUCTORS = ("__init__", "__new__")

Edge = tuple[str, str]


class Program(NamedTuple):
    """One program: `made` are the calls it makes, `possible` those it could, `open` any others."""

    group: str
    name: str
    files: Mapping[str, str]
    made: frozenset[Edge]
    possible: frozenset[Edge]
    open: frozenset[Edge]


def programs() -> list[Program]:
    """All programs, by group and in the order of their files; those of unseen/ are the last."""
    found = [
        program(path.stem, one)
        for path in sorted((HERE / "micro").glob("*.toml"))
        for one in tomllib.loads(path.read_text("utf-8"))["program"]
    ]
    for path in sorted((HERE / "micro" / UNSEEN).glob("*.toml")):
        for one in tomllib.loads(path.read_text("utf-8"))["program"]:
            later = program(UNSEEN, one)
            found.append(later._replace(name=f"{path.stem}-{later.name}"))
    return found


def program(group: str, one: Mapping[str, object]) -> Program:
    """One program as the file has it."""
    more = one.get("files", {})
    assert isinstance(more, dict)
    found: dict[str, set[Edge]] = {"": set(), "?": set(), "~": set()}
    for line in str(one["edges"]).strip().splitlines():
        caller, _, callees = line.partition(" -> ")
        for word in callees.split():
            mark = word[0] if word[0] in found else ""
            found[mark].add((caller, canonical(word[len(mark) :])))
    sets = map(frozenset, found.values())
    return Program(group, str(one["name"]), {"main.py": str(one["main"]), **more}, *sets)


@cache
def canonical(name: str) -> str:
    """The one name of what several names of the standard library mean; others are themselves."""
    found = _looked_up(name)
    return SAME.get(found, found)


def _looked_up(name: str) -> str:
    head, *links = name.split(".")
    if head not in sys.stdlib_module_names and head != "builtins":
        return name
    for cut in range(len(links), -1, -1):
        try:
            there: object = importlib.import_module(".".join((head, *links[:cut])))
        except ImportError:
            continue
        owner: object = None
        for link in links[cut:]:
            owner, there = there, getattr(there, link, None)
        if there is None:
            return name
        return _named(name, owner, there)
    return name


def _named(name: str, owner: object, there: object) -> str:
    """A member by the topmost class that has it, anything else by where it says it is from."""
    if isinstance(owner, type):
        last = name.rpartition(".")[2]
        homes = [one for one in owner.__mro__ if last in vars(one)]
        proper = [one for one in homes if one is not object] or homes
        return f"{proper[-1].__module__}.{proper[-1].__qualname__}.{last}"
    module = getattr(there, "__module__", None) or getattr(there, "__name__", "")
    qualified = getattr(there, "__qualname__", "")
    return f"{module}.{qualified}" if module and qualified else name


def faults(found: list[Program]) -> Iterator[str]:
    """Where the edges written by hand and a run of the program contradict each other."""
    asked = {f"{one.group}/{one.name}": one.files for one in found}
    done = subprocess.run(
        [sys.executable, str(HERE / "micro_trace.py")],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    traced = json.loads(done.stdout)
    for one in found:
        name = f"{one.group}/{one.name}"
        if isinstance(traced[name], str):
            yield f"{name} does not run: {traced[name]}"
            continue
        ran = {(caller, canonical(callee)) for caller, callee, inner in traced[name] if not inner}
        for edge in sorted(ran - one.made - one.open):
            yield f"{name}: runs, but is not written down: {show(edge)}"
        for edge in sorted(one.made - ran):
            yield f"{name}: is written down, but does not run: {show(edge)}"
        for edge in sorted(one.possible & ran):
            yield f"{name}: is called possible, but runs: {show(edge)}"


def show(edge: Edge) -> str:
    """An edge as the files have it."""
    return f"{edge[0]} -> {edge[1]}"
