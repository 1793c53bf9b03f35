from __future__ import annotations

from collections.abc import Callable

import pytest

from pydocs_bundle.records import BundleContent, ReferenceKind

Built = Callable[..., BundleContent]

CALL, IMPORT, DECORATE = ReferenceKind.CALL, ReferenceKind.IMPORT, ReferenceKind.DECORATE
INHERIT, OVERRIDE = ReferenceKind.INHERIT, ReferenceKind.OVERRIDE


def edges(content: BundleContent, kind: ReferenceKind = CALL) -> list[tuple[str, str]]:
    """The resolved edges of a kind, as (source, target)."""
    return [
        (content.entries[one.source].qualified_name, one.target)
        for one in content.references
        if one.kind is kind and not one.reason
    ]


def unresolved(content: BundleContent) -> list[tuple[str, str]]:
    return [(one.target, one.reason) for one in content.references if one.reason]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def g(): ...\ndef f(): g()\n", [("m.f", "m.g")]),
        ("class C: ...\ndef f(): C()\n", [("m.f", "m.C")]),
        ("import os.path\ndef f(): os.path.join()\n", [("m.f", "os.path.join")]),
        ("import os.path as p\ndef f(): p.join()\n", [("m.f", "os.path.join")]),
        ("from os import path as p\ndef f(): p.join()\n", [("m.f", "os.path.join")]),
        ("def f():\n    import json\n    json.dumps()\n", [("m.f", "json.dumps")]),
        ("def f(): len(print)\n", [("m.f", "builtins.len")]),
        ("'-'.join([])\n", [("m", "builtins.str.join")]),
        ("class C:\n    def a(self): self.b()\n    def b(self): ...\n", [("m.C.a", "m.C.b")]),
        ("class C:\n    @classmethod\n    def a(cls): cls()\n", [("m.C.a", "m.C")]),
        (
            "class B:\n    def b(self): ...\nclass C(B):\n    def a(self): self.b()\n",
            [("m.C.a", "m.B.b")],
        ),
        (
            "class B:\n    def b(self): ...\nclass C(B):\n    def b(self): super().b()\n",
            [("m.C.b", "builtins.super"), ("m.C.b", "m.B.b")],
        ),
        (
            (
                "class A:\n    def x(self): ...\nclass B(A): ...\n"
                "class C(A):\n    def x(self): ...\nclass D(B, C): ...\ndef f(): D().x()\n"
            ),
            [("m.f", "m.D"), ("m.f", "m.C.x")],
        ),
        ("class C:\n    def x(self): ...\ndef f(c: 'C | None'): c.x()\n", [("m.f", "m.C.x")]),
        (
            (
                "from typing import Optional\nclass C:\n    def x(self): ...\n"
                "def f(c: Optional[C]): c.x()\n"
            ),
            [("m.f", "m.C.x")],
        ),
        (
            "class C:\n    def x(self): ...\ndef f():\n    c = C()\n    c.x()\n",
            [("m.f", "m.C"), ("m.f", "m.C.x")],
        ),
        (
            (
                "class C:\n    def x(self): ...\n    def __enter__(self): ...\n"
                "def f():\n    with C() as c:\n        c.x()\n"
            ),
            [("m.f", "m.C"), ("m.f", "m.C.__enter__"), ("m.f", "m.C.x")],
        ),
        (
            "class C:\n    def x(self) -> 'C': ...\ndef f(): C().x().x()\n",
            [("m.f", "m.C"), ("m.f", "m.C.x"), ("m.f", "m.C.x")],
        ),
        (
            (
                "from typing import Self\nclass B:\n    def x(self) -> Self: ...\n"
                "    def y(self): ...\ndef f(b: B): b.x().y()\n"
            ),
            [("m.f", "m.B.x"), ("m.f", "m.B.y")],
        ),
        (
            (
                "class P:\n    def go(self): ...\nclass C:\n    def __init__(self):\n"
                "        self.p = P()\n    def a(self): self.p.go()\n"
            ),
            [("m.C.__init__", "m.P"), ("m.C.a", "m.P.go")],
        ),
        (
            "class P:\n    def go(self): ...\nclass C:\n    p: P\n    def a(self): self.p.go()\n",
            [("m.C.a", "m.P.go")],
        ),
        (
            (
                "class P:\n    def go(self): ...\n"
                "class C:\n    @property\n    def p(self) -> P: ...\n    def a(self): self.p.go()\n"
            ),
            [("m.C.a", "m.C.p"), ("m.C.a", "m.P.go")],
        ),
        (
            (
                "from contextlib import contextmanager\nfrom typing import Iterator\nclass C:\n"
                "    def x(self): ...\n@contextmanager\ndef made() -> Iterator[C]: ...\n"
                "def f():\n    with made() as c: c.x()\n"
            ),
            [("m.f", "m.made"), ("m.f", "m.C.x")],
        ),
        ("def g(): ...\nh = g\ndef f(): h()\n", [("m.f", "m.g")]),
        (
            "import re\nP = re.compile('x')\nP.match('y')\n",
            [("m", "re.compile"), ("m", "re.Pattern.match")],
        ),
        (
            "import httpx\ndef f(): httpx.Client().get()\n",
            [("m.f", "httpx.Client"), ("m.f", "httpx.Client.get")],
        ),
        ("from x import B\nclass C(B):\n    def a(self): self.b()\n", [("m.C.a", "x.B.b")]),
        ("def f():\n    def g(): h()\n    g()\ndef h(): ...\n", [("m.f", "m.h")]),
        ("class C:\n    def __call__(self): ...\ndef f(c: C): c()\n", [("m.f", "m.C.__call__")]),
    ],
)
def test_calls_lead_to_what_they_call(
    built: Built, source: str, found: list[tuple[str, str]]
) -> None:
    assert sorted(edges(built({"m.py": source}))) == sorted(found)


