"""What statements and operators do without a call being written, and what is read and written."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from pydocs_native._twins.parsing.chain import OPERATORS

__all__ = ["accesses", "operators", "truth"]

Run = tuple[str, ast.expr, ast.expr | None]

UNARY = {"USub": "__neg__", "UAdd": "__pos__", "Invert": "__invert__"}
COMPARISONS = {
    "Eq": "__eq__",
    "NotEq": "__ne__",
    "Lt": "__lt__",
    "LtE": "__le__",
    "Gt": "__gt__",
    "GtE": "__ge__",
}
SUBSCRIPTS = {"Load": "__getitem__", "Store": "__setitem__", "Del": "__delitem__"}


def operators(node: ast.AST, *, is_quiet: bool) -> Iterator[Run]:
    """The methods that a node asks for, each with the object asked and what that is given."""
    for method, operand, other in _asked(node, is_quiet=is_quiet):
        if _is_told(operand):
            yield method, operand, other


def truth(test: ast.expr) -> Iterator[ast.expr]:
    """What is asked for its truth where `test` is, without what its parts ask."""
    while isinstance(test, ast.BoolOp):
        test = test.values[-1]
    yield test


def accesses(
    node: ast.AST, bound: Collection[str], declared: Collection[str]
) -> Iterator[tuple[str, ast.expr]]:
    """What a node raises, reads or writes by itself.

    Args:
        node: the node.
        bound: the names that lambdas and comprehensions bind there.
        declared: the names declared global there.
    """
    match node:
        case ast.Name(name, context):
            if isinstance(context, ast.Load) and name not in bound:
                yield "read", node
            elif not isinstance(context, ast.Load) and name in declared:
                yield "write", node
        case ast.Attribute(ctx=context):
            yield "read" if isinstance(context, ast.Load) else "write", node
        case ast.Raise(raised, cause):
            for value in (raised, cause):
                if isinstance(value, ast.Name | ast.Attribute):
                    yield "raise", value


def _asked(  # noqa: C901, PLR0912 - one branch for each operator
    node: ast.AST, *, is_quiet: bool
) -> Iterator[Run]:
    match node:
        case ast.Subscript(value, _, context) if not is_quiet:
            yield SUBSCRIPTS[type(context).__name__], value, None
        case ast.BinOp(left, operator, right) if not is_quiet:
            name = OPERATORS[type(operator).__name__]
            yield f"__{name}__", left, right
            if not _is_told(left):
                yield f"__r{name}__", right, None
        case ast.AugAssign(target, operator, value):
            yield f"__i{OPERATORS[type(operator).__name__]}__", target, value
        case ast.UnaryOp(operator, operand):
            if isinstance(operator, ast.Not):
                yield from _truth(operand)
            else:
                yield UNARY[type(operator).__name__], operand, None
        case ast.BoolOp(_, values):
            for value in values[:-1]:
                yield from _truth(value)
        case ast.IfExp(test) | ast.If(test) | ast.While(test) | ast.Assert(test):
            yield from _truth(test)
        case ast.Compare(left, operators, comparators):
            lefts = [left, *comparators]
            for one, compared, other in zip(lefts, operators, comparators, strict=False):
                yield from _compared(one, compared, other)
        case ast.For(_, iterated) | ast.YieldFrom(iterated):
            yield "__iter__", iterated, None
        case ast.AsyncFor(_, iterated):
            yield "__aiter__", iterated, None
        case ast.With(items) | ast.AsyncWith(items):
            prefix = "a" if isinstance(node, ast.AsyncWith) else ""
            for item in items:
                yield f"__{prefix}enter__", item.context_expr, None
                yield f"__{prefix}exit__", item.context_expr, None


def _truth(test: ast.expr) -> Iterator[Run]:
    for operand in truth(test):
        yield "__bool__", operand, None


def _compared(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> Iterator[Run]:
    if isinstance(operator, ast.In | ast.NotIn):
        yield "__contains__", right, left
    elif type(operator).__name__ in COMPARISONS:
        yield COMPARISONS[type(operator).__name__], left, right


def _is_told(node: ast.expr) -> bool:
    """Whether an expression may be an object whose class is known."""
    return isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
