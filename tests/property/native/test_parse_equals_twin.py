"""Small modules of every shape the parser looks at: both implementations say the same."""

from __future__ import annotations

import ast
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pydocs_native import _twins

core = pytest.importorskip("pydocs_native._core")

NAMES = st.sampled_from(["a", "b", "self", "C", "é", "ﬁ", "__all__", "TYPE_CHECKING", "__init__"])
STRINGS = st.sampled_from(
    ["'s'", '"a\\n"', "'''l\n  m'''", "r'\\d'", "b'x'", "f'{a.b()} {c}'", "'a' 'b'", "'\\ud800'",
     "f'''{a()}\n{\n b()}'''", "'# no'", "'two  blanks'", "u'x'", "f'{(w := a())}'", "'\U0001f600'"]
)  # fmt: skip
NUMBERS = st.sampled_from(["1", "0x1f", "1.5", "2j", "1_000", "True", "None", "..."])
INSIDE = st.sampled_from(["", " ", "  ", "\t", " \\\n ", "\n", "  # why\n ", "\n\n   "])


Text = st.SearchStrategy[str]


def form(template: str, **parts: Text) -> Text:
    """Texts of one shape: `a` … `c` are expressions, `g` is a blank, the rest as given."""
    used = {name: part for name, part in parts.items() if f"{{{name}}}" in template}
    return st.fixed_dictionaries(used).map(lambda values: template.format(**values))


def expressions(inner: Text) -> Text:
    parts = {"a": inner, "b": inner, "c": inner, "g": INSIDE, "n": NAMES}
    templates = [
        "{a}.{n}", "({g}{a}{g}).{n}", "({a}\n  .{n}({b}))", "{a}\\\n .{n}", "{n}({g}{b}{g})",
        "{n}.{n}({b}).{n}()", "{n}[{g}{b}{g}].{n}({c})", "{n}[{a}:{b}, {c}]", "{n}({a})({b})",
        "({a}{g}+{g}{b})", "({a},{g}{b})", "[{g}{a},{g}{b}{g}]", "{{{a}:{g}{b}}}",
        "(lambda q={a}: {b})", "({a} if {b} else {c})", "[{a} for n in {b} if {c}]", "(not {a})",
        "(x{g}:={g}{a})", "({a} for n in {b})", "{{*{a}, {b}}}", "(-{a})", "({a}{g}or{g} {b})",
        "{n}(*{a}, k={b}, **{c})", "{n}({a} for n in {b})", "({a})()", "({a} < {b} < {c})",
    ]  # fmt: skip
    return st.one_of([form(template, **parts) for template in templates])


ATOMS = st.one_of(NAMES, STRINGS, NUMBERS, st.builds("{}()".format, NAMES))
EXPRESSIONS = st.recursive(ATOMS, expressions, max_leaves=4)
TARGETS = st.one_of(
    NAMES,
    st.builds("{}.{}".format, NAMES, NAMES),
    st.builds("({}, *{})".format, NAMES, NAMES),
    st.builds("[{}, {}.{}]".format, NAMES, NAMES, NAMES),
    st.builds("{}[{}]".format, NAMES, NAMES),
)
LISTS = st.sampled_from(
    [
        "['a', 'b']",
        "('c',)",
        "['d'] + ['e']",
        "a.__all__",
        "[]",
        "__all__",
        "[*b.__all__, 'e']",
        "list(C)",
        "sorted(['h'])",
        "a.b().__all__",
        "('g', a)",
        "'text'",
    ]
)
ENDS = st.sampled_from(["", ";", " ; pass", "  # NOTE: so", "  # not: this"])
COMMENTS = st.sampled_from(
    ["# WHY: it is\n", "# more\n", "#\n", "\n", "\f\n", "#NOTE: x\n# HACK: y\n# z\n", "# why: no\n"]
)
PARTS = {"a": EXPRESSIONS, "b": EXPRESSIONS, "c": EXPRESSIONS, "g": INSIDE, "n": NAMES, "m": NAMES,
         "t": TARGETS, "l": LISTS, "s": STRINGS}  # fmt: skip
