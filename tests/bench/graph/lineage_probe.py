"""Lists every class of a package with its bases and method resolution order, as JSON.

`python lineage_probe.py PACKAGE` imports all modules of the package that can be imported; a child
of bench_lineage, for the interpreter that has the package.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import pkgutil
import sys
import warnings
from collections.abc import Iterator
from types import ModuleType

from api_probe import home

Row = dict[str, object]


def main() -> None:
    """Prints the classes by name."""
    package = sys.argv[1]
    warnings.simplefilter("ignore")
    found: dict[str, Row] = {}
    for name in modules(package):
        try:
            module = importlib.import_module(name)
        except BaseException:  # noqa: BLE001, S112 - a module for another system, or a program
            continue
        defined = definitions(module)
        for value in vars(module).values():
            if isinstance(value, type) and value.__module__ == name:
                collect(value, defined, found)
    json.dump([found[name] for name in sorted(found)], sys.stdout)


def modules(package: str) -> list[str]:
    """The package and all its modules but those that run when they are imported."""
    path = importlib.import_module(package).__path__
    walked = pkgutil.walk_packages(path, f"{package}.", onerror=lambda _: None)
    return [package, *(one.name for one in walked if not one.name.endswith("__main__"))]


def definitions(module: ModuleType) -> frozenset[str]:
    """The qualified names of the classes that a module's text defines; none if it has no text."""
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError):
        return frozenset()
    return frozenset(named(tree, ""))


def named(node: ast.AST, prefix: str) -> Iterator[str]:
    """The qualified names of the classes in a node, functions left out."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield prefix + child.name
            yield from named(child, f"{prefix}{child.name}.")
        elif not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from named(child, prefix)


def collect(value: type, defined: frozenset[str], found: dict[str, Row]) -> None:
    """Adds a class and those in its body, each once."""
    name = home(value)
    if name in found or "<locals>" in name:
        return
    found[name] = {
        "name": name,
        # A base that a call makes (`namedtuple`) may be called like the class itself.
        "bases": [home(base) for base in value.__bases__ if home(base) != name],
        "mro": [home(base) for base in value.__mro__[1:] if home(base) != name],
        # A typed dictionary forgets what it inherits from.
        "is_flat": hasattr(value, "__total__"),
        "is_made": value.__qualname__ not in defined,
    }
    for one in vars(value).values():
        if isinstance(one, type) and one.__qualname__.startswith(f"{value.__qualname__}."):
            collect(one, defined, found)


if __name__ == "__main__":
    main()
