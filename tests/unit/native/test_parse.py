from __future__ import annotations

import sys
from pathlib import Path
from textwrap import dedent
from types import ModuleType

import pytest

from pydocs_native import _twins
from pydocs_native.records import (
    Binding,
    Call,
    Import,
    Local,
    Mark,
    ParsedModule,
    ParsedSymbol,
    Problem,
)


@pytest.fixture
def rust() -> ModuleType:
    """The extension, for what the running interpreter may not know."""
    core: ModuleType = pytest.importorskip("pydocs_native._core")
    return core


def parsed(native: ModuleType, text: str) -> ParsedModule:
    module: ParsedModule = native.parse(dedent(text).encode())
    return module


def symbol(module: ParsedModule, qualname: str) -> ParsedSymbol:
    (found,) = (it for it in module.symbols if it.qualname == qualname)
    return found


def names(module: ParsedModule) -> list[str]:
    return [it.qualname for it in module.symbols]


def text_of(text: str, it: ParsedSymbol) -> str:
    return dedent(text).encode()[it.start : it.end].decode()


class TestSymbols:
    def test_stand_in_source_order_with_python_s_qualified_names(self, native: ModuleType) -> None:
        text = """\
            class A:
                def m(self):
                    def inner(): pass
                class B:
                    x = 1
            def f(): pass
        """
        module = parsed(native, text)
        assert names(module) == ["A", "A.m", "A.m.<locals>.inner", "A.B", "A.B.x", "f"]
        assert [it.parent for it in module.symbols] == [-1, 0, 1, 0, 3, -1]

    def test_span_the_statement_from_the_first_decorator(self, native: ModuleType) -> None:
        text = """\
            import a

            @a.first(
                1,
            )
            # between
            @a.second
            async def f():
                return 1  # not this
        """
        it = symbol(parsed(native, text), "f")
        assert text_of(text, it).startswith("@a.first(")
        assert text_of(text, it).endswith("return 1")
        assert (it.start_line, it.line, it.end_line) == (3, 8, 9)
        assert dedent(text).encode()[it.body : it.end] == b"return 1"
        assert it.decorators == ("a.first(1,)", "a.second")
        assert it.is_async

    def test_a_parenthesized_decorator_begins_with_its_sign(self, native: ModuleType) -> None:
        text = "@(  # why not\n  deco)\ndef f(): pass\n"
        assert symbol(parsed(native, text), "f").start == 0

    def test_overloads_and_properties_are_each_there(self, native: ModuleType) -> None:
        module = parsed(
            native,
            """\
            class C:
                @overload
                def f(self, a: int) -> int: ...
                @overload
                def f(self, a: str) -> str: ...
                def f(self, a): return a
                @property
                def p(self) -> int: return 1
                @p.setter
                def p(self, value): pass
            """,
        )
        assert names(module) == ["C", "C.f", "C.f", "C.f", "C.p", "C.p"]
        assert [it.decorators for it in module.symbols[1:]] == [
            ("overload",), ("overload",), (), ("property",), ("p.setter",)
        ]  # fmt: skip

    def test_definitions_under_conditions_count(self, native: ModuleType) -> None:
        module = parsed(
            native,
            """\
            try:
                import fast
            except ImportError:
                def f(): pass
            else:
                class C: pass
            finally:
                x = 1
            for _ in ():
                def g(): pass
            with a:
                def h(): pass
            match a:
                case 1:
                    def i(): pass
            """,
        )
        assert names(module) == ["f", "C", "x", "g", "h", "i"]

    def test_end_includes_the_semicolon_of_the_last_statement(self, native: ModuleType) -> None:
        assert symbol(parsed(native, "def f():\n    return 1 ;\n"), "f").end == 23


