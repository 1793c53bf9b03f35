"""What code reads, writes and raises by name, and what it passes to callables that call it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pydocs_builder.extracted.symbols import Module
from pydocs_builder.resolved.chains import arguments_of
from pydocs_builder.resolved.flow import Found, methods_of
from pydocs_builder.resolved.given import argument
from pydocs_builder.resolved.resolver import Resolver
from pydocs_builder.resolved.standard import CALLING, PROTOCOLS
from pydocs_builder.resolved.values import Site, Sort, Value, Values
from pydocs_bundle.records import ReferenceKind
from pydocs_native.records import Use

__all__ = ["Access", "accesses", "passed"]


class Access(NamedTuple):
    """One edge: its kind, the scope it is from, what it leads to, and its place."""

    kind: ReferenceKind
    scope: int
    target: str
    line: int
    column: int


def accesses(number: int, module: Module, resolver: Resolver) -> Iterator[Access]:
    """What a module reads, writes and raises of the target; a property that is read is called."""
    for used in module.parsed.uses:
        if used.form == "raise":
            for value in resolver.settle(
                resolver.values(resolver.whole(number, used.scope), used.chain)
            ):
                if value.sort is Sort.CLASS:
                    yield _access(ReferenceKind.CALL, used, value.name)
        elif used.form != "run":
            yield from _accessed(number, module, resolver, used)


def passed(found: Sequence[Found], resolver: Resolver) -> Iterator[Access]:
    """What the calls of a module have called by what they call: callbacks and special methods."""
    for site, call, callees in found:
        if not call.arguments:
            continue
        for callee in callees:
            if callee.sort not in (Sort.OUTSIDE, Sort.OUTSIDE_MEMBER, Sort.CLASS):
                continue
            for value in _run_by(resolver, site, callee, call.arguments):
                if value.sort in (Sort.FUNCTION, Sort.CLASS) and value.name in resolver.names.kinds:
                    yield Access(ReferenceKind.CALL, call.scope, value.name, call.line, call.column)


def _run_by(resolver: Resolver, site: Site, callee: Value, arguments: str) -> Iterator[Value]:
    places = CALLING.get(callee.name)
    if places is None and callee.sort is Sort.OUTSIDE_MEMBER:
        places = CALLING.get(callee.name.rpartition(".")[2])
    written = arguments_of(arguments)
    for place in places or ():
        text = written.named.get(place, "") if isinstance(place, str) else ""
        if isinstance(place, int) and place < len(written.positional):
            text = written.positional[place].chain
        if text:
            values = [one for one in argument(resolver, site, text) if one.sort is not Sort.UNKNOWN]
            if values:
                yield from resolver.callees(tuple(values))
    for method in PROTOCOLS.get(callee.name, ()):
        for one in written.positional:
            for value in argument(resolver, site, one.chain):
                yield from methods_of(resolver, value, method)


def _accessed(number: int, module: Module, resolver: Resolver, used: Use) -> Iterator[Access]:
    kind = ReferenceKind.READ if used.form == "read" else ReferenceKind.WRITE
    base, dot, name = used.chain.rpartition(".")
    names = resolver.names
    if not dot:
        target = names.follow(module.name, name)
        if target in names.kinds and not names.is_inside(target):
            yield _access(kind, used, target)
        return
    for value in resolver.settle(resolver.values(resolver.whole(number, used.scope), base)):
        for member in _members(resolver, value, name):
            if member.name not in names.kinds or names.is_inside(member.name):
                continue
            if _is_definition(resolver, number, used, member.name):
                continue
            is_call = member.sort is Sort.PROPERTY and value.sort is not Sort.CLASS
            yield _access(ReferenceKind.CALL if is_call else kind, used, member.name)


def _is_definition(resolver: Resolver, number: int, used: Use, name: str) -> bool:
    """Whether this is the assignment that makes an attribute."""
    place = resolver.site(name)
    return place[0] == number and resolver.symbol(place).line == used.line


def _members(resolver: Resolver, value: Value, name: str) -> Values:
    if value.sort is Sort.MODULE:
        target = resolver.names.follow(value.name, name)
        return (resolver.value_of(target),) if target else ()
    if value.sort in (Sort.INSTANCE, Sort.CLASS) and value.name in resolver.names.kinds:
        return (resolver.lineage.member(value.name, name),)
    return ()


def _access(kind: ReferenceKind, used: Use, target: str) -> Access:
    return Access(kind, used.scope, target, used.line, used.column)
