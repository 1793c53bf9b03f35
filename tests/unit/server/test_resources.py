"""Resources: their pages, what they give, and what their variables can become."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pydocs_bundle.errors import PydocsError
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.rendered.answer import NotFound
from pydocs_server.wired import resources
from pydocs_server.wired.resources import CursorError, complete, listed, read


def test_the_list_names_each_package_once_by_version(catalog: Catalog) -> None:
    page = listed(catalog)
    labels = [each.uri.removeprefix("pydocs://package/") for each in page.resources]
    assert labels == sorted({catalog.label(index) for index in range(len(catalog.bundles))})
    assert page.cursor == ""


def test_pages_follow_each_other_without_gap_or_repetition(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = [each.uri for each in listed(catalog).resources]
    assert len(whole) > 1
    monkeypatch.setattr(resources, "PAGE", 1)
    found, cursor = [], ""
    while True:
        page = listed(catalog, cursor)
        found += [each.uri for each in page.resources]
        if not (cursor := page.cursor):
            break
    assert found == whole


@pytest.mark.parametrize("cursor", ["!", "ü", "a", "====", "\0", "A" * 100_000 + "!"])
def test_a_cursor_of_nobody_is_refused(catalog: Catalog, cursor: str) -> None:
    with pytest.raises(CursorError):
        listed(catalog, cursor)


def test_each_kind_of_resource_can_be_read(catalog: Catalog) -> None:
    text, kind = read(catalog, "pydocs://package/httpq")
    assert "httpq" in text
    assert kind == "text/markdown"
    text, _ = read(catalog, "pydocs://symbol/httpq/httpq.Client")
    assert "class Client" in text
    path = next(
        p for p in catalog.bundles[catalog.spelled("httpq")[0]].text.paths if p.endswith(".py")
    )
    text, kind = read(catalog, f"pydocs://file/httpq/{path}")
    assert kind == "text/x-python"
    assert text.startswith('"""')


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "file:///etc/passwd",
        "pydocs://",
        "pydocs://file/httpq/../../etc/passwd",
        "pydocs://file/httpq/%2e%2e%2f%2e%2e%2fetc/passwd",
        "pydocs://file/httpq//etc/passwd",
        "pydocs://file/httpq/\0",
        "pydocs://file/httpq",
        "pydocs://symbol/httpq/",
        "pydocs://symbol/httpq/no.such.name",
        "pydocs://package/nowhere",
        "pydocs://package/httpq@99",
        "pydocs://package/httpq/more",
        "pydocs://secret/httpq",
    ],
)
def test_what_is_no_resource_is_not_found(catalog: Catalog, uri: str) -> None:
    with pytest.raises(PydocsError) as caught:
        read(catalog, uri)
    assert isinstance(caught.value, NotFound)


def test_a_beginning_becomes_packages_names_and_paths(catalog: Catalog) -> None:
    assert any(each.startswith("httpq@") for each in complete(catalog, "package", "HTT").values)
    names = complete(catalog, "name", "httpq.Cl", {"package": "httpq"}).values
    assert names[0] == "httpq.Client"
    assert "httpq.Client" in complete(catalog, "name", "client", {"package": "httpq"}).values
    paths = complete(catalog, "path", "", {"package": "httpq"})
    assert paths.total == len(catalog.bundles[catalog.spelled("httpq")[0]].text.paths)


Completing = Callable[[Catalog], resources.Completed]


@pytest.mark.parametrize(
    "completing",
    [
        lambda catalog: complete(catalog, "name", "x"),
        lambda catalog: complete(catalog, "name", "x", {"package": "no such"}),
        lambda catalog: complete(catalog, "colour", "x", {"package": "httpq"}),
        lambda catalog: complete(catalog, "package", "\0\u202e"),
    ],
)
def test_where_nothing_fits_nothing_is_offered(catalog: Catalog, completing: Completing) -> None:
    assert completing(catalog).values == []
