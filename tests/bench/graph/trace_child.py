"""Runs one workload and tells which calls a package made meanwhile: a child of bench_trace.

`python trace_child.py WORKLOAD PACKAGE` prints JSON: `explicit` calls as [path, line, column of the
callee's last name, names of the callee], `implicit` ones as [path, line, caller, callee]. Explicit
is what an expression calls, and seen by wrapping what is called in the syntax tree; implicit what
the interpreter or a function in C calls for the package: operators, properties, iteration,
callbacks. Only what a file in site-packages defines counts as a callee, and names are those of
definition sites, without what is nested in functions.
"""

from __future__ import annotations

import ast
import builtins
import json
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import find_spec
from inspect import CO_OPTIMIZED
from io import StringIO
from pathlib import Path
from types import CodeType, FrameType, FunctionType, MethodType, ModuleType

from micro_trace import LAZY, SEEN

HERE = Path(__file__).resolve().parent


class Wrap(ast.NodeTransformer):
    """Lets whatever is called pass through a function that notes it and its place."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        line, column = last_name(node.func)
        place = [ast.Constant(line), ast.Constant(column)]
        call = ast.Call(ast.Name(SEEN, ast.Load()), [node.func, *place], [])
        node.func = ast.fix_missing_locations(ast.copy_location(call, node.func))
        return node


def last_name(called: ast.expr) -> tuple[int, int]:
    """Where the last name of what is called stands, where it begins if it ends with no name."""
    if isinstance(called, ast.Attribute):
        line, end = called.end_lineno or 0, called.end_col_offset or 0
        return line, end - len(called.attr.encode())
    return called.lineno, called.col_offset


class Loader(SourceFileLoader):
    """Loads the modules of the package with their calls wrapped."""

    def source_to_code(  # type: ignore[override] # the loader is asked as an instance
        self, data: bytes, path: str, *, _optimize: int = -1
    ) -> CodeType:
        tree = Wrap().visit(ast.parse(data))
        return compile(tree, path, "exec", dont_inherit=True, optimize=_optimize)

    def get_code(self, fullname: str) -> CodeType | None:
        # Not from a cached file, which would hold the calls as they are.
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


class Trace:
    """The calls that the files of one folder make, into any file of the site."""

    def __init__(self, site: Path, folder: Path) -> None:
        self.site, self.folder = f"{site}/", f"{folder}/"
        self.is_on = False
        self.explicit: set[tuple[str, int, int, tuple[str, ...]]] = set()
        self.implicit: set[tuple[str, int, CodeType, CodeType]] = set()
        self.pairs: set[tuple[CodeType, CodeType]] = set()

    def seen(self, called: object, line: int, column: int) -> object:
        """Notes what an expression calls."""
        if self.is_on:
            codes = list(self.codes(called))
            names = {name for code in codes if (name := self.name(code))}
            if isinstance(called, type) and self.is_there(called):
                names.add(f"{called.__module__}.{called.__qualname__}")
            caller = sys._getframe(1).f_code  # noqa: SLF001 - there is no other way to a caller
            is_inner = names == {self.name(caller)} and any("<" in one.co_qualname for one in codes)
            if names and not is_inner:
                path = caller.co_filename.removeprefix(self.site)
                self.explicit.add((path, line, column, tuple(sorted(names))))
                self.pairs.update((caller, code) for code in codes)
        return called

    def codes(self, called: object) -> list[CodeType]:
        """The functions that a call of something runs first, and what they wrap."""
        if isinstance(called, type):
            made = [getattr(called, name, None) for name in ("__init__", "__new__")]
            return [one.__code__ for one in made if isinstance(one, FunctionType)]
        if isinstance(called, MethodType):
            called = called.__func__
        if not isinstance(called, FunctionType) and not hasattr(called, "__wrapped__"):
            kinds = type(called).__mro__
            called = next((vars(k)["__call__"] for k in kinds if "__call__" in vars(k)), None)
        found = []
        while called is not None:
            if isinstance(called, FunctionType):
                found.append(called.__code__)
            called = getattr(called, "__wrapped__", None)
        return found

    def is_there(self, kind: type) -> bool:
        """Whether a file of the site defines a class."""
        module = sys.modules.get(kind.__module__)
        return (getattr(module, "__file__", None) or "").startswith(self.site)

    def profile(self, frame: FrameType, event: str, _: object) -> None:
        """Notes a call that no expression of the package makes."""
        caller = frame.f_back
        flags = frame.f_code.co_flags
        # A class body runs like a function, and a generator goes on as if it were called.
        is_called = event == "call" and flags & CO_OPTIMIZED and not flags & LAZY
        if not is_called or caller is None or not self.is_on:
            return
        is_ours = caller.f_code.co_filename.startswith(self.folder)
        if is_ours and frame.f_code.co_filename.startswith(self.site):
            path = caller.f_code.co_filename.removeprefix(self.site)
            self.implicit.add((path, caller.f_lineno, caller.f_code, frame.f_code))

    def name(self, code: CodeType) -> str:
        """The definition-site name of what a code object belongs to; empty outside of the site."""
        if not code.co_filename.startswith(self.site):
            return ""
        path = Path(code.co_filename.removeprefix(self.site)).with_suffix("")
        parts = path.parts[:-1] if path.name == "__init__" else path.parts
        outer = code.co_qualname.partition(".<locals>")[0]
        names = [part for part in outer.split(".") if not part.startswith("<")]
        return ".".join((*parts, *names))

    def calls(self) -> dict[str, list[object]]:
        """All that was noted, sorted."""
        implicit = {
            (path, line, self.name(caller), self.name(callee))
            for path, line, caller, callee in self.implicit
            if (caller, callee) not in self.pairs
        }
        known = {(path, line, one) for path, line, _, some in self.explicit for one in some}
        return {
            "explicit": [[*one[:3], list(one[3])] for one in sorted(self.explicit)],
            "implicit": [
                list(one)
                for one in sorted(implicit)
                if one[2] != one[3] and (*one[:2], one[3]) not in known
            ],
        }


class Finder:
    """Finds the modules of one package where Python does, and has them loaded with a trace."""

    def __init__(self, package: str) -> None:
        self.package = package

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a module in Python; None for all that is not the package's."""
        if name != self.package and not name.startswith(f"{self.package}."):
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = Loader(spec.loader.name, spec.loader.path)
        return spec


def main() -> None:
    """Runs the workload, and prints its calls."""
    workload, package = sys.argv[1:]
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent
    trace = Trace(folder.parent, folder)
    setattr(builtins, SEEN, trace.seen)
    sys.meta_path.insert(0, Finder(package))
    sys.path.insert(0, str(HERE / "workloads"))
    work = import_module(workload)
    with redirect_stdout(StringIO()):
        sys.setprofile(trace.profile)
        trace.is_on = True
        try:
            work.run()
        finally:
            trace.is_on = False
            sys.setprofile(None)
    json.dump(trace.calls(), sys.stdout)


if __name__ == "__main__":
    main()
