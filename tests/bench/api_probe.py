"""What the running interpreter knows of a package, as JSON: its public names, and what they are.

It is run in a child process by the interpreter that has the package, once for each package, and
knows nothing of ours. Public is what a module without a private part in its name lists in
`__all__`, or else binds without an underscore in front, if the package itself defines it.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import functools
import importlib
import inspect
import io
import json
import pkgutil
import re
import sys
import types
import warnings
from collections.abc import Iterator

Row = dict[str, object]

SKIPPED_PARTS = {"__main__", "conftest", "setup", "test", "testing", "tests"}
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType)
WRAPPERS = (classmethod, staticmethod)
MAX_DEFAULT = 60


def main() -> None:
    """Prints the rows of the package named first."""
    top = sys.argv[1]
    sys.argv[1:] = []
    said = io.StringIO()
    warnings.simplefilter("ignore")
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        found = rows(top)
    json.dump(found, sys.stdout)


def rows(top: str) -> dict[str, object]:
    """All rows of a package: modules that import, names by module, classes once with members."""
    names: list[Row] = []
    classes: dict[type, Row] = {}
    failed: list[str] = []
    for name in sorted({top, *submodules(top)}):
        try:
            module = importlib.import_module(name)
        except BaseException as error:  # noqa: BLE001 - any module may do anything
            failed.append(f"{name}: {type(error).__name__}")
            continue
        for local, value in public(module, top):
            row = named(f"{name}.{local}", value, top)
            names.append(row)
            if isinstance(value, type) and is_own(value, top) and value not in classes:
                classes[value] = class_row(row["name"], value, top)
    return {"package": top, "failed": failed, "names": names, "classes": list(classes.values())}


def submodules(top: str) -> Iterator[str]:
    """The public modules below a package, found without importing them."""
    package = importlib.import_module(top)
    waiting = [(top, list(getattr(package, "__path__", [])))]
    while waiting:
        name, paths = waiting.pop()
        for found in pkgutil.iter_modules(paths):
            if found.name.startswith("_") or found.name in SKIPPED_PARTS:
                continue
            below = f"{name}.{found.name}"
            yield below
            if found.ispkg:
                waiting.append((below, [f"{path}/{found.name}" for path in paths]))


def public(module: types.ModuleType, top: str) -> Iterator[tuple[str, object]]:
    """The classes and functions that a module offers."""
    listed = getattr(module, "__all__", None)
    locals_ = list(listed) if listed is not None else [n for n in dir(module) if n[:1] != "_"]
    for local in sorted({one for one in locals_ if isinstance(one, str)}):
        try:
            value = getattr(module, local)
        except Exception:  # noqa: BLE001, S112 - a lazy name that cannot be had is nobody's
            continue
        if isinstance(value, (type, *FUNCTIONS)) and is_own(value, top):
            yield local, value


def is_own(value: object, top: str) -> bool:
    """Whether the package itself says that it made a value."""
    made = getattr(value, "__module__", None)
    return isinstance(made, str) and made.split(".")[0] == top


def named(name: str, value: object, top: str) -> Row:
    """One public name and what it leads to."""
    kind = "class" if isinstance(value, type) else "function"
    row: Row = {
        "name": name,
        "kind": kind,
        "home": f"{value.__module__}.{getattr(value, '__qualname__', '')}",
        "is_made": isinstance(value, type) and is_made_at_run_time(value),
        **place(value, name.rpartition(".")[2]),
        **signature(value),
        **docstring(value, top),
    }
    return row


def class_row(name: object, value: type, top: str) -> Row:
    """A class with its bases and what it defines itself."""
    members = []
    for local, member in sorted(vars(value).items()):
        if local.startswith("_") and local not in ("__init__", "__call__"):
            continue
        bare = member.__func__ if isinstance(member, WRAPPERS) else member
        made = getattr(bare, "__module__", None)
        if isinstance(bare, types.FunctionType) and is_own(bare, top) and "<" not in bare.__name__:
            if bare.__code__.co_filename.startswith("<"):
                continue
            row: Row = {"name": f"{name}.{local}", "kind": "method"}
            row |= place(bare, local) | signature(bare) | member_docstring(value, local, top)
            members.append(row)
        elif isinstance(member, property) and made != "builtins":
            row = {"name": f"{name}.{local}", "kind": "property", "place": "", "line": 0}
            row |= {"signature": None, "reason": ""} | member_docstring(value, local, top)
            if not field_alias(member):
                members.append(row)
    return {
        "name": name,
        "bases": [home(base) for base in value.__bases__],
        "mro": [home(base) for base in value.__mro__[1:]],
        # A typed dictionary forgets what it inherits from.
        "is_flat": hasattr(value, "__total__"),
        "members": members,
    }


def field_alias(member: object) -> bool:
    """Whether a property stands for a field of a named tuple."""
    return bool((getattr(member, "__doc__", None) or "").startswith("Alias for field number"))


def home(value: type) -> str:
    """Where a class says that it is defined."""
    return f"{value.__module__}.{value.__qualname__}"


def place(value: object, name: str) -> Row:
    """The file and line of a function's code, unless a wrapper of another name stands for it."""
    try:
        code = inspect.unwrap(value).__code__  # type: ignore[arg-type]
    except (AttributeError, ValueError):
        return {"place": "", "line": 0}
    if code.co_name != name:
        return {"place": "", "line": 0}
    return {"place": code.co_filename, "line": code.co_firstlineno}


