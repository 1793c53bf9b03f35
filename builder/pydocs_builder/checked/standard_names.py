"""The names of the standard library: from where its stubs define something to where it is at run time.

Stubs mostly define a thing where the interpreter has it. They differ for the abstract collections,
which are in `collections.abc` and not in `typing`, and for what only type checkers know.
"""

from __future__ import annotations

from typing import Final

__all__ = ["standard_name"]

_COLLECTIONS: Final = frozenset(
    {"AsyncGenerator", "AsyncIterable", "AsyncIterator", "Awaitable", "ByteString", "Collection"}
    | {"Container", "Coroutine", "Generator", "Hashable", "ItemsView", "Iterable", "Iterator"}
    | {"KeysView", "Mapping", "MappingView", "MutableMapping", "MutableSequence", "MutableSet"}
    | {"Reversible", "Sequence", "Sized", "ValuesView"}
)
_RENAMED: Final = {"AbstractSet": "Set"}
# Modules that exist for type checkers alone.
_IMAGINED: Final = ("_typeshed",)


def standard_name(module: str, qualname: str) -> str:
    """The definition-site name of what a stub of the standard library defines; empty if it has none."""
    if module.partition(".")[0] in _IMAGINED or not qualname:
        return ""
    if module in {"typing", "typing_extensions"}:
        owner, dot, member = qualname.partition(".")
        if owner in _COLLECTIONS or owner in _RENAMED:
            return f"collections.abc.{_RENAMED.get(owner, owner)}{dot}{member}"
    return f"{module}.{qualname}"
