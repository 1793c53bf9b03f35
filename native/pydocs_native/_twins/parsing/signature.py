"""Signatures, rebuilt from the source text of their parts."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pydocs_native._twins.parsing.source import Source

__all__ = ["of_attribute", "of_class", "of_function"]


def of_function(source: Source, node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """`[T](a: T, *, b=1) -> str`."""
    returns = f" -> {source.part(node.returns)}" if node.returns else ""
    parameters = ", ".join(_parameters(source, node.args))
    return f"{_type_params(source, node)}({parameters}){returns}"


def of_class(source: Source, node: ast.ClassDef) -> str:
    """`[T](Base, metaclass=M)`; empty without either."""
    arguments: list[tuple[int, str]] = [
        (source.start(base), source.part(base)) for base in node.bases
    ]
    for keyword in node.keywords:
        name = f"{keyword.arg}=" if keyword.arg else "**"
        arguments.append((source.start(keyword.value), name + source.part(keyword.value)))
    texts = ", ".join(text for _, text in sorted(arguments))
    return _type_params(source, node) + (f"({texts})" if texts else "")


def of_attribute(
    source: Source, node: ast.stmt, annotation: ast.expr | None, value: ast.expr | None
) -> str:
    """`: int = 1`, with `[T]` in front for a `type` statement."""
    text = _type_params(source, node)
    if annotation is not None:
        text += f": {source.part(annotation)}"
    if value is not None:
        text += f" = {source.part(value)}"
    return text


def _type_params(source: Source, node: ast.stmt) -> str:
    params: list[ast.AST] = getattr(node, "type_params", [])
    texts: list[str] = []
    for param in params:
        stars = {"TypeVarTuple": "*", "ParamSpec": "**"}.get(type(param).__name__, "")
        name: str = getattr(param, "name", "")
        bound: ast.expr | None = getattr(param, "bound", None)
        default: ast.expr | None = getattr(param, "default_value", None)
        text = stars + name
        if bound is not None:
            text += f": {source.part(bound)}"
        if default is not None:
            text += f" = {source.part(default)}"
        texts.append(text)
    return f"[{', '.join(texts)}]" if texts else ""


def _parameters(source: Source, args: ast.arguments) -> Iterator[str]:
    positional = [*args.posonlyargs, *args.args]
    defaults = [*[None] * (len(positional) - len(args.defaults)), *args.defaults]
    for index, (arg, default) in enumerate(zip(positional, defaults, strict=True), 1):
        yield _parameter(source, arg, default)
        if index == len(args.posonlyargs):
            yield "/"
    if args.vararg:
        yield "*" + _parameter(source, args.vararg)
    elif args.kwonlyargs:
        yield "*"
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        yield _parameter(source, arg, default)
    if args.kwarg:
        yield "**" + _parameter(source, args.kwarg)


def _parameter(source: Source, arg: ast.arg, default: ast.expr | None = None) -> str:
    annotation = f": {source.part(arg.annotation)}" if arg.annotation else ""
    if default is None:
        return arg.arg + annotation
    equals = " = " if annotation else "="
    return arg.arg + annotation + equals + source.part(default)
