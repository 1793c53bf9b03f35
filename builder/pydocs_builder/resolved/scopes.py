"""The names that the functions of a module bind, grouped so that one look finds them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pydocs_builder.extracted.names import bound_name, bound_target, origin_of
from pydocs_builder.extracted.symbols import Module
from pydocs_builder.resolved.signatures import parameter_names
from pydocs_native.records import Binding, Call

__all__ = ["Scopes", "definition_sites"]


_LONG: Final = 1_000
_RESULTS: Final = ("return", "yield")
_FIRST_PARAMETER: Final = re.compile(r"(?:\[[^()]{0,200}\])?\((\w+)")


class Scopes:
    """What one module binds, by scope and name; it owns the parameters found so far.

    `nested` are functions and classes inside functions, `imports` what functions and classes
    import, `bindings` all assignments to names, `attributes` what methods assign to their first
    parameter, by class, `globals` what functions assign to names that they declare global,
    `lambdas` the lambdas by their chains, `decorations` the decorators of each symbol, `locals`
    the names that a function binds in any way, `known` these, imports and what is nested,
    without parameters, `moving` those whose value depends on the place;
    `subscripted` and `assigned` are assignments to items and to attributes of other objects.
    """

    def __init__(self, module: Module) -> None:
        symbols = module.parsed.symbols
        self.module = module
        self.nested: dict[tuple[int, str], list[int]] = {}
        for number, symbol in enumerate(symbols):
            is_inside = symbol.parent >= 0 and symbols[symbol.parent].kind == "function"
            if is_inside and symbol.kind != "attribute":
                self.nested.setdefault((symbol.parent, symbol.name), []).append(number)
        self.imports: dict[tuple[int, str], tuple[str, str]] = {}
        for item in module.parsed.imports:
            if item.scope >= 0 and item.name != "*":
                origin = origin_of(item, module)
                if origin:
                    self.imports[item.scope, bound_name(item)] = bound_target(item, origin)
        self.decorations: dict[int, list[Call]] = {}
        for call in module.parsed.calls:
            if call.is_decorator:
                self.decorations.setdefault(call.scope, []).append(call)
        self.locals = frozenset(module.parsed.locals)
        self.bindings: dict[tuple[int, str], list[Binding]] = {}
        self.attributes: dict[tuple[int, str], list[Binding]] = {}
        self.globals: dict[str, list[Binding]] = {}
        self.lambdas: dict[str, Binding] = {}
        self.subscripted: list[Binding] = []
        self.assigned: list[Binding] = []
        for binding in module.parsed.bindings:
            self._bind(binding)
        self.moving = frozenset(
            key[1]
            for several in (self.bindings, self.nested)
            for key in several
            if len(self.bindings.get(key, ())) + len(self.nested.get(key, ())) > 1
            or (key in self.bindings and self._may_be_parameter(*key))
        )
        self.known = frozenset({*self.locals, *self.bindings, *self.nested, *self.imports})
        self._parameters: dict[int, dict[str, int]] = {}

    def parameter(self, scope: int, name: str) -> int | None:
        """Where a function has a parameter of that name, from 0; None where it has none."""
        found = self._parameters.get(scope)
        if found is None:
            signature = self.module.parsed.symbols[scope].signature
            if len(signature) < _LONG and name not in signature:
                return None
            names = parameter_names(signature)
            found = self._parameters[scope] = {name: at for at, name in enumerate(names)}
        return found.get(name)

    def _may_be_parameter(self, scope: int, name: str) -> bool:
        symbols = self.module.parsed.symbols
        return scope >= 0 and symbols[scope].kind == "function" and name in symbols[scope].signature

    def _bind_outside(self, binding: Binding) -> None:
        """An assignment to a name that is declared nonlocal or global."""
        if not binding.target.isidentifier():
            return
        symbols = self.module.parsed.symbols
        scope = symbols[binding.scope].parent
        while scope >= 0:
            if (scope, binding.target) in self.locals:
                outer = binding._replace(is_straight=False, again=0)
                self.bindings.setdefault((scope, binding.target), []).append(outer)
                return
            scope = symbols[scope].parent
        self.globals.setdefault(binding.target, []).append(binding)

    def _bind(self, binding: Binding) -> None:
        target, scope = binding.target, binding.scope
        if target[-1] == "]":
            self.subscripted.append(binding)
            return
        if target[0] == "\\":
            self.lambdas[target] = binding
        receiver, dot, attribute = target.partition(".")
        if not dot:
            self.bindings.setdefault((scope, receiver), []).append(binding)
            if scope >= 0 and receiver not in _RESULTS and (scope, receiver) not in self.locals:
                self._bind_outside(binding)
            return
        if scope >= 0 and "." not in attribute:
            symbols = self.module.parsed.symbols
            function = symbols[scope]
            if function.parent >= 0 and receiver == _first_parameter(function.signature):
                key = (function.parent, attribute)
                self.attributes.setdefault(key, []).append(binding)
                return
        self.assigned.append(binding)


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
