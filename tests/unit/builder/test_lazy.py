"""Names that a module serves without binding them, and lists that `__all__` takes in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pydocs_bundle.records import BundleContent

Built = Callable[..., BundleContent]
INPUTS = Path(__file__).parents[2] / "inputs"
HOOK = "def __getattr__(name):\n    return getattr(import_module(MAP[name], __name__), name)\n"


def aliases(content: BundleContent, name: str) -> tuple[str, ...]:
    (found,) = (one for one in content.entries if one.qualified_name == name)
    return found.aliases


@pytest.mark.parametrize(
    "text",
    [
        f"MAP = {{'Engine': '._impl'}}\n{HOOK}",
        f"MAP = {{'Engine': 'lz._impl'}}\n{HOOK}",
        f"MAP = {{'Engine': '_impl'}}\n{HOOK}",
        f"MAP = {{'Engine': 'lz._impl:Engine'}}\n{HOOK}",
        f"MAP = {{'Engine': 'lz._impl.Engine'}}\n{HOOK}",
        f"MAP = {{'Engine': ('lz._impl', 'Engine')}}\n{HOOK}",
        f"MAP = {{'Engine': ('lz._impl', 'the engine', ('eng',))}}\n{HOOK}",
        f"MAP = {{'_impl': ['Engine']}}\n{HOOK}",
        f"from lz._table import MAP\n{HOOK}",
        f"from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n from ._impl import Engine\n{HOOK}",
        (
            "import lazy_loader as lazy\n"
            "__getattr__, __dir__, __all__ = lazy.attach(__name__, [], {'_impl': ['Engine']})\n"
        ),
        (
            "def __getattr__(name):\n    match name:\n        case 'Engine':\n"
            "            from ._impl import Engine\n            return Engine\n"
        ),
        "def __getattr__(name):\n    from lz import _impl\n    return getattr(_impl, name, None)\n",
        (
            "import sys\nfrom lz._table import MAP\nclass _M(type(sys)):\n"
            "    def __getattr__(self, name): ...\nsys.modules[__name__] = _M(__name__)\n"
        ),
    ],
)
def test_lazy_names_lead_to_their_definition(built: Built, text: str) -> None:
    content = built(
        {
            "lz/__init__.py": text,
            "lz/_impl.py": "class Engine: ...\n",
            "lz/_table.py": "MAP = {'Engine': ('lz._impl', 'n', ())}\n",
        }
    )
    assert aliases(content, "lz._impl.Engine") == ("lz.Engine",)


def test_a_lazy_name_without_definition_is_told(built: Built) -> None:
    content = built(
        {"lz/__init__.py": f"__all__ = ['x']\nMAP = {{'x': '._impl'}}\n{HOOK}", "lz/_impl.py": ""}
    )
    assert content.notes == ("lz/__init__.py: __all__ names 'x'; nothing visible defines them",)


@pytest.mark.parametrize(
    "text",
    [
        "from . import q\n__all__ = ['a'] + q.__all__\n",
        "import p.q as sub\n__all__ = [*sub.__all__]\n",
        "import p.q\n__all__ = list(p.q.__all__)\n",
        "from .q import __all__ as names\n__all__ = ['a']\n__all__ += names\n",
        "from .q import *\n__all__ = []\n__all__.extend(q.__all__)\n",
        "from .q import TABLE\n__all__ = sorted(TABLE)\n",
    ],
)
def test_lists_of_other_modules_are_part_of_all(built: Built, text: str) -> None:
    content = built(
        {
            "p/__init__.py": text + "from .q import b, hidden\na = 0\n",
            "p/q.py": "__all__ = ('b',)\nTABLE = {'b': 1}\ndef b(): ...\ndef hidden(): ...\n",
        }
    )
    (one,) = (one for one in content.entries if one.qualified_name == "p.q.b")
    assert one.public_name == "p.b"
    (hidden,) = (one for one in content.entries if one.qualified_name == "p.q.hidden")
    assert hidden.public_name == ""


def test_lists_that_take_in_each_other_end(built: Built) -> None:
    text = (
        "from . import {0}\nfrom .{0} import *\n__all__ = ['{1}'] + {0}.__all__\ndef {1}(): ...\n"
    )
    content = built(
        {"p/__init__.py": "from .a import *", "p/a.py": text.format("b", "f"),
         "p/b.py": text.format("a", "g")}
    )  # fmt: skip
    assert "p.f" in aliases(content, "p.a.f")


def test_what_an_undecidable_all_surely_names_is_looked_for(
    built_folder: Callable[..., BundleContent],
) -> None:
    content = built_folder(INPUTS / "dunder-all-computed")
    assert content.notes == ("p/__init__.py: __all__ names 'ghost'; nothing visible defines them",)
    assert aliases(content, "p.q.b") == ("p.b",)
