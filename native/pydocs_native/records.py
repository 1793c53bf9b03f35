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
    "Use",
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
    r"""One call site (or use as decorator). `callee` is the callee as a dotted chain.

    A chain begins with a name, or with what stands in its place, and goes on with links:
    `.name`, `()` for a call, `[]` for a subscript (`['a']`, `[0]`, `[-1]` with a short literal,
    `[:]` for a slice): `self.pool().get`, `handlers[].run`, `super().__init__`. `await` and `:=`
    are looked through. In place of a name there are

    - `<str>`, the type of a literal, and `<expression>` for what is not told and before a chain of
      more than 32 links;
    - `[f,,*g]`, `(f,1)`, `{f}` and `{'a':f,:g,**h}`: a display with an element that is no literal,
      longer literals left out; a comprehension is a display of its one element;
    - `?(f|g)`: one of these, for `f if c else g`, `f or g` and `f and g`;
    - `\12`: the lambda at byte 12; the names that it, or a comprehension whose first target
      stands at byte 12, binds are `x@12` in every chain.

    A call has its arguments (`getattr(x,'a')`, `partial(f,1,k=g)`) where its last name is one of
    those whose result is their arguments in another form.

    The place is that of the callee's last name (the callee's beginning if it ends with none; inside
    an f-string the f-string's), `at` its offset. The scope of a decorator is the symbol that it
    decorates, though its names are those of that symbol's parent; `@f(x)` is one use of `f`, not a
    call and a use. `arguments` is what the call is given: `f,,*g,k=h,**d`; empty where that is
    nothing but literals.
    """

    scope: int
    callee: str
    line: int
    column: int
    is_decorator: bool
    arguments: str = ""
    at: int = 0


class Use(NamedTuple):
    """What is done without a call being written, or a name that is read or written.

    `form` is `run` for a method that a statement or an operator asks for (`x.__enter__`,
    `x.__add__` with what is added as `arguments`), `raise` for a name raised, `read` and `write`
    for attributes, names that are no locals, and names declared global. Of what one scope reads
    or writes the first place is there; callees, annotations and bases are not.
    """

    scope: int
    form: str
    chain: str
    arguments: str
    line: int
    column: int


class Binding(NamedTuple):
    r"""One assignment that may tell a value: `x = Client()`, `self.c: Client = …`, a parameter.

    `target` is `x`, a dotted chain (`self.c`), or one of these with a subscript at its end; `value`
    a chain as in `Call.callee` (empty if it is none or begins with `<expression>`), `annotation`
    the annotation's source text; one of both is there. `a, b = f()` gives `f()[0]` and `f()[1]`,
    `for x in y` and comprehensions `y[*]`, `with y as x` `y!`, `except E as x` `E()`, `x += y` a
    target `x[]` with `y[*]`.

    Other targets are `return` and `yield`, `\12` for a lambda (its parameters' names as
    annotation), and `x=` for a default, whose value's names are those of the scope around.
    Parameters with annotations appear with the function as scope, `*a: T` as `tuple[T, ...]` and
    `**k: T` as `dict[str, T]`. Sorted by place.

    It holds from the byte `at` on; `is_straight` tells that it stands directly in its scope, under
    no condition, `again` where the outermost loop around it begins, or -1.
    """

    scope: int
    target: str
    value: str
    annotation: str
    line: int
    at: int = 0
    is_straight: bool = True
    again: int = -1


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
    """A name that a function binds in any way, be it one that tells no value.

    Captures of patterns are among them, what is declared `global` or `nonlocal` and the names of
    lambdas and comprehensions are not. Only names that occur in some chain of the module are there.
    """

    scope: int
    name: str


class ParsedModule(NamedTuple):
    """Everything the build takes from one module.

    `exports` are the strings of `__all__` where it is decidable from literals (`=`, `+=`,
    `.append`, `.extend`, `.remove`), else None; what is added under a condition counts. `symbols`
    are in source order, parents before children; attributes are the names assigned at module or
    class level (and `self.x` assigned in `__init__`, with the class as parent), each once, where
    it is assigned first. Calls, uses and bindings are sorted by place, locals by scope and name.

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
    uses: tuple[Use, ...] = ()
