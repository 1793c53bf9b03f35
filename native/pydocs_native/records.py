"""What the native functions return: flat named tuples, of the parser one `ParsedModule` a file.

Offsets are bytes into the UTF-8 text that was parsed, ends exclusive. Lines count from 1, columns
(bytes) from 0. A *scope* is an index into `ParsedModule.symbols`, -1 for the module itself.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = [
    "Binding",
    "Call",
    "Import",
    "Local",
    "Mark",
    "ParsedModule",
    "ParsedSymbol",
    "Problem",
    "WalkedFile",
]


class WalkedFile(NamedTuple):
    """A regular file below the walked folder.

    `path` is relative with `/`, odd bytes as `os.fsdecode` gives them; `size` is in bytes.
    """

    path: str
    size: int


class ParsedSymbol(NamedTuple):
    """A class, function or attribute.

    `kind` is `class`, `function` or `attribute`; `qualname` follows Python (`C.m`,
    `f.<locals>.g`); `parent` is a scope. `start`/`end` span the whole statement with its
    decorators, `start_line`/`end_line` are their lines and `line` is that of `def`, `class` or the
    name. `body` is where the suite begins (its first statement; `end` for attributes).

    `signature` is `(a: int, *, b=1) -> str` rebuilt from the source text of its parts with one
    space for each run of blanks outside strings (none just inside brackets), comments dropped;
    `(Base, metaclass=M)` as written for classes (empty without arguments), prefixed by `[T]` type
    parameters where there are some; `: int = 1` for attributes (` = 1` without annotation, empty
    for a tuple of targets, `[T] = value` for a `type` statement). Each part is cut at 200
    characters with `…`, and so are the texts of `bases`, `decorators` (without `@`) and `returns`.

    `docstring` is the string's value as Python has it, not cleaned, or None; for attributes the
    string statement that follows.
    """

    kind: str
    name: str
    qualname: str
    parent: int
    start: int
    end: int
    start_line: int
    end_line: int
    line: int
    body: int
    signature: str
    docstring: str | None
    bases: tuple[str, ...]
    decorators: tuple[str, ...]
    returns: str
    is_async: bool


class Import(NamedTuple):
    """One imported name. `import a.b as c`: module `a.b`, name empty, alias `c`.

    `from ..m import n as k`: level 2, module `m`, name `n`, alias `k`; without `as`, `alias` is
    empty; a star is the name `*`. `is_typing` marks imports under `if TYPE_CHECKING:`.
    """

    scope: int
    level: int
    module: str
    name: str
    alias: str
    line: int
    column: int
    is_typing: bool


class Call(NamedTuple):
    """One call site (or use as decorator). `callee` is the callee as a dotted chain.

    Links are names; `()` after a link stands for a call and `[]` for a subscript:
    `self.pool().get`, `handlers[].run`, `super().__init__`. `await` and `:=` are looked through. A
    chain that begins with a literal has its type's name in angle brackets (`<str>.join`); any other
    beginning is `<expression>`, and so is that of a chain of more than 32 links.

    The place is that of the callee's last name (the callee's beginning if it ends with none; inside
    an f-string the f-string's). The scope of a decorator is the symbol that it decorates, though
    its names are those of that symbol's parent; `@f(x)` is one use of `f`, not a call and a use.
    """

    scope: int
    callee: str
    line: int
    column: int
    is_decorator: bool


class Binding(NamedTuple):
    """One assignment that may tell a type: `x = Client()`, `self.c: Client = …`, a parameter.

    `target` is `x` or a dotted chain (`self.c`); `value` a chain as in `Call.callee` (empty if it
    is none or begins with `<expression>`; `Client()` for a call of `Client`), `annotation` the
    annotation's source text; one of both is there. Parameters with annotations appear with the
    function as scope, `*a: T` as `tuple[T, ...]` and `**k: T` as `dict[str, T]`. `with A() as x`
    gives `A()` as the value; `a, b = f(), g()` gives two bindings. Sorted by place.
    """

    scope: int
    target: str
    value: str
    annotation: str
    line: int


class Mark(NamedTuple):
    """A comment that begins `WHY:`, `DECISION:`, `RATIONALE:`, `TRADEOFF:`, `HACK:` or `NOTE:`.

    The span covers this comment and the comment lines that follow it directly, in one column,
    up to the next mark. The scope is the innermost class or function around it.
    """

    scope: int
    word: str
    start: int
    end: int
    line: int
    end_line: int


class Problem(NamedTuple):
    """Where the text is no Python, and what the parser says."""

    line: int
    message: str


class Local(NamedTuple):
    """A name that a function binds in a way that tells no type: `for x in …`, `except E as x`.

    Parameters of lambdas, targets of comprehensions, captures of patterns and assignments are among
    them, what is declared `global` or `nonlocal` is not. Only names that some chain of the module
    begins with are there.
    """

    scope: int
    name: str


class ParsedModule(NamedTuple):
    """Everything the build takes from one module.

    `exports` are the strings of `__all__` where it is decidable from literals (`=`, `+=`,
    `.append`, `.extend`, `.remove`), else None; what is added under a condition counts. `symbols`
    are in source order, parents before children; attributes are the names assigned at module or
    class level (and `self.x` assigned in `__init__`, with the class as parent), each once, where
    it is assigned first. Calls and bindings are sorted by place, locals by scope and name.

    Where `__all__` takes in lists that are no literals, `exports` is None, `listed` holds the
    names that are and `lists` the chains of the others: `q.__all__`, the plain name of a list, and
    `<expression>` for whatever else decides.
    """

    docstring: str | None
    exports: tuple[str, ...] | None
    symbols: tuple[ParsedSymbol, ...]
    imports: tuple[Import, ...]
    calls: tuple[Call, ...]
    bindings: tuple[Binding, ...]
    marks: tuple[Mark, ...]
    problems: tuple[Problem, ...]
    listed: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    locals: tuple[Local, ...] = ()
