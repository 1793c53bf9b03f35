"""What an expression stands for, as far as names, annotations and constructors tell.

A chain such as `self.pool().get` is followed link by link, through scopes, imports, class bases,
`self` attributes and return annotations. Where a link cannot be known the value is *unknown* and
says why: no edge is better than an invented one.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Final, NamedTuple

from pydocs_builder.builtin_names import BUILTIN_CLASSES, BUILTIN_NAMES
from pydocs_builder.names import Names, absolute, bound_name, bound_target
from pydocs_builder.symbols import Definitions, Module
from pydocs_bundle.records import Kind
from pydocs_native.records import Binding, ParsedSymbol

__all__ = ["Sort", "Value", "Values"]


class Sort(IntEnum):
    """What a value is. `OUTSIDE` is an imported name of another distribution, of any sort."""

    MODULE = 0
    CLASS = 1
    FUNCTION = 2
    PROPERTY = 3
    ATTRIBUTE = 4
    INSTANCE = 5
    SUPER = 6
    OUTSIDE = 7
    LOCAL = 8
    UNKNOWN = 9


class Value(NamedTuple):
    """A value: of a class for `INSTANCE` and `SUPER`, a reason for `UNKNOWN`, else its own name."""

    sort: Sort
    name: str


_DEEPEST: Final = 40
_TOO_DEEP: Final = Value(Sort.UNKNOWN, "too many steps")
_EXPRESSION: Final = Value(Sort.UNKNOWN, "an expression")
_UNTYPED: Final = Value(Sort.UNKNOWN, "a value of unknown type")
_UNTYPED_PARAMETER: Final = Value(Sort.UNKNOWN, "a parameter without type")
_UNDEFINED: Final = Value(Sort.UNKNOWN, "a name that nothing defines")
_NO_MEMBER: Final = Value(Sort.UNKNOWN, "no such attribute")
_SEVERAL: Final = Value(Sort.UNKNOWN, "more than one type")
_INHERITED: Final = Value(Sort.UNKNOWN, "perhaps inherited from outside")
_ITEM: Final = Value(Sort.UNKNOWN, "an item of a container")
_OUTSIDE_RESULT: Final = Value(Sort.UNKNOWN, "the result of a call outside")
_LOCAL: Final = Value(Sort.LOCAL, "")
_SUPER_FUNCTION: Final = "builtins.super"

_KINDS: Final = {
    Kind.MODULE: Sort.MODULE,
    Kind.CLASS: Sort.CLASS,
    Kind.FUNCTION: Sort.FUNCTION,
    Kind.METHOD: Sort.FUNCTION,
    Kind.PROPERTY: Sort.PROPERTY,
    Kind.ATTRIBUTE: Sort.ATTRIBUTE,
}
_TYPING: Final = {
    "Dict": "builtins.dict",
    "FrozenSet": "builtins.frozenset",
    "List": "builtins.list",
    "Set": "builtins.set",
    "Text": "builtins.str",
    "Tuple": "builtins.tuple",
    "DefaultDict": "collections.defaultdict",
    "Deque": "collections.deque",
    "OrderedDict": "collections.OrderedDict",
    "Counter": "collections.Counter",
    "Pattern": "re.Pattern",
    "Match": "re.Match",
}
_WRAPPERS: Final = frozenset(
    {"Annotated", "ClassVar", "Final", "NotRequired", "Optional", "ReadOnly", "Required", "Union"}
    | {"Awaitable"}
)
_SHAPELESS: Final = frozenset({"Any", "Callable", "Hashable", "Literal", "Never", "NoReturn"})
_TYPING_MODULES: Final = ("typing.", "typing_extensions.", "t.")
# Bases that bring no members worth an edge.
_EMPTY_BASES: Final = frozenset(
    {"abc.ABC", "builtins.object", "typing.Generic", "typing.Protocol"}
    | {"typing_extensions.Generic", "typing_extensions.Protocol"}
)
_CLASS_RECEIVERS: Final = frozenset({"__class_getitem__", "__init_subclass__", "__new__"})


class _Scopes(NamedTuple):
    """The names that the functions of one module bind, grouped for look-up."""

    module: Module
    nested: dict[tuple[int, str], int]
    imports: dict[tuple[int, str], tuple[str, str]]
    bindings: dict[tuple[int, str], list[Binding]]
    attributes: dict[tuple[int, str], list[Binding]]
    looked_up: dict[tuple[int, str], Value]
    evaluated: dict[tuple[int, str], Value]
    annotated: dict[tuple[int, str], Value]


class Values:
    """The values of a whole target; it owns what has been evaluated so far.

    Args:
        modules: the modules of the target, in the order of `definitions.owners`.
        definitions: their drafts.
        names: their names, followed.
    """

    def __init__(self, modules: Sequence[Module], definitions: Definitions, names: Names) -> None:
        self._modules = modules
        self._definitions = definitions
        self._names = names
        self._scopes = [_scopes(module, names) for module in modules]
        self._sites = _sites(modules, definitions)
        self._bases: dict[str, tuple[str, ...]] = {}
        self._orders: dict[str, tuple[str, ...]] = {}
        self._found_members: dict[tuple[str, str], Value] = {}
        self._results: dict[str, Value] = {}
        self._settled: dict[str, Value] = {}
        self._depth = 0

    def evaluate(self, module: int, scope: int, chain: str) -> Value:
        """What a dotted chain stands for in a scope of a module."""
        memo = self._scopes[module].evaluated
        key = (scope, chain)
        found = memo.get(key)
        if found is None:
            if self._depth > _DEEPEST:
                return _TOO_DEEP
            # In its own definition a value is not known yet.
            memo[key] = _UNTYPED
            self._depth += 1
            found = memo[key] = self._evaluate(module, scope, chain)
            self._depth -= 1
        return found

    def callee(self, module: int, scope: int, chain: str) -> Value:
        """What a call of a chain calls: a class, a function, an attribute, or a name outside."""
        value = self.evaluate(module, scope, chain)
        if value.sort is Sort.ATTRIBUTE:
            settled = self.settle(value)
            if settled.sort in (Sort.CLASS, Sort.FUNCTION, Sort.OUTSIDE):
                return settled
            if settled.sort is not Sort.INSTANCE:
                return value
            called = self.member(settled.name, "__call__")
            return value if called.sort is Sort.UNKNOWN else called
        if value.sort is Sort.PROPERTY:
            value = self.settle(value)
        if value.sort is Sort.INSTANCE:
            return self.member(value.name, "__call__")
        return value

    def settle(self, value: Value) -> Value:
        """The value that a property or an attribute holds."""
        if value.sort is Sort.PROPERTY:
            return self._result(value.name)
        if value.sort is not Sort.ATTRIBUTE:
            return value
        found = self._settled.get(value.name)
        if found is None:
            if self._depth > _DEEPEST:
                return _TOO_DEEP
            self._settled[value.name] = _UNTYPED
            self._depth += 1
            found = self._settled[value.name] = self._held(value.name)
            self._depth -= 1
        return found

    def bases(self, name: str) -> tuple[str, ...]:
        """The bases of a class of the target by their definition-site names, in order."""
        found = self._bases.get(name)
        if found is None:
            self._bases[name] = ()
            module, number = self._sites.get(name, (-1, -1))
            written: tuple[str, ...] = ()
            if module >= 0:
                symbol = self._modules[module].parsed.symbols[number]
                written = self._definitions.drafts[self._definitions.index[name]].bases
                bases = [self._base(module, symbol.parent, base) for base in written]
                found = tuple(base for base in bases if base)
            found = self._bases[name] = found or ()
        return found

    def order(self, name: str) -> tuple[str, ...]:
        """The method resolution order of a class as far as the target defines it."""
        found = self._orders.get(name)
        if found is None:
            self._orders[name] = (name,)
            if self._depth > _DEEPEST:
                return (name,)
            self._depth += 1
            bases = [base for base in self.bases(name) if base != name]
            lines = [list(self.order(base)) for base in bases]
            found = self._orders[name] = (name, *_linearised([*lines, bases]))
            self._depth -= 1
        return found

    def member(self, owner: str, name: str, *, after: bool = False) -> Value:
        """What `name` is in a class or its bases; `after` begins behind the class itself."""
        key = (owner + "+" if after else owner, name)
        found = self._found_members.get(key)
        if found is None:
            found = self._found_members[key] = self._member(owner, name, after=after)
        return found

    def value_of(self, name: str) -> Value:
        """The value that a definition-site name stands for."""
        kind = self._names.kinds.get(name)
        if kind is not None:
            return Value(_KINDS[kind], name)
        return Value(Sort.MODULE if self._names.is_inside(name) else Sort.OUTSIDE, name)

    def _evaluate(self, module: int, scope: int, chain: str) -> Value:
        links = chain.split(".")
        value = self._head(module, scope, links[0])
        for link in links[1:]:
            if value.sort is Sort.UNKNOWN:
                return value
            name, mark, _ = link.partition("(")
            if not mark:
                name, mark, _ = link.partition("[")
            elif "[" in name:
                name = name.partition("[")[0]
            value = self._attribute(value, name)
            if mark:
                value = self._suffixed(value, link[len(name) :])
        return value

    def _head(self, module: int, scope: int, link: str) -> Value:
        if link.startswith("<"):
            name, _, suffix = link[1:].partition(">")
            value = (
                _EXPRESSION if name == "expression" else Value(Sort.INSTANCE, f"builtins.{name}")
            )
            return self._suffixed(value, suffix) if suffix else value
        cut = len(link)
        for mark in "([":
            position = link.find(mark)
            if 0 <= position < cut:
                cut = position
        value = self.look_up(module, scope, link[:cut])
        suffix = link[cut:]
        if not suffix:
            return value
        if value.name == _SUPER_FUNCTION and suffix == "()":
            owner = self._class_around(module, scope)
            return Value(Sort.SUPER, owner) if owner else _UNTYPED
        return self._suffixed(value, suffix)

    def look_up(self, module: int, scope: int, name: str) -> Value:
        """What a plain name stands for in a scope: local, enclosing, module, builtin."""
        memo = self._scopes[module].looked_up
        key = (scope, name)
        found = memo.get(key)
        if found is None:
            found = self._look_up(module, scope, name)
            memo[key] = found
        return found

    def _look_up(self, module: int, scope: int, name: str) -> Value:
        scopes = self._scopes[module]
        symbols = scopes.module.parsed.symbols
        inner = True
        while scope != -1:
            symbol = symbols[scope]
            if symbol.kind == "function":
                found = self._in_function(module, scope, name)
                if found is not None:
                    return found
            elif inner:
                owner = f"{scopes.module.name}.{symbol.qualname}"
                member = self._names.members.get(owner, {}).get(name)
                if member is not None:
                    return self.value_of(member)
                if (scope, name) in scopes.imports:
                    return self._imported(*scopes.imports[scope, name])
            inner = False
            scope = symbol.parent
        target = self._names.follow(scopes.module.name, name)
        if target:
            return self.value_of(target)
        if name in BUILTIN_NAMES:
            sort = Sort.CLASS if name in BUILTIN_CLASSES else Sort.OUTSIDE
            return Value(sort, f"builtins.{name}")
        return _UNDEFINED

    def _in_function(self, module: int, scope: int, name: str) -> Value | None:
        scopes = self._scopes[module]
        key = (scope, name)
        if key in scopes.nested:
            return _LOCAL
        if key in scopes.imports:
            return self._imported(*scopes.imports[key])
        symbol = scopes.module.parsed.symbols[scope]
        bindings = scopes.bindings.get(key)
        if bindings is not None:
            return self._bound(module, bindings)
        if name not in symbol.signature:
            return None
        parameters = _parameters(symbol.signature)
        if name not in parameters:
            return None
        if parameters[0] == name and symbol.parent >= 0:
            return self._receiver(module, symbol) or _UNTYPED_PARAMETER
        return _UNTYPED_PARAMETER

    def _receiver(self, module: int, symbol: ParsedSymbol) -> Value | None:
        parsed = self._modules[module]
        owner = parsed.parsed.symbols[symbol.parent]
        if owner.kind != "class" or "staticmethod" in symbol.decorators:
            return None
        name = f"{parsed.name}.{owner.qualname}"
        if name not in self._names.kinds:
            return _LOCAL
        is_class = symbol.name in _CLASS_RECEIVERS or "classmethod" in symbol.decorators
        return Value(Sort.CLASS if is_class else Sort.INSTANCE, name)

    def _imported(self, origin: str, name: str) -> Value:
        if not name:
            return self.value_of(origin)
        target = self._names.follow(origin, name)
        if not target:
            dotted = f"{origin}.{name}"
            return self.value_of(dotted) if self._names.is_inside(dotted) else _UNDEFINED
        return self.value_of(target)

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
                return _SEVERAL
            found = value
        return found or _UNTYPED

    def annotation(self, module: int, scope: int, text: str) -> Value:
        """The value that an annotation promises: an instance of its class, mostly."""
        memo = self._scopes[module].annotated
        key = (scope, text)
        found = memo.get(key)
        if found is None:
            if self._depth > _DEEPEST:
                return _TOO_DEEP
            memo[key] = _UNTYPED
            self._depth += 1
            found = memo[key] = self._annotation(module, scope, text)
            self._depth -= 1
        return found

    def _annotation(self, module: int, scope: int, text: str) -> Value:
        text = text.strip()
        if text[:1] in "'\"":
            text = text.strip("'\"").strip()
        if "|" in text:
            return self._only(module, scope, _split(text, "|"))
        head, bracket, rest = text.partition("[")
        head = head.strip()
        if not all(part.isidentifier() for part in head.split(".")):
            return _UNTYPED
        value = self.settle(self.evaluate(module, scope, head))
        last = head.rpartition(".")[2]
        is_typing = value.name.startswith(_TYPING_MODULES)
        if is_typing and last in _SHAPELESS:
            return _UNTYPED
        if is_typing and last == "Self":
            owner = self._class_around(module, scope)
            return Value(Sort.INSTANCE, owner) if owner else _UNTYPED
        if bracket:
            inner = _split(rest.rstrip()[:-1], ",")
            if is_typing and last in _WRAPPERS:
                return self._only(module, scope, inner if last == "Union" else inner[:1])
            if value.name in ("builtins.type", "typing.Type"):
                made = self._only(module, scope, inner)
                return Value(Sort.CLASS, made.name) if made.sort is Sort.INSTANCE else _UNTYPED
        if is_typing and last in _TYPING:
            return Value(Sort.INSTANCE, _TYPING[last])
        if value.sort in (Sort.CLASS, Sort.OUTSIDE):
            return Value(Sort.INSTANCE, value.name)
        return _UNTYPED

    def _only(self, module: int, scope: int, parts: Sequence[str]) -> Value:
        told = [part for part in (part.strip() for part in parts) if part and part != "None"]
        if len(told) != 1:
            return _SEVERAL
        return self.annotation(module, scope, told[0])

    def _attribute(self, value: Value, name: str) -> Value:
        if value.sort in (Sort.ATTRIBUTE, Sort.PROPERTY):
            value = self.settle(value)
        match value.sort:
            case Sort.MODULE:
                target = self._names.follow(value.name, name)
                return self.value_of(target) if target else _NO_MEMBER
            case Sort.CLASS | Sort.INSTANCE:
                return self.member(value.name, name)
            case Sort.SUPER:
                return self.member(value.name, name, after=True)
            case Sort.OUTSIDE:
                return Value(Sort.OUTSIDE, f"{value.name}.{name}")
            case Sort.UNKNOWN:
                return value
            case _:
                return _UNTYPED

    def _suffixed(self, value: Value, suffix: str) -> Value:
        for position in range(0, len(suffix), 2):
            value = self._called(value) if suffix[position] == "(" else self._item(value)
        return value

    def _called(self, value: Value) -> Value:
        value = self.settle(value)
        match value.sort:
            case Sort.CLASS:
                return Value(Sort.INSTANCE, value.name)
            case Sort.FUNCTION:
                return self._result(value.name)
            case Sort.OUTSIDE:
                # By convention a capitalised name is a class, and calling it makes an instance.
                is_class = value.name.rpartition(".")[2][:1].isupper()
                return Value(Sort.INSTANCE, value.name) if is_class else _OUTSIDE_RESULT
            case Sort.INSTANCE:
                called = self.member(value.name, "__call__")
                return self._result(called.name) if called.sort is Sort.FUNCTION else _UNTYPED
            case Sort.UNKNOWN:
                return value
            case _:
                return _UNTYPED

    def _item(self, value: Value) -> Value:
        return value if value.sort in (Sort.CLASS, Sort.UNKNOWN) else _ITEM

    def _result(self, name: str) -> Value:
        """What a function of the target returns, by its annotation."""
        found = self._results.get(name)
        if found is None:
            self._results[name] = _UNTYPED
            module, number = self._sites.get(name, (-1, -1))
            found = _UNTYPED
            if module >= 0:
                symbol = self._modules[module].parsed.symbols[number]
                if symbol.returns:
                    found = self._returned(module, number, symbol)
            self._results[name] = found
        return found

    def _returned(self, module: int, number: int, symbol: ParsedSymbol) -> Value:
        returns = symbol.returns
        if any(decorator.endswith("contextmanager") for decorator in symbol.decorators):
            # `with f() as x` is the one use of it, and x is what the generator yields.
            _, bracket, rest = returns.partition("[")
            if not bracket:
                return _UNTYPED
            returns = _split(rest.rstrip()[:-1], ",")[0]
        return self.annotation(module, number, returns)

    def _held(self, name: str) -> Value:
        """What an attribute holds, by the assignments in its module or class."""
        module, number = self._sites.get(name, (-1, -1))
        if module < 0:
            return _UNTYPED
        scopes = self._scopes[module]
        symbol = scopes.module.parsed.symbols[number]
        bindings = scopes.bindings.get((symbol.parent, symbol.name), [])
        if symbol.parent >= 0:
            bindings = [*bindings, *scopes.attributes.get((symbol.parent, symbol.name), [])]
        return self._bound(module, bindings)

    def _member(self, owner: str, name: str, *, after: bool) -> Value:
        members = self._names.members
        order = self.order(owner)
        outside: list[str] = []
        for base in order[1:] if after else order:
            own = members.get(base)
            if own is not None and name in own:
                return self.value_of(own[name])
            if base not in self._names.kinds and base not in _EMPTY_BASES:
                outside.append(base)
        if len(outside) == 1:
            return Value(Sort.OUTSIDE, f"{outside[0]}.{name}")
        if outside:
            return _INHERITED
        if name.startswith("__") and name in _OBJECT_METHODS:
            return Value(Sort.OUTSIDE, f"builtins.object.{name}")
        return _NO_MEMBER

    def _base(self, module: int, scope: int, written: str) -> str:
        name = written.partition("[")[0].strip()
        if not all(part.isidentifier() for part in name.split(".")):
            return ""
        value = self.settle(self.evaluate(module, scope, name))
        return value.name if value.sort in (Sort.CLASS, Sort.OUTSIDE) else name

    def _class_around(self, module: int, scope: int) -> str:
        parsed = self._modules[module]
        while scope != -1:
            symbol = parsed.parsed.symbols[scope]
            if symbol.kind == "class":
                name = f"{parsed.name}.{symbol.qualname}"
                return name if name in self._names.kinds else ""
            scope = symbol.parent
        return ""


_OBJECT_METHODS: Final = frozenset(
    {"__class__", "__delattr__", "__dir__", "__eq__", "__format__", "__getattribute__", "__hash__"}
    | {"__init__", "__init_subclass__", "__ne__", "__new__", "__reduce__", "__reduce_ex__"}
    | {"__repr__", "__setattr__", "__sizeof__", "__str__", "__subclasshook__"}
)


def _scopes(module: Module, names: Names) -> _Scopes:
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
            origin = absolute(module.name, module.is_package, item.level, item.module)
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
            if function.parent >= 0 and function.signature.startswith("(" + receiver):
                attributes.setdefault((function.parent, attribute), []).append(binding)
    return _Scopes(module, nested, imports, bindings, attributes, {}, {}, {})


def _sites(modules: Sequence[Module], definitions: Definitions) -> dict[str, tuple[int, int]]:
    """For each definition-site name the module and parsed symbol that define it."""
    sites: dict[str, tuple[int, int]] = {}
    for number, module in enumerate(modules):
        prefix = module.name + "."
        for index, symbol in enumerate(module.parsed.symbols):
            sites.setdefault(prefix + symbol.qualname, (number, index))
    return sites


def _parameters(signature: str) -> list[str]:
    """The names of the parameters of a signature."""
    start = signature.find("(")
    depth = 0
    names: list[str] = []
    piece: list[str] = []
    quote = ""
    for character in signature[start:]:
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if not depth:
                break
        elif character == "," and depth == 1:
            names.append("".join(piece))
            piece = []
        elif depth == 1:
            piece.append(character)
    names.append("".join(piece))
    return [name.partition(":")[0].partition("=")[0].strip(" *") for name in names]


def _split(text: str, separator: str) -> list[str]:
    """A text cut at a separator outside brackets."""
    if "[" not in text and "(" not in text:
        return text.split(separator)
    parts: list[str] = []
    depth = 0
    start = 0
    for position, character in enumerate(text):
        if character in "[(":
            depth += 1
        elif character in "])":
            depth -= 1
        elif character == separator and not depth:
            parts.append(text[start:position])
            start = position + 1
    parts.append(text[start:])
    return parts


def _linearised(lines: list[list[str]]) -> list[str]:
    """The C3 merge of method resolution orders; where there is none, depth first."""
    merged: list[str] = []
    rest = [line for line in lines if line]
    while rest:
        for line in rest:
            head = line[0]
            if not any(head in other[1:] for other in rest):
                break
        else:
            head = rest[0][0]
        merged.append(head)
        rest = [kept for line in rest if (kept := [name for name in line if name != head])]
    return merged
