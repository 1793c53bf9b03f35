from __future__ import annotations

import pytest

from pydocs_bundle.errors import UsageError
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.rendered.answer import NotFound


def _labels(catalog: Catalog, indexes: list[int]) -> list[str]:
    return [catalog.label(index) for index in indexes]


@pytest.mark.parametrize(
    "text", ["PyYAMP", "pyyamp", "yamp", "PYYAMP", "Yamp", "pyyamp==6.0", "yamp@6", "yamp.loader"]
)
def test_any_spelling_is_the_package(catalog: Catalog, text: str) -> None:
    assert _labels(catalog, catalog.package(text)) == ["PyYAMP@6.0"]


def test_without_a_version_the_newest_comes_first(catalog: Catalog) -> None:
    assert _labels(catalog, catalog.package("pydanteq")) == ["pydanteq@2.0", "pydanteq@1.10.2"]


def test_a_shorter_version_finds_its_release(catalog: Catalog) -> None:
    assert _labels(catalog, catalog.package("pydanteq==1.10")) == ["pydanteq@1.10.2"]


def test_a_version_that_is_not_there_is_refused(catalog: Catalog) -> None:
    with pytest.raises(NotFound, match=r"only pydanteq@2\.0, pydanteq@1\.10\.2"):
        catalog.package("pydanteq==1.9")


def test_an_unknown_package_gets_the_closest(catalog: Catalog) -> None:
    with pytest.raises(NotFound, match="Closest: PyYAMP"):
        catalog.package("pyyampl")


def test_scope_is_a_promise(catalog: Catalog) -> None:
    assert _labels(catalog, catalog.select(scope="project")) == ["shop@1.0"]
    assert "shop@1.0" not in _labels(catalog, catalog.select(scope="deps"))
    assert len(catalog.select()) == 7


def test_a_package_outside_the_scope_is_nothing(catalog: Catalog) -> None:
    assert catalog.select(package="httpq", scope="project") == []
    assert catalog.select(package="shop", scope="deps") == []


def test_an_unknown_scope_is_wrong_usage(catalog: Catalog) -> None:
    with pytest.raises(UsageError, match="project, deps, all"):
        catalog.select(scope="everything")


def test_a_project_is_selected_by_name(catalog: Catalog) -> None:
    assert "shop@1.0" in _labels(catalog, catalog.select(project="Shop"))
    with pytest.raises(NotFound, match="Closest: shop"):
        catalog.select(project="other")


def test_only_the_last_version_is_the_newest(catalog: Catalog) -> None:
    newest = [catalog.label(i) for i in range(len(catalog.bundles)) if catalog.is_newest(i)]

    assert "pydanteq@2.0" in newest
    assert "pydanteq@1.10.2" not in newest


def test_a_range_of_versions_is_told_the_one_that_is_there(catalog: Catalog) -> None:
    with pytest.raises(NotFound, match=r"names no single version.*httpq==0\.28\.1"):
        catalog.package("httpq>=0.20")
