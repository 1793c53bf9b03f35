"""Attributes that are nothing but another symbol."""

from __future__ import annotations

from collections.abc import Callable

from pydocs_bundle.records import BundleContent, Entry, Kind, ReferenceKind

Built = Callable[..., BundleContent]


def entry(content: BundleContent, name: str) -> Entry:
    (found,) = (one for one in content.entries if one.qualified_name == name)
    return found


def attributes(content: BundleContent) -> set[str]:
    return {one.qualified_name for one in content.entries if one.kind is Kind.ATTRIBUTE}


def test_a_second_name_is_an_alias(built: Built) -> None:
    content = built(
        {
            "m.py": "from n import N as _N\ndef f(): ...\ng = h = f\nE = C = _N\nk = g\n",
            "n.py": "class N:\n    def is_not(self): ...\n    isnot = is_not\nlast = N.isnot\n",
        }
    )
    assert entry(content, "m.f").aliases == ("m.g", "m.h", "m.k")
    assert entry(content, "n.N").aliases == ("m.C", "m.E")
    assert entry(content, "n.N.is_not").aliases == ("n.N.isnot", "n.last")
    assert attributes(content) == set()


def test_what_is_written_around_a_second_name_does_not_hide_it(built: Built) -> None:
    text = (
        "from typing import Final\nimport n\ndef f(): ...\n"
        "told = f\n'''Better known so.'''\n"
        "fixed: Final = f\n"
        "spaced = n. N\n"
    )
    content = built({"m.py": text, "n.py": "class N: ...\n"})
    assert entry(content, "m.f").aliases == ("m.fixed", "m.told")
    assert entry(content, "n.N").aliases == ("m.spaced",)
    assert attributes(content) == set()


def test_what_is_more_than_a_second_name_stays_an_attribute(built: Built) -> None:
    text = (
        "import os\nfrom os import path as p\n"
        "def f(): ...\ndef made(): ...\n"
        "twice = f\ntwice = made\n"
        "either = f if p else made\n"
        "outside = os.path\n"
        "called = made()\n'''What it makes.'''\n"
    )
    content = built({"m.py": text})
    assert attributes(content) == {f"m.{name}" for name in ("twice", "either", "outside", "called")}
    assert entry(content, "m.called").docstring == "What it makes."


def test_calls_of_a_second_name_lead_to_the_symbol(built: Built) -> None:
    text = "class C:\n  def run(self): ...\n  go = run\n  def f(self):\n    self.go()\nD = C\n"
    content = built({"m.py": text + "def g():\n    D()\n"})
    calls = {one.target for one in content.references if one.kind is ReferenceKind.CALL}
    assert calls == {"m.C.run", "m.C"}