@pytest.mark.parametrize(
    ("source", "target", "reason"),
    [
        ("def g(): ...\ndef f(g): g()\n", "g", "a parameter without type"),
        ("def g(): ...\ndef f(*g): g()\n", "g", "a value of unknown type"),
        ("def f(x): x.go()\n", "x.go", "a parameter without type"),
        ("(not 1)()\n", "<expression>", "an expression"),
        ("nothing()\n", "nothing", "a name that nothing defines"),
        ("class C: ...\ndef f(c: C): c.gone()\n", "c.gone", "no such attribute"),
        ("def f(xs: list): xs[0].go()\n", "xs[].go", "an item of a container"),
        (
            "from x import A, B\nclass C(A, B): ...\nC().go()\n",
            "C().go",
            "perhaps inherited from outside",
        ),
        (
            "class A: ...\nclass B: ...\ndef f(x: 'A | B'): x.go()\n",
            "x.go",
            "no such attribute",
        ),
        (
            "import json\njson.loads('').get('x')\n",
            "json.loads().get",
            "the result of a call outside",
        ),
        ("import x\ndef f(a: x.A): a.b.c()\n", "a.b.c", "a value of unknown type"),
    ],
)
def test_call_that_cannot_be_resolved_says_why(
    built: Built, source: str, target: str, reason: str
) -> None:
    assert unresolved(built({"m.py": source})) == [(target, reason)]


def test_calls_have_their_place(built: Built) -> None:
    content = built({"m.py": "def g(): ...\ndef f():\n    é = g()\n    x = m.n(g())\n"})
    places = [(one.target, one.line, one.column) for one in content.references]
    assert places == [("m.g", 3, 9), ("m.n", 4, 10), ("m.g", 4, 12)]
    assert {one.tier for one in content.references} == {"syntactic"}


