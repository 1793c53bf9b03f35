from __future__ import annotations

from collections.abc import Callable

import pytest

from pydocs_bundle.records import BundleContent, ReferenceKind

Built = Callable[..., BundleContent]

BOTH = "def f(): ...\ndef g(): ...\n"


def edges(content: BundleContent, *kinds: ReferenceKind) -> set[tuple[str, str]]:
    return {
        (content.entries[one.source].qualified_name, one.target)
        for one in content.references
        if one.kind in (kinds or (ReferenceKind.CALL,)) and not one.reason
    }


def calls_of(content: BundleContent, source: str) -> set[str]:
    """What an entry calls of the target, without the functions that pass values on."""
    return {to for by, to in edges(content) if by == source and to.startswith("m.")}


@pytest.mark.parametrize(
    ("source", "caller", "called"),
    [
        ("def h(c): c()\nh(f)\nh(c=g)\n", "m.h", "f g"),
        ("def h(*c, **d):\n    c[0]()\n    d['k']()\nh(f, k=g)\n", "m.h", "f g"),
        ("def h(c=f): c()\nh()\n", "m.h", "f"),
        ("def h(c): i(c)\ndef i(d): d()\nh(f)\n", "m.i", "f"),
        ("def mk(): return f\ndef h(): mk()()\n", "m.h", "mk f"),
        ("def mk():\n    def i(): return f\n    return i\ndef h(): mk()()()\n", "m.h", "mk f"),
        ("def mk():\n    yield f\n    yield g\ndef h():\n    for c in mk(): c()\n",
         "m.h", "mk f g"),
        ("def h():\n    d = {'a': f, 'b': g}\n    d['b']()\n", "m.h", "g"),
        ("def h():\n    d = {}\n    d['a'] = f\n    d['a']()\n", "m.h", "f"),
        ("def h():\n    [f, g][1]()\n    (f, g)[0]()\n", "m.h", "f g"),
        ("def h():\n    c = []\n    c.append(f)\n    for i in c: i()\n", "m.h", "f"),
        ("def h():\n    for c, d in [(f, 1)]: c()\n", "m.h", "f"),
        ("def h():\n    [c() for c in (f, g)]\n", "m.h", "f g"),
        ("def h(x):\n    c = f if x else g\n    c()\n", "m.h", "f g"),
        ("def h():\n    c = f\n    c()\n    c = g\n", "m.h", "f"),
        ("def h():\n    c = f\n    c = g\n    c()\n", "m.h", "g"),
        ("def h():\n    c = f\n    for _ in 'ab':\n        c()\n        c = g\n", "m.h", "f g"),
        ("def h():\n    (c := f)()\n    c()\n", "m.h", "f"),
        ("def h():\n    c = lambda x: x()\n    c(f)\n", "m.h", "f"),
        ("from functools import partial\ndef h(): partial(f, 1)(2)\n", "m.h", "f"),
        ("def h(): list(map(f, 'ab'))\n", "m.h", "f"),
        ("def h(): sorted('ab', key=f)\n", "m.h", "f"),
        ("import m\ndef h(): getattr(m, 'f')()\n", "m.h", "f"),
        ("def deco(c):\n    def i(): c()\n    return i\n@deco\ndef h(): ...\nh()\n",
         "m.deco", "h"),
        ("def deco(c): return f\n@deco\ndef i(): ...\ndef h(): i()\n", "m.h", "f"),
        ("class C: ...\ndef h():\n    c = C()\n    c.x = f\n    c.x()\n", "m.h", "C f"),
        (("class E(Exception):\n    def x(self): ...\n"
         "def h():\n    try: ...\n    except E as e: e.x()\n"),
         "m.h", "E.x"),
        ("class E(Exception): ...\ndef h(): raise E\n", "m.h", "E"),
        (("class C:\n    def __enter__(self): return f\n    def __exit__(self, *a): ...\n"
         "def h():\n    with C() as c: c()\n"), "m.h",
         "C C.__enter__ C.__exit__ f"),
        ("class C:\n    def __add__(self, o): return f\ndef h(): (C() + 1)()\n",
         "m.h", "C C.__add__ f"),
        ("class C:\n    def __len__(self): return 0\ndef h():\n    if C(): len(C())\n",
         "m.h", "C C.__len__"),
        ("class C:\n    @property\n    def p(self): return f\ndef h(): C().p()\n",
         "m.h", "C C.p f"),
        ("class B:\n    def x(self): self.y()\nclass C(B):\n    def y(self): ...\n",
         "m.B.x", "C.y"),
    ],
)  # fmt: skip
def test_values_lead_to_what_is_called(built: Built, source: str, caller: str, called: str) -> None:
    content = built({"m.py": BOTH + source})
    assert calls_of(content, caller) == {f"m.{name}" for name in called.split()}


def test_a_call_that_may_have_too_many_targets_has_none(built: Built) -> None:
    functions = "".join(f"def f{n}(): ...\n" for n in range(9))
    listed = ", ".join(f"f{n}" for n in range(9))
    content = built({"m.py": f"{functions}def h(c):\n    [{listed}][c]()\n"})
    assert calls_of(content, "m.h") == set()
    assert [one.reason for one in content.references if one.reason] == ["more than one type"]


def test_containers_that_hold_themselves_end(built: Built) -> None:
    text = "d = {'a': f}\nd = {**d, 'b': d}\nx = [f]\nx = list(x) + x\nx[0]()\nd['a']()\n"
    assert "m.f" in calls_of(built({"m.py": BOTH + text}), "m")


def test_attributes_and_names_of_the_target_are_read_and_written(built: Built) -> None:
    text = (
        "LIMIT = 1\nclass C:\n    def __init__(self): self.n = LIMIT\n"
        "    def a(self):\n        self.n = 2\n        x = self.n\n        return x, self.n, a.b\n"
    )
    content = built({"m.py": text})
    assert edges(content, ReferenceKind.READ) == {
        ("m.C.__init__", "m.LIMIT"),
        ("m.C.a", "m.C.n"),
    }
    assert edges(content, ReferenceKind.WRITE) == {("m.C.a", "m.C.n")}


def test_bases_and_overrides_stand_at_their_names(built: Built) -> None:
    text = "class A:\n    def x(self): ...\nclass B(\n  A):\n    @deco\n    def x(self): ...\n"
    found = {
        one.kind: (one.line, one.column)
        for one in built({"m.py": text}).references
        if one.kind in (ReferenceKind.INHERIT, ReferenceKind.OVERRIDE)
    }
    assert found == {ReferenceKind.INHERIT: (4, 2), ReferenceKind.OVERRIDE: (6, 8)}


def test_a_base_stands_where_its_whole_name_is_not_in_a_longer_one(built: Built) -> None:
    source = "class B: ...\nclass Bx(B): ...\nclass BxB(Bx, B): ...\n"
    found = {
        (one.target, one.line, one.column)
        for one in built({"m.py": source}).references
        if one.kind is ReferenceKind.INHERIT
    }
    assert found == {("m.B", 2, 9), ("m.Bx", 3, 10), ("m.B", 3, 14)}


def test_a_name_is_seen_from_where_it_is_assigned_though_an_inner_function_assigns_it(
    built: Built,
) -> None:
    source = (
        BOTH + "def h():\n    c = f\n    def i():\n        nonlocal c\n        c = g\n"
        "        return c\n    i()\n    c()\n"
    )
    assert calls_of(built({"m.py": source}), "m.h") == {"m.f", "m.g"}