class TestSignatures:
    @pytest.mark.parametrize(
        "signature",
        [
            "()",
            "(a, b=1)",
            "(a, /, b, *, c)",
            "(a: int, /, b: str = 'x', *args: int, c=1, **kw: bool) -> dict[str, int]",
            "(*, a: int | None = None)",
            "(a=(1, 2), b=f'{x!r:>{w}}')",
            "(a='# no comment  here')",
        ],
    )
    def test_of_functions_come_back_as_written(self, native: ModuleType, signature: str) -> None:
        assert symbol(parsed(native, f"def f{signature}: pass\n"), "f").signature == signature

    def test_are_one_line_without_comments(self, native: ModuleType) -> None:
        text = """\
            def f(
                a: Union[
                    int,  # first
                    str
                ],
                b = "two  blanks",
                c = 1 + \\
                    2,
            ): pass
        """
        expected = '(a: Union[int, str], b="two  blanks", c=1 + 2)'
        assert symbol(parsed(native, text), "f").signature == expected

    def test_of_classes_have_bases_and_keywords_in_order(self, native: ModuleType) -> None:
        it = symbol(parsed(native, "class C(A, *B, metaclass=M, **kw): pass\n"), "C")
        assert it.signature == "(A, *B, metaclass=M, **kw)"
        assert it.bases == ("A", "*B")
        assert symbol(parsed(native, "class C(): pass\n"), "C").signature == ""

    def test_of_attributes_have_annotation_and_value(self, native: ModuleType) -> None:
        module = parsed(native, "a: int = 1\nb = {\n  'k': 1 }\nc: str\nd, e = 1, 2\n")
        assert [it.signature for it in module.symbols] == [
            ": int = 1", " = {'k': 1}", ": str", "", ""
        ]  # fmt: skip

    def test_are_cut_part_by_part(self, native: ModuleType) -> None:
        text = f"def f(a={'é' * 300}, b=1): pass\nx = [{'1, ' * 900}]\n"
        module = parsed(native, text)
        assert symbol(module, "f").signature == f"(a={'é' * 200}…, b=1)"
        assert symbol(module, "x").signature == f" = [{('1, ' * 900)[:199]}…"

    def test_type_parameters_stand_in_front(self, rust: ModuleType) -> None:
        module = parsed(
            rust,
            """\
            def f[T: int, *Ts, **P](a: T) -> T: pass
            class C[T = int](Base[T]): pass
            type Alias[T] = list[T]
            """,
        )
        assert [it.signature for it in module.symbols] == [
            "[T: int, *Ts, **P](a: T) -> T", "[T = int](Base[T])", "[T] = list[T]"
        ]  # fmt: skip


class TestDocstrings:
    def test_are_values_not_source(self, native: ModuleType) -> None:
        module = parsed(
            native,
            '''\
            r"""Mod\\x."""
            def f():
                "a" "\\x62"
            def g():
                f"{1}"
            def h():
                b"bytes"
            class C:
                """  Doc.

                Raw blanks.  """
            ''',
        )
        assert module.docstring == "Mod\\x."
        assert [it.docstring for it in module.symbols] == [
            "ab", None, None, "  Doc.\n\n    Raw blanks.  "
        ]  # fmt: skip

    def test_follow_attributes(self, native: ModuleType) -> None:
        module = parsed(native, 'x = 1\n"""Of x."""\ny = 2\n\nclass C:\n    z: int\n    "Of z."\n')
        assert [it.docstring for it in module.symbols] == ["Of x.", None, None, "Of z."]

    def test_lone_surrogates_are_replaced(self, native: ModuleType) -> None:
        assert parsed(native, r'"\ud800\udc00 x"').docstring == "\ufffd\ufffd x"


class TestAttributes:
    def test_are_names_of_modules_and_classes_and_self(self, native: ModuleType) -> None:
        module = parsed(
            native,
            """\
            a = b = 1
            c, (d, *e) = f = g()
            h.i = 2
            j[0] = 3
            a = 4
            class C:
                k = 1
                def __init__(this, q):
                    local = 1
                    this.k = 2
                    if q:
                        this.l: int = 3
                    this.m, other.n = 1, 2
                    def inner(): this.o = 1
                def method(self):
                    self.p = 1
            """,
        )
        attributes = [it.qualname for it in module.symbols if it.kind == "attribute"]
        assert attributes == ["a", "b", "c", "d", "e", "f", "C.k", "C.l", "C.m"]
        assert symbol(module, "C.l").parent == names(module).index("C")