SIMPLE = st.builds(
    "{}{}\n".format,
    st.one_of([form(template, **PARTS) for template in [
        "{a}", "{t} = {a}", "{t} = {n} = {a}", "{n}: {a} = {b}", "{n}.{m}: {a}", "{n}: {a}",
        "{t} = {a}, {b}", "({n},{g}{m}) = ({a},{g}{b})", "{n} += {a}", "import {n}.{m}, {m} as {n}",
        "from .{n} import {m} as {n}, {n}", "from .. import *", "from {n} import ({m},\n {n})",
        "del {n}", "pass", "assert {a}, {b}", "raise {a} from {b}", "{s}", "__all__ = {l}",
        "__all__ += {l}", "__all__.extend({l})", "__all__.append('f')", "__all__.remove('a')",
        "__all__.append({a})", "global {n}", "{n} = lambda {m}, *p, k=1: {a}",
    ]]),
    ENDS,
)  # fmt: skip
PARAMETERS = st.one_of([form(template, **PARTS) for template in [
    "", "self", "self, p: {a}, /, q: {b} = {c}", "{g}p={a},{g}*,{g}k: {b}{g}", "*args: {a}, k",
    "self,{g}*p,{g}k={a},{g}**kw: {b}{g}", "p, /", "{g}p: {a}{g}=  {b},{g}", "**kw",
]])  # fmt: skip


def compounds(inner: Text) -> Text:
    suites = inner.map(indented)
    decorators = st.lists(
        form("@{g}{a}\n", a=EXPRESSIONS, g=st.sampled_from(["", " "])), max_size=2
    )
    parts = {**PARTS, "p": PARAMETERS, "d": decorators.map("".join), "s": suites, "o": suites,
             "i": suites.map(indented)}  # fmt: skip
    return st.one_of([form(template, **parts) for template in [
        "{d}def {n}({p}):\n{s}", "{d}async def {n}({p}) -> {a}:\n{s}", "{d}class {n}:\n{s}",
        "{d}class {n}({g}{a}, {b},{g}metaclass={c}):\n{s}", "def {n}(): {a}; {b};\n",
        "class {n}:\n  def __init__({p}):\n{i}", "if {a}:\n{s}elif TYPE_CHECKING:\n{o}else:\n{s}",
        "for {t} in {a}:\n{s}else:\n{o}", "while {a}:\n{s}", "with {a} as {t}, {b}:\n{s}",
        "try:\n{s}except {a} as e:\n{o}else:\n{s}finally:\n{o}", "try:\n{s}except* {a}:\n{o}",
        "match {a}:\n  case {{'k': 1 | 2}} if {b}:\n{i}",
        "match {a}:\n  case [C(x=b), *a] | {{'k': b, **a}}:\n{i}  case 1 as b:\n{i}",
    ]])  # fmt: skip


def indented(suite: str) -> str:
    return "".join("  " + line for line in suite.splitlines(keepends=True))


SUITES = st.recursive(
    SIMPLE,
    lambda inner: st.lists(
        st.one_of(compounds(inner), inner, COMMENTS.map("{}pass\n".format)), min_size=1, max_size=4
    ).map("".join),
    max_leaves=6,
)


def is_python(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except (SyntaxError, ValueError):
            return False
    return True


@settings(max_examples=150, deadline=None)
@given(SUITES, st.sampled_from(["\n", "\r\n", "\r"]))
def test_parsers_agree_on_what_python_parses(text: str, end: str) -> None:
    text = text.replace("\n", end)
    rust, python = core.parse(text.encode()), _twins.parse(text.encode())
    if is_python(text):
        assert rust == python
        assert rust.problems == ()
    else:
        assert python.problems


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60) | st.text("()[]{}:'\"#\\@ \n\rdefclasf\f,.=;0*", max_size=60))
def test_any_text_gives_a_module(text: str) -> None:
    raw = text.encode("utf-8", "surrogatepass")
    for module in (core.parse(raw), _twins.parse(raw)):
        for symbol in module.symbols:
            assert 0 <= symbol.start <= symbol.body <= symbol.end <= len(raw)
            assert symbol.parent < module.symbols.index(symbol)


PIECES = st.sampled_from(
    ["def f(a):\n", " return (", "x = [\n", " pass\n", "class C:\n", ")", "'''", "  @d\n", "\n",
     "async ", "f'{", "}", "elif x:\n", "\t"]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, max_size=30).map("".join))
def test_broken_text_gives_a_module(text: str) -> None:
    for module in (core.parse(text.encode()), _twins.parse(text.encode())):
        assert all(symbol.name for symbol in module.symbols)
        assert all(1 <= problem.line <= text.count("\n") + 1 for problem in module.problems)
