"""Sources that break parsers: what can be read of them is there, and a note names each."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pydocs_bundle.records import BundleContent, Kind

Built = Callable[..., BundleContent]

PYTHON_2 = b"""print "hi"
def f(a):
    exec "x"
    raise E, "x"
class C:
    def m(self):
        print >>f, x
"""
TEMPLATE = b"""import {{ cookiecutter.pkg }}
{% if x %}
def f():
    return {{ cookiecutter.x }}
{% endif %}
class C:
    def m(self): pass
"""


def names(content: BundleContent) -> set[str]:
    kinds = (Kind.CLASS, Kind.FUNCTION, Kind.METHOD)
    return {one.qualified_name for one in content.entries if one.kind in kinds}


@pytest.mark.parametrize("text", [PYTHON_2, TEMPLATE])
def test_python_2_and_templates_give_their_definitions_and_a_note(
    built: Built, text: bytes
) -> None:
    content = built({"m.py": text})
    assert names(content) == {"m.f", "m.C", "m.C.m"}
    (note,) = content.notes
    assert note.startswith("m.py:1: ")


@pytest.mark.parametrize(
    ("text", "found", "line"),
    [
        (b'def f(): pass\nx = """ never closed\ndef g(): pass\n', {"m.f"}, 2),
        (b"def f():\n\tif 1:\n\t    x = 1\n        y = 2\ndef g(): pass\n", {"m.f", "m.g"}, 4),
        (b"def f(:\n    pass\ndef g(): pass\n", {"m.f", "m.g"}, 1),
        (b"<<<<<<< HEAD\ndef f(): pass\n=======\ndef g(): pass\n", {"m.f", "m.g"}, 1),
        (b"def f(): pass\nx = (1,\ndef g(): pass\n", {"m.f"}, 2),
    ],
)
def test_broken_text_gives_what_can_be_read(
    built: Built, text: bytes, found: set[str], line: int
) -> None:
    content = built({"m.py": text, "n.py": "def whole(): ...\n"})
    assert found | {"n.whole"} <= names(content)
    assert any(note.startswith(f"m.py:{line}: ") for note in content.notes)


def test_nul_bytes_hide_nothing_and_are_told_readably(built: Built) -> None:
    content = built({"m.py": b"def f():\n    pass\n\0\0\ndef g(): pass\n"})
    assert names(content) == {"m.f", "m.g"}
    assert b"\0" in content.files[0].text
    assert content.notes == ("m.py:3: holds NUL bytes, which Python refuses; write it without",)
    assert all(note.isprintable() for note in content.notes)


@pytest.mark.parametrize(
    "value",
    [
        b"[" * 20_000 + b"]" * 20_000,
        b"not " * 5_000 + b"a",
        b"-" * 50_000 + b"1",
        b"lambda: " * 3_000 + b"a",
        b"a" + b".b()" * 5_000,
        b" + ".join([b"x0"] * 8_000),
        b"[" + b"{'a': [1, 2, 3]}, " * 20_000 + b"]",
        b"f'" + b"{x}" * 5_000 + b"'",
    ],
)
def test_deep_and_huge_values_leave_the_rest_whole(built: Built, value: bytes) -> None:
    content = built({"m.py": b"def before(): pass\nTABLE = " + value + b"\ndef after(): pass\n"})
    assert names(content) == {"m.before", "m.after"}
    assert all(len(one.signature) < 500 for one in content.entries)


def test_deep_blocks_and_long_chains_of_branches_are_read(built: Built) -> None:
    deep = b"".join(b" " * depth + b"if 1:\n" for depth in range(90)) + b" " * 90 + b"pass\n"
    branches = b"".join(b"    elif v == %d: return\n" % number for number in range(3_000))
    content = built(
        {
            "a.py": deep + b"def after(): pass\n",
            "b.py": b"def pick(v):\n    if v: return\n" + branches + b"def after(): pass\n",
        }
    )
    assert names(content) == {"a.after", "b.pick", "b.after"}


def test_line_ends_of_every_kind_give_the_lines_of_an_editor(built: Built) -> None:
    text = "def a():{0}    pass{0}\f{0}def b():{0}    '''one{0}    two'''{0}"
    content = built({f"m{n}.py": text.format(end) for n, end in enumerate(["\n", "\r\n", "\r"])})
    found = [(one.qualified_name[-1], one.start_line, one.end_line, one.docstring)
             for one in content.entries if one.kind is Kind.FUNCTION]  # fmt: skip
    assert found == [("a", 1, 2, ""), ("b", 4, 6, "one\ntwo")] * 3


def test_lone_surrogates_in_strings_do_not_stop_the_build(built: Built) -> None:
    content = built({"m.py": 'def f():\n    "Half \\ud800 a pair."\nX = "\\udfff"\n'})
    assert names(content) == {"m.f"}
    for text in content.texts:
        "".join(text).encode()