class TestImports:
    def test_say_module_name_and_alias(self, native: ModuleType) -> None:
        module = parsed(
            native,
            """\
            import a.b as c, d
            from ..m import n as k, o
            from . import *
            def f():
                from x import y
            """,
        )
        assert module.imports == (
            Import(-1, 0, "a.b", "", "c", 1, 7, is_typing=False),
            Import(-1, 0, "d", "", "", 1, 17, is_typing=False),
            Import(-1, 2, "m", "n", "k", 2, 16, is_typing=False),
            Import(-1, 2, "m", "o", "", 2, 24, is_typing=False),
            Import(-1, 1, "", "*", "", 3, 14, is_typing=False),
            Import(0, 0, "x", "y", "", 5, 18, is_typing=False),
        )

    def test_under_type_checking_are_marked(self, native: ModuleType) -> None:
        module = parsed(
            native,
            """\
            if TYPE_CHECKING:
                import a
            elif t.TYPE_CHECKING:
                import b
            else:
                import c
            import d
            """,
        )
        assert [it.module for it in module.imports if it.is_typing] == ["a", "b"]


class TestExports:
    @pytest.mark.parametrize(
        ("text", "exports"),
        [
            ("", None),
            ("__all__ = []", ()),
            ("__all__ = ['a', 'b' 'c']", ("a", "bc")),
            ("__all__: tuple[str, ...] = ('a',)", ("a",)),
            ("__all__ = ['a'] + ['b'] + ['c']", ("a", "b", "c")),
            ("__all__ = ['a']\n__all__ += ['b']\n__all__ = __all__ + ['c']", ("a", "b", "c")),
            ("__all__ = ['a']\n__all__.append('b')\n__all__.extend(('c',))", ("a", "b", "c")),
            ("__all__ = ['a', 'b']\n__all__.remove('a')\n__all__.remove('x')", ("b",)),
            ("__all__ = ['a']\nif x:\n  __all__ += ['b']\n  __all__.remove('a')", ("a", "b")),
            ("try:\n  __all__ = ['a']\nexcept E:\n  __all__ = []", ("a",)),
            ("__all__ = [n for n in x]", None),
            ("__all__ = ['a']\n__all__ += q.__all__", None),
            ("__all__ = ['a']\n__all__ += q.__all__\n__all__ = ['b']", ("b",)),
            ("__all__ = ['a']\n__all__.append(name)", None),
            ("__all__ = ['a']\n__all__ -= ['a']", None),
            ("__all__ = [*a]", None),
            ("def f():\n  __all__ = ['a']", None),
        ],
    )
    def test_are_what_literals_decide(
        self, native: ModuleType, text: str, exports: tuple[str, ...] | None
    ) -> None:
        assert parsed(native, text + "\n").exports == exports

    def test_that_double_forever_are_not_followed(self, native: ModuleType) -> None:
        doubling = "__all__ += __all__\n" * 60
        assert parsed(native, f"__all__ = ['a']\n{doubling}").exports is None


