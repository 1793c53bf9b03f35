"""The standard library by its names at run time, where stubs put things elsewhere.

Mostly a stub defines a thing where the interpreter has it. The abstract collections are an
exception, `typing` has them for stubs alone; and what only type checkers know has no name at all.
"""

from __future__ import annotations

from typing import Final

__all__ = ["calls_argument", "standard_name"]

# Modules that exist for type checkers alone.
_IMAGINED: Final = frozenset({"_typeshed"})
_TYPING: Final = frozenset({"typing", "typing_extensions"})
_ABSTRACT: Final = {
    name: name
    for name in (
        *("AsyncGenerator", "AsyncIterable", "AsyncIterator", "Awaitable", "Collection"),
        *("Container", "Coroutine", "Generator", "Hashable", "ItemsView", "Iterable", "Iterator"),
        *("KeysView", "Mapping", "MappingView", "MutableMapping", "MutableSequence"),
        *("MutableSet", "Reversible", "Sequence", "Sized", "ValuesView"),
    )
} | {"AbstractSet": "Set"}
_COMPILED: Final = {"collections": ("deque", "defaultdict")}
_CALLING: Final = frozenset(
    {"builtins.filter", "builtins.list.sort", "builtins.map", "builtins.max", "builtins.min"}
    | {"builtins.sorted", "functools.reduce", "_functools.reduce"}
    | {"itertools.dropwhile", "itertools.filterfalse", "itertools.starmap", "itertools.takewhile"}
    | {"re.Pattern.sub", "re.Pattern.subn", "re.sub", "re.subn"}
)


def standard_name(module: str, qualname: str) -> str:
    """The definition-site name of what a stub defines; empty if only type checkers know it."""
    if module.partition(".")[0] in _IMAGINED:
        return ""
    owner, dot, member = qualname.partition(".")
    if module in _TYPING and owner in _ABSTRACT:
        return f"_collections_abc.{_ABSTRACT[owner]}{dot}{member}"
    if owner in _COMPILED.get(module, ()):
        return f"_{module}.{qualname}"
    return f"{module}.{qualname}"


def calls_argument(name: str) -> bool:
    """Whether a function of the standard library, written in C, calls what it is given."""
    return name in _CALLING
