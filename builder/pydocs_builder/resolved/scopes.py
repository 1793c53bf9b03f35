"""The names that the functions of a module bind, grouped so that one look finds them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from pydocs_builder.extracted.names import bound_name, bound_target, origin_of
from pydocs_builder.extracted.symbols import Module
from pydocs_builder.resolved.signatures import parameter_names
from pydocs_builder.resolved.values import Value
from pydocs_native.records import Binding

__all__ = ["Scopes", "definition_sites", "module_scopes", "parameter_position"]


_LONG: Final = 1_000
_FIRST_PARAMETER: Final = re.compile(r"(?:\[[^()]{0,200}\])?\((\w+)")


class Scopes(NamedTuple):
    """What one module binds below its top, by scope and name, and what was found there so far.

    `nested` are functions and classes inside functions; `locals` the names that a function binds
    without telling a type; `attributes` what methods assign to their
    first parameter, by class; `parameters` those of each function. The last four are memos.
    """

    module: Module
    nested: dict[tuple[int, str], int]
    imports: dict[tuple[int, str], tuple[str, str]]
    bindings: dict[tuple[int, str], list[Binding]]
    attributes: dict[tuple[int, str], list[Binding]]
    locals: frozenset[tuple[int, str]]
    parameters: dict[int, dict[str, int]]
    names: dict[tuple[int, str], Value]
    chains: dict[tuple[int, str], Value]
    annotations: dict[tuple[int, str], Value]


def module_scopes(module: Module) -> Scopes:
    """The scopes of one module, with empty memos."""
    symbols = module.parsed.symbols
    nested = {
        (symbol.parent, symbol.name): number
        for number, symbol in enumerate(symbols)
        if symbol.parent >= 0
        and symbol.kind != "attribute"
        and symbols[symbol.parent].kind == "function"
    }
    imports: dict[tuple[int, str], tuple[str, str]] = {}
    for item in module.parsed.imports:
        if item.scope >= 0 and item.name != "*":
            origin = origin_of(item, module)
            if origin:
                imports[item.scope, bound_name(item)] = bound_target(item, origin)
    bindings: dict[tuple[int, str], list[Binding]] = {}
    attributes: dict[tuple[int, str], list[Binding]] = {}
    for binding in module.parsed.bindings:
        receiver, dot, attribute = binding.target.partition(".")
        if not dot:
            bindings.setdefault((binding.scope, receiver), []).append(binding)
        elif binding.scope >= 0 and "." not in attribute:
            function = symbols[binding.scope]
            if function.parent >= 0 and receiver == _first_parameter(function.signature):
                attributes.setdefault((function.parent, attribute), []).append(binding)
    locals_ = frozenset(module.parsed.locals)
    return Scopes(module, nested, imports, bindings, attributes, locals_, {}, {}, {}, {})


def parameter_position(scopes: Scopes, scope: int, name: str) -> int:
    """Where a function has a parameter of that name, from 0; -1 where it has none."""
    signature = scopes.module.parsed.symbols[scope].signature
    if len(signature) < _LONG and name not in signature:
        return -1
    found = scopes.parameters.get(scope)
    if found is None:
        names = parameter_names(signature)
        found = scopes.parameters[scope] = {name: at for at, name in enumerate(names)}
    return found.get(name, -1)


def definition_sites(modules: Sequence[Module]) -> dict[str, tuple[int, int]]:
    """For each definition-site name the module and parsed symbol that define it."""
    sites: dict[str, tuple[int, int]] = {}
    for number, module in enumerate(modules):
        prefix = module.name + "."
        for index, symbol in enumerate(module.parsed.symbols):
            sites.setdefault(prefix + symbol.qualname, (number, index))
    return sites


def _first_parameter(signature: str) -> str:
    match = _FIRST_PARAMETER.match(signature)
    return match[1] if match else ""
