"""What an expression stands for, as far as names, annotations and constructors tell.

A chain such as `self.pool().get` is followed link by link, through scopes, imports, class bases,
`self` attributes and return annotations. Where a link cannot be known the value is *unknown* and
says why: no edge is better than an invented one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pydocs_builder.extracted.names import Names
from pydocs_builder.extracted.symbols import Definitions, Module
from pydocs_builder.resolved.annotations import annotated, yielded
from pydocs_builder.resolved.builtin_names import BUILTIN_CLASSES, BUILTIN_NAMES
from pydocs_builder.resolved.lineage import Lineage
from pydocs_builder.resolved.scopes import definition_sites, module_scopes, parameter_position
from pydocs_builder.resolved.values import LOCAL, Sort, Unknown, Value
from pydocs_bundle.records import Kind
from pydocs_native.records import Binding, ParsedSymbol

__all__ = ["Resolver"]

_DEEPEST: Final = 40
_SUPER: Final = "builtins.super"
_KINDS: Final = {
    Kind.MODULE: Sort.MODULE,
    Kind.CLASS: Sort.CLASS,
    Kind.FUNCTION: Sort.FUNCTION,
    Kind.METHOD: Sort.FUNCTION,
    Kind.PROPERTY: Sort.PROPERTY,
    Kind.ATTRIBUTE: Sort.ATTRIBUTE,
}
_CLASS_RECEIVERS: Final = frozenset({"__class_getitem__", "__init_subclass__", "__new__"})
_ACCESSORS: Final = frozenset({"deleter", "getter", "setter"})
_NOWHERE: Final = (-1, -1)


class Resolver:
    """The values of a whole target; it owns what has been found so far.

    A scope is given as the number of its module and its index there, as the parser counts.

    Args:
        modules: the modules of the target, in the order of `definitions.owners`.
        definitions: their drafts.
        names: their names, followed.
    """

    def __init__(self, modules: Sequence[Module], definitions: Definitions, names: Names) -> None:
        self._definitions = definitions
        self._names = names
        self._scopes = [module_scopes(module) for module in modules]
        self._sites = definition_sites(modules)
        self._bases: dict[str, tuple[str, ...]] = {}
        self._results: dict[str, Value] = {}
        self._held: dict[str, Value] = {}
        self._depth = 0
        self.lineage = Lineage(names, self.bases, self.value_of)

    def evaluate(self, module: int, scope: int, chain: str) -> Value:
        """What a dotted chain stands for in a scope."""
        memo = self._scopes[module].chains
        key = (scope, chain)
        found = memo.get(key)
        if found is None:
            if self._depth > _DEEPEST:
                return Unknown.TOO_DEEP
            # In its own definition a value is not known yet.
            memo[key] = Unknown.UNTYPED
            self._depth += 1
            found = memo[key] = self._evaluate(module, scope, chain)
            self._depth -= 1
        return found

    def callee(self, module: int, scope: int, chain: str) -> Value:
        """What a call of a chain calls: a class, a function, an attribute, or a name outside."""
        value = self.evaluate(module, scope, chain)
        if value.sort is Sort.PROPERTY:
            value = self.settle(value)
        elif value.sort is Sort.ATTRIBUTE:
            held = self.settle(value)
            if held.sort in (Sort.CLASS, Sort.FUNCTION, Sort.OUTSIDE):
                return held
            # Whatever the attribute holds, its name is what is called.
            called = self.lineage.member(held.name, "__call__")
            is_known = held.sort is Sort.INSTANCE and called.sort is Sort.FUNCTION
            return called if is_known else value
        return self._call_of(value) if value.sort is Sort.INSTANCE else value

    def settle(self, value: Value) -> Value:
        """The value that a property or an attribute holds; any other value is itself."""
        if value.sort is Sort.PROPERTY:
            return self._result(value.name)
        if value.sort is not Sort.ATTRIBUTE:
            return value
        found = self._held.get(value.name)
        if found is None:
            if self._depth > _DEEPEST:
                return Unknown.TOO_DEEP
            self._held[value.name] = Unknown.UNTYPED
            self._depth += 1
            found = self._held[value.name] = self._assigned(value.name)
            self._depth -= 1
        return found

    def annotation(self, module: int, scope: int, text: str) -> Value:
        """The value that an annotation in a scope promises."""
        memo = self._scopes[module].annotations
        key = (scope, text)
        found = memo.get(key)
        if found is None:
            if self._depth > _DEEPEST:
                return Unknown.TOO_DEEP
            memo[key] = Unknown.UNTYPED
            self._depth += 1
            found = memo[key] = annotated(self, module, scope, text)
            self._depth -= 1
        return found

    def bases(self, name: str) -> tuple[str, ...]:
        """The bases of a class of the target by their definition-site names, in order."""
        found = self._bases.get(name)
        if found is None:
            self._bases[name] = ()
            module, number = self._sites.get(name, _NOWHERE)
            if module < 0:
                return ()
            parent = self._scopes[module].module.parsed.symbols[number].parent
            written = self._definitions.drafts[self._definitions.by_name[name]].bases
            bases = [self._base(module, parent, base) for base in written]
            found = self._bases[name] = tuple(base for base in bases if base)
        return found

    def site(self, name: str) -> tuple[int, int]:
        """The module and the parsed symbol that define a name; -1 where none does."""
        return self._sites.get(name, _NOWHERE)

    def value_of(self, name: str) -> Value:
        """The value that a definition-site name stands for."""
        kind = self._names.kinds.get(name)
        if kind is not None:
            return Value(_KINDS[kind], name)
        return Value(Sort.MODULE if self._names.is_inside(name) else Sort.OUTSIDE, name)

    def class_around(self, module: int, scope: int) -> str:
        """The innermost class around a scope; empty where there is none, or it is local."""
        parsed = self._scopes[module].module
        while scope != -1:
            symbol = parsed.parsed.symbols[scope]
            if symbol.kind == "class":
                name = f"{parsed.name}.{symbol.qualname}"
                return name if name in self._names.kinds else ""
            scope = symbol.parent
        return ""

    def _evaluate(self, module: int, scope: int, chain: str) -> Value:
        head, *links = chain.split(".")
        value = self._head(module, scope, head)
        for link in links:
            if value.sort is Sort.UNKNOWN:
                break
            name, suffix = _cut(link)
            value = self._attribute(value, name)
            if suffix:
                value = self._suffixed(value, suffix)
        return value

    def _head(self, module: int, scope: int, link: str) -> Value:
        if link.startswith("<"):
            name, _, suffix = link[1:].partition(">")
            if name == "expression":
                return Unknown.EXPRESSION
            return self._suffixed(Value(Sort.INSTANCE, f"builtins.{name}"), suffix)
        name, suffix = _cut(link)
        value = self._look_up(module, scope, name)
        if not suffix:
            return value
        if value.name == _SUPER and suffix == "()":
            owner = self.class_around(module, scope)
            return Value(Sort.SUPER, owner) if owner else Unknown.UNTYPED
        return self._suffixed(value, suffix)

    def _look_up(self, module: int, scope: int, name: str) -> Value:
        """What a plain name stands for in a scope: local, enclosing, module, builtin."""
        memo = self._scopes[module].names
        key = (scope, name)
        found = memo.get(key)
        if found is None:
            found = self._enclosing(module, scope, name) or self._global(module, scope, name)
            memo[key] = found
        return found

    def _enclosing(self, module: int, scope: int, name: str) -> Value | None:
        symbols = self._scopes[module].module.parsed.symbols
        is_innermost = True
        while scope != -1:
            symbol = symbols[scope]
            found: Value | None = None
            if symbol.kind == "function":
                found = self._in_function(module, scope, name)
            elif is_innermost:
                # What stands in a class is not seen from its methods.
                found = self._in_class(module, scope, name)
            if found is not None:
                return found
            is_innermost = False
            scope = symbol.parent
        return None

    def _global(self, module: int, scope: int, name: str) -> Value:
        target = self._names.follow(self._scopes[module].module.name, name)
        if target:
            return self.value_of(target)
        if name in BUILTIN_NAMES:
            sort = Sort.CLASS if name in BUILTIN_CLASSES else Sort.OUTSIDE
            return Value(sort, f"builtins.{name}")
        return Unknown.UNDEFINED if scope == -1 else Unknown.LOCAL

    def _in_class(self, module: int, scope: int, name: str) -> Value | None:
        scopes = self._scopes[module]
        owner = f"{scopes.module.name}.{scopes.module.parsed.symbols[scope].qualname}"
        member = self._names.members.get(owner, {}).get(name)
        if member is not None:
            return self.value_of(member)
        imported = scopes.imports.get((scope, name))
        return self._imported(*imported) if imported else None

    def _in_function(self, module: int, scope: int, name: str) -> Value | None:
        scopes = self._scopes[module]
        key = (scope, name)
        if key in scopes.nested:
            return LOCAL
        if key in scopes.imports:
            return self._imported(*scopes.imports[key])
        if key in scopes.bindings:
            return self._bound(module, scopes.bindings[key])
        position = parameter_position(scopes, scope, name)
        if position < 0:
            return Unknown.LOCAL if key in scopes.locals else None
        symbol = scopes.module.parsed.symbols[scope]
        is_first = position == 0 and symbol.parent >= 0
        return self._receiver(module, symbol) if is_first else Unknown.PARAMETER

    def _receiver(self, module: int, symbol: ParsedSymbol) -> Value:
        """What the first parameter of a method is."""
        parsed = self._scopes[module].module
        owner = parsed.parsed.symbols[symbol.parent]
        if owner.kind != "class" or "staticmethod" in symbol.decorators:
            return Unknown.PARAMETER
        name = f"{parsed.name}.{owner.qualname}"
        if name not in self._names.kinds:
            return LOCAL
        is_class = symbol.name in _CLASS_RECEIVERS or "classmethod" in symbol.decorators
        return Value(Sort.CLASS if is_class else Sort.INSTANCE, name)

    def _imported(self, origin: str, name: str) -> Value:
        if not name:
            return self.value_of(origin)
        target = self._names.follow(origin, name)
        return self.value_of(target) if target else Unknown.UNDEFINED

    def _bound(self, module: int, bindings: Sequence[Binding]) -> Value:
        """The one type that assignments agree on; those that tell nothing are left out."""
        found: Value | None = None
        for binding in bindings:
            if binding.annotation:
                value = self.annotation(module, binding.scope, binding.annotation)
                if value.sort is not Sort.UNKNOWN:
                    return value
                continue
            if not binding.value or binding.value == "<NoneType>":
                continue
            value = self.settle(self.evaluate(module, binding.scope, binding.value))
            if value.sort is Sort.UNKNOWN or value == found:
                continue
            if found is not None:
                return Unknown.SEVERAL
            found = value
        return found or Unknown.UNTYPED

    def _assigned(self, name: str) -> Value:
        """What an attribute holds, by the assignments in its module or class."""
        module, number = self._sites.get(name, _NOWHERE)
        if module < 0:
            return Unknown.UNTYPED
        scopes = self._scopes[module]
        symbol = scopes.module.parsed.symbols[number]
        key = (symbol.parent, symbol.name)
        return self._bound(module, [*scopes.bindings.get(key, ()), *scopes.attributes.get(key, ())])

    def _attribute(self, value: Value, name: str) -> Value:
        if value.sort is Sort.PROPERTY and name in _ACCESSORS:
            return Value(Sort.OUTSIDE_MEMBER, f"builtins.property.{name}")
        value = self.settle(value)
        match value.sort:
            case Sort.MODULE:
                target = self._names.follow(value.name, name)
                return self.value_of(target) if target else Unknown.NO_MEMBER
            case Sort.CLASS | Sort.INSTANCE:
                return self._member(value, name)
            case Sort.SUPER:
                return self.lineage.member(value.name, name, after=True)
            case Sort.OUTSIDE:
                return Value(Sort.OUTSIDE, f"{value.name}.{name}")
        return value if value.sort is Sort.UNKNOWN else Unknown.UNTYPED

    def _member(self, value: Value, name: str) -> Value:
        if value.name in self._names.kinds:
            return self.lineage.member(value.name, name)
        return Value(Sort.OUTSIDE_MEMBER, f"{value.name}.{name}")

    def _suffixed(self, value: Value, suffix: str) -> Value:
        for position in range(0, len(suffix), 2):
            value = self._called(value) if suffix[position] == "(" else _item(value)
        return value

    def _called(self, value: Value) -> Value:
        """What a call of a value gives."""
        value = self.settle(value)
        if value.sort is Sort.INSTANCE:
            value = self._call_of(value)
        match value.sort:
            case Sort.CLASS:
                return Value(Sort.INSTANCE, value.name)
            case Sort.FUNCTION:
                return self._result(value.name)
            case Sort.OUTSIDE if value.name.rpartition(".")[2][:1].isupper():
                # By convention a capitalised name is a class.
                return Value(Sort.INSTANCE, value.name)
            case Sort.OUTSIDE | Sort.OUTSIDE_MEMBER:
                return Unknown.RESULT
        return value if value.sort is Sort.UNKNOWN else Unknown.UNTYPED

    def _call_of(self, value: Value) -> Value:
        if value.name in self._names.kinds:
            called = self.lineage.member(value.name, "__call__")
            return called if called.sort is Sort.FUNCTION else Unknown.UNTYPED
        return Unknown.UNTYPED

    def _result(self, name: str) -> Value:
        """What a function of the target returns, by its annotation."""
        found = self._results.get(name)
        if found is None:
            self._results[name] = Unknown.UNTYPED
            module, number = self._sites.get(name, _NOWHERE)
            found = Unknown.UNTYPED
            if module >= 0:
                symbol = self._scopes[module].module.parsed.symbols[number]
                returns = symbol.returns
                if any(decorator.endswith("contextmanager") for decorator in symbol.decorators):
                    # `with f() as x` is the one use of it, and x is what the generator yields.
                    returns = yielded(returns)
                if returns:
                    found = self.annotation(module, number, returns)
            self._results[name] = found
        return found

    def _base(self, module: int, scope: int, written: str) -> str:
        name = written.partition("[")[0].strip()
        if not all(part.isidentifier() for part in name.split(".")):
            return ""
        value = self.settle(self.evaluate(module, scope, name))
        return value.name if value.sort in (Sort.CLASS, Sort.OUTSIDE) else name


def _cut(link: str) -> tuple[str, str]:
    """A link without its calls and subscripts, and these."""
    if link[-1:] not in (")", "]"):
        return link, ""
    name = link.partition("(")[0].partition("[")[0]
    return name, link[len(name) :]


def _item(value: Value) -> Value:
    return value if value.sort in (Sort.CLASS, Sort.UNKNOWN) else Unknown.ITEM
