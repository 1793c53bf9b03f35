"""One walk over the tree that collects everything a `ParsedModule` says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pydocs_native._twins.parsing import signature
from pydocs_native._twins.parsing.chain import chain, tail, target_chain, value_chain
from pydocs_native._twins.parsing.exports import Exports
from pydocs_native._twins.parsing.marks import marks
from pydocs_native._twins.parsing.source import Source, scrub
from pydocs_native.records import Binding, Call, Import, Local, ParsedModule, ParsedSymbol, Problem

__all__ = ["collect"]

STRINGS_WITH_FIELDS = {"JoinedStr", "TemplateStr"}


def collect(source: Source, tree: ast.Module, problems: Sequence[Problem] = ()) -> ParsedModule:
    """Everything that `tree` says."""
    walk = _Walk(source)
    walk.run(tree.body)
    symbols = tuple(walk.symbols)
    names = walk.exports.names
    return ParsedModule(
        docstring=_string(tree.body[0] if tree.body else None),
        exports=None if names is None or names.lists else tuple(names.listed),
        symbols=symbols,
        imports=tuple(walk.imports),
        calls=tuple(call for _, call in sorted(walk.calls, key=lambda it: (it[0], it[1].callee))),
        bindings=tuple(
            binding
            for _, binding in sorted(walk.bindings, key=lambda it: (it[0], it[1].target, it[1]))
        ),
        marks=marks(source, symbols),
        problems=tuple(problems),
        listed=tuple(names.listed) if names and names.lists else (),
        lists=tuple(names.lists) if names else (),
        locals=tuple(walk.named_locals()),
    )


class _Inside(NamedTuple):
    """Where the walk is: a scope, in an `__init__` the name of `self` with its class."""

    scope: int = -1
    is_function: bool = False
    receiver: tuple[str, int] | None = None
    is_typing: bool = False
    is_conditional: bool = False


_Block = tuple[list[ast.stmt], _Inside]


class _Walk:
    """The lists that one walk fills; statements wait on a stack, so depth costs no recursion."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.symbols: list[ParsedSymbol] = []
        self.imports: list[Import] = []
        self.calls: list[tuple[int, Call]] = []
        self.bindings: list[tuple[int, Binding]] = []
        self.exports = Exports()
        self.attributes: set[tuple[int, str]] = set()
        self.locals: set[tuple[int, str]] = set()
        self.globals: set[tuple[int, str]] = set()
        self.waiting: list[tuple[ast.stmt, ast.stmt | None, _Inside]] = []

    def run(self, body: list[ast.stmt]) -> None:
        self.wait([(body, _Inside())])
        while self.waiting:
            self.statement(*self.waiting.pop())

    def named_locals(self) -> Iterator[Local]:
        """The locals that some chain begins with; of the others nobody asks."""
        chains = [call.callee for _, call in self.calls]
        chains += [binding.value for _, binding in self.bindings]
        heads = {re.split(r"[.(\[]", one, maxsplit=1)[0] for one in chains}
        for scope, name in sorted(self.locals - self.globals):
            if name in heads:
                yield Local(scope, name)

    def local(self, scope: int, *names: str | None) -> None:
        if scope >= 0 and self.symbols[scope].kind == "function":
            self.locals.update((scope, name) for name in names if name)

    def wait(self, blocks: list[_Block]) -> None:
        for body, inside in reversed(blocks):
            follower: ast.stmt | None = None
            for statement in reversed(body):
                self.waiting.append((statement, follower, inside))
                follower = statement

    def statement(self, node: ast.stmt, follower: ast.stmt | None, inside: _Inside) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.function(node, inside)
            case ast.ClassDef():
                self.class_(node, inside)
            case _:
                self.assignments(node, follower, inside)
                self.export(node, inside)
                if isinstance(node, ast.Import | ast.ImportFrom):
                    self.import_(node, inside)
                self.expressions(node, inside.scope)
                self.wait(list(_blocks(node, inside)))

    def assignments(self, node: ast.stmt, follower: ast.stmt | None, inside: _Inside) -> None:
        match node:
            case ast.Assign(targets, value):
                for target in targets:
                    self.attribute(target, node, follower, inside, None, value)
                    self.bind(target, value, None, inside.scope)
            case ast.AnnAssign(target, annotation, value):
                self.attribute(target, node, follower, inside, annotation, value)
                self.bind(target, value, annotation, inside.scope)
            case ast.With(items) | ast.AsyncWith(items):
                for item in items:
                    if item.optional_vars:
                        self.bind(item.optional_vars, item.context_expr, None, inside.scope)
            case _ if type(node).__name__ == "TypeAlias":
                name: ast.expr = vars(node)["name"]
                self.attribute(name, node, follower, inside, None, vars(node)["value"])

    def export(self, node: ast.stmt, inside: _Inside) -> None:
        if inside.scope >= 0:
            return
        match node:
            case ast.Assign(value=value) | ast.AnnAssign(value=value) if value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for _ in filter(_is_exports, targets):
                    self.exports.assign(value, is_conditional=inside.is_conditional)
            case ast.AugAssign(target, operator, value) if _is_exports(target):
                if isinstance(operator, ast.Add):
                    self.exports.extend(value)
                else:
                    self.exports.give_up()
            case ast.Expr(ast.Call(ast.Attribute(target, method)) as call) if _is_exports(target):
                self.exports.call(method, call, is_conditional=inside.is_conditional)

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, inside: _Inside) -> None:
        source = self.source
        scope = self.symbol(
            node,
            inside,
            kind="function",
            signature=signature.of_function(source, node),
            returns=source.part(node.returns) if node.returns else "",
            is_async=isinstance(node, ast.AsyncFunctionDef),
        )
        self.decorators(node.decorator_list, scope, inside.scope)
        for header in (*getattr(node, "type_params", ()), node.args, node.returns):
            self.expressions(header, inside.scope)
        self.parameters(node.args, scope)
        first = [*node.args.posonlyargs, *node.args.args][:1]
        is_init = node.name == "__init__" and inside.scope >= 0 and not inside.is_function
        receiver = (first[0].arg, inside.scope) if first and is_init else None
        within = inside._replace(scope=scope, is_function=True, receiver=receiver)
        self.wait([(node.body, within)])

    def class_(self, node: ast.ClassDef, inside: _Inside) -> None:
        scope = self.symbol(
            node,
            inside,
            kind="class",
            signature=signature.of_class(self.source, node),
            bases=tuple(self.source.part(base) for base in node.bases),
        )
        self.decorators(node.decorator_list, scope, inside.scope)
        for header in (*getattr(node, "type_params", ()), *node.bases, *node.keywords):
            self.expressions(header, inside.scope)
        within = inside._replace(scope=scope, is_function=False, receiver=None)
        self.wait([(node.body, within)])

    def symbol(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
        inside: _Inside,
        *,
        kind: str,
        signature: str,
        bases: tuple[str, ...] = (),
        returns: str = "",
        is_async: bool = False,
    ) -> int:
        source = self.source
        start = source.start(node)
        self.symbols.append(
            ParsedSymbol(
                kind=kind,
                name=node.name,
                qualname=self.qualname(inside.scope, node.name),
                parent=inside.scope,
                start=start,
                end=source.end(node),
                start_line=source.line(start),
                end_line=node.end_lineno or node.lineno,
                line=node.lineno,
                body=source.start(node.body[0]),
                signature=signature,
                docstring=_string(node.body[0]),
                bases=bases,
                decorators=tuple(source.part(decorator) for decorator in node.decorator_list),
                returns=returns,
                is_async=is_async,
            )
        )
        return len(self.symbols) - 1

    def qualname(self, scope: int, name: str) -> str:
        if scope < 0:
            return name
        outer = self.symbols[scope]
        return f"{outer.qualname}{'.<locals>' if outer.kind == 'function' else ''}.{name}"

    def attribute(
        self,
        target: ast.expr,
        node: ast.stmt,
        follower: ast.stmt | None,
        inside: _Inside,
        annotation: ast.expr | None,
        value: ast.expr | None,
    ) -> None:
        """The names that `node` assigns to `target`, each once for its scope."""
        if inside.is_function and inside.receiver is None:
            return
        source = self.source
        start, end = source.start(node), source.end(node)
        is_whole = not isinstance(target, ast.Tuple | ast.List)
        text = signature.of_attribute(source, node, annotation, value) if is_whole else ""
        for parent, name, line in self.assigned_names(target, inside):
            if (parent, name) in self.attributes:
                continue
            self.attributes.add((parent, name))
            self.symbols.append(
                ParsedSymbol(
                    kind="attribute",
                    name=name,
                    qualname=self.qualname(parent, name),
                    parent=parent,
                    start=start,
                    end=end,
                    start_line=node.lineno,
                    end_line=node.end_lineno or node.lineno,
                    line=line,
                    body=end,
                    signature=text,
                    docstring=_string(follower),
                    bases=(),
                    decorators=(),
                    returns="",
                    is_async=False,
                )
            )

    def assigned_names(self, target: ast.expr, inside: _Inside) -> Iterator[tuple[int, str, int]]:
        match target:
            case ast.Tuple(elements) | ast.List(elements):
                for element in elements:
                    yield from self.assigned_names(element, inside)
            case ast.Starred(value):
                yield from self.assigned_names(value, inside)
            case ast.Name(name) if not inside.is_function:
                yield inside.scope, name, target.lineno
            case ast.Attribute(ast.Name(receiver), name) if inside.receiver is not None:
                if receiver == inside.receiver[0]:
                    line = self.source.line(self.source.last_name(target))
                    yield inside.receiver[1], name, line

    def import_(self, node: ast.Import | ast.ImportFrom, inside: _Inside) -> None:
        for alias in node.names:
            line, column = self.source.position(self.source.start(alias))
            if isinstance(node, ast.Import):
                level, module, name = 0, alias.name, ""
            else:
                level, module, name = node.level, node.module or "", alias.name
            renamed = alias.asname or ""
            self.imports.append(
                Import(inside.scope, level, module, name, renamed, line, column, inside.is_typing)
            )

    def decorators(self, decorators: list[ast.expr], scope: int, outer: int) -> None:
        for decorator in decorators:
            # A decorator that is called is one use, not a call and a use.
            if isinstance(decorator, ast.Call):
                self.call(decorator.func, scope, None, is_decorator=True)
                for inner in (decorator.func, *decorator.args, *decorator.keywords):
                    self.expressions(inner, outer)
            else:
                self.call(decorator, scope, None, is_decorator=True)
                self.expressions(decorator, outer)

    def expressions(self, root: ast.AST | None, scope: int) -> None:
        """The calls and `:=` of a node, those of statements within it excepted."""
        waiting: list[tuple[ast.AST, int | None]] = [(root, None)] if root else []
        while waiting:
            node, pinned = waiting.pop()
            if isinstance(node, ast.Call):
                self.call(node.func, scope, pinned)
            elif isinstance(node, ast.NamedExpr):
                self.bind(node.target, node.value, None, scope, pinned)
            elif isinstance(node, ast.Global | ast.Nonlocal):
                self.globals.update((scope, name) for name in node.names)
            elif type(node).__name__ in STRINGS_WITH_FIELDS and pinned is None:
                # Older interpreters know no better position for what is inside.
                pinned = self.source.start(node) if isinstance(node, ast.expr) else None
            self.local(scope, *_bound(node))
            for child in ast.iter_child_nodes(node):
                if not isinstance(child, ast.stmt):
                    waiting.append((child, pinned))  # noqa: PERF401 - half the time of a generator

    def call(
        self, callee: ast.expr, scope: int, pinned: int | None, *, is_decorator: bool = False
    ) -> None:
        offset = self.source.last_name(callee) if pinned is None else pinned
        line, column = self.source.position(offset)
        self.calls.append((offset, Call(scope, chain(callee), line, column, is_decorator)))

    def bind(
        self,
        target: ast.expr,
        value: ast.expr | None,
        annotation: ast.expr | None,
        scope: int,
        pinned: int | None = None,
    ) -> None:
        targets, values = _elements(target), _elements(value)
        if targets is not None and values is not None:
            has_star = any(isinstance(element, ast.Starred) for element in (*targets, *values))
            if len(targets) == len(values) and not has_star:
                for one_target, one_value in zip(targets, values, strict=True):
                    self.bind(one_target, one_value, None, scope)
            return
        text = self.source.part(annotation) if annotation is not None else ""
        offset = self.source.start(target) if pinned is None else pinned
        self.binding(offset, target_chain(target), value_chain(value), text, scope)

    def parameters(self, args: ast.arguments, scope: int) -> None:
        forms = [(arg, "{}") for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
        if args.vararg:
            forms.append((args.vararg, "tuple[{}, ...]"))
        if args.kwarg:
            forms.append((args.kwarg, "dict[str, {}]"))
        for arg, form in forms:
            if arg.annotation is not None:
                text = form.format(self.source.part(arg.annotation))
                self.binding(self.source.start(arg), arg.arg, "", text, scope)

    def binding(self, offset: int, target: str, value: str, annotation: str, scope: int) -> None:
        if target and (value or annotation):
            line = self.source.line(offset)
            self.bindings.append((offset, Binding(scope, target, value, annotation, line)))


def _blocks(node: ast.stmt, inside: _Inside) -> Iterator[_Block]:
    """The suites of a compound statement in order, and where they put the walk."""
    within = inside._replace(is_conditional=True)
    match node:
        case ast.If(test, body, orelse):
            is_typing = within.is_typing or tail(test) == "TYPE_CHECKING"
            yield body, within._replace(is_typing=is_typing)
            yield orelse, within
        case ast.Try(body, handlers, orelse, last) | ast.TryStar(body, handlers, orelse, last):
            yield body, within
            for handler in handlers:
                yield handler.body, within
            yield orelse, within
            yield last, within
        case ast.For() | ast.AsyncFor() | ast.While():
            yield node.body, within
            yield node.orelse, within
        case ast.With(body=body) | ast.AsyncWith(body=body):
            yield body, within
        case ast.Match(_, cases):
            for case in cases:
                yield case.body, within


def _bound(node: ast.AST) -> list[str | None]:
    """The names that a node binds by itself, without those of its parts."""
    match node:
        case ast.Name(name, ast.Store()):
            return [name]
        case ast.Lambda(args):
            return [arg.arg for arg in _parameters(args)]
        case ast.ExceptHandler(_, name) | ast.MatchAs(name=name) | ast.MatchStar(name):
            return [name]
        case ast.MatchMapping(rest=rest):
            return [rest]
        case _:
            return []


def _parameters(args: ast.arguments) -> list[ast.arg]:
    found = [*args.posonlyargs, *args.args, *args.kwonlyargs]
    return found + [arg for arg in (args.vararg, args.kwarg) if arg]


def _elements(node: ast.expr | None) -> list[ast.expr] | None:
    return node.elts if isinstance(node, ast.Tuple | ast.List) else None


def _is_exports(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id == "__all__"


def _string(node: ast.stmt | None) -> str | None:
    match node:
        case ast.Expr(ast.Constant(str(value))):
            return scrub(value)
        case _:
            return None
