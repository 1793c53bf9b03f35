"""What calls give: objects, what functions return, and what some callables of Python return."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from pydocs_builder.resolved import given, items
from pydocs_builder.resolved.annotations import yielded
from pydocs_builder.resolved.chains import arguments_of
from pydocs_builder.resolved.standard import RESULTS
from pydocs_builder.resolved.values import (
    Element,
    Held,
    Place,
    Site,
    Sort,
    Unknown,
    Value,
    Values,
    joined,
)

if TYPE_CHECKING:
    from pydocs_builder.resolved.resolver import Resolver

__all__ = ["called", "decorated", "entry_places", "yielded_by"]

_LIST: Final = "builtins.list"
_LIKE: Final = frozenset(
    {"builtins.frozenset", "builtins.iter", "builtins.list", "builtins.reversed", "builtins.set"}
    | {"builtins.sorted", "builtins.tuple", "collections.deque", "itertools.chain"}
    | {"itertools.cycle", "copy.copy", "copy.deepcopy", "builtins.dict", "collections.OrderedDict"}
    | {"itertools.islice", "itertools.chain.from_iterable"}
)
_SAME: Final = frozenset(
    {"copy.copy", "copy.deepcopy", "functools.cache", "functools.lru_cache"}
    | {"builtins.staticmethod", "builtins.classmethod", "contextlib.contextmanager"}
)
_CLASSES: Final = frozenset({"collections.OrderedDict", "collections.deque"})
_CONSTRUCTORS: Final = ("__init__", "__new__")
_GETTERS: Final = frozenset({"get", "pop", "setdefault", "__getitem__", "popleft"})


def called(  # noqa: PLR0911 - one for each sort
    resolver: Resolver, value: Value, site: Site | None, arguments: str
) -> Values:
    """What a call of a value gives.

    Args:
        resolver: what the value is from.
        value: what is called.
        site: where, for the names in the arguments; None where they do not matter.
        arguments: what it is given, where that decides.
    """
    match value.sort:
        case Sort.CLASS:
            return _made(resolver, value, site, arguments)
        case Sort.FUNCTION | Sort.LOCAL:
            return _of_function(resolver, value, site)
        case Sort.LAMBDA:
            return _of_lambda(resolver, value)
        case Sort.PARTIAL:
            return called(resolver, value.inner[0], site, arguments)
        case Sort.INSTANCE:
            methods = resolver.call_of(value)
            return joined(called(resolver, one, site, arguments) for one in methods)
        case Sort.OUTSIDE | Sort.OUTSIDE_MEMBER:
            return _of_outside(resolver, value, site, arguments)
        case Sort.PROPERTY | Sort.ATTRIBUTE:
            held = resolver.settle((value,))
            return joined(called(resolver, one, site, arguments) for one in held)
    return (value if value.sort is Sort.UNKNOWN else Unknown.UNTYPED,)


def decorated(resolver: Resolver, value: Value) -> Values:
    """What the name of a function means after its decorators; nothing where that is the function.

    A decorator from outside is taken to give what it is given.
    """
    place = resolver.place_of(value)
    if place[0] < 0 or value.inner:
        return ()
    if place[1] not in resolver.scopes[place[0]].decorations:
        return ()
    return resolver.once(("decorated", place), _decorated, resolver, value, place)


def yielded_by(resolver: Resolver, place: Place) -> Values:
    """What a generator yields."""
    return resolver.once(("yielded", place), _returned_as, resolver, place, "yield")


def _decorated(resolver: Resolver, value: Value, place: tuple[int, int]) -> Values:
    module, number = place
    symbol = resolver.symbol(place)
    site = Site(module, symbol.parent)
    raw = value._replace(owner="", inner=(value,))
    found: Values = (raw,)
    calls = resolver.scopes[module].decorations[number]
    for call, text in zip(reversed(calls), reversed(symbol.decorators), strict=False):
        decorators = resolver.settle(resolver.values(site, call.callee))
        if text.endswith(")"):
            decorators = joined(called(resolver, one, site, call.arguments) for one in decorators)
        results: list[Values] = []
        for one in decorators:
            given_place = _function_place(resolver, one)
            if given_place is not None:
                is_bound = one.sort in (Sort.CLASS, Sort.INSTANCE) or bool(one.owner)
                resolver.callers.add(given_place, given.CallSite((), is_bound, found))
            if given_place is not None or _is_own_class(resolver, one):
                results.append(called(resolver, one, site, ""))
        after = joined(results)
        if after[0].sort is not Sort.UNKNOWN:
            found = after
    return () if found == (raw,) else found


def _is_own_class(resolver: Resolver, value: Value) -> bool:
    return value.sort is Sort.CLASS and value.name in resolver.names.kinds


def _function_place(resolver: Resolver, value: Value) -> Place | None:
    """The function that runs when a value is called, be it `__init__` or `__call__`."""
    for place, _ in entry_places(resolver, value):
        return place
    return None


def entry_places(resolver: Resolver, value: Value) -> list[tuple[Place, bool]]:
    """The functions that take the arguments of a call, and whether their first is given already."""
    is_own = value.name in resolver.names.kinds or value.place is not None
    match value.sort:
        case Sort.FUNCTION | Sort.LOCAL:
            place = resolver.place_of(value)
            if place[0] >= 0 and resolver.symbol(place).kind == "class":
                return _method_places(resolver, value._replace(place=place), _CONSTRUCTORS)
            return [(place, bool(value.owner))] if place[0] >= 0 else []
        case Sort.LAMBDA if value.place:
            return [((value.place[0], value.name), False)]
        case Sort.CLASS if is_own:
            return _method_places(resolver, value, _CONSTRUCTORS)
        case Sort.INSTANCE if is_own:
            return _method_places(resolver, value, ("__call__",))
    return []


def _method_places(
    resolver: Resolver, value: Value, methods: Sequence[str]
) -> list[tuple[Place, bool]]:
    found: list[tuple[Place, bool]] = []
    for name in methods:
        for one in resolver.attribute(value._replace(sort=Sort.INSTANCE), name):
            place = resolver.place_of(one)
            if one.sort in (Sort.FUNCTION, Sort.LOCAL) and place[0] >= 0:
                found.append((place, True))
    return found


def _of_function(resolver: Resolver, value: Value, site: Site | None) -> Values:
    place = resolver.place_of(value)
    if place[0] < 0:
        return (Unknown.UNTYPED,)
    symbol = resolver.symbol(place)
    if symbol.kind == "class":
        return (Value(Sort.INSTANCE, value.name, place=place),)
    means = decorated(resolver, value)
    if means:
        found = joined(called(resolver, one, site, "") for one in means if one.place != place)
        if found[0].sort is not Sort.UNKNOWN:
            return found
    found = resolver.once(("returned", place), _returned, resolver, place)
    if value.owner and symbol.parent >= 0:
        return tuple(_as_receiver(resolver, one, value.owner, place) for one in found)
    return found


def _as_receiver(resolver: Resolver, value: Value, owner: str, place: tuple[int, int]) -> Value:
    """What a method gives that gives its own object: one of the class that it is called on."""
    symbol = resolver.symbol(place)
    module = resolver.scopes[place[0]].module.name
    declaring = f"{module}.{resolver.symbol((place[0], symbol.parent)).qualname}"
    if value.name != declaring or value.sort not in (Sort.INSTANCE, Sort.CLASS):
        return value
    first = symbol.signature[1:].partition(",")[0].partition(")")[0].partition(":")[0].strip()
    own = {first, f"{first}()", f"{first}.__class__()", f"type({first})()"}
    returns = resolver.scopes[place[0]].bindings.get((place[1], "return"), ())
    is_own = "Self" in symbol.returns or (
        not symbol.returns and any(one.value in own for one in returns)
    )
    return value._replace(name=owner) if is_own else value


def _returned(resolver: Resolver, place: tuple[int, int]) -> Values:
    """What a function of the target returns: by its annotation, else by what it returns."""
    module, number = place
    symbol = resolver.symbol(place)
    returns = symbol.returns
    is_context = any(one.endswith("contextmanager") for one in symbol.decorators)
    if is_context:
        # `with f() as x` is the one use of it, and x is what the generator yields.
        returns = yielded(returns)
    if returns:
        found = resolver.annotation(module, number, returns)
        if found[0].sort is not Sort.UNKNOWN:
            return found
    if (number, "yield") in resolver.scopes[module].bindings:
        if is_context:
            return yielded_by(resolver, place)
        held = Held("yields", place=place)
        return (Value(Sort.INSTANCE, "builtins.generator", held=held),)
    return _returned_as(resolver, place, "return")


def _returned_as(resolver: Resolver, place: Place, target: str) -> Values:
    module, number = place
    if isinstance(number, str):
        return (Unknown.UNTYPED,)
    bindings = resolver.scopes[module].bindings.get((number, target), ())
    return resolver.bound(Site(module, number), bindings) if bindings else (Unknown.UNTYPED,)


def _of_lambda(resolver: Resolver, value: Value) -> Values:
    module, scope = value.place or (-1, -1)
    binding = resolver.scopes[module].lambdas.get(value.name)
    if binding is None or not binding.value:
        return (Unknown.UNTYPED,)
    return resolver.settle(resolver.values(Site(module, scope), binding.value))


def _made(resolver: Resolver, value: Value, site: Site | None, arguments: str) -> Values:
    name = value.name
    if value.place or name in resolver.names.kinds:
        return (Value(Sort.INSTANCE, name, place=value.place),)
    if site is None:
        return (Value(Sort.INSTANCE, name),)
    maker = _MAKERS.get(name)
    if maker is not None:
        return maker(resolver, value, site, arguments)
    if name in _LIKE:
        return _like(resolver, value, site, arguments)
    if name in _SAME:
        return _argument(resolver, site, arguments, 0)
    return (Value(Sort.INSTANCE, name),)


def _of_outside(resolver: Resolver, value: Value, site: Site | None, arguments: str) -> Values:
    name = value.name
    result = RESULTS.get(name)
    if result is not None:
        return (Value(Sort.INSTANCE, result),)
    last = name.rpartition(".")[2]
    found: Values = (Unknown.RESULT,)
    if value.sort is Sort.OUTSIDE_MEMBER:
        if value.inner and site is not None:
            found = _of_container(resolver, value.inner[0], last, site, arguments)
        return found
    if site is not None and name in _MAKERS:
        return _MAKERS[name](resolver, value, site, arguments)
    if site is not None and name in _SAME:
        found = _argument(resolver, site, arguments, 0)
        return found if found[0].sort is not Sort.UNKNOWN else (Unknown.RESULT,)
    if site is not None and name in _LIKE:
        return _like(resolver, value, site, arguments)
    # By convention a capitalised name is a class.
    return (Value(Sort.INSTANCE, name),) if last[:1].isupper() else found


def _of_container(  # noqa: PLR0911 - one for each kind of method
    resolver: Resolver, receiver: Value, method: str, site: Site, arguments: str
) -> Values:
    if receiver.held is None:
        return (Unknown.RESULT,)
    if method in _GETTERS:
        written = arguments_of(arguments).positional
        key = written[0].chain if written else ""
        key = key if key[:1] in ("'", "-") or key[:1].isdecimal() else ""
        found = [items.item(resolver, receiver, key)]
        if len(written) > 1:
            found.append(given.argument(resolver, site, written[1].chain))
        return joined(found)
    if method in ("send", "__next__"):
        return items.item(resolver, receiver, "*")
    if method == "values":
        return (Value(Sort.INSTANCE, "builtins.dict_values", held=Held("values", (receiver,))),)
    if method == "items":
        return (Value(Sort.INSTANCE, "builtins.dict_items", held=Held("pairs", (receiver,))),)
    if method in ("copy", "__iter__"):
        return (receiver,)
    return (Unknown.RESULT,)


def _argument(resolver: Resolver, site: Site, arguments: str, number: int) -> Values:
    written = arguments_of(arguments).positional
    if number >= len(written) or written[number].stars:
        return (Unknown.UNTYPED,)
    return given.argument(resolver, site, written[number].chain)


def _like(resolver: Resolver, value: Value, site: Site, arguments: str) -> Values:
    """A container of what another one holds."""
    is_class = value.sort is Sort.CLASS or value.name in _CLASSES
    name = value.name if is_class else _LIST
    written = arguments_of(arguments)
    if written.named and name in items.MAPPINGS:
        elements = tuple(Element(text, f"'{word}'") for word, text in written.named.items())
        return (Value(Sort.INSTANCE, name, held=Held("display", site=site, elements=elements)),)
    found = joined([given.argument(resolver, site, one.chain) for one in written.positional])
    if found[0].sort is Sort.UNKNOWN:
        return (Value(Sort.INSTANCE, name),)
    if name in items.MAPPINGS and all(one.name in items.MAPPINGS for one in found):
        return found
    inner = tuple(dict.fromkeys(each for one in found for each in _original(one)))
    return (Value(Sort.INSTANCE, name, held=Held("like", inner)),)


def _original(value: Value) -> Values:
    """The containers that a copy is made of, lest `x = list(x)` grows without end."""
    held = value.held
    if held is not None and held.kind == "like" and held.identity is None:
        return held.values
    return (value,)


def _partial(resolver: Resolver, value: Value, site: Site, arguments: str) -> Values:
    del value
    first, _, rest = arguments.partition(",")
    functions = given.argument(resolver, site, first)
    return tuple(
        Value(Sort.PARTIAL, one.name, inner=(one,), given=(site, rest))
        if one.sort is not Sort.UNKNOWN
        else one
        for one in functions
    )


def _getattr(resolver: Resolver, value: Value, site: Site, arguments: str) -> Values:
    del value
    written = arguments_of(arguments).positional
    if len(written) < 2 or written[1].chain[:1] != "'":  # noqa: PLR2004 - an object and a name
        return (Unknown.RESULT,)
    objects = given.argument(resolver, site, written[0].chain)
    return joined(resolver.attribute(one, written[1].chain[1:-1]) for one in objects)


def _next(resolver: Resolver, value: Value, site: Site, arguments: str) -> Values:
    del value
    return joined(items.item(resolver, one, "*") for one in _argument(resolver, site, arguments, 0))


def _extreme(resolver: Resolver, value: Value, site: Site, arguments: str) -> Values:
    written = arguments_of(arguments).positional
    if len(written) == 1:
        return _next(resolver, value, site, arguments)
    return joined(given.argument(resolver, site, one.chain) for one in written)


def _cast(resolver: Resolver, value: Value, site: Site, arguments: str) -> Values:
    del value
    first = arguments.partition(",")[0]
    return resolver.annotation(site.module, site.scope, first) if first else (Unknown.RESULT,)


def _imported(resolver: Resolver, value: Value, site: Site, arguments: str) -> Values:
    del value, site
    first = arguments.partition(",")[0]
    return (resolver.value_of(first[1:-1]) if first[:1] == "'" else Unknown.RESULT,)


def _namespace(resolver: Resolver, value: Value, site: Site, arguments: str) -> Values:
    del value, arguments
    held = Held("namespace", texts=(resolver.scopes[site.module].module.name,))
    return (Value(Sort.INSTANCE, "builtins.dict", held=held),)


def _type(resolver: Resolver, value: Value, site: Site, arguments: str) -> Values:
    written = arguments_of(arguments).positional
    if len(written) != 1:
        return (Value(Sort.INSTANCE, value.name),)
    objects = given.argument(resolver, site, written[0].chain)
    return tuple(
        Value(Sort.CLASS, one.name, place=one.place)
        if one.sort is Sort.INSTANCE
        else Unknown.UNTYPED
        for one in objects
    )


def _map(resolver: Resolver, value: Value, site: Site, arguments: str) -> Values:
    functions = _argument(resolver, site, arguments, 0)
    return (Value(Sort.INSTANCE, value.name, held=Held("results", functions)),)


def _filter(resolver: Resolver, value: Value, site: Site, arguments: str) -> Values:
    found = _argument(resolver, site, arguments, 1)
    return (Value(Sort.INSTANCE, value.name, held=Held("like", found)),)


def _zip(resolver: Resolver, value: Value, site: Site, arguments: str) -> Values:
    columns = tuple(
        given.argument(resolver, site, one.chain) for one in arguments_of(arguments).positional
    )
    if value.name == "builtins.enumerate":
        columns = ((Unknown.ITEM,), *columns[:1])
    return (Value(Sort.INSTANCE, value.name, held=Held("rows", columns=columns)),)


_MAKERS: Final[dict[str, Callable[[Resolver, Value, Site, str], Values]]] = {
    "builtins.__import__": _imported,
    "builtins.enumerate": _zip,
    "builtins.filter": _filter,
    "builtins.getattr": _getattr,
    "builtins.globals": _namespace,
    "builtins.map": _map,
    "builtins.max": _extreme,
    "builtins.min": _extreme,
    "builtins.next": _next,
    "builtins.type": _type,
    "builtins.zip": _zip,
    "functools.partial": _partial,
    "functools.partialmethod": _partial,
    "importlib.import_module": _imported,
    "typing.cast": _cast,
    "typing_extensions.cast": _cast,
}
