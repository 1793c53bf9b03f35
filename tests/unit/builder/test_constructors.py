"""Constructors that nobody wrote, by the rules of the library that makes them."""

from __future__ import annotations

import dataclasses
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from pydocs_bundle.records import BundleContent, Entry, Flag, Kind

Built = Callable[..., BundleContent]
INPUTS = Path(__file__).parents[2] / "inputs"


def constructors(content: BundleContent) -> dict[str, str]:
    return {
        one.qualified_name: one.signature for one in content.entries if one.flags & Flag.GENERATED
    }


def entry(content: BundleContent, name: str) -> Entry:
    (found,) = (one for one in content.entries if one.qualified_name == name)
    return found


def signatures(built: Built, text: str) -> dict[str, str]:
    found = constructors(built({"m.py": text}))
    return {name.removeprefix("m."): signature for name, signature in found.items()}


def test_dataclasses_of_the_input_are_called_as_python_calls_them(
    built_folder: Callable[..., BundleContent],
) -> None:
    content = built_folder(INPUTS / "dataclass-generated-init")
    assert constructors(content) == {
        "d.Base.__init__": "(self, x: float)",
        "d.Child.__init__": "(self, x: float, w: int = 1, *, k: str = '')",
        "d.A.__init__": "(self, given: int)",
    }


def test_a_generated_constructor_is_a_method_that_only_has_a_name(built: Built) -> None:
    text = "from dataclasses import dataclass\n@dataclass\nclass C:\n    x: int\n"
    content = built({"pkg/__init__.py": "from pkg._m import C", "pkg/_m.py": text})
    made = entry(content, "pkg._m.C.__init__")
    owner = entry(content, "pkg._m.C")
    assert (made.kind, made.public_name) == (Kind.METHOD, "pkg.C.__init__")
    assert (made.start, made.end) == (owner.start, owner.end)
    assert content.entries[made.parent] is owner
    assert made in content.entries[len(content.texts) :]


HEADER = "from dataclasses import dataclass, field, InitVar, KW_ONLY\nfrom typing import ClassVar\n"


@pytest.mark.parametrize(
    "text",
    [
        "@dataclass\nclass C:\n    a: int\n    b: str = 'x'\n",
        "@dataclass(frozen=True, kw_only=True)\nclass C:\n    a: int\n    b: str = 'x'\n",
        "@dataclass\nclass C:\n  a: InitVar[int]\n  b: int = field(init=False)\n  c: int = 2\n",
        "@dataclass\nclass C:\n    a: int\n    _: KW_ONLY\n    b: int\n    c: int = 3\n",
        "@dataclass\nclass C:\n    a: int = field(kw_only=True)\n    b: int = field(default=4)\n",
        "@dataclass\nclass C:\n  a: ClassVar[int] = 1\n  b: 'ClassVar[int]' = 2\n  c: int = 3\n",
        (
            "@dataclass\nclass B:\n  a: int\n  b: int = 1\n@dataclass\nclass C(B):\n  c: int = 2\n"
            "  a: int = 5\n"
        ),
        "@dataclass\nclass B:\n a: int\nclass M(B):\n b: int\n@dataclass\nclass C(M):\n c: int\n",
        "@dataclass\nclass C:\n    a: list = field(default_factory=list)\n    d = 3\n",
    ],
)
def test_dataclasses_take_what_the_interpreter_says(
    built: Built, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("made_for_this_test")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    space = module.__dict__
    exec(compile(HEADER + text, "m.py", "exec", dont_inherit=True), space)  # noqa: S102 - the texts above
    wanted = inspect.signature(space["C"])
    got = signatures(built, HEADER + text)["C.__init__"]
    ours: dict[str, object] = {"list": list, "int": int, "str": str}
    exec(f"def f{got}: ...", ours)  # noqa: S102 - what was built from them
    found = list(inspect.signature(ours["f"]).parameters.values())[1:]  # type: ignore[arg-type]
    assert [(one.name, one.kind) for one in found] == [
        (one.name, one.kind) for one in wanted.parameters.values()
    ]
    has_default = [one.default is not one.empty for one in found]
    assert has_default == [one.default is not one.empty for one in wanted.parameters.values()]
    assert dataclasses.is_dataclass(space["C"])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("@attr.s\nclass C:\n    x = attr.ib()\n    y = 3\n", "(self, x)"),
        ("@attr.s(auto_attribs=True)\nclass C:\n    _x: int = 1\n", "(self, x: int = 1)"),
        ("@attr.s(kw_only=True)\nclass C:\n    x = attr.ib(default=1)\n", "(self, *, x=1)"),
        (
            "@attrs.define\nclass C:\n    x: int = attrs.field(converter=int)\n    y: int = 2\n",
            "(self, x: int, y: int = 2)",
        ),
        ("@attrs.define\nclass C:\n    x = attrs.field()\n    y: int = 2\n", "(self, x)"),
        (
            (
                "@attrs.frozen\nclass C:\n  x = attrs.field(factory=list)\n  z = attrs.field()\n"
                "  @z.default\n  def _(self): ...\n"
            ),
            "(self, x=list(), z=...)",
        ),
    ],
)
def test_attrs_classes_take_their_fields(built: Built, text: str, wanted: str) -> None:
    assert signatures(built, "import attr, attrs\n" + text) == {"C.__init__": wanted}


