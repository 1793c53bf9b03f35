"""Runs the programs that come on stdin and tells which calls they made: a child of bench_micro.

Input is `{program: {path: text}}`, output `{program: [[caller, callee, is nested], …]}`, both JSON.
A caller is a function, a class body or a module of the program; nested functions, lambdas and
comprehensions are their outermost function. A callee outside the program counts only where the
program itself calls it. Calls that the interpreter makes for the program (operators, properties,
callbacks from C or from the standard library) belong to the program's innermost frame.

Explicit calls are seen by wrapping what is called, in the syntax tree; all others by a profile
function. It needs nothing but Python, and does what the programs do: it is for trusted programs.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import json
import sys
import tempfile
from contextlib import redirect_stdout
from functools import partial
from importlib.machinery import FileFinder, SourceFileLoader
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR, CO_OPTIMIZED
from io import StringIO
from pathlib import Path
from types import CodeType, FrameType, FunctionType, MethodType, ModuleType

LAZY = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR
SEEN = "__seen__"


class Wrap(ast.NodeTransformer):
    """Lets whatever is called pass through a function that notes it."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        node.func = wrapped(node.func)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self.decorated(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self.decorated(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self.decorated(node)

    def decorated(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> ast.AST:
        self.generic_visit(node)
        node.decorator_list = [wrapped(one) for one in node.decorator_list]
        return node


def wrapped(called: ast.expr) -> ast.expr:
    """The same expression, given through the function that notes it."""
    call = ast.Call(ast.Name(SEEN, ast.Load()), [called], [])
    return ast.fix_missing_locations(ast.copy_location(call, called))


class Loader(SourceFileLoader):
    """Loads modules with their calls wrapped."""

    def source_to_code(  # type: ignore[override] # the loader is asked as an instance
        self, data: bytes, path: str, *, _optimize: int = -1
    ) -> CodeType:
        tree = Wrap().visit(ast.parse(data))
        return compile(tree, path, "exec", dont_inherit=True, optimize=_optimize)


class Trace:
    """The calls of one program in a folder, while it runs."""

    def __init__(self, folder: str, modules: frozenset[str]) -> None:
        self.folder = folder
        self.modules = modules
        self.edges: set[tuple[str, str, bool]] = set()
        self.lazy: set[CodeType] = set()
        self.started: dict[int, FrameType] = {}

    def profile(self, frame: FrameType, event: str, _: object) -> None:
        """Notes a call of a function of the program."""
        code = frame.f_code
        if event != "call" or not self.is_ours(code) or not code.co_flags & CO_OPTIMIZED:
            return
        if code.co_flags & LAZY:
            # Each step looks like a call; what makes a generator is seen where it is called,
            # unless that is the interpreter itself.
            is_called_by_name = code in self.lazy or not code.co_name.startswith("__")
            if is_called_by_name or id(frame) in self.started:
                return
            self.started[id(frame)] = frame
        caller = self.around(frame.f_back)
        if caller is not None:
            self.note(caller.f_code, *self.entry(code))

    def seen(self, called: object) -> object:
        """Notes a call of what is no function of the program, or only makes a generator."""
        caller = self.around(sys._getframe(1))  # noqa: SLF001 - there is no other way to a caller
        assert caller is not None
        function = called.__func__ if isinstance(called, MethodType) else called
        if isinstance(function, FunctionType) and self.is_ours(function.__code__):
            code = function.__code__
            if code.co_flags & LAZY:
                self.lazy.add(code)
                self.note(caller.f_code, *self.entry(code))
        elif name := self.outside(function):
            outer = name.partition(".<locals>")[0]
            self.note(caller.f_code, outer, outer != name)
        return called

    def outside(self, called: object) -> str:
        """The name of a class, a builtin or a function of the library; empty for an instance."""
        if isinstance(called, type):
            if any(self.is_constructed_here(called, name) for name in ("__init__", "__new__")):
                return ""
            return f"{called.__module__}.{called.__qualname__}"
        owner = getattr(called, "__self__", None)
        name = getattr(called, "__qualname__", "")
        if not name:
            return ""
        if isinstance(owner, ModuleType):
            return f"{owner.__name__}.{name}"
        if isinstance(owner, type):
            last = name.rpartition(".")[2]
            kinds: list[type] = [owner, type(owner)]
            homes = [one for kind in kinds for one in kind.__mro__]
            home = next((one for one in homes if last in vars(one)), owner)
            return f"{home.__module__}.{home.__qualname__}.{last}"
        module = getattr(called, "__module__", None)
        if module is None:
            kind = getattr(
                called, "__objclass__", owner if isinstance(owner, type) else type(owner)
            )
            top = name.partition(".")[0]
            kind = next((one for one in kind.__mro__ if one.__qualname__ == top), kind)
            module = kind.__module__
        return f"{module}.{name}"

    def is_constructed_here(self, kind: type, name: str) -> bool:
        """Whether the program defines that constructor of a class."""
        made = getattr(kind, name)
        return isinstance(made, FunctionType) and self.is_ours(made.__code__)

    def is_ours(self, code: CodeType) -> bool:
        """Whether a code object is the program's."""
        return code.co_filename.startswith(self.folder)

    def around(self, frame: FrameType | None) -> FrameType | None:
        """The innermost frame of the program."""
        while frame is not None and not self.is_ours(frame.f_code):
            frame = frame.f_back
        return frame

    def entry(self, code: CodeType) -> tuple[str, bool]:
        """The entry that a code object belongs to, and whether it is nested in it."""
        path = Path(code.co_filename).relative_to(self.folder).with_suffix("")
        parts = path.parts[:-1] if path.name == "__init__" else path.parts
        whole = code.co_qualname
        outer = whole.partition(".<locals>")[0]
        names = [part for part in outer.split(".") if not part.startswith("<")]
        return ".".join((*parts, *names)), outer != whole or "<" in outer

    def note(self, caller: CodeType, callee: str, is_nested: bool) -> None:  # noqa: FBT001 - of `entry`
        """Keeps an edge, but for those inside one entry and to the body of a module."""
        source, _ = self.entry(caller)
        if callee not in self.modules and not (is_nested and callee == source):
            self.edges.add((source, callee, is_nested))


def run(files: dict[str, str]) -> list[list[object]]:
    """The calls that one program makes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        for path, text in files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8")
        trace = Trace(f"{folder}/", frozenset(map(module_name, files)))
        loaded = set(sys.modules)
        setattr(builtins, SEEN, trace.seen)
        sys.path.insert(0, str(folder))
        sys.path_hooks.insert(0, partial(finder, str(folder)))
        try:
            with redirect_stdout(StringIO()):
                sys.setprofile(trace.profile)
                importlib.import_module("main")
        finally:
            sys.setprofile(None)
            del sys.path[0], sys.path_hooks[0]
            for module in set(sys.modules) - loaded:
                if (getattr(sys.modules[module], "__file__", None) or "").startswith(trace.folder):
                    del sys.modules[module]
    return [list(edge) for edge in sorted(trace.edges)]


def module_name(path: str) -> str:
    """The dotted name of a file of a program."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def finder(folder: str, path: str) -> FileFinder:
    """Finds the modules of a program, and leaves all others alone."""
    if not f"{path}/".startswith(f"{folder}/"):
        raise ImportError(path)
    return FileFinder(path, (Loader, [".py"]))


def main() -> None:
    """Runs every program of the input; one that fails says so in place of its calls."""
    sys.dont_write_bytecode = True
    found: dict[str, object] = {}
    for name, files in json.load(sys.stdin).items():
        try:
            found[name] = run(files)
        except BaseException as error:  # noqa: BLE001 - whatever a program does
            found[name] = f"{type(error).__name__}: {error}"
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
