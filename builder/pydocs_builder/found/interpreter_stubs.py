"""Stubs of the modules of an interpreter that have no Python source, from what they say themselves.

This file runs as a script in the interpreter that it describes, isolated and without its `site`
start-up: `python -I -S interpreter_stubs.py FOLDER` writes `math.pyi` and so on into the folder,
and prints where the standard library is. So it imports nothing else of this package, and speaks the
Python of older interpreters. Addresses, paths and whatever differs from run to run stay out.
"""

from __future__ import annotations

import importlib
import inspect
import json
import keyword
import platform
import re
import sys
import sysconfig
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from pathlib import Path
from types import ModuleType

__all__ = ["main", "stub_of"]

_TESTS = re.compile(r"^_?xx|^_test|_test$|^_ctypes_test|^_testcapi")
_SKIPPED = {"__doc__", "__file__", "__loader__", "__name__", "__package__", "__spec__"}
_SHOWN_SPECIALS = {"__aenter__", "__aexit__", "__call__", "__enter__", "__exit__"}
# What these hold depends on the machine and on how the interpreter was started.
_VARIABLE = {"sys", "time", "posix", "nt", "builtins"}
_ADDRESS = re.compile(r" at 0x|<")
_ANY = "(*args, **kwargs)"


def main(folder: str) -> int:
    """Writes the stubs and prints what is known of the interpreter as JSON."""
    library = sysconfig.get_path("stdlib")
    names = _compiled_names(Path(library))
    for name in names:
        try:
            module = importlib.import_module(name)
        except Exception:  # noqa: BLE001, S112 - a module that needs what is not there has no stub
            continue
        Path(folder, f"{name}.pyi").write_text(stub_of(name, module, frozenset(names)), "utf-8")
    known = {"library": library, "version": platform.python_version()}
    sys.stdout.write(json.dumps(known) + "\n")
    return 0


def stub_of(name: str, module: ModuleType, described: AbstractSet[str]) -> str:
    """The text of a module's stub, its names sorted.

    What says that it belongs to another module is imported from there if that one has a stub, too.
    Many a module written in C puts what it defines into the one in Python that imports it.
    """
    homes = described - {name}
    imports: set[str] = set()
    body: list[str] = []
    for key in sorted(vars(module)):
        value = vars(module)[key]
        is_name = key.isidentifier() and not keyword.iskeyword(key)
        if key in _SKIPPED or not is_name or isinstance(value, ModuleType):
            continue
        is_elsewhere = getattr(value, "__module__", None) in homes
        if is_elsewhere and _is_same(value, key):
            body.append(f"from {value.__module__} import {key} as {key}")
        else:
            body += _statement(name, key, value, imports)
    head = [_docstring(module, "")] if _docstring(module, "") else []
    return "\n".join([*head, *sorted(imports), "", *body]) + "\n"


def _is_same(value: object, key: str) -> bool:
    """Whether the module that an object names as its own has it under this name."""
    return getattr(sys.modules.get(value.__module__), key, None) is value


def _statement(module: str, key: str, value: object, imports: set[str]) -> Iterator[str]:
    if inspect.isclass(value):
        if value.__name__ == key:
            yield from _class(module, value, imports)
        else:
            yield f"{key} = {value.__name__}"
    elif inspect.isroutine(value):
        yield from _function(key, value, "")
    elif isinstance(value, (bool, int, float)) and not _is_variable(module):
        yield f"{key}: {type(value).__name__} = {_number(value)}"
    else:
        yield f"{key}: {_type_name(value)}"


def _is_variable(module: str) -> bool:
    return module.startswith("_") or module in _VARIABLE


def _number(value: object) -> str:
    text = repr(value)
    is_literal = text.lstrip("-")[:1].isdigit() or text in {"True", "False"}
    return text if is_literal else f'float("{text}")'


def _type_name(value: object) -> str:
    kind = type(value)
    name = kind.__qualname__
    is_known = kind.__module__ == "builtins" and hasattr(sys.modules["builtins"], name)
    return name if is_known else "object"


def _class(module: str, value: type, imports: set[str]) -> Iterator[str]:
    bases = []
    for base in value.__bases__:
        if base is object:
            continue
        is_here = getattr(sys.modules.get(module), base.__name__, None) is base
        if base.__module__ == "builtins" or is_here:
            bases.append(base.__name__)
        else:
            imports.add(f"import {base.__module__}")
            bases.append(f"{base.__module__}.{base.__qualname__}")
    yield f"class {value.__name__}({', '.join(bases)}):" if bases else f"class {value.__name__}:"
    yield _docstring(value, "    ") or "    ..."
    parameters = _signature(value)
    if parameters not in {_ANY, "()"}:
        inner = parameters[1 : parameters.rindex(")")]
        yield f"    def __init__(self, {inner}): ..."
    for key in sorted(vars(value)):
        is_hidden = key.startswith("__") and key not in _SHOWN_SPECIALS
        if key.isidentifier() and not is_hidden:
            yield from _member(key, vars(value)[key])


def _member(key: str, value: object) -> Iterator[str]:
    if inspect.isgetsetdescriptor(value) or inspect.ismemberdescriptor(value):
        yield "    @property"
        yield from _function(key, value, "    ", "(self)")
    elif isinstance(value, (staticmethod, classmethod)):
        yield f"    @{type(value).__name__}"
        yield from _function(key, value.__func__, "    ")
    elif type(value).__name__ == "classmethod_descriptor":
        yield "    @classmethod"
        yield from _function(key, value, "    ")
    elif inspect.isroutine(value):
        yield from _function(key, value, "    ")
    else:
        yield f"    {key}: {_type_name(value)}"


def _function(key: str, value: object, indent: str, signature: str = "") -> Iterator[str]:
    yield f"{indent}def {key}{signature or _signature(value, is_method=bool(indent))}:"
    if documented := _docstring(value, indent + "    "):
        yield documented
    yield f"{indent}    ..."


def _signature(value: object, *, is_method: bool = False) -> str:
    """The parameters as the object itself knows them, or any."""
    general = "(self, *args, **kwargs)" if is_method else _ANY
    try:
        text = str(inspect.signature(value))  # type: ignore[arg-type] # what is no callable raises
    except Exception:  # noqa: BLE001 - defaults that name what only exists later, and whatnot
        return general
    if _ADDRESS.search(text.replace("->", "")):
        return general
    try:
        compile(f"def f{text}: ...", "signature", "exec")
    except SyntaxError:
        return general
    return text


def _docstring(value: object, indent: str) -> str:
    said = getattr(value, "__doc__", None)
    if not isinstance(said, str) or not said.strip():
        return ""
    text = inspect.cleandoc(said).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    text = text[:-1] + '\\"' if text.endswith('"') else text
    first, *others = text.encode("utf-8", "backslashreplace").decode().split("\n")
    lines = [f'{indent}"""{first}', *(indent + line if line else "" for line in others)]
    return "\n".join(lines) + '"""'


def _compiled_names(library: Path) -> list[str]:
    """The modules of the standard library that are not written in Python, tests aside."""
    folders = (library / "lib-dynload", Path(sys.base_prefix, "DLLs"))
    dynamic = [path.name.partition(".")[0] for folder in folders for path in folder.glob("*.*")]
    names = {*sys.builtin_module_names, *dynamic}
    # Older interpreters have no list of what is theirs.
    known = getattr(sys, "stdlib_module_names", names)
    return sorted(
        name
        for name in names
        if name.isidentifier()
        and not _TESTS.search(name)
        and name in known
        and not (library / f"{name}.py").exists()
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