def test_models_take_fields_by_name_and_alias(built: Built) -> None:
    text = (
        "from pydantic import BaseModel, ConfigDict, Field, PrivateAttr\n"
        "class A(BaseModel):\n"
        "    model_config = ConfigDict(extra='allow')\n"
        "    a: int\n    b: str = Field('x', alias='bee')\n    _c: int = PrivateAttr(0)\n"
        "class B(A):\n    a = 3\n    d: list[int] = Field(default_factory=list)\n"
        "class Own(BaseModel):\n    def __init__(self, x): ...\n"
        "class Below(Own):\n    a: int\n"
    )
    assert signatures(built, text) == {
        "A.__init__": "(self, *, a: int, bee: str = 'x', **extra_data: Any)",
        "B.__init__": "(self, *, a: int = 3, bee: str = 'x', d: list[int] = list(),"
        " **extra_data: Any)",
    }


def test_tuples_and_typed_dictionaries_are_called_by_their_fields(built: Built) -> None:
    text = (
        "from collections import namedtuple\nimport typing as t\n"
        "P = namedtuple('P', 'x, y', defaults=[1])\n"
        "Q = t.NamedTuple('Q', [('a', int)])\n"
        "class R(namedtuple('R', ['u', 'v'])): ...\n"
        "class N(t.NamedTuple):\n    a: int\n    b: str = 'x'\n"
        "class T(t.TypedDict, total=False):\n    k: int\n    r: t.Required[str]\n"
        "computed = namedtuple('X', names())\n"
    )
    assert signatures(built, text) == {
        "P.__new__": "(cls, x, y=1)",
        "Q.__new__": "(cls, a: int)",
        "R.__new__": "(cls, u, v)",
        "N.__new__": "(cls, a: int, b: str = 'x')",
        "T.__init__": "(self, *, k: int = ..., r: t.Required[str])",
    }


def test_a_decorator_of_the_target_may_make_dataclasses(built: Built) -> None:
    text = (
        "from typing import dataclass_transform\n"
        "@dataclass_transform()\ndef record(cls): ...\n"
        "@record\nclass C:\n    a: int\n"
    )
    assert signatures(built, text) == {"C.__init__": "(self, a: int)"}


@pytest.mark.parametrize(
    "text",
    [
        "@dataclass\nclass C:\n    a: int\n    def __init__(self): ...\n",
        "@dataclass(init=False)\nclass C:\n    a: int\n",
        "from other import Base\n@dataclass\nclass C(Base):\n    a: int\n",
        "@unknown\nclass C:\n    a: int\n",
        "class C:\n    a: int\n",
    ],
)
def test_no_constructor_is_invented(built: Built, text: str) -> None:
    assert signatures(built, "from dataclasses import dataclass\n" + text) == {}
