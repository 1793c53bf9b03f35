"""Expressions as dotted chains: `self.pool().get`, `handlers['a'].run`, `[f,g][0]`."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

__all__ = ["OPERATORS", "UNKNOWN", "Chains", "chain", "tail", "target_names"]

LINK_LIMIT = 32
DEPTH = 3
ELEMENT_LIMIT = 64
LENGTH_LIMIT = 1_000
NUMBER_LIMIT = 1_000
UNKNOWN = "<expression>"
PLAIN = re.compile(r"[A-Za-z0-9_.]{1,40}")

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
OPERATORS = {
    "Add": "add",
    "Sub": "sub",
    "Mult": "mul",
    "MatMult": "matmul",
    "Div": "truediv",
    "Mod": "mod",
    "Pow": "pow",
    "LShift": "lshift",
    "RShift": "rshift",
    "BitOr": "or",
    "BitXor": "xor",
    "BitAnd": "and",
    "FloorDiv": "floordiv",
}
CARRIERS = frozenset(
    {"__import__", "cast", "chain", "classmethod", "copy", "cycle", "deepcopy", "dict"}
    | {"enumerate", "filter", "frozenset", "get", "getattr", "import_module", "iter", "list"}
    | {"map", "max", "min", "next", "partial", "partialmethod", "pop", "property", "reversed"}
    | {"set", "setdefault", "sorted", "staticmethod", "super", "tuple", "type", "wraps", "zip"}
)


class Chains(NamedTuple):
    """Makes chains where lambdas and comprehensions bind names; it knows which and where.

    `place` gives the offset of a node, inside an f-string that of the f-string.
    """

    bound: Mapping[str, int]
    place: Callable[[ast.expr], int]

    def chain(self, node: ast.expr) -> str:
        """The chain of an expression. `await` and `:=` are looked through."""
        return self._nested(node, DEPTH)

    def value(self, node: ast.expr | None) -> str:
        """The chain of a value; empty where it begins with nothing known."""
        text = self.chain(node) if node is not None else UNKNOWN
        return "" if text.startswith(UNKNOWN) else text

    def target(self, node: ast.expr) -> str:
        """The chain of a target, if it is names and dots and at most one subscript, at its end."""
        inner = node.value if isinstance(node, ast.Subscript) else node
        while isinstance(inner, ast.Attribute):
            inner = inner.value
        return self.value(node) if isinstance(inner, ast.Name) else ""

    def arguments(self, args: Sequence[ast.expr], keywords: Sequence[ast.keyword]) -> str:
        """The arguments of a call; empty where none is more than a literal."""
        text, tells = self._arguments(args, keywords, DEPTH)
        return text if tells else ""

    def argument(self, node: ast.expr) -> str:
        """One argument; empty where it is no more than a literal."""
        text = self._operand(node, DEPTH)
        return text if _is_more(text) else ""

    def _nested(self, node: ast.expr, depth: int) -> str:
        links: list[str] = []
        root = UNKNOWN
        for _ in range(LINK_LIMIT + 1):
            match node:
                case ast.Attribute(value, attr):
                    links.append("." + attr)
                    node = value
                case ast.Call(func, args, keywords):
                    carries = depth > 0 and tail(func) in CARRIERS
                    text = self._arguments(args, keywords, depth - 1)[0] if carries else ""
                    links.append(f"({text})")
                    node = func
                case ast.Subscript(value, key):
                    links.append(f"[{_key(key)}]")
                    node = value
                case ast.BinOp(left, operator):
                    links.append(f".__{OPERATORS[type(operator).__name__]}__()")
                    node = left
                case ast.Await(value) | ast.NamedExpr(value=value):
                    node = value
                case ast.Name(name):
                    root = f"{name}@{self.bound[name]}" if name in self.bound else name
                    break
                case _:
                    root = self._root(node, depth)
                    break
        return root + "".join(reversed(links))

    def _root(self, node: ast.expr, depth: int) -> str:
        if isinstance(node, ast.Lambda):
            return f"\\{self.place(node)}"
        if isinstance(node, ast.Yield):
            return "yield"
        return (self._told(node, depth) if depth else "") or _literal(node)

    def _told(self, node: ast.expr, depth: int) -> str:  # noqa: PLR0911 - one for each form
        match node:
            case ast.List(elements):
                return self._display(elements, "[]", depth)
            case ast.Tuple(elements):
                return self._display(elements, "()", depth)
            case ast.Set(elements):
                return self._display(elements, "{}", depth)
            case ast.Dict(keys, values) if len(keys) <= ELEMENT_LIMIT:
                texts = [self._operand(value, depth - 1) for value in values]
                parts = [
                    f"{_key(key)}:{text}" if key is not None else f"**{text}"
                    for key, text in zip(keys, texts, strict=True)
                ]
                return _composed(parts, "{}", ",", tells=any(map(_is_more, texts)))
            case ast.ListComp(element, generators) | ast.GeneratorExp(element, generators):
                return self._element(generators, element, ("[", "]"), depth)
            case ast.SetComp(element, generators):
                return self._element(generators, element, ("{", "}"), depth)
            case ast.DictComp(_, element, generators):
                return self._element(generators, element, ("{:", "}"), depth)
            case ast.IfExp(_, body, orelse):
                return self._either([body, orelse], depth)
            case ast.BoolOp(_, values):
                return self._either(values, depth)
        return ""

    def _display(self, elements: Sequence[ast.expr], around: str, depth: int) -> str:
        if len(elements) > ELEMENT_LIMIT:
            return ""
        parts: list[str] = []
        for element in elements:
            if isinstance(element, ast.Starred):
                parts.append("*" + self._operand(element.value, depth - 1))
            else:
                parts.append(self._operand(element, depth - 1))
        tells = any(_is_more(part.lstrip("*")) for part in parts)
        return _composed(parts, around, ",", tells=tells)

    def _element(
        self,
        generators: Sequence[ast.comprehension],
        element: ast.expr,
        around: tuple[str, str],
        depth: int,
    ) -> str:
        place = self.place(generators[0].target)
        names = (name for generator in generators for name in target_names(generator.target))
        bound = {**self.bound, **dict.fromkeys(names, place)}
        text = self._replace(bound=bound)._operand(element, depth - 1)  # noqa: SLF001 - itself
        return _composed([text], around, ",", tells=_is_more(text))

    def _either(self, values: Sequence[ast.expr], depth: int) -> str:
        texts = [self._nested(value, depth - 1) for value in values[:ELEMENT_LIMIT]]
        known = [one for one in texts if not one.startswith(UNKNOWN) and one != "<NoneType>"]
        parts = list(dict.fromkeys(known))
        if len(parts) == 1:
            return parts[0]
        return _composed(parts, ("?(", ")"), "|", tells=bool(parts))

    def _arguments(
        self, args: Sequence[ast.expr], keywords: Sequence[ast.keyword], depth: int
    ) -> tuple[str, bool]:
        """All arguments, and whether one of them is more than a literal."""
        if len(args) + len(keywords) > ELEMENT_LIMIT:
            return "", False
        parts: list[str] = []
        tells = False
        for argument in args:
            is_starred = isinstance(argument, ast.Starred)
            text = self._operand(
                argument.value if isinstance(argument, ast.Starred) else argument, depth
            )
            tells = tells or _is_more(text)
            parts.append(f"*{text}" if is_starred else text)
        for keyword in keywords:
            text = self._operand(keyword.value, depth)
            tells = tells or _is_more(text)
            if keyword.arg is None:
                parts.append(f"**{text}")
            elif text:
                parts.append(f"{keyword.arg}={text}")
        while parts and not parts[-1]:
            parts.pop()
        return _composed(parts, ("", ""), ",", tells=True), tells

    def _operand(self, node: ast.expr, depth: int) -> str:
        text = _key(node) or self._nested(node, depth)
        return "" if text.startswith("<") else text


def chain(node: ast.expr) -> str:
    """The chain of an expression in which no name is bound by a lambda or a comprehension."""
    return Chains({}, lambda _: 0).chain(node)


def target_names(node: ast.expr) -> Iterator[str]:
    """The names that a target binds."""
    match node:
        case ast.Name(name):
            yield name
        case ast.Starred(value):
            yield from target_names(value)
        case ast.Tuple(elements) | ast.List(elements):
            for element in elements:
                yield from target_names(element)


def tail(node: ast.expr) -> str:
    """The last name of an expression that is one or ends with one; else nothing."""
    match node:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _composed(parts: Sequence[str], around: Sequence[str], by: str, *, tells: bool) -> str:
    length = sum(len(part.encode()) + 1 for part in parts)
    return f"{around[0]}{by.join(parts)}{around[1]}" if tells and length <= LENGTH_LIMIT else ""


def _is_more(text: str) -> bool:
    """Whether an operand is more than a literal."""
    return bool(text) and not text.startswith(("'", "-", *"0123456789"))


def _key(node: ast.expr) -> str:
    """A short string or number as it may stand in a subscript; a slice is `:`, else nothing."""
    match node:
        case ast.Constant(str(text)):
            return f"'{text}'" if PLAIN.fullmatch(text) else ""
        case ast.Constant(value) if type(value) is int:
            return str(value) if value < NUMBER_LIMIT else ""
        case ast.UnaryOp(ast.USub(), ast.Constant(value) as number) if not isinstance(value, str):
            text = _key(number)
            return f"-{text}" if text else ""
        case ast.Slice():
            return ":"
    return ""


def _literal(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return f"<{type(node.value).__name__}>"
    return LITERALS.get(type(node).__name__, UNKNOWN)
