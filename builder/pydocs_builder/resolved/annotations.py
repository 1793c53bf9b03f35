"""The value that an annotation promises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pydocs_builder.resolved.signatures import split_outside
from pydocs_builder.resolved.values import Sort, Unknown, Value

if TYPE_CHECKING:
    from pydocs_builder.resolved.resolver import Resolver

__all__ = ["annotated", "yielded"]

_TYPING: Final = ("typing.", "typing_extensions.")
_GENERICS: Final = {
    "Counter": "collections.Counter",
    "DefaultDict": "collections.defaultdict",
    "Deque": "collections.deque",
    "Dict": "builtins.dict",
    "FrozenSet": "builtins.frozenset",
    "List": "builtins.list",
    "Match": "re.Match",
    "OrderedDict": "collections.OrderedDict",
    "Pattern": "re.Pattern",
    "Set": "builtins.set",
    "Text": "builtins.str",
    "Tuple": "builtins.tuple",
}
_WRAPPERS: Final = frozenset(
    {"Annotated", "Awaitable", "ClassVar", "Final", "NotRequired", "Optional", "ReadOnly"}
    | {"Required"}
)
_SHAPELESS: Final = frozenset({"Any", "Callable", "Hashable", "Literal", "Never", "NoReturn"})
_CLASSES: Final = ("builtins.type", "typing.Type")


def annotated(resolver: Resolver, module: int, scope: int, text: str) -> Value:
    """The value that an annotation in a scope promises: an instance of its class, mostly.

    `X | None` and `Optional[X]` promise X; several classes promise nothing that can be followed.
    """
    text = text.strip()
    if text[:1] in ("'", '"'):
        text = text.strip("'\"").strip()
    if "|" in text:
        return _only(resolver, module, scope, split_outside(text, "|"))
    head, bracket, rest = text.partition("[")
    head = head.strip()
    if not all(part.isidentifier() for part in head.split(".")):
        return Unknown.UNTYPED
    value = resolver.settle(resolver.evaluate(module, scope, head))
    inner = split_outside(rest.rstrip()[:-1], ",") if bracket else []
    if value.name.startswith(_TYPING):
        return _typing(resolver, module, scope, value, inner)
    if inner and value.name in _CLASSES:
        return _class_of(_only(resolver, module, scope, inner))
    if value.sort in (Sort.CLASS, Sort.OUTSIDE):
        return Value(Sort.INSTANCE, value.name)
    return Unknown.UNTYPED


def yielded(returns: str) -> str:
    """The annotation of what a generator yields, by that of the generator; empty if it has none."""
    _, bracket, rest = returns.partition("[")
    return split_outside(rest.rstrip()[:-1], ",")[0] if bracket else ""


def _typing(
    resolver: Resolver, module: int, scope: int, value: Value, inner: Sequence[str]
) -> Value:
    last = value.name.rpartition(".")[2]
    if last == "Self":
        owner = resolver.class_around(module, scope)
        return Value(Sort.INSTANCE, owner) if owner else Unknown.UNTYPED
    if last == "Union":
        return _only(resolver, module, scope, inner)
    if inner and last in _WRAPPERS:
        return _only(resolver, module, scope, inner[:1])
    if last == "Type":
        return _class_of(_only(resolver, module, scope, inner))
    if last in _SHAPELESS or last in _WRAPPERS:
        return Unknown.UNTYPED
    return Value(Sort.INSTANCE, _GENERICS.get(last, value.name))


def _class_of(value: Value) -> Value:
    return Value(Sort.CLASS, value.name) if value.sort is Sort.INSTANCE else Unknown.UNTYPED


def _only(resolver: Resolver, module: int, scope: int, parts: Sequence[str]) -> Value:
    told = [part for part in (part.strip() for part in parts) if part and part != "None"]
    if len(told) != 1:
        return Unknown.SEVERAL
    return resolver.annotation(module, scope, told[0])