class TestCalls:
    @pytest.mark.parametrize(
        ("expression", "callees"),
        [
            ("f()", ["f"]),
            ("a.b.c(d())", ["a.b.c", "d"]),
            ("self.pool().get()", ["self.pool", "self.pool().get"]),
            ("handlers[k].run()", ["handlers[].run"]),
            ("super().__init__()", ["super", "super().__init__"]),
            ("','.join(x)", ["<str>.join"]),
            ("f'{x}'.join(x)", ["<str>.join"]),
            ("b''.join(x)", ["<bytes>.join"]),
            ("[].append(1)", ["<list>.append"]),
            ("{}.get(1)", ["<dict>.get"]),
            ("{1}.add(1)", ["<set>.add"]),
            ("(1, 2).index(1)", ["<tuple>.index"]),
            ("(1).bit_length()", ["<int>.bit_length"]),
            ("1.5.hex()", ["<float>.hex"]),
            ("(a or b).c()", ["?(a|b).c"]),
            ("(not a).c()", ["<expression>.c"]),
            ("(a + b).c()", ["a.__add__().c"]),
            ("(f if a else g)()", ["?(f|g)"]),
            ("{'a': f, b: g}['a']()", ["{'a':f,:g}['a']"]),
            ("[f, 1, *g][0]()", ["[f,1,*g][0]"]),
            ("partial(f, 1, k=g)()", ["partial", "partial(f,1,k=g)"]),
            ("(lambda: g())()", ["\\1", "g"]),
            ("(lambda x: x())(f)", ["\\1", "x@1"]),
            ("f()()", ["f", "f()"]),
            ("[f(x) for x in g() if h(x)]", ["f", "g", "h"]),
            ("f'{a():{b()}}'", ["a", "b"]),
            ("x if f() else g()", ["f", "g"]),
            ("(y := f()).g()", ["f", "f().g"]),
        ],
    )
    def test_name_their_callee_as_a_chain(
        self, native: ModuleType, expression: str, callees: list[str]
    ) -> None:
        calls = parsed(native, f"{expression}\n").calls
        assert sorted(it.callee for it in calls) == sorted(callees)

    def test_await_is_looked_through(self, native: ModuleType) -> None:
        calls = parsed(native, "async def f():\n    (await a.get()).json()\n").calls
        assert [it.callee for it in calls] == ["a.get", "a.get().json"]

    def test_stand_where_the_last_name_is(self, native: ModuleType) -> None:
        text = "é = (df\n    .group(by())\n    .sum())\n"
        assert parsed(native, text).calls == (
            Call(-1, "df.group", 2, 5, is_decorator=False, arguments="by()", at=14),
            Call(-1, "by", 2, 11, is_decorator=False, at=20),
            Call(-1, "df.group().sum", 3, 5, is_decorator=False, at=31),
        )

    def test_belong_to_the_innermost_class_or_function(self, native: ModuleType) -> None:
        text = """\
            class C(base()):
                x = in_class()
                def m(self, a=default()):
                    return lambda: in_method()
        """
        calls = {it.callee: it.scope for it in parsed(native, text).calls}
        assert calls == {"base": -1, "in_class": 0, "default": 0, "in_method": 2}

    def test_a_decorator_is_one_use_by_what_it_decorates(self, native: ModuleType) -> None:
        calls = parsed(native, "@a.b\n@c(d())\ndef f(): pass\n").calls
        assert calls == (
            Call(0, "a.b", 1, 3, is_decorator=True, at=3),
            Call(0, "c", 2, 1, is_decorator=True, arguments="d()", at=6),
            Call(-1, "d", 2, 3, is_decorator=False, at=8),
        )

    def test_long_chains_keep_their_end(self, native: ModuleType) -> None:
        callees = [it.callee for it in parsed(native, f"a{'.b()' * 60}\n").calls]
        assert callees[0] == "a.b"
        assert callees[-1].startswith("<expression>")
        assert max(map(len, callees)) < 120


