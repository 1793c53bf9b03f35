from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pydocs_builder.extracted.docstrings import clean, is_deprecated, summarise, summary_of
from pydocs_builder.extracted.reading import read_sources
from pydocs_builder.targets import Target
from pydocs_bundle.records import BundleContent, Entry, Flag, Kind
from pydocs_native import IMPLEMENTATION

Built = Callable[..., BundleContent]
INPUTS = Path(__file__).parents[2] / "inputs"


def entry(content: BundleContent, name: str) -> Entry:
    (found,) = (one for one in content.entries if one.qualified_name == name)
    return found


def kinds(content: BundleContent) -> dict[str, str]:
    return {one.qualified_name: one.kind.label for one in content.entries}


def text_of(content: BundleContent, name: str) -> str:
    one = entry(content, name)
    return content.files[one.file].text[one.start : one.end].decode()


def test_each_definition_is_an_entry_of_its_kind(built: Built) -> None:
    content = built(
        {
            "m.py": (
                '"""Module."""\nLIMIT: int = 3\n"""How many."""\n\n'
                "class C(dict):\n    flag = True\n"
                "    def __init__(self):\n        self.size = 0\n"
                "    async def run(self): ...\n"
                "    @property\n    def length(self): ...\n"
                "    class Inner:\n        def deep(self): ...\n\n"
                "def f():\n    def nested(): ...\n    class Local: ...\n"
            )
        }
    )
    assert kinds(content) == {
        "m": "module",
        "m.C": "class",
        "m.C.Inner": "class",
        "m.C.Inner.deep": "method",
        "m.C.__init__": "method",
        "m.C.flag": "attribute",
        "m.C.length": "property",
        "m.C.run": "method",
        "m.C.size": "attribute",
        "m.LIMIT": "attribute",
        "m.f": "function",
    }
    assert entry(content, "m.LIMIT").docstring == "How many."
    assert entry(content, "m.C.run").flags & Flag.ASYNC
    assert entry(content, "m.C").bases == ("builtins.dict",)
    assert content.entries[entry(content, "m.C.Inner.deep").parent].qualified_name == "m.C.Inner"


def test_overloads_and_their_implementation_are_one_entry(built: Built) -> None:
    content = built(
        {
            "m.py": (
                "from typing import overload\n"
                "@overload\ndef get(key: int) -> int: ...\n"
                "@overload\ndef get(key: str) -> str: ...\n"
                'def get(key):\n    """Gets."""\n'
            )
        }
    )
    one = entry(content, "m.get")
    assert one.signature == "(key: int) -> int\n(key: str) -> str"
    assert one.flags & Flag.OVERLOAD
    assert one.docstring == "Gets."
    assert (one.start_line, one.end_line) == (2, 7)


def test_property_with_its_setter_is_one_entry(built: Built) -> None:
    content = built(
        {
            "m.py": (
                "class C:\n    @property\n    def x(self) -> int: ...\n"
                "    @x.setter\n    def x(self, value: int) -> None: ...\n"
            )
        }
    )
    one = entry(content, "m.C.x")
    assert (one.kind, one.signature) == (Kind.PROPERTY, "(self) -> int")
    assert (one.start_line, one.end_line) == (2, 5)


def test_stub_beside_its_source_gives_types_and_no_second_symbol(built: Built) -> None:
    content = built(
        {
            "m.py": 'def f(a, b=1):\n    """Adds."""\n\nclass C:\n    def g(self): ...\n',
            "m.pyi": (
                "def f(a: int, b: int = ...) -> int: ...\nclass C:\n    def g(self) -> str: ...\n"
                "def only_here() -> None: ...\n"
            ),
        }
    )
    assert kinds(content) == {
        "m": "module",
        "m.f": "function",
        "m.C": "class",
        "m.C.g": "method",
        "m.only_here": "function",
    }
    one = entry(content, "m.f")
    assert one.signature == "(a: int, b: int = ...) -> int"
    assert content.files[one.file].path == "m.py"
    assert entry(content, "m.only_here").flags & Flag.STUB


