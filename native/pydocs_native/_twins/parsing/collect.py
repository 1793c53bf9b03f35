"""One walk over the tree that collects everything a `ParsedModule` says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pydocs_native._twins.parsing import signature
from pydocs_native._twins.parsing.chain import UNKNOWN, Chains, tail, target_names
from pydocs_native._twins.parsing.exports import Exports
from pydocs_native._twins.parsing.implied import accesses, operators, truth
from pydocs_native._twins.parsing.marks import marks
from pydocs_native._twins.parsing.source import Source, scrub
from pydocs_native.records import (
    Binding,
    Call,
    Import,
    Local,
    ParsedModule,
    ParsedSymbol,
    Problem,
    Use,
)

__all__ = ["collect"]

# What is longer is not told part by part.
LONGEST_UNPACKED = 200
STRINGS_WITH_FIELDS = {"JoinedStr", "TemplateStr"}
NAME_END = re.compile(r"[.()\[\]{}?|,:*=\\@'<>!-]")


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
        calls=tuple(
            call
            for _, call in sorted(walk.calls, key=lambda it: (it[0], it[1].callee, it[1].arguments))
        ),
        bindings=tuple(
            binding for _, binding in sorted(walk.bindings, key=lambda it: (it[0], it[1][1:4]))
        ),
        marks=marks(source, symbols),
        problems=tuple(problems),
        listed=tuple(names.listed) if names and names.lists else (),
        lists=tuple(names.lists) if names else (),
        locals=tuple(walk.named_locals()),
        uses=tuple(walk.first_uses()),
    )


class _Inside(NamedTuple):
    """Where the walk is: a scope, in an `__init__` the name of `self` with its class.

    `is_straight` tells that it runs once and in any case, `again` where the outermost loop begins.
    """

    scope: int = -1
    is_function: bool = False
    receiver: tuple[str, int] | None = None
    is_typing: bool = False
    is_conditional: bool = False
    is_straight: bool = True
    again: int = -1


class _Around(NamedTuple):
    """What is around an expression: an f-string, names that are bound, an annotation or a base."""

    pinned: int | None = None
    bound: Mapping[str, int] = {}
    is_quiet: bool = False


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
        self.uses: list[tuple[int, Use]] = []
        self.locals: set[tuple[int, str]] = set()
        self.parameters: set[tuple[int, str]] = set()
        self.globals: set[tuple[int, str]] = set()
        self.waiting: list[tuple[ast.stmt, ast.stmt | None, _Inside]] = []

    def run(self, body: list[ast.stmt]) -> None:
        self.wait([(body, _Inside())])
        while self.waiting:
            self.statement(*self.waiting.pop())

    def named_locals(self) -> Iterator[Local]:
        """The locals that some chain begins with; of the others nobody asks."""
        texts = {text for _, call in self.calls for text in (call.callee, call.arguments)}
        texts.update(text for used in self.first_uses() for text in used[2:4])
        texts.update(text for _, one in self.bindings for text in (one.target, one.value))
        names = {name for text in texts for name in NAME_END.split(text)}
        for scope, name in sorted(self.locals - self.globals):
            if name in names:
                yield Local(scope, name)

    def first_uses(self) -> Iterator[Use]:
        """The uses in order; of what a scope reads or writes, the first place is enough."""
        own = (self.locals - self.globals) | self.parameters
        seen: set[tuple[int, str, str]] = set()
        for _, used in sorted(self.uses, key=lambda it: (it[0], it[1][1:4])):
            key = used[:3]
            if used.form in ("read", "write"):
                if (used.scope, used.chain) in own or key in seen:
                    continue
                seen.add(key)
            yield used

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
                self.expressions(node, _headed(node, inside, self.source))
                self.wait(list(_blocks(node, inside, self.source)))

    def assignments(  # noqa: C901, PLR0912 - one branch for each statement
        self, node: ast.stmt, follower: ast.stmt | None, inside: _Inside
    ) -> None:
        match node:
            case ast.Assign(targets, value):
                for target in targets:
                    self.attribute(target, node, follower, inside, None, value)
                    self.bind(target, value, None, inside)
            case ast.AnnAssign(target, annotation, value):
                self.attribute(target, node, follower, inside, annotation, value)
                self.bind(target, value, annotation, inside)
            case ast.AugAssign(target, operator, value):
                self.augmented(target, operator, value, inside)
            case ast.For(target, iterated) | ast.AsyncFor(target, iterated):
                within = _turned(inside, self.source.start(node))
                items = self.chains().value(iterated)
                at = self.source.expression_end(iterated)
                self.bind_text(target, items and items + "[*]", at, within)
            case ast.With(items) | ast.AsyncWith(items):
                for item in items:
                    if item.optional_vars:
                        context = self.chains().value(item.context_expr)
                        at = self.source.expression_end(item.context_expr)
                        self.bind_text(item.optional_vars, context and context + "!", at, inside)
            case ast.Try(handlers=handlers) | ast.TryStar(handlers=handlers):
                for handler in handlers:
                    if handler.name and handler.type:
                        within = inside._replace(is_straight=False)
                        self.bind_caught(handler.name, handler.type, within)
            case ast.Return(value) if value is not None and inside.is_function:
                at = self.source.start(value)
                self.binding(at, "return", self.chains().value(value), "", inside, at)
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
        self.decorators(node.decorator_list, scope, inside)
        for header in (*getattr(node, "type_params", ()), node.args):
            self.expressions(header, inside)
        self.expressions(node.returns, inside, _Around(is_quiet=True))
        self.parameters_of(node.args, scope, inside)
        first = [*node.args.posonlyargs, *node.args.args][:1]
        is_init = node.name == "__init__" and inside.scope >= 0 and not inside.is_function
        receiver = (first[0].arg, inside.scope) if first and is_init else None
        within = inside._replace(
            scope=scope, is_function=True, receiver=receiver, is_straight=True, again=-1
        )
        self.wait([(node.body, within)])

    def class_(self, node: ast.ClassDef, inside: _Inside) -> None:
        scope = self.symbol(
            node,
            inside,
            kind="class",
            signature=signature.of_class(self.source, node),
            bases=tuple(self.source.part(base) for base in node.bases),
        )
        self.decorators(node.decorator_list, scope, inside)
        for header in (*getattr(node, "type_params", ()), *node.keywords):
            self.expressions(header, inside)
        for base in node.bases:
            self.expressions(base, inside, _Around(is_quiet=True))
        within = inside._replace(
            scope=scope, is_function=False, receiver=None, is_straight=True, again=-1
        )
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

    def decorators(self, decorators: list[ast.expr], scope: int, outer: _Inside) -> None:
        for decorator in decorators:
            # A decorator that is called is one use, not a call and a use.
            if isinstance(decorator, ast.Call):
                self.call(decorator, decorator.func, scope, _Around(), is_decorator=True)
                for inner in (*_inner(decorator.func), *decorator.args, *decorator.keywords):
                    self.expressions(inner, outer)
            else:
                self.call(None, decorator, scope, _Around(), is_decorator=True)
                for inner in _inner(decorator):
                    self.expressions(inner, outer)

    def chains(self, around: _Around = _Around()) -> Chains:  # noqa: B008 - it is frozen
        """What makes chains where the walk is."""
        pinned = around.pinned
        return Chains(around.bound, self.source.start if pinned is None else lambda _: pinned)

    def expressions(
        self,
        root: ast.AST | None,
        inside: _Inside,
        around: _Around = _Around(),  # noqa: B008 - it is frozen
    ) -> None:
        """What the expressions of a node say, those of statements within it excepted."""
        waiting: list[tuple[ast.AST, _Around]] = [(root, around)] if root else []
        while waiting:
            node, around = waiting.pop()
            if isinstance(node, ast.Global | ast.Nonlocal):
                self.globals.update((inside.scope, name) for name in node.names)
            self.local(inside.scope, *_bound(node))
            waiting += self.expression(node, inside, around)

    def expression(
        self, node: ast.AST, inside: _Inside, around: _Around
    ) -> list[tuple[ast.AST, _Around]]:
        """What one expression says by itself; gives its parts."""
        match node:
            case ast.Call(func, args, keywords):
                self.call(node, func, inside.scope, around)
                return [(part, around) for part in (*_inner(func), *args, *keywords)]
            case ast.Lambda():
                return self.lambda_(node, inside, around)
            case (
                ast.ListComp(element, generators)
                | ast.SetComp(element, generators)
                | ast.GeneratorExp(element, generators)
            ):
                return self.comprehension(generators, [element], inside, around)
            case ast.DictComp(key, value, generators):
                return self.comprehension(generators, [key, value], inside, around)
            case ast.NamedExpr(target, value):
                self.bind(target, value, None, inside, around)
            case ast.Yield(value):
                self.yield_(node, self.chains(around).value(value), inside, around)
            case ast.YieldFrom(value):
                items = self.chains(around).value(value)
                self.yield_(node, items and items + "[*]", inside, around)
            case _ if type(node).__name__ in STRINGS_WITH_FIELDS and around.pinned is None:
                # Older interpreters know no better position for what is inside.
                pinned = self.source.start(node) if isinstance(node, ast.expr) else None
                around = around._replace(pinned=pinned)
        self.used(node, inside, around)
        children = ast.iter_child_nodes(node)
        quiet = around._replace(is_quiet=True)
        annotation = getattr(node, "annotation", None)
        return [
            (child, quiet if child is annotation else around)
            for child in children
            if not isinstance(child, ast.stmt)
        ]

    def used(self, node: ast.AST, inside: _Inside, around: _Around) -> None:
        """What a node does without a call being written, reads or writes."""
        chains = self.chains(around)
        for method, operand, other in operators(node, is_quiet=around.is_quiet):
            text = chains.value(operand)
            if text and not text.startswith("<"):
                argument = chains.argument(other) if other is not None else ""
                self.use("run", f"{text}.{method}", argument, operand, inside, around)
        if around.is_quiet:
            return
        globals_ = {name for scope, name in self.globals if scope == inside.scope}
        for form, accessed in accesses(node, around.bound, globals_):
            text = chains.value(accessed)
            if text and not text.startswith(("<", "?", "[", "(", "{", "\\")):
                self.use(form, text, "", accessed, inside, around)

    def use(
        self,
        form: str,
        text: str,
        arguments: str,
        node: ast.expr,
        inside: _Inside,
        around: _Around,
    ) -> None:
        offset = self.source.last_name(node) if around.pinned is None else around.pinned
        line, column = self.source.position(offset)
        self.uses.append((offset, Use(inside.scope, form, text, arguments, line, column)))

    def call(
        self,
        node: ast.Call | None,
        callee: ast.expr,
        scope: int,
        around: _Around,
        *,
        is_decorator: bool = False,
    ) -> None:
        offset = self.source.last_name(callee) if around.pinned is None else around.pinned
        line, column = self.source.position(offset)
        chains = self.chains(around)
        arguments = chains.arguments(node.args, node.keywords) if node else ""
        told = chains.chain(callee)
        self.calls.append(
            (offset, Call(scope, told, line, column, is_decorator, arguments, offset))
        )

    def lambda_(
        self, node: ast.Lambda, inside: _Inside, around: _Around
    ) -> list[tuple[ast.AST, _Around]]:
        chains = self.chains(around)
        place = chains.place(node)
        for arg, default in _defaults(node.args):
            target = f"{arg.arg}@{place}="
            offset = self.source.start(arg)
            self.binding(offset, target, chains.value(default), "", inside, 0, around)
        names = {arg.arg: place for arg in _parameters(node.args)}
        within = around._replace(bound={**around.bound, **names})
        value = self.chains(within).value(node.body)
        offset = self.source.start(node)
        listed = f"({_listed(node.args)})"
        self.binding(offset, f"\\{place}", value, listed, inside, 0, around)
        defaults: list[tuple[ast.AST, _Around]] = [
            (default, around) for _, default in _defaults(node.args)
        ]
        return [*defaults, (node.body, within)]

    def comprehension(
        self,
        generators: Sequence[ast.comprehension],
        parts: Sequence[ast.expr],
        inside: _Inside,
        around: _Around,
    ) -> list[tuple[ast.AST, _Around]]:
        place = self.chains(around).place(generators[0].target)
        waiting: list[tuple[ast.AST, _Around]] = []
        for generator in generators:
            method = "__aiter__" if generator.is_async else "__iter__"
            self.asked(generator.iter, method, inside, around)
            items = self.chains(around).value(generator.iter)
            waiting.append((generator.iter, around))
            names = dict.fromkeys(target_names(generator.target), place)
            around = around._replace(bound={**around.bound, **names})
            self.bind_text(generator.target, items and items + "[*]", 0, inside, around)
            for test in generator.ifs:
                for operand in truth(test):
                    self.asked(operand, "__bool__", inside, around)
                waiting.append((test, around))
        return [*waiting, *((part, around) for part in parts)]

    def asked(self, operand: ast.expr, method: str, inside: _Inside, around: _Around) -> None:
        if isinstance(operand, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
            text = self.chains(around).value(operand)
            if text and not text.startswith("<"):
                self.use("run", f"{text}.{method}", "", operand, inside, around)

    def bind(
        self,
        target: ast.expr,
        value: ast.expr | None,
        annotation: ast.expr | None,
        inside: _Inside,
        around: _Around = _Around(),  # noqa: B008 - it is frozen
    ) -> None:
        targets, values = _elements(target), _elements(value)
        if targets is not None and values is not None:
            has_star = any(isinstance(element, ast.Starred) for element in (*targets, *values))
            if len(targets) == len(values) and not has_star:
                for one_target, one_value in zip(targets, values, strict=True):
                    self.bind(one_target, one_value, None, inside, around)
                return
        chains = self.chains(around)
        text = chains.value(value)
        at = self.source.expression_end(target if value is None else value)
        if annotation is not None:
            told = self.source.part(annotation)
            offset = self.source.start(target)
            self.binding(offset, chains.target(target), text, told, inside, at, around)
            return
        self.bind_text(target, text, at, inside, around)

    def bind_text(
        self,
        target: ast.expr,
        value: str,
        at: int,
        inside: _Inside,
        around: _Around = _Around(),  # noqa: B008 - it is frozen
    ) -> None:
        """What `target = value` tells, by the chain of the value; of tuples, what each part is."""
        targets = _elements(target)
        if not value or (targets is not None and len(value.encode()) > LONGEST_UNPACKED):
            return
        if targets is None:
            offset = self.source.start(target)
            self.binding(offset, self.chains(around).target(target), value, "", inside, at, around)
            return
        for number, element in enumerate(targets):
            if isinstance(element, ast.Starred):
                self.bind_text(element.value, f"[{value}[*]]", at, inside, around)
            else:
                self.bind_text(element, f"{value}[{number}]", at, inside, around)

    def bind_caught(self, name: str, caught: ast.expr, inside: _Inside) -> None:
        elements = _elements(caught)
        chains = [
            self.chains().value(each) for each in ([caught] if elements is None else elements)
        ]
        made = [f"{chain}()" for chain in chains if chain]
        if made:
            value = made[0] if len(made) == 1 else f"?({'|'.join(made)})"
            at = self.source.expression_end(caught)
            self.binding(at, name, value, "", inside, at)

    def augmented(
        self, target: ast.expr, operator: ast.operator, value: ast.expr, inside: _Inside
    ) -> None:
        text = self.chains().value(value)
        told = self.chains().target(target)
        if isinstance(operator, ast.Add) and told and text and not text.startswith("<"):
            at = self.source.expression_end(value)
            offset = self.source.start(target)
            self.binding(offset, told + "[]", text + "[*]", "", inside, at)

    def yield_(self, node: ast.expr, text: str, inside: _Inside, around: _Around) -> None:
        if inside.is_function:
            at = self.source.start(node)
            # That it yields makes it a generator.
            self.binding(at, "yield", text or UNKNOWN, "", inside, at, around)

    def parameters_of(self, args: ast.arguments, scope: int, inside: _Inside) -> None:
        within = inside._replace(scope=scope)
        for arg, default in _defaults(args):
            value = self.chains().value(default)
            self.binding(self.source.start(arg), arg.arg + "=", value, "", within, 0)
        forms = [(arg, "{}") for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
        if args.vararg:
            forms.append((args.vararg, "tuple[{}, ...]"))
        if args.kwarg:
            forms.append((args.kwarg, "dict[str, {}]"))
        for arg, form in forms:
            self.parameters.add((scope, arg.arg))
            if arg.annotation is not None:
                text = form.format(self.source.part(arg.annotation))
                self.binding(self.source.start(arg), arg.arg, "", text, within, 0)

    def binding(
        self,
        offset: int,
        target: str,
        value: str,
        annotation: str,
        inside: _Inside,
        at: int,
        around: _Around = _Around(),  # noqa: B008 - it is frozen
    ) -> None:
        if not target or not (value or annotation):
            return
        if around.pinned is not None:
            offset = at = around.pinned
        line = self.source.line(offset)
        is_straight, again = inside.is_straight, inside.again
        self.bindings.append(
            (
                offset,
                Binding(inside.scope, target, value, annotation, line, at, is_straight, again),
            )
        )


def _turned(inside: _Inside, start: int) -> _Inside:
    """In a loop that begins at `start`."""
    again = start if inside.again < 0 else inside.again
    return inside._replace(is_conditional=True, is_straight=False, again=again)


def _headed(node: ast.stmt, inside: _Inside, source: Source) -> _Inside:
    """Where the expressions in the head of a statement are."""
    match node:
        case ast.For() | ast.AsyncFor() | ast.While():
            return _turned(inside, source.start(node))
        case ast.If() | ast.Try() | ast.TryStar() | ast.Match():
            return inside._replace(is_straight=False)
    return inside


def _blocks(node: ast.stmt, inside: _Inside, source: Source) -> Iterator[_Block]:
    """The suites of a compound statement in order, and where they put the walk."""
    within = inside._replace(is_conditional=True, is_straight=False)
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
            turned = _turned(inside, source.start(node))
            yield node.body, turned
            yield node.orelse, turned
        case ast.With(body=body) | ast.AsyncWith(body=body):
            yield body, within._replace(is_straight=inside.is_straight)
        case ast.Match(_, cases):
            for case in cases:
                yield case.body, within


def _bound(node: ast.AST) -> list[str | None]:
    """The names that a node binds by itself, without those of its parts."""
    match node:
        case ast.Name(name, ast.Store()):
            return [name]
        case ast.ExceptHandler(_, name) | ast.MatchAs(name=name) | ast.MatchStar(name):
            return [name]
        case ast.MatchMapping(rest=rest):
            return [rest]
        case _:
            return []


def _parameters(args: ast.arguments) -> list[ast.arg]:
    found = [*args.posonlyargs, *args.args, *args.kwonlyargs]
    return found + [arg for arg in (args.vararg, args.kwarg) if arg]


def _defaults(args: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr]]:
    """The parameters that have defaults, with these."""
    positional = [*args.posonlyargs, *args.args]
    yield from zip(positional[len(positional) - len(args.defaults) :], args.defaults, strict=True)
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        if default is not None:
            yield arg, default


def _listed(args: ast.arguments) -> str:
    """The names of parameters: `a,*b,c,**d`."""
    names = [arg.arg for arg in (*args.posonlyargs, *args.args)]
    if args.vararg or args.kwonlyargs:
        names.append(f"*{args.vararg.arg if args.vararg else ''}")
    names += [arg.arg for arg in args.kwonlyargs]
    names += [f"**{args.kwarg.arg}"] if args.kwarg else []
    return ",".join(names)


def _inner(callee: ast.expr) -> list[ast.expr]:
    """What a callee is made of; that it is called is no read of it."""
    match callee:
        case ast.Name():
            return []
        case ast.Attribute(value):
            return [value]
    return [callee]


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
