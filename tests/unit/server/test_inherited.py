"""What a class has from its bases, in whichever bundle they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pydocs_bundle.records import BundleContent, Entry, Flag, Kind
from pydocs_server.answered.symbol import get_symbol
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.inherited import constructor, documentation
from pydocs_server.mounted.mount import mount
from pydocs_server.mounted.names import Found, mro, require

Write = Callable[[Path, BundleContent], Path]
ContentOf = Callable[..., BundleContent]

BASE = '''\
class Base:
    """What all share."""

    def __init__(self, size: int) -> None:
        """Begins."""

    def run(self) -> None:
        """Runs."""
'''
OWN = """\
class Own(Base):
    def run(self) -> None: ...


class Point:
    x: int


shadow = 1
"""


@pytest.fixture
def catalog(tmp_path: Path, write: Write, content_of: ContentOf) -> Iterator[Catalog]:
    write(tmp_path, content_of("base", "1", {"base.py": BASE}))
    own = content_of("own", "1", {"own.py": OWN}, bases={"own.Own": ["base.Base"]})
    (place,) = (n for n, one in enumerate(own.entries) if one.qualified_name == "own.Point")
    made = Entry("own.Point.__init__", Kind.METHOD, *own.entries[place][2:7], "(self, x: int)")
    made = made._replace(parent=place, flags=int(Flag.GENERATED))
    write(tmp_path, own._replace(entries=(*own.entries[:-1], made, own.entries[-1])))
    with mount([str(tmp_path)]) as mounted:
        yield mounted


def one(catalog: Catalog, name: str) -> Found:
    return require(catalog, name)[0]


def test_docstrings_come_from_the_first_base_that_has_one(catalog: Catalog) -> None:
    assert documentation(catalog, one(catalog, "own.Own")) == "What all share."
    assert documentation(catalog, one(catalog, "own.Own.run")) == "Runs."
    assert documentation(catalog, one(catalog, "own.Point")) == ""
    assert "Runs." in get_symbol(catalog, "own.Own.run").text


def test_a_class_is_called_as_its_base_is(catalog: Catalog) -> None:
    called = constructor(catalog, one(catalog, "own.Own"))
    assert called is not None
    assert called.record.qualified_name == "base.Base.__init__"


def test_a_generated_constructor_is_shown_as_such(catalog: Catalog) -> None:
    text = get_symbol(catalog, "own.Point").text
    assert "def __init__(self, x: int)  # generated" in text
    assert "generated" in get_symbol(catalog, "own.Point.__init__").text.splitlines()[1]


def test_a_function_hides_the_module_of_its_name(
    tmp_path: Path, write: Write, content_of: ContentOf
) -> None:
    files = {
        "p/__init__.py": "from p.bridges import bridges\n",
        "p/bridges.py": "def bridges(): ...\n",
    }
    names = {"p.bridges": "p.bridges.bridges"}
    write(tmp_path, content_of("p", "1", files, aliases=names))
    with mount([str(tmp_path)]) as mounted:
        assert require(mounted, "p.bridges")[0].record.kind == Kind.FUNCTION
        assert require(mounted, "p.bridges.bridges")[0].record.kind == Kind.FUNCTION


def test_a_base_that_is_not_mounted_keeps_its_place_in_the_order(
    tmp_path: Path, write: Write, content_of: ContentOf
) -> None:
    text = "class A: ...\nclass B: ...\nclass C(Generic, A): ...\nclass D(C, B, Generic, A): ...\n"
    bases = {
        "m.C": ["typing.Generic", "m.A"],
        "m.D": ["m.C", "m.B", "typing.Generic", "m.A"],
    }
    write(tmp_path, content_of("m", "1", {"m.py": text}, bases=bases))
    with mount([str(tmp_path)]) as mounted:
        order = [one.record.qualified_name for one in mro(mounted, require(mounted, "m.D")[0])]
    assert order == ["m.D", "m.C", "m.B", "m.A"]