def test_calls_follow_imports_to_the_definition(built: Built) -> None:
    content = built(
        {
            "p/__init__.py": "from ._client import *\n",
            "p/_client.py": (
                '__all__ = ["Client"]\nclass Client:\n    def get(self): ...\nclient = Client()\n'
            ),
            "q.py": (
                "import p\nfrom p import Client as K\nfrom p._client import client\n"
                "p.Client().get()\nK.get(None)\nclient.get()\n"
            ),
        }
    )
    found = [target for source, target in edges(content) if source == "q"]
    assert sorted(found) == ["p._client.Client", *["p._client.Client.get"] * 3]


def test_imports_lead_to_definitions_and_name_what_is_outside(built: Built) -> None:
    content = built(
        {
            "p/__init__.py": "from ._a import f\nfrom . import _a\nimport os.path\n",
            "p/_a.py": "from ... import nothing\nfrom p import _a as g, gone\ndef f(): ...\n",
        }
    )
    assert edges(content, IMPORT) == [
        ("p", "p._a.f"),
        ("p", "p._a"),
        ("p", "os.path"),
        ("p._a", "p._a"),
    ]
    assert unresolved(content) == [
        ("...", "above the top-level package"),
        ("p.gone", "a name that nothing defines"),
    ]


def test_classes_inherit_and_methods_override(built: Built) -> None:
    content = built(
        {
            "m.py": (
                "import abc\nfrom typing import Generic, TypeVar\nT = TypeVar('T')\n"
                "class A(abc.ABC, Generic[T]):\n    def run(self): ...\n    def stay(self): ...\n"
                "class B(A[int]):\n    def run(self): ...\n    def own(self): ...\n"
            )
        }
    )
    assert edges(content, INHERIT) == [
        ("m.A", "abc.ABC"),
        ("m.A", "typing.Generic"),
        ("m.B", "m.A"),
    ]
    assert edges(content, OVERRIDE) == [("m.B.run", "m.A.run")]


def test_decorators_are_edges_of_what_they_decorate(built: Built) -> None:
    content = built(
        {
            "m.py": (
                "import functools\ndef deco(x): ...\n@deco(1)\ndef f(): ...\n"
                "class C:\n    @functools.cache\n    def g(self): ...\n"
            )
        }
    )
    assert edges(content, DECORATE) == [("m.f", "m.deco"), ("m.C.g", "functools.cache")]


def test_cycles_of_bases_names_and_values_end(built: Built) -> None:
    content = built(
        {
            "m.py": (
                "class A(B): ...\nclass B(A): ...\nA().x()\n"
                "x = y\ny = x\nx()\n"
                "class C:\n    def a(self) -> 'D': ...\nclass D:\n    def b(self) -> C: ...\n"
                "C().a().b().a().b()\n"
            )
        }
    )
    assert ("m", "m.D.b") in edges(content)
    assert ("A().x", "no such attribute") in unresolved(content)


def test_long_chains_end(built: Built) -> None:
    lines = ["x0 = object()\n"] + [f"x{n} = x{n - 1}\n" for n in range(1, 3_000)]
    classes = ["class K0: ...\n"] + [f"class K{n}(K{n - 1}): ...\n" for n in range(1, 3_000)]
    content = built(
        {"m.py": "".join(lines) + "x2999.go()\n", "k.py": "".join(classes) + "K2999().go()\n"}
    )
    assert len(content.references) > 3_000


@pytest.mark.parametrize(
    "body",
    [
        "for f in g(): f()",
        "[f() for f in g()]",
        "return lambda f: f()",
        "try: g()\n    except E as f: f()",
        "with g() as (f, x): f()",
        "f = g() + 1; f()",
        "match g():\n        case [f]: f()",
    ],
)
def test_a_local_of_unknown_type_hides_the_function_of_its_name(built: Built, body: str) -> None:
    text = f"def f(): ...\ndef g(): ...\ndef h():\n    {body}\ndef i():\n    global f\n    f()\n"
    content = built({"m.py": text})
    names = [one.qualified_name for one in content.entries]
    calls = [
        (names[one.source], one.target)
        for one in content.references
        if one.kind is ReferenceKind.CALL and one.target == "m.f"
    ]
    assert calls == [("m.i", "m.f")]
