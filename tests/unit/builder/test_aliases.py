from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pydocs_bundle.records import BundleContent, Entry, Flag, Kind

Built = Callable[..., BundleContent]
INPUTS = Path(__file__).parents[2] / "inputs"


def leads_to(content: BundleContent, alias: str) -> list[str]:
    """The definition-site names that a name leads to."""
    return [
        one.qualified_name
        for one in content.entries
        if one.qualified_name == alias or alias in one.aliases
    ]


def entry(content: BundleContent, name: str) -> Entry:
    (found,) = (one for one in content.entries if one.qualified_name == name)
    return found


def test_reexported_class_has_the_name_its_users_import(built: Built) -> None:
    content = built(
        {
            "p/__init__.py": 'from ._client import *\n__all__ = ["Client"]\n',
            "p/_client.py": "class Client:\n    def get(self): ...\nclass _Hidden: ...\n",
        }
    )
    client = entry(content, "p._client.Client")
    assert client.public_name == "p.Client"
    assert client.aliases == ("p.Client",)
    assert not client.flags & Flag.PRIVATE
    assert entry(content, "p._client.Client.get").public_name == "p.Client.get"
    assert entry(content, "p._client._Hidden").flags & Flag.PRIVATE
    assert leads_to(content, "p._Hidden") == []


def test_chain_of_imports_leads_to_the_definition(built: Built) -> None:
    content = built(
        {
            "p/__init__.py": "from .api import f as f\n",
            "p/api.py": "from .core import f\n",
            "p/core.py": "from ._impl import g as f\n",
            "p/_impl.py": "def g(): ...\n",
        }
    )
    for alias in ("p.f", "p.api.f", "p.core.f", "p._impl.g"):
        assert leads_to(content, alias) == ["p._impl.g"]
    assert entry(content, "p._impl.g").public_name == "p.f"


def test_star_import_cycles_end(built_folder: Callable[[Path], BundleContent]) -> None:
    content = built_folder(INPUTS / "star-import-cycle")
    assert leads_to(content, "pkg.f") == ["pkg.a.f"]
    assert leads_to(content, "pkg.g") == ["pkg.b.g"]
    assert leads_to(content, "pkg.b.f") == ["pkg.a.f"]
    assert leads_to(content, "pkg.nothing") == []


def test_lazy_names_lead_to_their_definitions(
    built_folder: Callable[[Path], BundleContent],
) -> None:
    content = built_folder(INPUTS / "lazy-module-getattr")
    assert leads_to(content, "lz.Engine") == ["lz._impl.Engine"]
    assert leads_to(content, "lz.start") == ["lz._impl.start"]
    assert entry(content, "lz.answer").flags & Flag.STUB


def test_lazy_map_is_read_where_there_is_no_stub(built: Built) -> None:
    lazy = "def __getattr__(name): ...\n"
    content = built(
        {
            "a/__init__.py": '_MAP = {"One": "._x", "Two": (".y", "Deux")}\n' + lazy,
            "a/_x.py": "class One: ...\n",
            "a/y.py": "class Deux: ...\n",
            "b/__init__.py": '_MAP = {"x": ["Three"], "gone": ["Four"]}\n' + lazy,
            "b/x.py": "class Three: ...\n",
        }
    )
    assert leads_to(content, "a.One") == ["a._x.One"]
    assert leads_to(content, "a.Two") == ["a.y.Deux"]
    assert leads_to(content, "b.Three") == ["b.x.Three"]
    assert [one for one in leads_to(content, "b.Four") if one != "b.Four"] == []


def test_names_for_type_checkers_are_aliases_only_where_they_are_served(built: Built) -> None:
    typing = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .x import X\n"
    content = built(
        {
            "a/__init__.py": typing + "def __getattr__(name): ...\n",
            "a/x.py": "class X: ...\n",
            "b/__init__.py": typing,
            "b/x.py": "class X: ...\n",
        }
    )
    assert leads_to(content, "a.X") == ["a.x.X"]
    assert leads_to(content, "b.X") == []


def test_undecidable_all_falls_back_to_public_names(
    built_folder: Callable[[Path], BundleContent],
) -> None:
    content = built_folder(INPUTS / "dunder-all-computed")
    assert leads_to(content, "p.b") == ["p.q.b"]
    assert leads_to(content, "p.a") == ["p.a"]
    assert leads_to(content, "p.hidden") == []


def test_name_in_all_that_nothing_defines_is_a_note_and_no_symbol(built: Built) -> None:
    content = built({"m.py": '__all__ = ["f", "ghost"]\ndef f(): ...\n'})
    (note,) = content.notes
    assert note == "m.py: __all__ names 'ghost'; nothing visible defines them"
    assert leads_to(content, "m.ghost") == []


def test_name_that_a_star_import_from_outside_may_bring_is_no_ghost(built: Built) -> None:
    content = built({"m.py": 'from other import *\n__all__ = ["f", "__version__"]\n'})
    assert content.notes == ()


def test_name_of_another_distribution_is_an_alias_entry(built: Built) -> None:
    content = built(
        {
            "p/__init__.py": "import os\nfrom other.deep import Thing\nfrom other import x as x\n",
            "p/m.py": "from other import Unlisted\n",
        }
    )
    thing = entry(content, "p.Thing")
    assert (thing.kind, thing.bases, thing.start_line) == (Kind.ALIAS, ("other.deep.Thing",), 2)
    assert entry(content, "p.x").bases == ("other.x",)
    assert not {"p.os", "p.m.Unlisted"} & {one.qualified_name for one in content.entries}
    assert content.imports == ("os", "other")


def test_shadowed_submodule_gives_way_to_the_name_that_is_imported(built: Built) -> None:
    content = built(
        {
            "p/__init__.py": "from .run import run\n",
            "p/run.py": "def run(): ...\n",
            "q/__init__.py": "from p import run\n",
        }
    )
    assert leads_to(content, "q.run") == ["p.run.run"]


def test_definition_wins_over_the_import_it_stands_in_for(built: Built) -> None:
    content = built(
        {
            "p/__init__.py": "",
            "p/m.py": "try:\n    from ._fast import f\nexcept ImportError:\n    def f(): ...\n",
            "p/n.py": "from .m import f\n",
        }
    )
    assert leads_to(content, "p.n.f") == ["p.m.f"]


def test_public_name_is_the_shortest_that_keeps_the_definition_s_own(built: Built) -> None:
    content = built(
        {
            "p/__init__.py": (
                "from ._core import concatenate, concatenate as concat\n"
                '__all__ = ["concat", "concatenate"]\n'
            ),
            "p/_core.py": "def concatenate(): ...\n",
            "p/deep/__init__.py": 'from .._core import concatenate\n__all__ = ["concatenate"]\n',
        }
    )
    one = entry(content, "p._core.concatenate")
    assert one.public_name == "p.concatenate"
    assert one.aliases == ("p.concat", "p.concatenate", "p.deep.concatenate")


def test_relative_imports_above_the_top_lead_nowhere(built: Built) -> None:
    content = built({"p/__init__.py": "from ....x import y\nfrom . import *\nfrom .. import z\n"})
    assert [one.qualified_name for one in content.entries] == ["p"]
