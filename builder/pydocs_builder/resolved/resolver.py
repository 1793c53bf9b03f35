"""What an expression stands for, as far as names, annotations, assignments and calls tell.

A chain such as `self.pool().get` is followed link by link, through scopes, imports, class bases,
attributes, items of containers, what functions return and what they are given. Where a link cannot
be known the value is *unknown* and says why: no edge is better than an invented one.

Values depend on one another in circles: what a parameter is depends on the calls of its function,
and what these call on other values. So all calls are looked at in rounds. What was found with
nothing open is kept; the rest is looked at again with what the round before found, until a round
finds nothing new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from pydocs_builder.extracted.names import Names
from pydocs_builder.extracted.symbols import Definitions, Module
from pydocs_builder.resolved.annotations import annotated
from pydocs_builder.resolved.builtin_names import BUILTIN_CLASSES, BUILTIN_NAMES
from pydocs_builder.resolved.called import called, decorated
from pydocs_builder.resolved.chains import Chain, Link, chain_of
from pydocs_builder.resolved.given import Callers, given
from pydocs_builder.resolved.items import entered, item
from pydocs_builder.resolved.lineage import Lineage
from pydocs_builder.resolved.scopes import Scopes, definition_sites
from pydocs_builder.resolved.values import (
    ANYWHERE,
    CALLABLE,
    Held,
    Site,
    Sort,
    Unknown,
    Value,
    Values,
    joined,
)
from pydocs_bundle.records import Kind
from pydocs_native.records import Binding, ParsedSymbol

__all__ = ["Resolver"]

_DEEPEST: Final = 20
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
_TOO_DEEP: Final = (Unknown.TOO_DEEP,)
_UNTYPED: Final = (Unknown.UNTYPED,)
_HOLDERS: Final = (Sort.PROPERTY, Sort.ATTRIBUTE)
_CONTAINERS: Final = frozenset(
    {"builtins.dict", "builtins.list", "builtins.set", "builtins.tuple", "builtins.frozenset"}
    | {"collections.OrderedDict", "collections.defaultdict", "collections.deque"}
)

Key = tuple[object, ...]


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
        self.names = names
        self.scopes = [Scopes(module) for module in modules]
        self._sites = definition_sites(modules)
        self._set_elsewhere = _set_elsewhere(self.scopes)
        self._bases: dict[str, tuple[str, ...]] = {}
        self._memo: dict[Key, Values] = {}
        self._named_values: dict[str, Values] = {}
        self._methods: dict[tuple[Sort, str, str], Values] = {}
        self._before: dict[Key, Values] = {}
        self._open: dict[Key, Values] = {}
        self._wholes = [
            [Site(number, at) for at in (*range(len(module.parsed.symbols)), -1)]
            for number, module in enumerate(modules)
        ]
        self._depth = 0
        self._subclasses: dict[str, list[str]] | None = None
        self.is_open = False
        self.callers = Callers()
        self.lineage = Lineage(names, self.bases, self.value_of)

    def values(self, site: Site, chain: str) -> Values:
        """All that a chain may stand for where it stands."""
        parsed = chain_of(chain)
        if parsed[0] == "name":
            if site[2] >= 0 and parsed[1] not in self.scopes[site[0]].moving:
                site = self._wholes[site[0]][site[1]]
            if not parsed[3]:
                return self._look_up(site, chain)
        return self._once((site, chain), self._evaluate, site, parsed)

    def whole(self, module: int, scope: int) -> Site:
        """A scope as the place of what holds everywhere in it."""
        # The site of the module itself stands last, which is where -1 leads.
        return self._wholes[module][scope]

    def spot(self, site: Site, chain: str) -> Site:
        """Where a chain stands, as far as that decides what it is."""
        if site.at < 0:
            return site
        parsed = chain_of(chain)
        is_moving = parsed.sort != "name" or parsed.root in self.scopes[site.module].moving
        return site if is_moving else self._wholes[site[0]][site[1]]

    def evaluate(self, module: int, scope: int, chain: str) -> Value:
        """What a chain stands for in a scope, if that is one thing."""
        values = self.values(Site(module, scope), chain)
        return values[0] if len(values) == 1 else Unknown.SEVERAL

    def settle(self, values: Values) -> Values:
        """What properties and attributes hold; any other value is itself."""
        if len(values) == 1:
            return self._settled(values[0]) if values[0][0] in _HOLDERS else values
        for value in values:
            if value[0] in _HOLDERS:
                return joined([self._settled(value) for value in values])
        return values

    def callees(self, values: Values) -> Values:
        """What a call of values calls: classes, functions, attributes, or names outside."""
        if len(values) == 1:
            return self._callee(values[0])
        return joined([self._callee(value) for value in values])

    def attribute(self, value: Value, name: str) -> Values:  # noqa: PLR0911 - one for each sort
        """What a value has under a name."""
        match value.sort:
            case Sort.INSTANCE | Sort.CLASS:
                return self._member(value, name)
            case Sort.MODULE:
                return self._of_module(value.name, name)
            case Sort.SUPER:
                return self._of_super(value, name)
            case Sort.OUTSIDE:
                return (Value(Sort.OUTSIDE, f"{value.name}.{name}"),)
            case Sort.PROPERTY if name in _ACCESSORS:
                return (Value(Sort.OUTSIDE_MEMBER, f"builtins.property.{name}"),)
            case Sort.FUNCTION | Sort.LOCAL if self.is_function(value):
                return self.stored(("object", value.name), name)
            case Sort.PARTIAL if name == "func":
                return value.inner
        return (value if value.sort is Sort.UNKNOWN else Unknown.UNTYPED,)

    def annotation(self, module: int, scope: int, text: str) -> Values:
        """The values that an annotation in a scope promises."""
        key = ("annotation", module, scope, text)
        return self._once(key, annotated, self, Site(module, scope), text)

    def bases(self, name: str) -> tuple[str, ...]:
        """The bases of a class of the target by their definition-site names, in order."""
        found = self._bases.get(name)
        if found is None:
            self._bases[name] = ()
            module, number = self._sites.get(name, _NOWHERE)
            if module < 0:
                return ()
            parent = self.scopes[module].module.parsed.symbols[number].parent
            written = self._definitions.drafts[self._definitions.by_name[name]].bases
            bases = [self._base(module, parent, base) for base in written]
            found = self._bases[name] = tuple(base for base in bases if base)
        return found

    def written_bases(self, name: str) -> list[tuple[str, str]]:
        """The bases of a class, each with how it is written."""
        module, number = self._sites.get(name, _NOWHERE)
        if module < 0:
            return []
        parent = self.symbol((module, number)).parent
        written = self._definitions.drafts[self._definitions.by_name[name]].bases
        found = [(self._base(module, parent, base), base) for base in written]
        return [(base, text) for base, text in found if base]

    def site(self, name: str) -> tuple[int, int]:
        """The module and the parsed symbol that define a name; -1 where none does."""
        return self._sites.get(name, _NOWHERE)

    def symbol(self, place: tuple[int, int]) -> ParsedSymbol:
        """The parsed symbol at a place."""
        return self.scopes[place[0]].module.parsed.symbols[place[1]]

    def place_of(self, value: Value) -> tuple[int, int]:
        """Where a function or a local is defined; -1 where it is not in the target."""
        return value.place or self._sites.get(value.name, _NOWHERE)

    def is_function(self, value: Value) -> bool:
        """Whether a value is a function of the target, be it a local one."""
        place = self.place_of(value)
        return place[0] >= 0 and self.symbol(place).kind == "function"

    def value_of(self, name: str) -> Value:
        """The value that a definition-site name stands for."""
        return self._values_of(name)[0]

    def _values_of(self, name: str) -> Values:
        """The same, made once."""
        found = self._named_values.get(name)
        if found is None:
            kind = self.names.kinds.get(name)
            outside = Sort.MODULE if self.names.is_inside(name) else Sort.OUTSIDE
            sort = outside if kind is None else _KINDS[kind]
            found = self._named_values[name] = (Value(sort, name),)
        return found

    def class_around(self, module: int, scope: int) -> str:
        """The innermost class around a scope; empty where there is none, or it is local."""
        parsed = self.scopes[module].module
        while scope != -1:
            symbol = parsed.parsed.symbols[scope]
            if symbol.kind == "class":
                name = f"{parsed.name}.{symbol.qualname}"
                return name if name in self.names.kinds else ""
            scope = symbol.parent
        return ""

    def bound(self, site: Site, bindings: Sequence[Binding]) -> Values:
        """What assignments give; an annotation decides, those that tell nothing are left out."""
        for binding in bindings:
            if binding.annotation and not binding.target.startswith("\\"):
                values = self.annotation(site.module, binding.scope, binding.annotation)
                if values[0].sort is not Sort.UNKNOWN:
                    return values
        return joined(
            [
                self._assigned_value(site.module, binding)
                for binding in bindings
                if binding.value and binding.value != "<NoneType>"
            ]
        )

    def stored(self, owner: Key, name: object) -> Values:
        """What was stored under a name or a key somewhere else than where it is defined."""
        self.is_open = True
        return joined([self.callers.stored.get((owner, name), (Unknown.NO_MEMBER,))])

    def again(self) -> bool:
        """Begin another round; gives whether there is a reason for it."""
        if not self.callers.has_grown and self._memo and not self._has_moved():
            return False
        self.callers.has_grown = False
        self._before.update(self._open)
        self._open.clear()
        return True

    def once(self, key: Key, compute: Callable[..., Values], *arguments: object) -> Values:
        """What a computation gives, made once in a round; in its own definition what it gave."""
        return self._once(key, compute, *arguments)

    def subclasses(self, name: str) -> Iterable[str]:
        """The classes of the target that inherit from one, directly or not, sorted."""
        if self._subclasses is None:
            self._subclasses = {}
            for each, kind in sorted(self.names.kinds.items()):
                if kind is Kind.CLASS:
                    for base in self.lineage.order(each)[1:]:
                        self._subclasses.setdefault(base, []).append(each)
        return self._subclasses.get(name, ())

    def _has_moved(self) -> bool:
        return any(self._before.get(key) != found for key, found in self._open.items())

    def _once(self, key: Key, compute: Callable[..., Values], *arguments: object) -> Values:
        found = self._memo.get(key)
        if found is not None:
            return found
        still_open = self._open
        found = still_open.get(key)
        if found is not None:
            self.is_open = True
            return found
        before = self._before.get(key)
        if self._depth > _DEEPEST:
            self.is_open = True
            return before or _TOO_DEEP
        was_open = self.is_open
        self.is_open = False
        still_open[key] = before or _UNTYPED
        self._depth += 1
        found = compute(*arguments)
        self._depth -= 1
        if self.is_open:
            still_open[key] = found
        else:
            del still_open[key]
            self._memo[key] = found
            self.is_open = was_open
        return found

    def _evaluate(self, site: Site, chain: Chain) -> Values:
        values, links = self._root(site, chain)
        for link in links:
            if values[0].sort is Sort.UNKNOWN:
                break
            if link.kind == ".":
                values = self._attributes(values, link.text)
                continue
            values = self.settle(values)
            if link.kind == "(":
                values = joined(called(self, value, site, link.text) for value in values)
            elif link.kind == "[":
                values = joined(item(self, value, link.text) for value in values)
            else:
                values = joined(entered(self, value) for value in values)
        return values

    def _root(  # noqa: PLR0911 - one for each beginning
        self, site: Site, chain: Chain
    ) -> tuple[Values, Sequence[Link]]:
        links = chain.links
        match chain.sort:
            case "name":
                values = self._look_up(site, chain.root)
                if links and links[0].kind == "(" and values[0].name == _SUPER:
                    return self._super(site, links[0].text), links[1:]
                return values, links
            case "literal":
                if chain.root == "expression":
                    return (Unknown.EXPRESSION,), links
                return (Value(Sort.INSTANCE, f"builtins.{chain.root}"),), links
            case "lambda":
                return (Value(Sort.LAMBDA, chain.root, place=(site.module, site.scope)),), links
            case "either":
                return joined(self.values(site, one.chain) for one in chain.elements), links
        held = Held("display", site=site, elements=chain.elements)
        return (Value(Sort.INSTANCE, f"builtins.{chain.sort}", held=held),), links

    def _super(self, site: Site, arguments: str) -> Values:
        owner = self.class_around(site.module, site.scope)
        if arguments:
            values = self.values(site, arguments.partition(",")[0])
            if values[0].sort is Sort.CLASS:
                owner = values[0].name
        return (Value(Sort.SUPER, owner),) if owner else (Unknown.UNTYPED,)

    def _attributes(self, values: Values, name: str) -> Values:
        if name not in _ACCESSORS:
            values = self.settle(values)
        if len(values) == 1:
            return self.attribute(values[0], name)
        return joined(self.attribute(value, name) for value in values)

    def _look_up(self, site: Site, name: str) -> Values:
        """What a plain name stands for in a scope: local, enclosing, module, builtin."""
        if name == "yield":
            return self.stored(("sent", (site.module, site.scope)), "")
        return self._once((site, name), self._named, site, name)

    def _named(self, site: Site, name: str) -> Values:
        if "@" in name:
            return self._of_expression(site, name)
        symbols = self.scopes[site.module].module.parsed.symbols
        whole = self._wholes[site.module]
        scope, at = site.scope, site.at
        is_innermost = True
        while scope != -1:
            symbol = symbols[scope]
            found: Values | None = None
            if symbol.kind == "function":
                found = self._in_function(site if is_innermost else whole[scope], name)
            elif is_innermost:
                # What stands in a class is not seen from its methods.
                found = self._in_class(site.module, scope, name)
            if found is not None:
                return found
            is_innermost, at = False, ANYWHERE
            scope = symbol.parent
        return self._global(Site(site.module, site.scope, at), name)

    def _global(self, site: Site, name: str) -> Values:
        module = self.scopes[site.module].module.name
        target = self.names.follow(module, name)
        if target:
            values = self._values_of(target)
            if site.at >= 0 and values[0].sort is Sort.ATTRIBUTE and target == f"{module}.{name}":
                scopes = self.scopes[site.module]
                live = _live(scopes.bindings.get((-1, name), ()), site.at)
                found = self.bound(site, live)
                return found if found[0].sort is not Sort.UNKNOWN else values
            return values
        # A loop and a comprehension at the top of a module bind names that are no symbols.
        loose = self.scopes[site.module].bindings.get((-1, name))
        if loose:
            return self.bound(Site(site.module, -1), _live(loose, site.at))
        if name in BUILTIN_NAMES:
            sort = Sort.CLASS if name in BUILTIN_CLASSES else Sort.OUTSIDE
            return (Value(sort, f"builtins.{name}"),)
        return (Unknown.UNDEFINED if site.scope == -1 else Unknown.LOCAL,)

    def _in_class(self, module: int, scope: int, name: str) -> Values | None:
        scopes = self.scopes[module]
        owner = f"{scopes.module.name}.{scopes.module.parsed.symbols[scope].qualname}"
        member = self.names.members.get(owner, {}).get(name)
        if member is not None:
            return (self.value_of(member),)
        imported = scopes.imports.get((scope, name))
        return self._imported(*imported) if imported else None

    def _in_function(self, site: Site, name: str) -> Values | None:
        scopes = self.scopes[site[0]]
        key = (site[1], name)
        if key not in scopes.known:
            position = scopes.parameter(site[1], name)
            return None if position is None else joined([self._parameter(site, name, position)])
        found: list[Values] = []
        bindings: Sequence[Binding] = scopes.bindings.get(key, ())
        live = _live(bindings, site.at)
        begins = live[0].at if live and live[0].is_straight and site.at >= 0 else ANYWHERE
        nested = [
            (self.of_symbol(site.module, number),)
            for number in scopes.nested.get(key, ())
            if self.symbol((site.module, number)).end >= begins
        ]
        found += nested[-1:] if site.at < 0 else nested
        if key in scopes.imports:
            found.append(self._imported(*scopes.imports[key]))
        if live:
            found.append(self.bound(site, live))
        position = scopes.parameter(site.scope, name)
        if position is not None and begins == ANYWHERE:
            has_type = any(one.annotation for one in bindings)
            if not has_type or found[-1][0].sort is Sort.UNKNOWN:
                found.append(self._parameter(site, name, position))
        if found:
            return joined(found)
        return (Unknown.LOCAL,) if key in scopes.locals or bindings else None

    def _parameter(self, site: Site, name: str, position: int) -> Values:
        symbol = self.symbol((site.module, site.scope))
        if position == 0 and symbol.parent >= 0:
            receiver = self._receiver(site.module, symbol)
            if receiver is not None:
                if receiver.sort is Sort.CLASS and receiver.place is None:
                    return self._class_receivers(site, receiver)
                return (receiver,)
        return given(self, (site.module, site.scope), name)

    def _class_receivers(self, site: Site, own: Value) -> Values:
        """The classes that a class method is called on."""
        self.is_open = True
        names = self.callers.receivers.get((site.module, site.scope), ())
        return joined([(own,), *((Value(Sort.CLASS, name),) for name in names)])

    def _receiver(self, module: int, symbol: ParsedSymbol) -> Value | None:
        """What the first parameter of a method is; None where it is any parameter."""
        parsed = self.scopes[module].module
        owner = parsed.parsed.symbols[symbol.parent]
        if owner.kind != "class" or "staticmethod" in symbol.decorators:
            return None
        name = f"{parsed.name}.{owner.qualname}"
        place = None if name in self.names.kinds else (module, symbol.parent)
        is_class = symbol.name in _CLASS_RECEIVERS or "classmethod" in symbol.decorators
        return Value(Sort.CLASS if is_class else Sort.INSTANCE, name, place=place)

    def _of_expression(self, site: Site, name: str) -> Values:
        """What a name of a lambda or a comprehension is."""
        scopes = self.scopes[site.module]
        bindings = scopes.bindings.get((site.scope, name), ())
        found = [self.bound(site, bindings)] if bindings else []
        place = name.partition("@")[2]
        if (site.scope, f"\\{place}") in scopes.bindings:
            found.append(given(self, (site.module, f"\\{place}"), name.partition("@")[0]))
        return joined(found, Unknown.LOCAL)

    def of_symbol(self, module: int, number: int) -> Value:
        """A function or a class by the number of its parsed symbol."""
        parsed = self.scopes[module].module
        name = f"{parsed.name}.{parsed.parsed.symbols[number].qualname}"
        if name in self.names.kinds:
            return self.value_of(name)
        return Value(Sort.LOCAL, name, place=(module, number))

    def _imported(self, origin: str, name: str) -> Values:
        if not name:
            return (self.value_of(origin),)
        target = self.names.follow(origin, name)
        return (self.value_of(target) if target else Unknown.UNDEFINED,)

    def _assigned_value(self, module: int, binding: Binding) -> Values:
        at = binding.at - 1 if binding.at > 0 else ANYWHERE
        scope = binding.scope
        if binding.target.endswith("="):
            scope = self._around_default(module, binding)
        values = self.settle(self.values(Site(module, scope, at), binding.value))
        if any(value.sort is Sort.INSTANCE and value.name in _CONTAINERS for value in values):
            return tuple(_identified(value, (module, binding.at)) for value in values)
        return values

    def _around_default(self, module: int, binding: Binding) -> int:
        """The scope of the names in a parameter's default."""
        if "@" in binding.target:
            return binding.scope
        return self.symbol((module, binding.scope)).parent

    def _settled(self, value: Value) -> Values:
        if value.sort is Sort.PROPERTY:
            return called(self, Value(Sort.FUNCTION, value.name, value.owner), None, "")
        if value.sort is not Sort.ATTRIBUTE:
            return (value,)
        return self._once(("held", value.name), self._assigned, value.name)

    def _assigned(self, name: str) -> Values:
        """What an attribute holds, by all assignments to it."""
        module, number = self._sites.get(name, _NOWHERE)
        if module < 0:
            return (Unknown.UNTYPED,)
        scopes = self.scopes[module]
        symbol = scopes.module.parsed.symbols[number]
        key = (symbol.parent, symbol.name)
        bindings = [*scopes.bindings.get(key, ()), *scopes.attributes.get(key, ())]
        if symbol.parent < 0:
            bindings += scopes.globals.get(symbol.name, ())
        found = [self.bound(Site(module, symbol.parent), bindings)]
        owner, _, last = name.rpartition(".")
        self.is_open = self.is_open or last in self._set_elsewhere
        if (("object", owner), last) in self.callers.stored:
            found.append(self.stored(("object", owner), last))
        return joined(found)

    def _callee(self, value: Value) -> Values:
        if value.sort is Sort.PROPERTY:
            return self.callees(self._settled(value))
        if value.sort is Sort.ATTRIBUTE:
            held = self._settled(value)
            found: list[Value] = []
            for one in held:
                if one.sort in CALLABLE:
                    found += self._callee(one)
                if one.sort is Sort.INSTANCE:
                    found += [each for each in self.callees((one,)) if each.sort in CALLABLE]
            # Whatever the attribute holds, its name is what is called.
            return tuple(found) if found else (value,)
        if value.sort is Sort.PARTIAL:
            return self.callees(self.settle(value.inner))
        if value.sort is Sort.FUNCTION:
            means = decorated(self, value)
            if means and all(
                one.sort in (Sort.FUNCTION, Sort.CLASS, Sort.INSTANCE) for one in means
            ):
                return joined(
                    (one,) if one.sort is not Sort.INSTANCE else self._callee(one) for one in means
                )
            return (value,)
        return self.call_of(value) if value.sort is Sort.INSTANCE else (value,)

    def call_of(self, value: Value) -> Values:
        """The `__call__` of an object."""
        if value.name in self.names.kinds or value.place:
            found = self.attribute(value, "__call__")
            return tuple(one for one in found if one.sort is Sort.FUNCTION) or (Unknown.UNTYPED,)
        return (Unknown.UNTYPED,)

    def _of_module(self, module: str, name: str) -> Values:
        target = self.names.follow(module, name)
        if target:
            return self._values_of(target)
        self.is_open = self.is_open or name in self._set_elsewhere
        if (("object", module), name) in self.callers.stored:
            return self.stored(("object", module), name)
        return (Unknown.NO_MEMBER,)

    def _member(self, value: Value, name: str) -> Values:
        if name == "__class__" and value.sort is Sort.INSTANCE:
            return (Value(Sort.CLASS, value.name, place=value.place),)
        if value.place:
            return self._of_local_class(value, name)
        if value.name not in self.names.kinds:
            return (Value(Sort.OUTSIDE_MEMBER, f"{value.name}.{name}", inner=(value,)),)
        key = (value.sort, value.name, name)
        known = self._methods.get(key)
        if known is not None:
            return known
        found = self.lineage.member(value.name, name)
        if found.sort is Sort.UNKNOWN:
            return self._elsewhere(value, name, found)
        if found.sort in (Sort.FUNCTION, Sort.PROPERTY):
            found = self._bound_to(value, found)
        known = self._methods[key] = (found,)
        return known

    def _bound_to(self, value: Value, function: Value) -> Value:
        """A method as an object or a class gives it: with its first argument, or without."""
        place = self._sites.get(function.name, _NOWHERE)
        if place[0] < 0:
            return function
        decorators = self.symbol(place).decorators
        if "staticmethod" in decorators:
            return function
        if value.sort is Sort.CLASS and "classmethod" not in decorators:
            return function
        return function._replace(owner=value.name)

    def _elsewhere(self, value: Value, name: str, otherwise: Value) -> Values:
        """A member that its class defines in no usual place."""
        found: list[Values] = []
        self.is_open = self.is_open or name in self._set_elsewhere
        for owner in self.lineage.order(value.name):
            module, number = self._sites.get(owner, _NOWHERE)
            if module >= 0:
                bindings = self.scopes[module].attributes.get((number, name))
                if bindings:
                    found.append(self.bound(Site(module, number), bindings))
            if (("object", owner), name) in self.callers.stored:
                found.append(self.stored(("object", owner), name))
        if found:
            return joined(found)
        hook = self.lineage.member(value.name, "__getattr__")
        if hook.sort is Sort.FUNCTION and value.sort is Sort.INSTANCE:
            return called(self, hook._replace(owner=value.name), None, "")
        if otherwise == Unknown.NO_MEMBER:
            members = self.names.members
            below = [
                (self._bound_to(value, self.value_of(members[each][name])),)
                for each in self.subclasses(value.name)
                if name in members.get(each, ())
            ]
            if below:
                return joined(below)
            if value.sort is Sort.CLASS:
                return self._of_metaclass(value, name)
        return (otherwise,)

    def _of_super(self, value: Value, name: str) -> Values:
        """What comes after a class: by its own order, and by those of the classes below it."""
        found = [self.lineage.member(value.name, name, after=True)]
        for below in self.subclasses(value.name):
            order = self.lineage.order(below)
            rest = order[order.index(value.name) + 1 :] if value.name in order else ()
            for base in rest:
                member = self.names.members.get(base, {}).get(name)
                if member is not None:
                    found.append(self.value_of(member))
                    break
        own = found[0]
        if own.sort is Sort.FUNCTION:
            found = [one for one in found if one.sort is Sort.FUNCTION]
        values = joined(
            (one._replace(owner=value.name) if one.sort is Sort.FUNCTION else one,) for one in found
        )
        return values if values[0].sort is not Sort.UNKNOWN else (own,)

    def _of_metaclass(self, value: Value, name: str) -> Values:
        meta = self.metaclass(value.name)
        if meta:
            found = self.lineage.member(meta, name)
            if found.sort is Sort.FUNCTION:
                return (found._replace(owner=meta),)
        return (Unknown.NO_MEMBER,)

    def metaclass(self, name: str) -> str:
        """The metaclass of the target that a class or one of its bases names; or nothing."""
        for owner in self.lineage.order(name):
            module, number = self._sites.get(owner, _NOWHERE)
            if module < 0:
                continue
            symbol = self.symbol((module, number))
            _, equals, rest = symbol.signature.partition("metaclass=")
            if equals:
                text = rest.partition(",")[0].partition(")")[0].strip()
                value = self.evaluate(module, symbol.parent, text)
                return value.name if value.name in self.names.kinds else ""
        return ""

    def _of_local_class(self, value: Value, name: str) -> Values:
        """A member of a class that a function defines."""
        module, number = value.place or _NOWHERE
        symbols = self.scopes[module].module.parsed.symbols
        for at, symbol in enumerate(symbols):
            if symbol.parent == number and symbol.name == name and symbol.kind == "function":
                return (self.of_symbol(module, at)._replace(owner=value.name),)
        for base in symbols[number].bases:
            found = self.settle(self._base_values(module, symbols[number].parent, base))
            for one in found:
                if one.sort is Sort.CLASS and one.name in self.names.kinds:
                    return self._member(one._replace(sort=value.sort), name)
        bindings = self.scopes[module].attributes.get((number, name))
        return self.bound(Site(module, number), bindings) if bindings else (Unknown.UNTYPED,)

    def _base_values(self, module: int, scope: int, written: str) -> Values:
        name = written.partition("[")[0].strip()
        if not all(part.isidentifier() for part in name.split(".")):
            return (Unknown.UNTYPED,)
        return self.values(Site(module, scope), name)

    def _base(self, module: int, scope: int, written: str) -> str:
        name = written.partition("[")[0].strip()
        if not all(part.isidentifier() for part in name.split(".")):
            return ""
        for value in self.settle(self.values(Site(module, scope), name)):
            if value.sort in (Sort.CLASS, Sort.OUTSIDE):
                return value.name
        return name


