"""The names that a module's `__getattr__` serves from a literal map."""

from __future__ import annotations

import ast
from typing import Final

from pydocs_builder.symbols import Module

__all__ = ["lazy_names"]

_LONGEST_MAP: Final = 65_536


def lazy_names(module: Module) -> dict[str, tuple[str, str]]:
    """For each lazy name the module it comes from and its name there.

    Three shapes of map are read: name to module, name to (module, name), and module to names.
    """
    found: dict[str, tuple[str, str]] = {}
    for symbol in module.parsed.symbols:
        if symbol.kind != "attribute" or symbol.parent != -1 or "{" not in symbol.signature:
            continue
        for key, value in _literal_map(module.text[symbol.start : symbol.end]).items():
            if isinstance(value, str) and value.startswith((".", module.name + ".")):
                found.setdefault(key, (_origin(module, value), key))
            elif isinstance(value, tuple) and len(value) == 2:  # noqa: PLR2004 - a pair
                origin, name = value
                if isinstance(origin, str) and isinstance(name, str):
                    found.setdefault(
                        name if origin == key else key, (_origin(module, origin), name)
                    )
            elif isinstance(value, list | set):
                for name in sorted(item for item in value if isinstance(item, str)):
                    found.setdefault(name, (_origin(module, "." + key.lstrip(".")), name))
    return found


def _literal_map(statement: bytes) -> dict[str, object]:
    start = statement.find(b"{")
    if start < 0 or len(statement) > _LONGEST_MAP:
        return {}
    try:
        value = ast.literal_eval(statement[start : statement.rfind(b"}") + 1].decode())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return {}
    if not isinstance(value, dict):
        return {}
    return {key: item for key, item in value.items() if isinstance(key, str)}


def _origin(module: Module, name: str) -> str:
    relative = name.lstrip(".")
    level = len(name) - len(relative)
    if not level:
        return name
    parts = module.name.split(".")
    parts = parts[: max(0, len(parts) - level + (1 if module.is_package else 0))]
    return ".".join([*parts, relative] if relative else parts)
