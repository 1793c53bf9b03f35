"""The fields of a class that becomes a record: what its constructor takes, read from its body."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from pydocs_builder.extracted.symbols import Module
from pydocs_native.records import ParsedSymbol

__all__ = ["Field", "call_of", "fields_of", "flag_of", "keywords_of", "parsed_expression"]

_MAKERS: Final = frozenset(
    {"Field", "attr", "attrib", "field", "ib", "mapped_column", "relationship"}
)
_PRIVATE_MAKERS: Final = frozenset({"PrivateAttr"})
_NO_FIELDS: Final = frozenset({"ClassVar"})
_MISSING: Final = frozenset(
    {"...", "MISSING", "NOTHING", "PydanticUndefined", "Undefined", "attr.NOTHING"}
)


class Field(NamedTuple):
    """One field: `default` is text, empty where there is none; `keywords` what its maker is given.

    `is_made` says that a call such as `field(…)` makes it. A field without annotation is one to
    some libraries only.
    """

    name: str
    annotation: str
    default: str
    keywords: Mapping[str, str]
    is_made: bool


def fields_of(module: Module, symbols: Sequence[ParsedSymbol]) -> list[Field]:
    """The fields among the attributes of a class, in source order.

    What is marked as a class variable is none; `_: KW_ONLY` is given as it stands.
    """
    found: list[Field] = []
    for symbol in symbols:
        statement = _statement(module, symbol)
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            annotation = ast.unparse(statement.annotation)
            if _last(annotation) in _NO_FIELDS:
                continue
            found.append(_field(symbol.name, annotation, statement.value))
        elif isinstance(statement, ast.Assign):
            found.append(_field(symbol.name, "", statement.value))
    return found


def parsed_expression(text: str) -> ast.expr | None:
    """An expression's tree; None where the text was cut, or is newer than this interpreter."""
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None


def call_of(text: str) -> ast.Call | None:
    """The call that a text is, such as that of a decorator with arguments."""
    tree = parsed_expression(text) if text.endswith(")") else None
    return tree if isinstance(tree, ast.Call) else None


def keywords_of(call: ast.Call) -> dict[str, str]:
    """The keyword arguments of a call, as text."""
    return {word.arg: ast.unparse(word.value) for word in call.keywords if word.arg}


def flag_of(keywords: Mapping[str, str], name: str, *, default: bool) -> bool:
    """A keyword argument that is `True` or `False`."""
    return {"True": True, "False": False}.get(keywords.get(name, ""), default)


def _statement(module: Module, symbol: ParsedSymbol) -> ast.stmt | None:
    text = module.text[symbol.start : symbol.end].decode(errors="replace")
    try:
        (statement,) = ast.parse(text).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    return statement


def _field(name: str, annotation: str, value: ast.expr | None) -> Field:
    keywords: dict[str, str] = {}
    for call in _annotated_makers(annotation):
        keywords |= keywords_of(call)
    if value is None:
        return Field(name, annotation, _given(keywords, ""), keywords, is_made=False)
    maker = _last(ast.unparse(value.func)) if isinstance(value, ast.Call) else ""
    if isinstance(value, ast.Call) and maker in _PRIVATE_MAKERS:
        return Field(name, annotation, "...", {"init": "False"}, is_made=True)
    if not isinstance(value, ast.Call) or maker not in _MAKERS:
        return Field(name, annotation, ast.unparse(value), keywords, is_made=False)
    keywords |= keywords_of(value)
    takes_default = maker in {"Field", "attr", "attrib", "ib"}
    first = ast.unparse(value.args[0]) if value.args and takes_default else ""
    return Field(name, annotation, _given(keywords, first), keywords, is_made=True)


def _given(keywords: Mapping[str, str], first: str) -> str:
    """The default that a maker is given, as an expression that a reader understands."""
    default = keywords.get("default", first)
    if default.partition("(")[0].rpartition(".")[2] == "Factory":
        return _made_by(default.partition("(")[2].removesuffix(")"))
    if default and default not in _MISSING and _last(default) not in _MISSING:
        return default
    factory = keywords.get("default_factory") or keywords.get("factory")
    return _made_by(factory) if factory else ""


def _made_by(factory: str) -> str:
    is_name = all(part.isidentifier() for part in factory.split("."))
    return f"{factory}()" if is_name else "..."


def _annotated_makers(annotation: str) -> Iterator[ast.Call]:
    """The `Field(…)` calls inside `Annotated[…]`."""
    if "Annotated[" not in annotation or "Field(" not in annotation:
        return
    tree = parsed_expression(annotation)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Call) and _last(ast.unparse(node.func)) == "Field":
            yield node


def _last(name: str) -> str:
    return name.strip("'\"").partition("[")[0].rpartition(".")[2]
