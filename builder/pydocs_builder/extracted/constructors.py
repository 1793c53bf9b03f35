"""The constructors that nobody wrote: how dataclasses, attrs classes, models and tuples are called.

A class gets one where its decorators or bases are those of a library whose rules are known here. A
base whose fields cannot be seen, since another distribution defines it, leaves the class without:
no signature is better than an invented one.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import Final, NamedTuple

from pydocs_builder.extracted.arrange import Draft
from pydocs_builder.extracted.fields import (
    Field,
    call_of,
    fields_of,
    flag_of,
    keywords_of,
    parsed_expression,
)
from pydocs_builder.extracted.names import Names
from pydocs_builder.extracted.symbols import Definitions, Module
from pydocs_builder.resolved.resolver import Resolver
from pydocs_builder.resolved.values import Sort
from pydocs_bundle.records import Entry, Flag, Kind
from pydocs_native.records import ParsedSymbol

__all__ = ["Constructor", "constructor_drafts", "find_constructors"]


class Rules(Enum):
    """Whose rules make a constructor."""

    DATACLASS = "dataclass"
    ATTRS = "attrs"
    MODEL = "model"
    TUPLE = "tuple"
    DICT = "dict"


class Constructor(NamedTuple):
    """A constructor: of which draft, its name, and its signature."""

    draft: int
    name: str
    signature: str


class _Record(NamedTuple):
    """A class under some rules, with the options of its decorator or keywords, and its fields."""

    rules: Rules
    options: dict[str, str]
    fields: list[Field]


class _Parameter(NamedTuple):
    """One parameter: its text and whether it is given by name only, has a default."""

    name: str
    text: str
    is_keyword: bool
    has_default: bool


_DECORATORS: Final = {
    "dataclasses.dataclass": Rules.DATACLASS,
    "pydantic.dataclasses.dataclass": Rules.DATACLASS,
    **{f"attr.{name}": Rules.ATTRS for name in ("s", "attrs", "attributes", "dataclass")},
    **{f"attr._make.{name}": Rules.ATTRS for name in ("attrs", "attributes")},
    **{
        f"{module}.{name}": Rules.ATTRS
        for module in ("attr", "attrs", "attr._next_gen")
        for name in ("define", "frozen", "mutable")
    },
}
_OLD_ATTRS: Final = frozenset(
    {"attr.s", "attr.attrs", "attr.attributes", "attr._make.attrs", "attr._make.attributes"}
)
_BASES: Final = {
    "pydantic.BaseModel": Rules.MODEL,
    "pydantic.main.BaseModel": Rules.MODEL,
    "pydantic.RootModel": Rules.MODEL,
    "pydantic_settings.BaseSettings": Rules.MODEL,
    "typing.NamedTuple": Rules.TUPLE,
    "typing.TypedDict": Rules.DICT,
    "typing_extensions.NamedTuple": Rules.TUPLE,
    "typing_extensions.TypedDict": Rules.DICT,
}
_TUPLE_MAKERS: Final = frozenset(
    {"collections.namedtuple", "typing.NamedTuple", "typing_extensions.NamedTuple"}
)
# Bases from the standard library bring no fields.
_FIELDLESS: Final = (
    *("abc.", "builtins.", "collections.", "enum.", "json.", "logging.", "threading.", "typing."),
    "typing_extensions.",
)
_OWN_CLAIMS: Final = Flag.ASYNC.value | Flag.DEPRECATED.value | Flag.OVERLOAD.value
_KEYWORD_ONLY: Final = ("KW_ONLY",)
_EXTRA: Final = re.compile(r"""extra['"]?\s*[=:]\s*['"](\w+)""")
_EXTRA_VALUE: Final = re.compile(r"""['"](\w+)['"]""")
_UNSEEN: Final = frozenset({"model_config", "model_fields"})


def find_constructors(
    modules: Sequence[Module], definitions: Definitions, names: Names, resolver: Resolver
) -> list[Constructor]:
    """The generated constructors of a target, in the order of its modules."""
    finder = _Finder(modules, definitions, names, resolver)
    return [found for number in range(len(modules)) for found in finder.of_module(number)]


def constructor_drafts(constructors: Iterable[Constructor], drafts: Sequence[Draft]) -> list[Draft]:
    """An entry for each generated constructor: a method that only has a name, and spans its class.

    Args:
        constructors: what was found.
        drafts: those of the symbols, in the order of the definitions.
    """
    found: list[Draft] = []
    for place, name, signature in constructors:
        owner = drafts[place].entry
        found.append(
            Draft(
                Entry(
                    f"{owner.qualified_name}.{name}",
                    Kind.METHOD,
                    *owner[2:7],
                    signature,
                    public_name=f"{owner.public_name}.{name}" if owner.public_name else "",
                    parent=place,
                    flags=owner.flags & ~_OWN_CLAIMS | Flag.GENERATED.value,
                )
            )
        )
    return found


