"""What may run where a protocol's method is called: classes that meet it without naming it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from pydocs_bundle.records import ReferenceKind
from pydocs_server.answered.references import get_references
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount
from tests.unit.server.conftest import ContentOf, WriteBundle, with_edges

CALL = ReferenceKind.CALL
DRAW = {
    "draw.py": '''\
from typing import Protocol


class Drawable(Protocol):
    """What can be drawn."""

    def draw(self) -> str: ...

    def size(self) -> int: ...


class Called(Protocol):
    """What can be called."""

    def __call__(self) -> str: ...


class Table:
    """Meets it."""

    def draw(self) -> str:
        return ""

    def size(self) -> int:
        return 1


class Wide(Table):
    """Meets it with what it inherits."""

    def draw(self) -> str:
        return "wide"


class Pen:
    """Draws, but has no size."""

    def draw(self) -> str:
        return ""


class Command:
    def __call__(self) -> str:
        return ""


def show(thing: Drawable) -> str:
    return thing.draw()


def run(thing: Called) -> str:
    return thing()
''',
}
BASES = {
    "draw.Drawable": ["typing.Protocol"],
    "draw.Called": ["typing.Protocol"],
    "draw.Wide": ["draw.Table"],
}
EDGES = [
    (CALL, "draw.show", "draw.Drawable.draw", "thing.draw", ""),
    (CALL, "draw.run", "draw.Called.__call__", "thing()", ""),
]


@pytest.fixture(scope="module")
def drawn(
    content_of: ContentOf, write: WriteBundle, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Catalog]:
    folder: Path = tmp_path_factory.mktemp("drawn")
    write(folder, with_edges(content_of("draw", "1.0", DRAW, bases=BASES), EDGES))
    with mount([str(folder)]) as catalog:
        yield catalog


def names(catalog: Catalog, target: str, direction: str) -> dict[str, str]:
    """The qualified names of the edges with their tiers."""
    edges = get_references(catalog, target, direction).structured["edges"]
    rows = cast("list[dict[str, Any]]", edges)
    return {row["qualified_name"]: row.get("tier", row.get("label", "")) for row in rows}


def test_whatever_meets_a_protocol_may_run_where_it_is_called(drawn: Catalog) -> None:
    callees = names(drawn, "draw.show", "callees")
    assert callees["draw.Table.draw"] == "may"
    assert callees["draw.Wide.draw"] == "may"
    assert "draw.Pen.draw" not in callees


def test_who_calls_the_protocol_may_call_what_meets_it(drawn: Catalog) -> None:
    assert names(drawn, "draw.Table.draw", "callers") == {"draw.show": "may"}
    assert names(drawn, "draw.Wide.draw", "callers") == {"draw.show": "may"}
    assert names(drawn, "draw.Pen.draw", "callers") == {}


def test_a_protocol_of_what_is_common_means_no_class(drawn: Catalog) -> None:
    assert "draw.Command.__call__" not in names(drawn, "draw.run", "callees")
    assert names(drawn, "draw.Command.__call__", "callers") == {}