def signature(value: object) -> Row:
    """The parameters as a caller sees them: names, kinds, whether there is a default, and which."""
    if isinstance(value, type) and not is_told(value):
        return {"signature": None, "reason": "made outside"}
    try:
        found = inspect.signature(value)  # type: ignore[arg-type]
    except (ValueError, TypeError, NameError, AttributeError) as error:
        return {"signature": None, "reason": type(error).__name__}
    parameters = [
        [one.name, int(one.kind), one.default is not one.empty, literal(one.default)]
        for one in found.parameters.values()
    ]
    return {"signature": parameters, "reason": ""}


def is_told(value: type) -> bool:
    """Whether the package itself, or nobody, says how a class is called."""
    top = value.__module__.split(".")[0]
    called = next(one for one in inspect.getmro(type(value)) if "__call__" in vars(one))
    if called is not type and not is_own(called, top):
        return False
    if "__signature__" in vars(value) or dataclasses.is_dataclass(value):
        return True
    makers = ("__init__", "__new__")
    owner = next(one for one in value.__mro__ if any(maker in vars(one) for maker in makers))
    return owner is object or is_own(owner, top)


def literal(value: object) -> str | None:
    """A default's text, if it is a plain literal."""
    if not isinstance(value, (str, bytes, int, float, bool, type(None))):
        return None
    text = repr(value)
    try:
        return text if len(text) < MAX_DEFAULT and ast.literal_eval(text) == value else None
    except (ValueError, SyntaxError):
        return None


def docstring(value: object, top: str) -> Row:
    """The docstring as `inspect.getdoc` has it, unless it was made, or comes from elsewhere."""
    text = inspect.getdoc(value)
    if isinstance(value, type):
        owner = next((one for one in value.__mro__ if "__doc__" in vars(one) and one.__doc__), None)
        if owner is None or not is_own(owner, top) or is_made(owner):
            return {"docstring": None if owner is None or is_made(owner) else "?"}
    return {"docstring": text}


def is_made_at_run_time(value: type) -> bool:
    """Whether the source that a class names as its own has no such class."""
    module = sys.modules.get(value.__module__)
    path = getattr(module, "__file__", None) or ""
    if not path.endswith(".py"):
        return False
    return value.__name__ not in written_classes(path)


@functools.cache
def written_classes(path: str) -> set[str]:
    """The names of all classes that stand in a file, at any depth."""
    with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123 - as light as can be
        return set(re.findall(r"^\s*class\s+(\w+)", file.read(), re.MULTILINE))


def is_made(value: type) -> bool:
    """Whether a class's docstring is its signature, as dataclasses and named tuples write it."""
    text = value.__doc__ if isinstance(value.__doc__, str) else ""
    if text.startswith(f"{value.__name__}(") and "\n" not in text:
        return dataclasses.is_dataclass(value) or issubclass(value, tuple)
    return text == "An enumeration."


def member_docstring(owner: type, local: str, top: str) -> Row:
    """That of a member, from the first class that documents it; `?` where that lies outside."""
    text = inspect.getdoc(getattr(owner, local, None))
    for one in owner.__mro__:
        member = vars(one).get(local)
        if getattr(member, "__doc__", None):
            return {"docstring": text if is_own(one, top) else "?"}
    return {"docstring": None}


if __name__ == "__main__":
    main()
