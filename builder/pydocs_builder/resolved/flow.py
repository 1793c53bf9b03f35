"""What every call of a target calls, found in rounds, since values flow through what they call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from pydocs_builder.extracted.symbols import Module
from pydocs_builder.resolved.called import called, decorated, entry_places
from pydocs_builder.resolved.chains import arguments_of
from pydocs_builder.resolved.given import CallSite, argument
from pydocs_builder.resolved.resolver import Resolver
from pydocs_builder.resolved.values import Place, Site, Sort, Unknown, Value, Values, joined
from pydocs_native.records import Binding, Call, Use

__all__ = ["Found", "find_callees", "find_run"]

_MOST_ROUNDS: Final = 4
# Methods of containers that put an argument into them: which one, and whether all it holds.
_STORING: Final = {
    "add": (0, False),
    "append": (0, False),
    "appendleft": (0, False),
    "insert": (1, False),
    "put": (0, False),
    "setdefault": (1, False),
    "extend": (0, True),
    "update": (0, True),
}
_OBJECTS: Final = (Sort.INSTANCE, Sort.CLASS, Sort.MODULE, Sort.FUNCTION)
_FORWARD: Final = {"__bool__": "__len__", "__format__": "__str__", "__contains__": "__iter__"}

Known = Mapping[tuple[int, int, int], Sequence[str]]
"""Callees that something else knows: by file, line and column of the call their names."""


Entries = dict[Value, list[tuple[Place, bool]]]
"""For each value that is called the functions that take the arguments."""


class Found(NamedTuple):
    """A call, or a method that a statement or an operator runs, with all that it may call."""

    site: Site
    call: Call | Use
    callees: Values


def find_callees(
    modules: Sequence[Module], resolver: Resolver, known: Known | None = None
) -> list[list[Found]]:
    """For each module its calls and what they call, by place.

    Args:
        modules: the modules, as the resolver has them.
        resolver: what their expressions stand for; it learns from each call.
        known: what calls call, where that is known better. Values flow through these too.
    """
    sites = [
        [_site(resolver, number, module, call) for call in module.parsed.calls]
        for number, module in enumerate(modules)
    ]
    found: list[list[Found]] = [[] for _ in modules]
    waiting = [(number, at) for number, calls in enumerate(sites) for at in range(len(calls))]
    entries: Entries = {}
    for _ in range(_MOST_ROUNDS):
        again: list[tuple[int, int]] = []
        closed: dict[tuple[Site, str], Values] = {}
        for number, at in waiting:
            site, call = sites[number][at], modules[number].parsed.calls[at]
            key = (resolver.spot(site, call.callee), call.callee)
            callees = closed.get(key)
            if callees is not None and not call.arguments and not known:
                # The same call again, in the same scope.
                _keep(found[number], at, Found(site, call, callees))
                continue
            resolver.is_open = False
            values = _called(resolver, modules[number].file, site, call, known)
            callees = _with_properties(values, resolver.callees(values))
            if resolver.is_open:
                again.append((number, at))
            elif not call.is_decorator:
                closed[key] = callees
            one = Found(site, call, callees)
            _keep(found[number], at, one)
            if values[0].sort is not Sort.UNKNOWN:
                _learn(resolver, one, values, entries)
        for number, scopes in enumerate(resolver.scopes):
            _store(resolver, number, scopes.subscripted, scopes.assigned)
        if not again or not resolver.again():
            break
        waiting = again
    return found


def find_run(modules: Sequence[Module], resolver: Resolver) -> list[list[Found]]:
    """For each module the methods of the target that its statements and operators run."""
    special = {
        name
        for members in resolver.names.members.values()
        for name in members
        if name.startswith("__")
    }
    found: list[list[Found]] = []
    # What the same expression runs in the same scope.
    seen: dict[tuple[Site, str, str], Values] = {}
    for number, module in enumerate(modules):
        found.append([])
        for used in module.parsed.uses:
            if used.form == "run" and not special.isdisjoint(asked_for(used.chain)):
                site = resolver.whole(number, used.scope)
                key = (site, used.chain, used.arguments)
                methods = seen.get(key)
                if methods is None:
                    methods = seen[key] = run_by(resolver, site, used)
                if methods and methods[0].sort is Sort.FUNCTION:
                    found[number].append(Found(site, used, methods))
    return found


@lru_cache(maxsize=256)
def _instead(method: str) -> tuple[str, ...]:
    """A special method, and those that may run in its place."""
    names = [method]
    while names[-1] in _FORWARD:
        names.append(_FORWARD[names[-1]])
    if method.startswith("__i"):
        names.append("__" + method[3:])
    return (*names, "__r" + names[-1][2:])


def asked_for(chain: str) -> tuple[str, ...]:
    """The special methods that may run where the last one of a chain is asked for."""
    return _instead(chain[chain.rfind(".") + 1 :])


def _with_properties(values: Values, callees: Values) -> Values:
    """Callees with the properties that give them: these run first."""
    getters = [one for one in values if one[0] is Sort.PROPERTY]
    if not getters:
        return callees
    return joined([*((Value(Sort.FUNCTION, one.name),) for one in getters), callees])


def _keep(found: list[Found], at: int, one: Found) -> None:
    """Puts what was found of a call at its place; in the first round they come in order."""
    if at < len(found):
        found[at] = one
    else:
        found.append(one)


def _site(resolver: Resolver, number: int, module: Module, call: Call) -> Site:
    scope = call.scope
    if call.is_decorator and scope >= 0:
        # A decorator stands outside of what it decorates.
        return resolver.whole(number, module.parsed.symbols[scope].parent)
    return Site(number, scope, call.at)


def _called(resolver: Resolver, file: int, site: Site, call: Call, known: Known | None) -> Values:
    values = resolver.values(site, call.callee)
    if known:
        names = known.get((file, call.line, call.column))
        if names:
            return joined([values, tuple(map(resolver.value_of, names))])
    return values


def run_by(resolver: Resolver, site: Site, used: Use) -> Values:
    """The methods of the target that a statement or an operator runs."""
    operand, _, method = used.chain.rpartition(".")
    objects = resolver.settle(resolver.values(site, operand))
    found = [methods_of(resolver, one, method) for one in objects]
    if method.startswith("__i") and method not in ("__iter__", "__invert__"):
        found += [methods_of(resolver, one, "__" + method[3:]) for one in objects]
    if used.arguments and not any(each[0].sort is Sort.FUNCTION for each in found if each):
        others = argument(resolver, site, used.arguments)
        found += [methods_of(resolver, one, "__r" + method[2:]) for one in others]
    if method in ("__iter__", "__aiter__"):
        found += _next_of(resolver, found, method)
    return joined(each for each in found if each)


def methods_of(resolver: Resolver, value: Value, method: str) -> Values:
    """A special method of an object of the target, or what Python runs in its place; or nothing."""
    if value.sort is Sort.CLASS and value.name in resolver.names.kinds:
        meta = resolver.metaclass(value.name) if method in ("__iter__", "__contains__") else ""
        value = Value(Sort.INSTANCE, meta) if meta else value
    if value.sort is not Sort.INSTANCE or value.name not in resolver.names.kinds:
        return ()
    name: str | None = method
    while name:
        found = tuple(one for one in resolver.attribute(value, name) if one.sort is Sort.FUNCTION)
        if found:
            return found
        name = _FORWARD.get(name)
    return ()


def _next_of(resolver: Resolver, methods: Iterable[Values], method: str) -> Iterator[Values]:
    wanted = "__next__" if method == "__iter__" else "__anext__"
    for one in [each for values in methods for each in values]:
        for iterator in called(resolver, one, None, ""):
            yield methods_of(resolver, iterator, wanted)


def _learn(  # noqa: C901 - one for each sort of callee
    resolver: Resolver,
    one: Found,
    values: Values,
    entries: Entries,
) -> None:
    """What a call tells of the functions it calls, and of the containers it puts things into."""
    site, call = one.site, one.call
    arguments = call.arguments
    for value in resolver.settle(values):
        parts: tuple[tuple[Site, str], ...] = ((site, arguments),) if arguments else ()
        while value.sort is Sort.PARTIAL:
            if value.given is not None and value.given[1]:
                parts = (value.given, *parts)
            value = value.inner[0]  # noqa: PLW2901 - what it is made of
        if value.sort is Sort.OUTSIDE_MEMBER and arguments and value.inner:
            _put(resolver, site, value, arguments)
        elif value.name == "builtins.setattr" and arguments:
            _set(resolver, site, arguments)
        found = entries.get(value)
        if found is None:
            found = entries[value] = entry_places(resolver, value)
        if not parts and isinstance(call, Call) and call.is_decorator:
            # What it decorates is what it is given.
            decorated(resolver, resolver.of_symbol(site.module, call.scope))
            continue
        for place, is_bound in found:
            resolver.callers.add(place, CallSite(parts, is_bound))
            if value.owner and isinstance(place[1], int):
                symbol = resolver.symbol((place[0], place[1]))
                if "classmethod" in symbol.decorators:
                    resolver.callers.receive(place, value.owner)


def _put(resolver: Resolver, site: Site, value: Value, arguments: str) -> None:
    held, method = value.inner[0].held, value.name.rpartition(".")[2]
    stores = _STORING.get(method)
    if method == "send" and held is not None and held.kind == "yields":
        written = arguments_of(arguments).positional
        values = argument(resolver, site, written[0].chain) if written else (Unknown.UNTYPED,)
        resolver.callers.store(("sent", held.place), "", values)
    if stores is None or held is None or held.identity is None:
        return
    written = arguments_of(arguments).positional
    number, is_whole = stores
    if number >= len(written):
        return
    text = written[number].chain + ("[*]" if is_whole else "")
    values = argument(resolver, site, text)
    if method == "update":
        values = argument(resolver, site, written[number].chain + "[]")
    key = written[0].chain if method == "setdefault" else ""
    resolver.callers.store(("container", held.identity), key, values)


def _set(resolver: Resolver, site: Site, arguments: str) -> None:
    written = arguments_of(arguments).positional
    if len(written) == 3 and written[1].chain[:1] == "'":  # noqa: PLR2004 - object, name, value
        values = argument(resolver, site, written[2].chain)
        for one in argument(resolver, site, written[0].chain):
            resolver.callers.store(("object", one.name), written[1].chain[1:-1], values)


def _store(
    resolver: Resolver, number: int, subscripted: Sequence[Binding], assigned: Sequence[Binding]
) -> None:
    """What assignments put into containers and into objects that are not their own."""
    for binding in subscripted:
        if binding.value[:1] in ("", "<"):
            continue
        base, _, key = binding.target[:-1].rpartition("[")
        site = Site(number, binding.scope, max(-1, binding.at - 1))
        for one in resolver.settle(resolver.values(site, base)):
            if one.held is not None and one.held.identity is not None:
                values = argument(resolver, site, binding.value)
                resolver.callers.store(("container", one.held.identity), key, values)
    for binding in assigned:
        if binding.value[:1] in ("", "<"):
            continue
        base, _, name = binding.target.rpartition(".")
        site = Site(number, binding.scope, max(-1, binding.at - 1))
        for one in resolver.settle(resolver.values(site, base)):
            if one.sort in _OBJECTS and (
                one.name in resolver.names.kinds or resolver.names.is_inside(one.name)
            ):
                values = argument(resolver, site, binding.value)
                resolver.callers.store(("object", one.name), name, values)