class TestBindings:
    @pytest.mark.parametrize(
        ("text", "bindings"),
        [
            ("x = Client()", [("x", "Client()", "")]),
            ("x = y = a.b", [("x", "a.b", ""), ("y", "a.b", "")]),
            ("self.c: Client = make()", [("self.c", "make()", "Client")]),
            ("x: 'int'", [("x", "", "'int'")]),
            ("a, b = f(), 'x'", [("a", "f()", ""), ("b", "<str>", "")]),
            ("a, b = f()", [("a", "f()[0]", ""), ("b", "f()[1]", "")]),
            ("a, *b = x", [("a", "x[0]", ""), ("b", "[x[*]]", "")]),
            ("x = a or b", [("x", "?(a|b)", "")]),
            ("x = not a", []),
            ("for x in y: pass", [("x", "y[*]", "")]),
            ("[x for x in y]", [("x@7", "y[*]", "")]),
            ("try: pass\nexcept (A, B) as x: pass", [("x", "?(A()|B())", "")]),
            (
                "f = lambda x, *, y=z: x",
                [("f", "\\4", ""), ("\\4", "x@4", "(x,*,y)"), ("y@4=", "z", "")],
            ),
            ("d[0] = f()", [("d[0]", "f()", "")]),
            ("with A() as x, b.c() as self.d: pass", [("x", "A()!", ""), ("self.d", "b.c()!", "")]),
            ("if (m := re.match()): pass", [("m", "re.match()", "")]),
            ("x += f()", [("x[]", "f()[*]", "")]),
        ],
    )
    def test_tell_what_may_be_a_type(
        self, native: ModuleType, text: str, bindings: list[tuple[str, str, str]]
    ) -> None:
        found = [
            (it.target, it.value, it.annotation) for it in parsed(native, text + "\n").bindings
        ]
        assert found == bindings

    def test_have_the_parameters_of_their_function(self, native: ModuleType) -> None:
        module = parsed(native, "def f(a: int, b, *c: str, d: 'X' = 1, **e: bool): pass\n")
        assert [(it.scope, it.target, it.annotation) for it in module.bindings] == [
            (0, "a", "int"),
            (0, "c", "tuple[str, ...]"),
            (0, "d", "'X'"),
            (0, "d=", ""),
            (0, "e", "dict[str, bool]"),
        ]


class TestFlow:
    def test_what_a_function_gives_is_bound(self, native: ModuleType) -> None:
        module = parsed(native, "def f():\n  yield g\n  yield from h()\n  yield\n  return x.y\n")
        assert [(it.target, it.value) for it in module.bindings] == [
            ("yield", "g"),
            ("yield", "h()[*]"),
            ("yield", "<expression>"),
            ("return", "x.y"),
        ]

    def test_bindings_tell_from_where_and_how_surely_they_hold(self, native: ModuleType) -> None:
        text = "a = b\nif c:\n  a = d\nfor e in f:\n  a = e\n"
        found = {
            it.value: (it.at, it.is_straight, it.again) for it in parsed(native, text).bindings
        }
        assert found == {
            "b": (5, True, -1),
            "d": (19, False, -1),
            "f[*]": (30, False, 20),
            "e": (39, False, 20),
        }

    @pytest.mark.parametrize(
        ("text", "uses"),
        [
            ("with a as b: pass", ["run a.__enter__", "run a.__exit__", "read a"]),
            ("for b in c: pass", ["run c.__iter__", "read c"]),
            ("if a and not b: pass", ["run a.__bool__", "run b.__bool__", "read a", "read b"]),
            ("a + b.c", ["run a.__add__ b.c", "read a", "read b", "read b.c"]),
            ("1 + a", ["run a.__radd__", "read a"]),
            ("a in b", ["run b.__contains__ a", "read a", "read b"]),
            ("a[1] = b[2]", ["run a.__setitem__", "run b.__getitem__", "read a", "read b"]),
            ("raise A from b", ["raise A", "raise b", "read A", "read b"]),
            ("a.b = c", ["write a.b", "read a", "read c"]),
            ("a.b(c)", ["read a", "read c"]),
            ("def f(a: b, c=d) -> e: a", ["read d"]),
            ("def f():\n  a = b\n  return a, b", ["read b"]),
        ],
    )
    def test_what_is_done_without_a_call_is_told(
        self, native: ModuleType, text: str, uses: list[str]
    ) -> None:
        found = parsed(native, text + "\n").uses
        told = [f"{it.form} {it.chain} {it.arguments}".strip() for it in found]
        assert sorted(told) == sorted(uses)


