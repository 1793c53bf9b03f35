from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pydocs_builder.extracted.newer_syntax import needed_python
from pydocs_bundle.records import BundleContent, Kind
from pydocs_native import IMPLEMENTATION, parse

INPUTS = Path(__file__).parents[2] / "inputs"


@pytest.mark.parametrize(
    ("text", "minor", "line"),
    [
        ("x = 1\ntype Alias = int\n", 12, 2),
        ("type Pair[T] = tuple[T, T]\n", 12, 1),
        ("def f(): ...\n\ndef box[T](v: T) -> T: ...\n", 12, 3),
        ("class Box[T]: ...\n", 12, 1),
        ("class Box[T = int]: ...\n", 13, 1),
        ("x = 1\ny = f'{d['a']}'\n", 12, 2),
        ('x = f"{"nested"}"\n', 12, 1),
        ("x = f\"{'\\n'.join(y)}\"\n", 12, 1),
        ('x = t"{1}"\n', 14, 1),
        ("x = rt'{1}'\n", 14, 1),
        ("try: pass\nexcept A, B:\n    pass\n", 14, 2),
        ("try: pass\nexcept* A:\n    pass\n", 11, 2),
        ("def f(*args: *Ts): ...\n", 11, 1),
        ("match x:\n    case 1: pass\n", 10, 2),
        ("if (y := 1): pass\n", 8, 1),
        ("def f(a, /, b): ...\n", 8, 1),
        ("def f[T](): ...\nx = t'{1}'\n", 14, 2),
    ],
)
def test_newest_syntax_of_a_source_is_found_with_its_line(text: str, minor: int, line: int) -> None:
    assert needed_python(text.encode(), parse(text.encode()), 7) == (minor, line)
    assert needed_python(text.encode(), parse(text.encode()), minor) is None


@pytest.mark.parametrize(
    "text",
    [
        "match = 1\ntype = 2\ntype(x)\nprint(match)\n",
        "def f(a=1, *args: int, **k): return a / 2\n",
        "x = f'{d[\"a\"]} {{ {x:{y}}} \\n {z!r:>{w}}'\n",
        "x = 'it isn\\'t' 't' \"don't\" + t['a']\n",
        '"""Text: x := 1, def f[T](), t"x", except* E:\n    except A, B:\n"""\n# f\'{d[\'a\']}\'\n',
        "except_ = {f: 1}\ntry: pass\nexcept (A, B): pass\n",
        "x = f'''{d['a']}'''\n",
        "class A(B[int]): ...\nx: int = 1\n",
        "lambda x: x\nd = {a:b}\nx[a:b]\n",
    ],
)
def test_what_only_looks_like_new_syntax_needs_nothing(text: str) -> None:
    assert needed_python(text.encode(), parse(text.encode()), 7) is None


@pytest.mark.skipif(
    IMPLEMENTATION == "python" and sys.version_info < (3, 14),
    reason="the twin of the parser reads what the running interpreter does",
)
def test_sources_newer_than_the_target_are_told_and_whole(
    built_folder: Callable[..., BundleContent],
) -> None:
    content = built_folder(INPUTS / "newer-syntax-than-runtime", python="3.11")
    names = {one.qualified_name for one in content.entries if one.kind is not Kind.MODULE}
    assert names == {"new.Alias", "new.box", "new.old_style", "t.x"}
    said = "and the target is Python 3.11; all that it defines is there"
    assert content.notes == (
        f"new.py:1: needs Python >= 3.12, {said}",
        f"t.py:1: needs Python >= 3.14, {said}",
    )
    assert built_folder(INPUTS / "newer-syntax-than-runtime", python="3.14").notes == ()


def test_whatever_the_parser_knows_the_line_that_needs_more_is_told(
    built: Callable[..., BundleContent],
) -> None:
    text = "def f(): ...\ntype Alias = int\ndef g(): ...\n"
    content = built({"m.py": text}, python="3.10")
    assert [note.partition(";")[0] for note in content.notes] == [
        "m.py:2: needs Python >= 3.12, and the target is Python 3.10"
    ]
    assert {"m.f", "m.g"} <= {one.qualified_name for one in content.entries}
