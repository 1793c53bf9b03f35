"""What functions are given: their call sites, and what each of these says of a parameter."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from pydocs_builder.resolved import items
from pydocs_builder.resolved.chains import Arguments, arguments_of
from pydocs_builder.resolved.signatures import starred_names
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

__all__ = ["CallSite", "Callers", "argument", "given", "rest_item", "word_item"]

_ENOUGH: Final = 64


class CallSite(NamedTuple):
    """One call: the arguments as written, those of partial calls first, or what is passed itself.

    `is_bound` tells that the first parameter is not among them.
    """

    parts: tuple[tuple[Site, str], ...]
    is_bound: bool = False
    first: Values = ()


class Callers:
    """The call sites of all functions and what is stored in objects; it owns what is known so far.

    `stored` has for an object and a name, or a container and a key, the values stored there,
    `receivers` for a class method the classes that it is called on.
    """

    def __init__(self) -> None:
        self.stored: dict[tuple[tuple[object, ...], object], Values] = {}
        self.receivers: dict[Place, dict[str, None]] = {}
        self.has_grown = False
        self._sites: dict[Place, dict[CallSite, None]] = {}
        self._keys: dict[tuple[object, ...], dict[object, None]] = {}

    def add(self, place: Place, site: CallSite) -> None:
        """Adds a call of a function."""
        sites = self._sites.setdefault(place, {})
        if site not in sites:
            sites[site] = None
            self.has_grown = True

    def receive(self, place: Place, owner: str) -> None:
        """Adds a class that a class method is called on."""
        owners = self.receivers.setdefault(place, {})
        if owner not in owners:
            owners[owner] = None
            self.has_grown = True

    def of(self, place: Place) -> list[CallSite]:
        """The calls of a function that are known so far."""
        return list(self._sites.get(place, ()))

    def store(self, owner: tuple[object, ...], key: object, values: Values) -> None:
        """Adds what is stored in an object under a name, or in a container under a key."""
        if values[0].sort is Sort.UNKNOWN:
            return
        before = self.stored.get((owner, key), ())
        after = joined([before, values]) if before else values
        if after != before:
            self.stored[owner, key] = after
            self._keys.setdefault(owner, {})[key] = None
            self.has_grown = True

    def keys(self, owner: tuple[object, ...]) -> list[object]:
        """The keys under which something is stored in a container."""
        return list(self._keys.get(owner, ()))


class _Parameters(NamedTuple):
    positional: tuple[str, ...]
    rest: str
    keyword: tuple[str, ...]
    words: str


def given(resolver: Resolver, place: Place, name: str) -> Values:
    """What a parameter of a function is, by all calls and by its default."""
    return resolver.once(("given", place, name), _given, resolver, place, name)


def argument(resolver: Resolver, site: Site, text: str) -> Values:
    """What an argument is."""
    if not text or text[0] in "'-0123456789":
        return (Unknown.UNTYPED,)
    return resolver.settle(resolver.values(site, text))


def rest_item(resolver: Resolver, place: Place, key: str) -> Values:
    """An item of `*args`; of all of them without a number."""
    resolver.is_open = True
    parameters = _parameters_at(resolver, place)
    start = len(parameters.positional)
    found: list[Values] = []
    for call in resolver.callers.of(place)[:_ENOUGH]:
        elements = list(_positional(call))
        skipped = start - call.is_bound
        if key.isdecimal() and not any(one.stars for _, one in elements):
            elements = elements[skipped + int(key) : skipped + int(key) + 1]
        else:
            elements = elements[skipped:]
        for site, one in elements:
            values = argument(resolver, site, one.chain)
            if one.stars:
                values = joined(items.item(resolver, value, "*") for value in values)
            found.append(values)
    return joined(found, Unknown.ITEM)


def word_item(resolver: Resolver, place: Place, key: str) -> Values:
    """An item of `**kwargs`; of all of them without a key."""
    resolver.is_open = True
    parameters = _parameters_at(resolver, place)
    taken = {*parameters.positional, *parameters.keyword}
    found: list[Values] = []
    for call in resolver.callers.of(place)[:_ENOUGH]:
        for site, given_ in _parts(call):
            for name, text in given_.named.items():
                if name not in taken and key in ("", "*", f"'{name}'"):
                    found.append(argument(resolver, site, text))
            for text in given_.mappings:
                values = argument(resolver, site, text)
                found += [
                    items.item(resolver, value, "" if key == "*" else key) for value in values
                ]
    return joined(found, Unknown.ITEM)


def _given(resolver: Resolver, place: Place, name: str) -> Values:
    resolver.is_open = True
    parameters = _parameters_at(resolver, place)
    if name == parameters.rest:
        return (Value(Sort.INSTANCE, "builtins.tuple", held=Held("rest", place=place)),)
    if name == parameters.words:
        return (Value(Sort.INSTANCE, "builtins.dict", held=Held("words", place=place)),)
    found: list[Values] = []
    sites = resolver.callers.of(place)
    needs_default = not sites
    for call in sites[:_ENOUGH]:
        values = _passed(resolver, call, parameters, name)
        if values is None:
            needs_default = True
        else:
            found.append(values)
    if needs_default:
        found.append(_default(resolver, place, name))
    return joined(found, Unknown.PARAMETER)


def _default(resolver: Resolver, place: Place, name: str) -> Values:
    module, scope = place
    bindings = resolver.scopes[module].bindings
    if isinstance(scope, str):
        home = resolver.scopes[module].lambdas[scope].scope
        found = bindings.get((home, f"{name}@{scope[1:]}="), ())
        return resolver.bound(Site(module, home), found) if found else (Unknown.PARAMETER,)
    found = bindings.get((scope, f"{name}="), ())
    return resolver.bound(Site(module, scope), found) if found else (Unknown.PARAMETER,)


def _passed(
    resolver: Resolver, call: CallSite, parameters: _Parameters, name: str
) -> Values | None:
    """What one call passes for a parameter; None where it passes nothing."""
    found = None
    if name in parameters.positional:
        found = _by_place(resolver, call, parameters.positional.index(name) - call.is_bound)
    return _by_name(resolver, call, name) if found is None else found


def _by_place(resolver: Resolver, call: CallSite, wanted: int) -> Values | None:
    if call.first:
        if wanted == 0:
            return call.first
        wanted -= 1
    for at, (site, one) in enumerate(_positional(call)):
        if one.stars:
            key = str(max(0, wanted - at))
            values = argument(resolver, site, one.chain)
            return joined(items.item(resolver, value, key) for value in values)
        if at == wanted:
            return argument(resolver, site, one.chain)
    return None


def _by_name(resolver: Resolver, call: CallSite, name: str) -> Values | None:
    for site, written in _parts(call):
        if name in written.named:
            return argument(resolver, site, written.named[name])
    for site, written in _parts(call):
        for text in written.mappings:
            values = argument(resolver, site, text)
            found = joined(items.item(resolver, value, f"'{name}'") for value in values)
            if found[0].sort is not Sort.UNKNOWN:
                return found
    return None


def _parts(call: CallSite) -> Iterator[tuple[Site, Arguments]]:
    for site, text in call.parts:
        yield site, arguments_of(text)


def _positional(call: CallSite) -> Iterator[tuple[Site, Element]]:
    for site, written in _parts(call):
        for one in written.positional:
            yield site, one


def _parameters_at(resolver: Resolver, place: Place) -> _Parameters:
    module, scope = place
    scopes = resolver.scopes[module]
    if isinstance(scope, str):
        return _parameters(scopes.lambdas[scope].annotation)
    return _parameters(scopes.module.parsed.symbols[scope].signature)


@lru_cache(maxsize=16_384)
def _parameters(signature: str) -> _Parameters:
    positional: list[str] = []
    keyword: list[str] = []
    rest = words = ""
    is_keyword = False
    for name in starred_names(signature):
        if name.startswith("**"):
            words = name[2:]
        elif name.startswith("*"):
            rest = name[1:].strip()
            is_keyword = True
        elif name not in ("", "/"):
            (keyword if is_keyword else positional).append(name)
    return _Parameters(tuple(positional), rest, tuple(keyword), words)