class TestMarks:
    def test_span_the_comment_and_what_continues_it(self, native: ModuleType) -> None:
        text = """\
            # WHY: first
            # goes on
            # HACK: second

            # not this
            def f():
                x = 1  # NOTE: beside
                       # code
                # nor this
                y = "# WHY: a string"
                #TRADEOFF: no blank
            # Note: not upper case
            # say WHY: not at the start
        """
        raw = dedent(text).encode()
        module = parsed(native, text)
        assert [(it.word, raw[it.start : it.end].decode()) for it in module.marks] == [
            ("WHY", "# WHY: first\n# goes on"),
            ("HACK", "# HACK: second"),
            ("NOTE", "# NOTE: beside\n           # code"),
            ("TRADEOFF", "#TRADEOFF: no blank"),
        ]
        assert [it.scope for it in module.marks] == [-1, -1, 0, -1]
        assert [(it.line, it.end_line) for it in module.marks] == [(1, 2), (3, 3), (7, 8), (11, 11)]


class TestLines:
    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_are_those_of_an_editor_whatever_ends_them(self, native: ModuleType, end: str) -> None:
        text = end.join(["x = 1", "def f():", "    '''a", "    b\\r'''", "", "y = g()", ""])
        module = native.parse(text.encode())
        assert [(it.name, it.line) for it in module.symbols] == [("x", 1), ("f", 2), ("y", 6)]
        assert symbol(module, "f").docstring == "a\n    b\r"
        assert module.calls[0].line == 6
        assert text.encode()[symbol(module, "f").body :].startswith(b"'''a")

    def test_a_form_feed_ends_none(self, native: ModuleType) -> None:
        module = parsed(native, "a = 1\n\f\ndef f(): pass\n\fdef g(): pass\n")
        assert [it.line for it in module.symbols] == [1, 3, 4]

    def test_a_byte_order_mark_shifts_bytes_only(self, native: ModuleType) -> None:
        module = native.parse(b"\xef\xbb\xbfdef f(): pass\n")
        assert [(it.start, it.line) for it in module.symbols] == [(3, 1)]


class TestBrokenText:
    TEXT = """\
        def before():
            "Doc."
        def broken(:
            pass
        class After:
            def method(self): return call()
    """

    def test_keeps_its_good_definitions_and_says_where(self, native: ModuleType) -> None:
        module = parsed(native, self.TEXT)
        assert {"before", "After", "After.method"} <= set(names(module))
        assert symbol(module, "before").docstring == "Doc."
        assert [it.callee for it in module.calls] == ["call"]
        assert module.problems[0].line == 3

    @pytest.mark.parametrize(
        "text", ["def", "class", "(", "'''", "@", "\\", "\0", "if", "f'{", "x = )", "\ufeff\ufeff"]
    )
    def test_is_a_problem_never_an_exception(self, native: ModuleType, text: str) -> None:
        assert parsed(native, text).problems
        assert parsed(native, f"def f(): pass\n{text}\n").problems

    def test_other_bytes_than_utf_8_are_a_problem(self, native: ModuleType) -> None:
        assert native.parse(b"a = 1\nb = '\xff'\n").problems == (Problem(2, "not UTF-8"),)

    def test_python_2_is_salvaged(self, native: ModuleType) -> None:
        module = parsed(native, "def a(): pass\nprint 'x'\ndef b(): pass\n")
        assert names(module) == ["a", "b"]
        assert module.problems[0].line == 2


class TestNewSyntax:
    def test_is_parsed_on_any_interpreter(self, rust: ModuleType) -> None:
        module = parsed(
            rust,
            """\
            type Alias = int
            def box[T](v: T) -> T: return v
            x = t"{1}"
            def f(): return f"{"nested"}"
            try: pass
            except A, B: pass
            """,
        )
        assert names(module) == ["Alias", "box", "x", "f"]
        assert module.problems == ()

    def test_the_twin_keeps_names_and_spans_of_what_it_cannot_parse(self) -> None:
        text = """\
            class C:
                def m(self):
                    return 1
                def new[**P](
                    self,
                    ):
                    return t'{1}'

            def after(): pass
        """
        module = parsed(_twins, text)
        spans = [(it.qualname, it.start_line, it.end_line) for it in module.symbols]
        assert spans == [("C", 1, 7), ("C.m", 2, 3), ("C.new", 4, 7), ("after", 9, 9)]
        if sys.version_info < (3, 14):
            assert "may need a newer" in module.problems[0].message