def _live(bindings: Sequence[Binding], at: int) -> Sequence[Binding]:
    """The bindings that may hold at a place: the last sure one before it, and what follows that.

    Those behind it hold too where a loop runs them before it comes back.
    """
    if at < 0 or len(bindings) < 2:  # noqa: PLR2004 - one cannot replace another
        return bindings
    ordered = sorted(bindings, key=lambda one: one.at)
    before = [one for one in ordered if one.at <= at]
    for number in range(len(before) - 1, -1, -1):
        if before[number].is_straight:
            before = before[number:]
            break
    before += [one for one in ordered if one.at > at and 0 <= one.again <= at]
    return before or bindings


def _set_elsewhere(several: Iterable[Scopes]) -> frozenset[str]:
    """The names that some code gives to objects other than its own."""
    found: set[str] = set()
    for scopes in several:
        found.update(one.target.rpartition(".")[2] for one in scopes.assigned)
        for call in scopes.module.parsed.calls:
            if call.callee == "setattr" and call.arguments.count("'") > 1:
                found.add(call.arguments.split("'")[1])
    return frozenset(found)


def _identified(value: Value, identity: tuple[int, int]) -> Value:
    """A container as the one that a place makes."""
    if value.sort is not Sort.INSTANCE or value.name not in _CONTAINERS:
        return value
    held = value.held or Held("nothing")
    return value if held.identity else value._replace(held=held._replace(identity=identity))