def test_stub_of_an_imported_name_speaks_about_its_definition(built: Built) -> None:
    content = built(
        {
            "p/__init__.py": "from p._impl import define\n",
            "p/__init__.pyi": (
                "from typing import overload\n"
                "@overload\ndef define(cls: type) -> type: ...\n"
                "@overload\ndef define(cls: None) -> None: ...\n"
            ),
            "p/_impl.py": "def define(cls):\n    ...\n",
        }
    )
    one = entry(content, "p._impl.define")
    assert one.signature == "(cls: type) -> type\n(cls: None) -> None"
    assert (one.start_line, one.end_line) == (1, 2)
    assert one.public_name == "p.define"
    assert "p.define" not in kinds(content)


def test_stub_without_source_stands_for_itself(built: Built) -> None:
    content = built({"fast-stubs/__init__.pyi": "def go() -> int: ...\n"})
    one = entry(content, "fast.go")
    assert one.flags & Flag.STUB
    assert one.signature == "() -> int"


def test_what_is_deprecated_private_or_a_test_is_flagged(built: Built) -> None:
    content = built(
        {
            "m.py": (
                "from warnings import deprecated\n"
                '@deprecated("no")\ndef old(): ...\n'
                'def older():\n    """Adds.\n\n    .. deprecated:: 1.0\n    """\n'
                'def fine():\n    """Adds.\n\n    :param a:\n        .. deprecated:: 1\n    """\n'
                'def also():\n    """Adds.\n\n    .. deprecated:: 2.1 *x* is useless.\n    """\n'
                "def _hidden(): ...\ndef __dunder__(): ...\n"
            ),
            "tests/test_m.py": "def test_it(): ...\n",
        }
    )
    flags = {one.qualified_name: one.flags for one in content.entries}
    assert flags["m.old"] == flags["m.older"] == Flag.DEPRECATED
    assert flags["m.fine"] == flags["m.also"] == flags["m.__dunder__"] == 0
    assert flags["m._hidden"] == Flag.PRIVATE
    assert flags["tests.test_m.test_it"] == Flag.TEST


def test_encodings_line_ends_and_form_feeds_keep_their_lines(
    built_folder: Callable[[Path], BundleContent],
) -> None:
    content = built_folder(INPUTS / "bom-cookie-formfeed-crlf")
    functions = [one for one in content.entries if one.kind is Kind.FUNCTION]
    assert sorted(one.qualified_name for one in functions) == [
        "bom.with_bom",
        "crlf.crlf",
        "ff.a",
        "ff.after_ff",
        "latin.café",
    ]
    assert entry(content, "ff.after_ff").start_line == 4
    assert entry(content, "latin.café").docstring == "café"
    assert entry(content, "crlf.crlf").docstring == "one\ntwo"
    assert {file.encoding for file in content.files} == {"utf-8", "utf-8-sig", "iso-8859-1"}


def test_deep_expressions_hide_no_function(
    built_folder: Callable[[Path], BundleContent],
) -> None:
    content = built_folder(INPUTS / "deep-binop")
    assert "deep.after" in kinds(content)
    assert all(len(one.signature) < 1_000 for one in content.entries)


@pytest.mark.skipif(
    IMPLEMENTATION == "python" and sys.version_info < (3, 12),
    reason="the twin of the parser reads what the running interpreter does",
)
def test_newer_syntax_is_read(built_folder: Callable[[Path], BundleContent]) -> None:
    content = built_folder(INPUTS / "newer-syntax-than-runtime")
    assert entry(content, "new.box").signature == "[T](v: T) -> T"
    assert kinds(content)["new.old_style"] == "function"
    assert kinds(content)["new.Alias"] == "attribute"


def test_fields_and_factory_made_names_are_attributes(
    built_folder: Callable[[Path], BundleContent],
) -> None:
    fields = kinds(built_folder(INPUTS / "dataclass-generated-init"))
    assert {"d.Base.x", "d.Base.z", "d.Base.cv", "d.Child.w", "d.Child.k"} <= fields.keys()
    assert fields["d.Base.distance"] == "property"
    made = built_folder(INPUTS / "decorator-made-symbols")
    read_csv = entry(made, "f.read_csv")
    assert (read_csv.kind, read_csv.docstring) == (Kind.ATTRIBUTE, "Read a csv file.")
    assert entry(made, "f.Enc").decorators == ("dataclass(config=cfg)",)


