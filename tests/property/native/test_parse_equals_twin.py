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
BLANKS = st.sampled_from([" ", "  ", "\t", " \\\n ", ""])
INSIDE = st.sampled_from(["", " ", "\n", "  # why\n ", "\n\n   "])


@st.composite
def chains(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    text = draw(st.one_of(NAMES, inner.map(lambda it: f"({it})"), STRINGS))
    for _ in range(draw(st.integers(1, 4))):
        link = draw(st.sampled_from([".{name}", "({arguments})", "[{arguments}]", "\\\n .{name}"]))
        gap = draw(INSIDE)
        arguments = f"{gap},{gap}".join(draw(st.lists(inner, min_size=1, max_size=2)))
        text += link.format(name=draw(NAMES), arguments=f"{gap}{arguments}{gap}")
    return text


@st.composite
def operations(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    a, b, gap = draw(inner), draw(inner), draw(INSIDE)
    forms = [
        f"({a}{gap}+{gap}{b})", f"({a},{gap}{b})", f"[{gap}{a},{gap}{b}{gap}]", f"{{{a}:{gap}{b}}}",
        f"(lambda a={a}: {b})", f"({a} if {b} else {a})", f"[{a} for a in {b} if {a}]",
        f"(not {a})", f"(x{gap}:={gap}{a})", f"({a} for b in {b})", f"{{*{a}, {b}}}", f"(-{a})",
        f"({a}{gap}or{gap} {b})", f"a(*{a}, k={b}, **{a})", f"a({a} for c in {b})",
    ]  # fmt: skip
    return draw(st.sampled_from(forms))


EXPRESSIONS = st.recursive(
    st.one_of(NAMES, STRINGS, NUMBERS),
    lambda inner: st.one_of(chains(inner), operations(inner)),
    max_leaves=6,
)
TARGETS = st.one_of(
    NAMES,
    st.builds("{}.{}".format, NAMES, NAMES),
    st.builds("({}, *{})".format, NAMES, NAMES),
    st.builds("[{}, {}.{}]".format, NAMES, NAMES, NAMES),
    st.builds("{}[{}]".format, NAMES, NAMES),
)
LISTS = st.sampled_from(["['a', 'b']", "('c',)", "['d'] + ['e']", "a.__all__", "[]", "__all__"])


@st.composite
def simple(draw: st.DrawFn) -> str:
    a, b, target = draw(EXPRESSIONS), draw(EXPRESSIONS), draw(TARGETS)
    n, m, names = draw(NAMES), draw(NAMES), draw(LISTS)
    forms = [
        a, f"{target} = {a}", f"{target} = {n} = {a}", f"{n}: {a} = {b}", f"{n}.{m}: {a}",
        f"{n}: {a}", f"{target} = {a}, {b}", f"{n} += {a}", f"import {n}.{m}, {m} as {n}",
        f"from .{n} import {m} as {n}, {n}", "from .. import *", f"from {n} import ({m},\n {n})",
        f"del {n}", "pass", f"assert {a}, {b}", f"raise {a} from {b}", draw(STRINGS),
        f"__all__ = {names}", f"__all__ += {names}", f"__all__.extend({names})",
        "__all__.append('f')", "__all__.remove('a')", f"__all__.append({a})",
    ]  # fmt: skip
    end = draw(st.sampled_from(["", ";", " ; pass", "  # NOTE: so", "  # not: this"]))
    return draw(st.sampled_from(forms)) + end + "\n"


COMMENTS = st.sampled_from(
    ["# WHY: it is\n", "# more\n", "#\n", "\n", "\f\n", "#NOTE: x\n# HACK: y\n# z\n", "# why: no\n"]
)


@st.composite
def parameters(draw: st.DrawFn) -> str:
    gap = draw(INSIDE)
    parts = []
    for name in draw(st.lists(st.sampled_from("pqrstu"), unique=True, max_size=4)):
        annotation = draw(st.one_of(st.just(""), EXPRESSIONS.map(": {}".format)))
        parts.append(f"{name}{annotation} = {draw(EXPRESSIONS)}" if parts else name + annotation)
    if parts and draw(st.booleans()):
        parts.insert(draw(st.integers(1, len(parts))), "/")
    star = draw(st.sampled_from(["", "*, k", "*args", "*args: int, k: str = 'x'", "*, k=1, l"]))
    parts += [star] if star else []
    if draw(st.booleans()):
        parts.append(f"**kw: {draw(EXPRESSIONS)}" if draw(st.booleans()) else "**kw")
    return gap + f",{gap}".join(parts) + gap


@st.composite
def compound(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    suite, other = indented(draw(inner)), indented(draw(inner))
    a, b, name, target = draw(EXPRESSIONS), draw(EXPRESSIONS), draw(NAMES), draw(TARGETS)
    gap = draw(INSIDE)
    decorators = "".join(
        draw(st.lists(st.builds("@{}{}\n".format, BLANKS.filter(lambda it: "\\" not in it),
                                EXPRESSIONS), max_size=2))
    )  # fmt: skip
    forms = [
        f"{decorators}def {name}({draw(parameters())}):\n{suite}",
        f"{decorators}async def {name}({draw(parameters())}) -> {a}:\n{suite}",
        f"{decorators}class {name}({gap}{a}, {b},{gap}metaclass={a}):\n{suite}",
        f"{decorators}class {name}:\n{suite}",
        f"def {name}(): {a}; {b};\n",
        f"if {a}:\n{suite}elif TYPE_CHECKING:\n{other}else:\n{suite}",
        f"for {target} in {a}:\n{suite}else:\n{other}",
        f"while {a}:\n{suite}",
        f"with {a} as {target}, {b}:\n{suite}",
        f"try:\n{suite}except {a} as e:\n{other}else:\n{suite}finally:\n{other}",
        f"try:\n{suite}except* {a}:\n{other}",
        f"match {a}:\n  case {{'k': 1 | 2}} if {b}:\n{indented(suite)}",
    ]
    return draw(st.sampled_from(forms))


def indented(suite: str) -> str:
    return "".join("  " + line if line.strip() else line for line in suite.splitlines(True))  # noqa: FBT003 - keepends is positional in every Python


SUITES = st.recursive(
    simple(),
    lambda inner: st.lists(st.one_of(compound(inner), inner, COMMENTS.map("{}pass\n".format)),
                           min_size=1, max_size=4).map("".join),
    max_leaves=8,
)  # fmt: skip


def is_python(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except (SyntaxError, ValueError):
            return False
    return True


@settings(max_examples=400, deadline=None)
@given(SUITES, st.sampled_from(["\n", "\r\n", "\r"]))
def test_parsers_agree_on_what_python_parses(text: str, end: str) -> None:
    text = text.replace("\n", end)
    rust, python = core.parse(text.encode()), _twins.parse(text.encode())
    if is_python(text):
        assert rust == python
        assert rust.problems == ()
    else:
        assert python.problems


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60) | st.text("()[]{}:'\"#\\@ \n\rdefclasf\f,.=;0*", max_size=60))
def test_any_text_gives_a_module(text: str) -> None:
    raw = text.encode("utf-8", "surrogatepass")
    for module in (core.parse(raw), _twins.parse(raw)):
        for symbol in module.symbols:
            assert 0 <= symbol.start <= symbol.body <= symbol.end <= len(raw)
            assert symbol.parent < module.symbols.index(symbol)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(["def f(a):\n", " return (", "x = [\n", " pass\n", "class C:\n", ")",
                                 "'''", "  @d\n", "\n", "async ", "f'{", "}", "elif x:\n", "\t"]),
                max_size=30).map("".join))  # fmt: skip
def test_broken_text_gives_a_module(text: str) -> None:
    for module in (core.parse(text.encode()), _twins.parse(text.encode())):
        assert all(symbol.name for symbol in module.symbols)
        assert all(1 <= problem.line <= text.count("\n") + 1 for problem in module.problems)