class _Finder:
    """One search; it owns the records found so far, by the definition-site names of classes."""

    def __init__(
        self, modules: Sequence[Module], definitions: Definitions, names: Names, resolver: Resolver
    ) -> None:
        self._modules = modules
        self._definitions = definitions
        self._names = names
        self._resolver = resolver
        self._records: dict[str, _Record] = {}

    def of_module(self, number: int) -> Iterator[Constructor]:
        module = self._modules[number]
        owners = self._definitions.owners[number]
        symbols = module.parsed.symbols
        attributes: dict[int, list[ParsedSymbol]] | None = None
        for index, symbol in enumerate(symbols):
            if symbol.kind == "attribute":
                if "amed" in symbol.signature and symbol.parent == -1:
                    yield from self._made_tuple(number, symbol, owners[index])
                continue
            if symbol.kind != "class" or not (symbol.decorators or symbol.bases):
                continue
            draft = owners[index]
            entry = self._definitions.drafts[draft]
            yield from self._based_on_tuple(number, symbol, draft)
            if (
                entry.kind is not Kind.CLASS
                or entry.qualified_name != f"{module.name}.{symbol.qualname}"
            ):
                continue
            found = self._rules(number, symbol, entry.qualified_name)
            if found is None:
                continue
            if attributes is None:
                attributes = _attributes(symbols)
            fields = fields_of(module, attributes.get(index, ()))
            record = _Record(*found, _with_default_methods(fields, symbols, index))
            self._records[entry.qualified_name] = record
            constructor = self._constructor(entry.qualified_name, record)
            if constructor:
                yield Constructor(draft, *constructor)

    def _rules(
        self, number: int, symbol: ParsedSymbol, name: str
    ) -> tuple[Rules, dict[str, str]] | None:
        for decorator in symbol.decorators:
            chain = decorator.partition("(")[0].strip()
            if not chain.replace(".", "").isidentifier():
                continue
            value = self._resolver.evaluate(number, symbol.parent, chain)
            target = value.name if value.sort is not Sort.UNKNOWN else ""
            rules = _DECORATORS.get(target)
            if rules is None and self._is_transform(target):
                rules = Rules.DATACLASS
            if rules is not None:
                call = call_of(decorator)
                options = keywords_of(call) if call else {}
                if target in _OLD_ATTRS:
                    options.setdefault("auto_attribs", "False")
                return rules, options
        return self._inherited_rules(symbol, name)

    def _inherited_rules(
        self, symbol: ParsedSymbol, name: str
    ) -> tuple[Rules, dict[str, str]] | None:
        options = _class_keywords(symbol.signature) if symbol.bases else {}
        bases = self._resolver.bases(name)
        for base in self._resolver.lineage.order(name)[1:]:
            rules = _BASES.get(base)
            if rules is Rules.TUPLE and base not in bases:
                return None
            if rules is not None:
                return rules, options
            if base in self._names.kinds and self._is_transform(base):
                return Rules.DATACLASS, options
        return None

    def _is_transform(self, name: str) -> bool:
        place = self._definitions.by_name.get(name, -1)
        decorators = self._definitions.drafts[place].decorators if place >= 0 else ()
        return any("dataclass_transform" in decorator for decorator in decorators)

    def _constructor(self, name: str, record: _Record) -> tuple[str, str] | None:
        own = self._names.members.get(name, {})
        if "__init__" in own or (record.rules is Rules.TUPLE and "__new__" in own):
            return None
        if not flag_of(record.options, "init", default=True):
            return None
        fields = self._all_fields(name, record)
        if fields is None:
            return None
        if record.rules is Rules.TUPLE:
            return "__new__", _signature("cls", _parameters(record, fields))
        allows = record.rules is Rules.MODEL and self._allows_extra(name, record)
        extra = "**extra_data: Any" if allows else ""
        return "__init__", _signature("self", _parameters(record, fields), extra)

    def _allows_extra(self, name: str, record: _Record) -> bool:
        """Whether the nearest configuration of a model that speaks of extra fields allows them."""
        for base in self._resolver.lineage.order(name):
            held = record if base == name else self._records.get(base)
            configured = [one.default for one in held.fields if one.name in _UNSEEN] if held else []
            for text in (*configured, held.options.get("extra", "") if held else ""):
                match = _EXTRA.search(text) or _EXTRA_VALUE.fullmatch(text)
                if match:
                    return match[1] == "allow"
        return False

    def _all_fields(self, name: str, record: _Record) -> list[tuple[Field, _Record]] | None:
        """The fields of a class and its bases; None where not all can be known."""
        found: dict[str, tuple[Field, _Record]] = {}
        for base in reversed(self._resolver.lineage.order(name)):
            if base in _BASES or base.startswith(_FIELDLESS):
                continue
            if base not in self._names.kinds:
                return None
            is_written = "__init__" in self._names.members.get(base, {})
            if record.rules is Rules.MODEL and base != name and is_written:
                return None
            held = record if base == name else self._record_of(base)
            if held is not None:
                _take_fields(found, held, record.rules, base)
        return list(found.values())

    def _record_of(self, name: str) -> _Record | None:
        """The record that a base is, which may stand further down or in another module."""
        known = self._records.get(name)
        if known is not None:
            return known
        number, index = self._resolver.site(name)
        if number < 0:
            return None
        module = self._modules[number]
        symbol = module.parsed.symbols[index]
        found = self._rules(number, symbol, name)
        if found is None:
            return None
        symbols = module.parsed.symbols
        fields = fields_of(module, _attributes(symbols).get(index, ()))
        record = self._records[name] = _Record(
            *found, _with_default_methods(fields, symbols, index)
        )
        return record

    def _based_on_tuple(
        self, number: int, symbol: ParsedSymbol, draft: int
    ) -> Iterator[Constructor]:
        """The constructor of `class Point(namedtuple("Point", "x y"))`."""
        own = self._names.members.get(self._definitions.drafts[draft].qualified_name, {})
        for base in symbol.bases:
            chain = base.partition("(")[0]
            if "amed" not in chain or "__new__" in own or "__init__" in own:
                continue
            call = call_of(base)
            value = self._resolver.evaluate(number, symbol.parent, chain)
            fields = _tuple_fields(call) if call and value.name in _TUPLE_MAKERS else None
            if fields is not None:
                parameters = [_parameter(*field, is_keyword=False) for field in fields]
                yield Constructor(draft, "__new__", _signature("cls", parameters))

    def _made_tuple(self, number: int, symbol: ParsedSymbol, draft: int) -> Iterator[Constructor]:
        """The constructor of `Point = namedtuple("Point", "x y")`."""
        module = self._modules[number]
        value = symbol.signature.partition(" = ")[2]
        chain = value.partition("(")[0]
        if not chain.replace(".", "").isidentifier():
            return
        if self._resolver.evaluate(number, -1, chain).name not in _TUPLE_MAKERS:
            return
        entry = self._definitions.drafts[draft]
        if (
            entry.kind is not Kind.ATTRIBUTE
            or entry.qualified_name != f"{module.name}.{symbol.qualname}"
        ):
            return
        text = module.text[symbol.start : symbol.end].decode(errors="replace").partition("=")[2]
        call = call_of(text.strip())
        fields = _tuple_fields(call) if call else None
        if fields is not None:
            parameters = [_parameter(*field, is_keyword=False) for field in fields]
            yield Constructor(draft, "__new__", _signature("cls", parameters))


