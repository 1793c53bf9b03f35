"""The names that a module serves without binding them, by `__getattr__` or in place of itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from pydocs_builder.extracted.symbols import Module

__all__ = ["is_lazy", "lazy_names", "literal_value", "served_modules"]

_LONGEST_LITERAL: Final = 1_048_576
_SERVED: Final = re.compile(r"getattr\(\s*(\w+)\s*,\s*(\w+)\s*[,)]")
_PARAMETER: Final = re.compile(r"\(\s*(\w+)")
_HOOK: Final = "__getattr__"

Place = tuple[str, str]


def is_lazy(module: Module) -> bool:
    """Whether a module may have names that nothing in it binds."""
    if b"__getattr__" not in module.text:
        return False
    own = any(symbol.name == _HOOK and symbol.parent == -1 for symbol in module.parsed.symbols)
    return own or b"sys.modules[__name__] =" in module.text


def lazy_names(
    module: Module,
    imported: Mapping[str, Place],
    modules: Mapping[str, Module],
    is_inside: Callable[[str], bool],
) -> dict[str, Place]:
    """For each lazy name the module it comes from and its name there.

    They are read from literal maps of the module, or of one that it imports them from: name to
    module, name to (module, name, …), module to names; from a call of `attach`, which takes the
    last of them; and from imports inside `__getattr__` whose name stands there in quotes.

    Args:
        module: one that is lazy.
        imported: what it imports, by local name.
        modules: all modules of the target.
        is_inside: tells whether a dotted name is that of a module of the target.
    """
    found: dict[str, Place] = {}
    for value in _maps(module, imported, modules):
        for key, item in value.items():
            if isinstance(key, str):
                for name, place in _served(module, key, item, is_inside):
                    found.setdefault(name, place)
    for name, place in _hook_imports(module, imported):
        found.setdefault(name, place)
    return found


def served_modules(module: Module, imported: Mapping[str, Place]) -> Iterator[Place]:
    """What `__getattr__` asks for any name: `getattr(other, name)` with an imported `other`."""
    for number, symbol in enumerate(module.parsed.symbols):
        if symbol.name != _HOOK or symbol.kind != "function" or symbol.parent != -1:
            continue
        parameter = _PARAMETER.match(symbol.signature)
        text = module.text[symbol.start : symbol.end].decode(errors="replace")
        local = {
            item.alias or item.name or item.module: (
                "." * item.level + item.module,
                item.name,
            )
            for item in module.parsed.imports
            if item.scope == number
        }
        for other, name in _SERVED.findall(text):
            if parameter and name == parameter[1]:
                if other in local:
                    origin, last = local[other]
                    yield _origin(module, origin), last
                elif other in imported:
                    yield imported[other]


def literal_value(module: Module, name: str) -> object:
    """The value that a module gives a name at its top, if it is a literal; else None."""
    for symbol in module.parsed.symbols:
        if symbol.name == name and symbol.parent == -1 and symbol.kind == "attribute":
            return _literal(module.text[symbol.start : symbol.end])
    return None


def _maps(
    module: Module, imported: Mapping[str, Place], modules: Mapping[str, Module]
) -> Iterator[dict[object, object]]:
    for symbol in module.parsed.symbols:
        if symbol.kind != "attribute" or symbol.parent != -1:
            continue
        if "{" in symbol.signature or symbol.name == _HOOK:
            value = _literal(module.text[symbol.start : symbol.end])
            if isinstance(value, dict):
                yield value
    for origin, name in imported.values():
        if name and name.isupper() and origin in modules:
            value = literal_value(modules[origin], name)
            if isinstance(value, dict):
                yield value


@lru_cache(maxsize=16)
def _literal(statement: bytes) -> object:
    # A table of names is asked for by `__all__` and by `__getattr__`, one after the other.
    if len(statement) > _LONGEST_LITERAL:
        return None
    try:
        (tree,) = ast.parse(statement.decode()).body
        if not isinstance(tree, ast.Assign | ast.AnnAssign) or tree.value is None:
            return None
        return _evaluated(tree.value)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _evaluated(node: ast.expr) -> object:
    """A literal, or the map of names that a call of `attach` is given."""
    if not isinstance(node, ast.Call):
        return ast.literal_eval(node)
    called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    called = node.func.id if isinstance(node.func, ast.Name) else called
    if called != "attach":
        return None
    given = {word.arg: word.value for word in node.keywords}
    names = node.args[2] if len(node.args) > 2 else given.get("submod_attrs")  # noqa: PLR2004 - the third
    return ast.literal_eval(names) if names is not None else None


def _served(
    module: Module, key: str, item: object, is_inside: Callable[[str], bool]
) -> Iterator[tuple[str, Place]]:
    if isinstance(item, str):
        place = _place(module, item, key, is_inside)
        if place:
            yield key, place
    elif isinstance(item, tuple) and item and isinstance(item[0], str):
        second = item[1] if len(item) == 2 and isinstance(item[1], str) else key  # noqa: PLR2004 - a pair
        place = _place(module, item[0], second, is_inside)
        if place:
            # A map from a module's name to (that name, name) is one from name to module.
            yield (second if item[0] == key else key), place
    elif isinstance(item, list | set):
        for name in sorted(one for one in item if isinstance(one, str)):
            yield name, (_origin(module, "." + key.lstrip(".")), name)


def _place(module: Module, text: str, name: str, is_inside: Callable[[str], bool]) -> Place | None:
    """`.impl`, `package.impl`, `impl`, `package.impl:Name` and `package.impl.Name` as a place."""
    text, _, told = text.partition(":")
    origin = _origin(module, text)
    if text.startswith(".") or is_inside(origin):
        return origin, told or name
    below = f"{module.name}.{text}"
    if text and is_inside(below):
        return below, told or name
    owner, _, last = origin.rpartition(".")
    return (owner, last) if owner and is_inside(owner) and last.isidentifier() else None


def _hook_imports(module: Module, imported: Mapping[str, Place]) -> Iterator[tuple[str, Place]]:
    for number, symbol in enumerate(module.parsed.symbols):
        if symbol.name != _HOOK or symbol.kind != "function" or symbol.parent != -1:
            continue
        text = module.text[symbol.start : symbol.end].decode(errors="replace")
        for item in module.parsed.imports:
            local = item.alias or item.name
            is_asked = f'"{local}"' in text or f"'{local}'" in text
            if item.scope == number and item.name and is_asked and local not in imported:
                yield local, (_origin(module, "." * item.level + item.module), item.name)


def _origin(module: Module, name: str) -> str:
    relative = name.lstrip(".")
    level = len(name) - len(relative)
    if not level:
        return name
    parts = module.name.split(".")
    parts = parts[: max(0, len(parts) - level + (1 if module.is_package else 0))]
    return ".".join([*parts, relative] if relative else parts)
