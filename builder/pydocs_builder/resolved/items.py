"""What containers hold, and what `for`, `with` and subscripts make of a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from pydocs_builder.resolved import called, given
from pydocs_builder.resolved.values import Held, Sort, Unknown, Value, Values, joined

if TYPE_CHECKING:
    from pydocs_builder.resolved.resolver import Resolver

__all__ = ["MAPPINGS", "entered", "item"]

MAPPINGS: Final = frozenset(
    {"builtins.dict", "collections.OrderedDict", "collections.defaultdict", "collections.Counter"}
    | {"collections.ChainMap", "collections.abc.Mapping", "collections.abc.MutableMapping"}
    | {"typing.Mapping", "typing.MutableMapping"}
)
"""Containers of which a loop gives the keys."""


def item(resolver: Resolver, value: Value, key: str) -> Values:
    """What a subscript of a value gives.

    Args:
        resolver: what the value is from.
        value: the value.
        key: `'a'`, `0`, `:` for a slice, `*` for what a loop gives, or nothing for any key.
    """
    if value.sort is Sort.UNKNOWN or key == ":":
        return (value,)
    if value.sort is Sort.CLASS:
        # An enumeration gives its members; a generic class stays what it is.
        return (Value(Sort.INSTANCE, value.name),) if key == "*" else (value,)
    if value.sort is not Sort.INSTANCE:
        return (Unknown.ITEM,)
    if value.name in resolver.names.kinds or value.place:
        return _of_object(resolver, value, key)
    if value.held is None:
        return (Unknown.ITEM,)
    # A container may hold itself.
    return resolver.once(("item", value, key), _of_container, resolver, value, key)


def entered(resolver: Resolver, value: Value) -> Values:
    """What `with value as x` binds; the value itself where nothing else is known."""
    if value.sort is Sort.INSTANCE and (value.name in resolver.names.kinds or value.place):
        for name in ("__enter__", "__aenter__"):
            methods = resolver.attribute(value, name)
            found = joined(called.called(resolver, one, None, "") for one in methods)
            if found[0].sort is not Sort.UNKNOWN:
                return found
    return (value,)


def _of_container(resolver: Resolver, value: Value, key: str) -> Values:
    if value.held is None:
        return (Unknown.ITEM,)
    found = [_held_item(resolver, value, value.held, key)]
    if value.held.identity:
        found += _stored(resolver, value, ("container", value.held.identity), key)
    return joined(found, Unknown.ITEM)


def _of_object(resolver: Resolver, value: Value, key: str) -> Values:
    if key != "*":
        methods = resolver.attribute(value, "__getitem__")
        return joined((called.called(resolver, one, None, "") for one in methods), Unknown.ITEM)
    for name in ("__iter__", "__aiter__"):
        methods = resolver.attribute(value, name)
        if methods[0].sort is Sort.FUNCTION:
            iterators = joined(called.called(resolver, one, None, "") for one in methods)
            return joined((_next(resolver, one) for one in iterators), Unknown.ITEM)
    if resolver.attribute(value, "__getitem__")[0].sort is Sort.FUNCTION:
        return _of_object(resolver, value, "")
    return (Unknown.ITEM,)


def _next(resolver: Resolver, iterator: Value) -> Values:
    if iterator.sort is Sort.INSTANCE and iterator.name in resolver.names.kinds:
        for name in ("__next__", "__anext__"):
            methods = resolver.attribute(iterator, name)
            if methods[0].sort is Sort.FUNCTION:
                return joined(called.called(resolver, one, None, "") for one in methods)
        return (Unknown.ITEM,)
    return item(resolver, iterator, "*")


def _stored(resolver: Resolver, value: Value, owner: tuple[object, ...], key: str) -> list[Values]:
    resolver.is_open = True
    if key == "*" and value.name in MAPPINGS:
        return []
    keys = resolver.callers.keys(owner)
    is_list = value.name not in MAPPINGS
    wanted = keys if key in ("", "*") or is_list else [one for one in keys if one in (key, "")]
    return [resolver.stored(owner, one) for one in wanted]


def _held_item(resolver: Resolver, value: Value, held: Held, key: str) -> Values:
    found = _HELD.get(held.kind)
    return found(resolver, value, held, key) if found else (Unknown.ITEM,)


def _of_like(resolver: Resolver, value: Value, held: Held, key: str) -> Values:
    del value
    return joined(
        item(resolver, one, "*" if one.name in MAPPINGS or not _is_number(key) else key)
        for one in held.values
    )


def _of_values(resolver: Resolver, value: Value, held: Held, key: str) -> Values:
    del value, key
    return item(resolver, held.values[0], "")


def _of_pairs(resolver: Resolver, value: Value, held: Held, key: str) -> Values:
    del value, key
    return (_row((Unknown.ITEM,), item(resolver, held.values[0], "")),)


def _of_rows(resolver: Resolver, value: Value, held: Held, key: str) -> Values:
    del value, key
    columns = (joined(item(resolver, one, "*") for one in each) for each in held.columns)
    return (_row(*columns),)


def _of_row(resolver: Resolver, value: Value, held: Held, key: str) -> Values:
    del resolver, value
    columns = held.columns
    if _is_number(key):
        number = int(key)
        return columns[number] if -len(columns) <= number < len(columns) else (Unknown.ITEM,)
    return joined(columns, Unknown.ITEM)


def _of_results(resolver: Resolver, value: Value, held: Held, key: str) -> Values:
    del value, key
    return joined(called.called(resolver, one, None, "") for one in held.values)


def _of_rest(resolver: Resolver, value: Value, held: Held, key: str) -> Values:
    del value
    return given.rest_item(resolver, held.place, key)


def _of_words(resolver: Resolver, value: Value, held: Held, key: str) -> Values:
    del value
    return (Unknown.ITEM,) if key == "*" else given.word_item(resolver, held.place, key)


def _of_yields(resolver: Resolver, value: Value, held: Held, key: str) -> Values:
    del value, key
    return called.yielded_by(resolver, held.place)


def _of_namespace(resolver: Resolver, value: Value, held: Held, key: str) -> Values:
    del value
    if key[:1] != "'":
        return (Unknown.ITEM,)
    return resolver.attribute(Value(Sort.MODULE, held.texts[0]), key[1:-1])


def _row(*columns: Values) -> Value:
    return Value(Sort.INSTANCE, "builtins.tuple", held=Held("row", columns=columns))


def _of_display(resolver: Resolver, value: Value, held: Held, key: str) -> Values:
    site, elements = held.site, held.elements
    if value.name in MAPPINGS:
        if key == "*":
            return (Unknown.ITEM,)
        found: list[Values] = []
        for one in elements:
            if one.stars:
                mappings = given.argument(resolver, site, one.chain)
                found += [item(resolver, mapping, key) for mapping in mappings]
            elif not key or not one.key or one.key == key:
                found.append(given.argument(resolver, site, one.chain))
        return joined(found, Unknown.ITEM)
    has_star = any(one.stars for one in elements)
    if _is_number(key) and not has_star and -len(elements) <= int(key) < len(elements):
        return given.argument(resolver, site, elements[int(key)].chain)
    found = []
    for one in elements:
        values = given.argument(resolver, site, one.chain)
        found += [item(resolver, each, "*") for each in values] if one.stars else [values]
    return joined(found, Unknown.ITEM)


def _of_annotated(resolver: Resolver, value: Value, held: Held, key: str) -> Values:
    inner, site = held.texts, held.site
    if value.name == "builtins.tuple":
        if len(inner) == 2 and inner[1].strip() == "...":  # noqa: PLR2004 - `tuple[X, ...]`
            inner = inner[:1]
        elif _is_number(key) and -len(inner) <= int(key) < len(inner):
            inner = (inner[int(key)],)
    elif value.name in MAPPINGS:
        inner = inner[:1] if key == "*" else inner[-1:]
    else:
        inner = inner[:1]
    return joined(
        (resolver.annotation(site.module, site.scope, one.strip()) for one in inner), Unknown.ITEM
    )


def _is_number(key: str) -> bool:
    return key.removeprefix("-").isdecimal()


_HELD: Final[Mapping[str, Callable[[Resolver, Value, Held, str], Values]]] = {
    "annotated": _of_annotated,
    "display": _of_display,
    "like": _of_like,
    "namespace": _of_namespace,
    "pairs": _of_pairs,
    "rest": _of_rest,
    "results": _of_results,
    "row": _of_row,
    "rows": _of_rows,
    "values": _of_values,
    "words": _of_words,
    "yields": _of_yields,
}
