"""The value that an annotation promises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pydocs_builder.resolved.signatures import split_outside
from pydocs_builder.resolved.values import Held, Site, Sort, Unknown, Value, Values, joined

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


def annotated(resolver: Resolver, site: Site, text: str) -> Values:
    """The values that an annotation promises: an instance of its class, mostly.

    `X | None` and `Optional[X]` promise X.
    """
    text = text.strip()
    if text[:1] in ("'", '"'):
        text = text.strip("'\"").strip()
    if "|" in text:
        return _any_of(resolver, site, split_outside(text, "|"))
    head, bracket, rest = text.partition("[")
    head = head.strip()
    if not all(part.isidentifier() for part in head.split(".")):
        return (Unknown.UNTYPED,)
    inner = split_outside(rest.rstrip()[:-1], ",") if bracket else []
    values = resolver.settle(resolver.values(site, head))
    return joined(_promised(resolver, site, value, inner) for value in values)


def yielded(returns: str) -> str:
    """The annotation of what a generator yields, by that of the generator; empty if it has none."""
    _, bracket, rest = returns.partition("[")
    return split_outside(rest.rstrip()[:-1], ",")[0] if bracket else ""


def _promised(resolver: Resolver, site: Site, value: Value, inner: Sequence[str]) -> Values:
    if value.name.startswith(_TYPING):
        return _typing(resolver, site, value, inner)
    if inner and value.name in _CLASSES:
        return _class_of(_any_of(resolver, site, inner))
    if value.sort in (Sort.CLASS, Sort.OUTSIDE):
        held = None
        if inner and value.name not in resolver.names.kinds:
            held = Held("annotated", site=site, texts=tuple(inner))
        return (Value(Sort.INSTANCE, value.name, held=held),)
    if value.sort is Sort.LOCAL and value.place:
        return (Value(Sort.INSTANCE, value.name, place=value.place),)
    return (Unknown.UNTYPED,)


def _typing(resolver: Resolver, site: Site, value: Value, inner: Sequence[str]) -> Values:
    last = value.name.rpartition(".")[2]
    if last == "Self":
        owner = resolver.class_around(site.module, site.scope)
        return (Value(Sort.INSTANCE, owner) if owner else Unknown.UNTYPED,)
    if last == "Union":
        return _any_of(resolver, site, inner)
    if inner and last in _WRAPPERS:
        return _any_of(resolver, site, inner[:1])
    if last == "Type":
        return _class_of(_any_of(resolver, site, inner))
    if last in _SHAPELESS or last in _WRAPPERS:
        return (Unknown.UNTYPED,)
    held = Held("annotated", site=site, texts=tuple(inner)) if inner else None
    return (Value(Sort.INSTANCE, _GENERICS.get(last, value.name), held=held),)


def _class_of(values: Values) -> Values:
    return tuple(
        Value(Sort.CLASS, value.name) if value.sort is Sort.INSTANCE else Unknown.UNTYPED
        for value in values
    )


def _any_of(resolver: Resolver, site: Site, parts: Sequence[str]) -> Values:
    told = [part for part in (part.strip() for part in parts) if part and part != "None"]
    return joined(resolver.annotation(site.module, site.scope, part) for part in told)