def test_broken_file_is_a_note_and_what_can_be_read_is_there(built: Built) -> None:
    content = built({"a.py": "def good(): ...\n\nclass (:\n", "b.py": "def fine(): ...\n"})
    assert {"a.good", "b.fine"} <= kinds(content).keys()
    (note,) = content.notes
    assert note.startswith("a.py:3: ")


def test_unreadable_file_is_a_note(built: Built) -> None:
    content = built({"a.py": "def f(): ...\n"}, files=("a.py", "gone.py"))
    assert "a.f" in kinds(content)
    (note,) = content.notes
    assert note.startswith("gone.py: ")


def test_file_name_that_is_no_text_is_escaped(tmp_path: Path) -> None:
    name = "caf\udce9.py"
    (tmp_path / name).write_text("x = 1\n")
    sources = read_sources(Target("project", "p", "1", str(tmp_path), (name,), ()))
    assert [file.path for file in sources.files] == ["caf\\xe9.py"]


@pytest.mark.parametrize(
    "docstring",
    [
        "One.",
        "  One.\n\n    Two.\n      Three.\n    ",
        "\n    One.\n    Two.\n",
        "One.\n\tTabbed.\n\t\tMore.\n",
        "One.\n  ",
        "",
    ],
)
def test_docstring_is_cleaned_as_inspect_does(docstring: str) -> None:
    assert clean(docstring) == inspect.cleandoc(docstring)


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("One sentence. And another.", "One sentence."),
        ("One line\nthat goes on.\n\nMore.", "One line that goes on."),
        ("Uses a pool, e.g. of two. More.", "Uses a pool, e.g. of two."),
        ("No stop\n\nMore.", "No stop"),
        ("", ""),
    ],
)
def test_summary_is_the_first_sentence(text: str, summary: str) -> None:
    assert summarise(text) == summary


@pytest.mark.parametrize(
    ("docstring", "summary"),
    [
        (
            '!!! abstract "Usage"\n    [`dump`](a.md)\n\nGenerates a dictionary. More.',
            "Generates a dictionary.",
        ),
        (".. deprecated:: 8.2\n    Use that.\n\nWas a base.", "Was a base."),
        (".. deprecated:: 8.2\n\n    Use that. Now.", ""),
        ("Tagged JSON\n~~~~~~~~~~~\n\nA compact form. More.", "A compact form."),
        ("Tagged JSON\n===========\nA compact form. More.", "A compact form."),
        ("Tagged JSON\n~~~~~~~~~~~", "Tagged JSON"),
        ("Checks a field\n:param field: which one. Any.", "Checks a field"),
        (">>> label('x')\n'x'\n\nLabels.", "Labels."),
        (":param x: only this", ""),
        ("One: two. Three.", "One: two."),
        ("One\n- two\n\nMore.", "One - two"),
        ("", ""),
    ],
)
def test_summary_passes_over_what_is_no_prose(docstring: str, summary: str) -> None:
    assert summary_of(docstring) == summary


@pytest.mark.parametrize(
    ("directive", "expected"),
    [
        ("1.0", True),
        ("1.0\n   Use the keyword argument of `other` instead.", True),
        ("1.0 Will be removed.", True),
        ("1.0\n\n   Calling it with two is over.", False),
        ("1.0\n\nParameters\n----------", True),
        ("v4.0.0\n\n", True),
        ("v4.0.0\n   Calling this with a second argument is deprecated.", False),
        ("1.4 It now requires that one argument is passed.", False),
        ("2.1 *x* is useless.", False),
    ],
)
def test_a_directive_may_speak_of_a_way_to_call(directive: str, *, expected: bool) -> None:
    assert is_deprecated(f"Adds.\n\n.. deprecated:: {directive}\n") is expected