class TestHostileText:
    DEEP = (
        "(", "[", "{", "-", "not ", "a.", "a(", "a[", "lambda: ", "lambda a, b: ", "f'{", "await ",
        "1 if 1 else ", "1 + ", "1 ** ", "class A: ", "if 1: ", "async ", "class A: b; ",
    )  # fmt: skip

    @pytest.mark.parametrize("unit", DEEP)
    def test_that_nests_deeply_loses_only_itself(self, native: ModuleType, unit: str) -> None:
        module = parsed(native, f"def before(): pass\n{unit * 100_000}1\n")
        assert "before" in names(module)
        assert module.problems

    @pytest.mark.parametrize(
        ("opening", "closing"), [("(", ")"), ("[", "]"), ("f'{", "}'"), ("a(", ")"), ("{1:", "}")]
    )
    def test_that_is_balanced_is_no_better(
        self, native: ModuleType, opening: str, closing: str
    ) -> None:
        nested = opening * 100_000 + "1" + closing * 100_000
        module = parsed(native, f"x = {nested}\ndef after(): pass\n")
        assert "after" in names(module)

    def test_that_is_wide_is_fine(self, rust: ModuleType) -> None:
        module = parsed(rust, f"x = [{'f(1), ' * 100_000}]\ny = '{'a' * 10_000_000}'\n")
        assert names(module) == ["x", "y"]
        assert len(module.calls) == 100_000
        assert module.problems == ()

    def test_a_long_sum_and_a_long_elif_are_parsed(self, rust: ModuleType) -> None:
        elifs = "".join(f"elif x == {i}: pass\n" for i in range(3_000))
        module = parsed(rust, f"x = 0{' + a * 1' * 5_000}\nif x: pass\n{elifs}def after(): f()\n")
        assert names(module) == ["x", "after"]
        assert module.problems == ()

    def test_an_open_bracket_does_not_swallow_a_large_module(self, rust: ModuleType) -> None:
        module = parsed(rust, "x = (\n" + "def f(a): return a\n" * 10_000)
        assert len(module.symbols) == 10_000


def test_many_texts_keep_their_order(native: ModuleType) -> None:
    texts = [f"def f{index}(): pass\n".encode() for index in range(50)]
    modules = native.parse_all(texts)
    assert [it.symbols[0].name for it in modules] == [f"f{index}" for index in range(50)]
    assert native.parse_all([]) == []


def test_records_are_the_named_tuples(native: ModuleType) -> None:
    text = b"# WHY: so\nimport a\nx: int = a.b()\ndef f():\n  for a in x: pass\ndef\n"
    module = native.parse(text)
    assert type(module) is ParsedModule
    kinds = [type(part[0]) for part in (*module[2:8], module.locals)]
    assert kinds == [ParsedSymbol, Import, Call, Binding, Mark, Problem, Local]


@pytest.mark.parametrize(
    "body",
    [
        "for a in b(): a()",
        "for c, (d, *a) in b(): a()",
        "try: b()\n  except E as a: a()",
        "with b() as (a, c): a()",
        "a = 1 + 1; a()",
        "a += 1; a()",
        "if (a := 1 + 1): a()",
        "match b():\n    case [1, *a]: a()",
        "match b():\n    case {'k': 1, **a}: a()",
        "match b():\n    case C(x=a): a()",
    ],
)
def test_a_function_binds_a_name_in_many_ways(native: ModuleType, body: str) -> None:
    assert (0, "a") in native.parse(f"def f():\n  {body}\n".encode()).locals


@pytest.mark.parametrize(
    "text",
    [
        "for a in b(): a()\n",
        "class C:\n  for a in b(): a()\n",
        "def f():\n  global a\n  for a in b(): a()\n",
        "def f():\n  def g():\n    nonlocal a\n    a = 1 + 1\n    a()\n",
        "def f(a): a()\n",
        "def f():\n  [a() for a in b()]\n",
        "def f():\n  return lambda *, a: a()\n",
        "def f():\n  a.b = 1 + 1\n  a[0] = 1 + 1\n  del a\n  a()\n",
    ],
)
def test_other_names_are_no_locals(native: ModuleType, text: str) -> None:
    assert native.parse(text.encode()).locals == ()


