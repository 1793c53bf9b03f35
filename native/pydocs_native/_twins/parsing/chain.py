"""Expressions as dotted chains: `self.pool().get`, `handlers[].run`, `<str>.join`."""

from __future__ import annotations

import ast

__all__ = ["chain", "tail", "target_chain", "value_chain"]

LINK_LIMIT = 32
UNKNOWN = "<expression>"

LITERALS = {
    "JoinedStr": "<str>",
    "TemplateStr": "<Template>",
    "List": "<list>",
    "ListComp": "<list>",
    "Tuple": "<tuple>",
    "Dict": "<dict>",
    "DictComp": "<dict>",
    "Set": "<set>",
    "SetComp": "<set>",
    "GeneratorExp": "<generator>",
}


def chain(node: ast.expr) -> str:
    """The chain of an expression. `await` and `:=` are looked through."""
    links: list[str] = []
    root = UNKNOWN
    for _ in range(LINK_LIMIT + 1):
        match node:
            case ast.Attribute(value, attr):
                links.append("." + attr)
                node = value
            case ast.Call(func):
                links.append("()")
                node = func
            case ast.Subscript(value):
                links.append("[]")
                node = value
            case ast.Await(value) | ast.NamedExpr(value=value):
                node = value
            case ast.Name(name):
                root = name
                break
            case _:
                root = _literal(node)
                break
    return root + "".join(reversed(links))


def value_chain(node: ast.expr | None) -> str:
    """The chain of a value that may tell a type; empty where it begins with no name or literal."""
    text = chain(node) if node is not None else UNKNOWN
    return "" if text.startswith(UNKNOWN) else text


def target_chain(node: ast.expr) -> str:
    """The chain of a target, if it is names and dots only; else nothing."""
    inner = node
    while isinstance(inner, ast.Attribute):
        inner = inner.value
    if not isinstance(inner, ast.Name):
        return ""
    text = chain(node)
    return "" if text.startswith(UNKNOWN) else text


def tail(node: ast.expr) -> str:
    """The last name of an expression that is one or ends with one; else nothing."""
    match node:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _literal(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return f"<{type(node.value).__name__}>"
    return LITERALS.get(type(node).__name__, UNKNOWN)
