from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pydocs_server.answered.search import search_codebase
from pydocs_server.mounted.mount import mount
from pydocs_server.mounted.names import resolve

QUERIES = ("client timeout", "Request", "pydanteq dump", "parse yaml safely")


@pytest.fixture(scope="session")
def expected(bundles: Path) -> list[str]:
    return _answers(sorted(map(str, bundles.glob("*.pdx"))))


def _answers(files: list[str]) -> list[str]:
    with mount(files) as catalog:
        texts = [search_codebase(catalog, query).text for query in QUERIES]
        return [*texts, str(resolve(catalog, "Model.dump"))]


@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_the_order_of_mounting_changes_nothing(
    bundles: Path, expected: list[str], data: st.DataObject
) -> None:
    files = data.draw(st.permutations(sorted(map(str, bundles.glob("*.pdx")))))

    assert _answers(list(files)) == expected