def _take_fields(
    found: dict[str, tuple[Field, _Record]], held: _Record, rules: Rules, owner: str
) -> None:
    """Adds the fields of one class to those of its bases, in whose place they stand."""
    for field in held.fields:
        if not field.annotation and rules is not Rules.ATTRS:
            if rules is Rules.MODEL and field.name in found and not field.is_made:
                before, first = found[field.name]
                found[field.name] = before._replace(default=field.default), first
            continue
        key = f"{owner}:{field.name}" if _is_marker(field) else field.name
        if rules is Rules.ATTRS:
            found.pop(key, None)
        found[key] = field, held


def _attributes(symbols: Sequence[ParsedSymbol]) -> dict[int, list[ParsedSymbol]]:
    found: dict[int, list[ParsedSymbol]] = {}
    for symbol in symbols:
        if symbol.kind == "attribute" and symbol.parent >= 0:
            found.setdefault(symbol.parent, []).append(symbol)
    return found


def _with_default_methods(
    fields: list[Field], symbols: Sequence[ParsedSymbol], owner: int
) -> list[Field]:
    """Fields with the defaults that methods make: attrs' `@x.default`."""
    if not any(field.is_made for field in fields):
        return fields
    made = {
        decorator.removesuffix(".default")
        for symbol in symbols
        if symbol.parent == owner and symbol.kind == "function"
        for decorator in symbol.decorators
        if decorator.endswith(".default")
    }
    return [
        field._replace(default="...") if field.name in made and not field.default else field
        for field in fields
    ]


