"""The names that public classes lend to what they inherit from classes that nobody sees."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from pydocs_bundle.records import BundleContent
from pydocs_server.answered.search import search_codebase
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.lent import asked_as, called
from pydocs_server.mounted.mount import mount
from pydocs_server.mounted.names import resolve

Write = Callable[[Path, BundleContent], Path]
ContentOf = Callable[..., BundleContent]


def _called(catalog: Catalog, name: str, *words: str) -> str:
    found = resolve(catalog, name)[0]
    return called(catalog, found.bundle, found.record, words)


def test_a_private_class_has_its_members_called_by_a_public_heir(catalog: Catalog) -> None:
    assert _called(catalog, "httpq._client.BaseClient.build_request") == (
        "httpq.Client.build_request"
    )


@pytest.mark.parametrize(
    "name", ["httpq.Client.send", "httpq._client.BaseClient", "httpq.get", "httpq#readme:HTTPQ"]
)
def test_what_has_a_name_of_its_own_is_lent_none(catalog: Catalog, name: str) -> None:
    assert _called(catalog, name) == ""


def test_a_class_that_is_named_as_the_owner_lends_its_name(catalog: Catalog) -> None:
    found = resolve(catalog, "flasq.Flasq.route")[0]

    assert asked_as(catalog, found.bundle, found.record, "flasq.Flasq.route") == "flasq.Flasq.route"
    assert asked_as(catalog, found.bundle, found.record, "flasq.sansio.Scaffold.route") == ""
    assert asked_as(catalog, found.bundle, found.record, "nobody.route") == ""
    assert asked_as(catalog, found.bundle, found.record, "route") == ""


@pytest.mark.parametrize("heir", ["Plain", "Quick"])
def test_of_several_heirs_the_one_that_is_asked_about_lends_its_name(
    tmp_path: Path, write: Write, content_of: ContentOf, heir: str
) -> None:
    files = {
        "net/_base.py": "class Base:\n    def send(self) -> None: ...\n",
        "net/clients.py": "class Plain(Base): ...\n\n\nclass Quick(Base): ...\n",
    }
    bases = {f"net.clients.{name}": ["net._base.Base"] for name in ("Plain", "Quick")}
    write(tmp_path, content_of("net", "1.0", files, bases=bases))
    with mount([str(tmp_path)]) as catalog:
        asked = heir.lower()
        assert _called(catalog, "net._base.Base.send", asked) == f"net.clients.{heir}.send"


def test_an_answer_says_the_lent_name_and_whose_it_is(catalog: Catalog) -> None:
    answer = search_codebase(catalog, "flasq.Flasq.route", limit=1)
    (row,) = cast("list[dict[str, str]]", answer.structured["results"])

    assert row["public_name"] == "flasq.Flasq.route"
    assert row["qualified_name"] == "flasq.sansio.Scaffold.route"
    assert "flasq.Flasq.route(" in answer.text
    assert "  method of Scaffold  flasq@" in answer.text