@pytest.mark.parametrize(
    ("text", "listed", "lists"),
    [
        ("__all__ = ['a'] + q.__all__", ("a",), ("q.__all__",)),
        ("__all__ = [*p.q.__all__, 'a']", ("a",), ("p.q.__all__",)),
        ("__all__ = ('a',)\n__all__ += names", ("a",), ("names",)),
        ("__all__ = sorted(MAP)\n__all__.append('a')", ("a",), ("MAP",)),
        ("__all__ = [n for n in b]\n__all__.extend(['a'])", ("a",), ("<expression>",)),
        ("__all__ = ['a', b]", ("a",), ("<expression>",)),
        ("__all__ += ['a']", ("a",), ("<expression>",)),
        ("__all__ = f().__all__", (), ("<expression>",)),
    ],
)
def test_exports_that_take_in_other_lists_name_them(
    native: ModuleType, text: str, listed: tuple[str, ...], lists: tuple[str, ...]
) -> None:
    module = native.parse(text.encode())
    assert (module.exports, module.listed, module.lists) == (None, listed, lists)


class TestInputs:
    def test_lines_and_definitions_of_odd_files(self, native: ModuleType, inputs: Path) -> None:
        folder = inputs / "bom-cookie-formfeed-crlf"
        found = {}
        for path in sorted(folder.glob("*.py")):
            encoding = "latin-1" if path.name == "latin.py" else "utf-8-sig"
            module = native.parse(path.read_bytes().decode(encoding).encode())
            found[path.stem] = [(it.name, it.line, it.docstring) for it in module.symbols]
        assert found == {
            "bom": [("with_bom", 1, "Doc.")],
            "crlf": [("crlf", 1, "one\n    two")],
            "ff": [("a", 1, None), ("after_ff", 4, None)],
            "latin": [("café", 3, "café")],
        }

    def test_deep_expressions_leave_the_rest_whole(self, native: ModuleType, inputs: Path) -> None:
        folder = inputs / "deep-binop"
        deep = native.parse((folder / "deep.py").read_bytes())
        assert "after" in names(deep)
        assert all(len(it.signature) < 250 for it in deep.symbols)
        assert "pick" in names(native.parse((folder / "elif.py").read_bytes()))

    def test_newer_syntax_still_lists_names(self, native: ModuleType, inputs: Path) -> None:
        module = native.parse((inputs / "newer-syntax-than-runtime" / "new.py").read_bytes())
        assert {"box", "old_style"} <= set(names(module))

    def test_computed_exports_are_undecided(self, native: ModuleType, inputs: Path) -> None:
        folder = inputs / "dunder-all-computed" / "p"
        assert native.parse((folder / "__init__.py").read_bytes()).exports is None
        assert native.parse((folder / "q.py").read_bytes()).exports == ("b",)

    def test_fields_have_what_a_generated_signature_needs(
        self, native: ModuleType, inputs: Path
    ) -> None:
        module = native.parse((inputs / "dataclass-generated-init" / "d.py").read_bytes())
        fields = {it.qualname: it.signature for it in module.symbols if it.kind == "attribute"}
        assert fields["Base.z"] == ": float = dc.field(init=False, default=0)"
        assert fields["Child._"] == ": dc.KW_ONLY"
        assert symbol(module, "Base").decorators == ("dc.dataclass",)

    def test_names_made_by_calls_are_attributes(self, native: ModuleType, inputs: Path) -> None:
        module = native.parse((inputs / "decorator-made-symbols" / "f.py").read_bytes())
        made = symbol(module, "read_csv")
        assert (made.kind, made.docstring) == ("attribute", "Read a csv file.")
        assert symbol(module, "make_reader.<locals>.read").docstring == "inner"