def _class_keywords(signature: str) -> dict[str, str]:
    call = call_of("f" + signature[signature.find("(") :]) if "=" in signature else None
    return keywords_of(call) if call else {}


def _is_marker(field: Field) -> bool:
    return field.annotation.endswith(_KEYWORD_ONLY)


def _parameters(record: _Record, fields: Iterable[tuple[Field, _Record]]) -> list[_Parameter]:
    found: list[_Parameter] = []
    after_marker: _Record | None = None
    items = list(fields)
    for field, owner in items:
        if _is_marker(field):
            after_marker = owner
            continue
        if not _is_taken(field, owner, record):
            continue
        is_keyword = record.rules in (Rules.MODEL, Rules.DICT) or flag_of(
            field.keywords,
            "kw_only",
            default=flag_of(owner.options, "kw_only", default=False) or after_marker is owner,
        )
        name, annotation, default = field.name, field.annotation, field.default
        if record.rules is Rules.MODEL:
            name = _alias(field.keywords, ("alias", "validation_alias")) or name
        elif record.rules is Rules.ATTRS:
            name = _alias(field.keywords, ("alias",)) or name.lstrip("_")
        elif record.rules is Rules.DICT:
            is_total = flag_of(owner.options, "total", default=True)
            is_needed = is_total or annotation.partition("[")[0].endswith("Required")
            is_needed = is_needed and not annotation.partition("[")[0].endswith("NotRequired")
            default = "" if is_needed else "..."
        if annotation.partition("[")[0].endswith("InitVar"):
            annotation = annotation.partition("[")[2].removesuffix("]")
        found.append(_parameter(name, annotation, default, is_keyword=is_keyword))
    return found


def _is_taken(field: Field, owner: _Record, record: _Record) -> bool:
    """Whether a field is a parameter of the constructor."""
    if not flag_of(field.keywords, "init", default=True):
        return False
    if record.rules is Rules.MODEL:
        return not field.name.startswith("_") and field.name not in _UNSEEN
    if record.rules is Rules.ATTRS:
        auto = owner.options.get("auto_attribs", "None")
        if auto == "False" or (auto == "None" and _has_bare_makers(owner)):
            return field.is_made
        return bool(field.annotation)
    return True


def _has_bare_makers(record: _Record) -> bool:
    """Whether a class under `define` makes fields without annotation, and so lists them all."""
    return any(field.is_made and not field.annotation for field in record.fields)


def _alias(keywords: dict[str, str] | object, names: Sequence[str]) -> str:
    for name in names:
        text = keywords.get(name, "") if isinstance(keywords, dict) else ""
        tree = parsed_expression(text) if text else None
        if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
            is_name = tree.value.isidentifier() and not keyword.iskeyword(tree.value)
            if is_name:
                return tree.value
    return ""


def _parameter(name: str, annotation: str, default: str, *, is_keyword: bool) -> _Parameter:
    text = f"{name}: {annotation}" if annotation else name
    if default:
        text += f" = {default}" if annotation else f"={default}"
    return _Parameter(name, text, is_keyword, bool(default))


def _signature(first: str, parameters: Sequence[_Parameter], extra: str = "") -> str:
    positional = [one.text for one in parameters if not one.is_keyword]
    named = [one.text for one in parameters if one.is_keyword]
    parts = [first, *positional, *(["*", *named] if named else []), *([extra] if extra else [])]
    return f"({', '.join(parts)})"


def _tuple_fields(call: ast.Call) -> list[tuple[str, str, str]] | None:
    """Name, annotation and default of each field of a tuple that a call makes."""
    if len(call.args) < 2:  # noqa: PLR2004 - its name and its fields
        return None
    listed = call.args[1]
    keywords = {word.arg: word.value for word in call.keywords}
    found: list[tuple[str, str]] = []
    if isinstance(listed, ast.Constant) and isinstance(listed.value, str):
        found = [(name, "") for name in listed.value.replace(",", " ").split()]
    elif isinstance(listed, ast.List | ast.Tuple):
        for element in listed.elts:
            match element:
                case ast.Constant(str(name)):
                    found.append((name, ""))
                case ast.Tuple([ast.Constant(str(name)), annotation]):
                    found.append((name, ast.unparse(annotation)))
                case _:
                    return None
    else:
        return None
    given = keywords.get("defaults")
    defaults = (
        [ast.unparse(one) for one in given.elts] if isinstance(given, ast.List | ast.Tuple) else []
    )
    if given is not None and not defaults and not isinstance(given, ast.List | ast.Tuple):
        return None
    missing = len(found) - len(defaults)
    return [
        (name, annotation, defaults[at - missing] if at >= missing else "")
        for at, (name, annotation) in enumerate(found)
    ]
