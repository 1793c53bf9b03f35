from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from pydocs_bundle.records import BundleContent, Score
from pydocs_server.answered.overview import get_overview
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount
from pydocs_server.rendered.answer import DEFAULT_TOKENS, NotFound, count_tokens

Write = Callable[[Path, BundleContent], Path]
ContentOf = Callable[..., BundleContent]


def test_everything_mounted_is_listed_projects_first(catalog: Catalog) -> None:
    answer = get_overview(catalog)
    packages = cast("list[dict[str, str]]", answer.structured["packages"])

    assert answer.text.startswith("7 mounted: 1 project, 6 packages.")
    assert packages[0]["package"] == "shop"
    assert "PyYAMP 6.0 (import yamp): YAML parser and emitter." in answer.text


def test_one_package_shows_what_it_offers(catalog: Catalog) -> None:
    text = get_overview(catalog, "HTTPQ").text

    assert text.startswith("httpq 0.28.1, dependency, BSD-3-Clause\nThe next HTTP client.\n")
    assert "\nclass Client: An HTTP client with a connection pool.\n" in text
    assert "\ndef get(url: str, *, timeout: float=5.0) -> str  # Sends a `GET` request.\n" in text
    assert "A client for the *next* web." in text
    assert "BaseClient" not in text


def test_an_import_name_is_the_package(catalog: Catalog) -> None:
    assert get_overview(catalog, "yamp").structured["package"] == "PyYAMP"


def test_other_versions_are_told(catalog: Catalog) -> None:
    answer = get_overview(catalog, "pydanteq")

    assert answer.structured["version"] == "2.0"
    assert answer.structured["other_versions"] == ["1.10.2"]
    assert get_overview(catalog, "pydanteq==1.10").structured["version"] == "1.10.2"


def test_an_empty_package_shows_what_its_modules_offer(
    tmp_path: Path, write: Write, content_of: ContentOf
) -> None:
    files = {
        "conf.py": "x = 1\n",
        "shop/__init__.py": "",
        "shop/orders.py": "class Order:\n    pass\n\n\ndef load(path: str) -> None: ...\n",
    }
    content = content_of("shop", "1", files)
    write(tmp_path, content._replace(modules=("shop",)))

    with mount([str(tmp_path)]) as catalog:
        text = get_overview(catalog, "shop").text

    assert "modules: shop, shop.orders, conf" in text
    assert "def orders.load(path: str) -> None" in text
    assert "orders.Order" in text


def test_what_leads_to_most_is_shown_first(
    tmp_path: Path, write: Write, content_of: ContentOf
) -> None:
    content = content_of("shop", "1", {"shop.py": "def a(): ...\n\n\ndef z(): ...\n"})
    used = next(n for n, one in enumerate(content.entries) if one.qualified_name == "shop.z")
    write(tmp_path, content._replace(scores=(Score(used, 2, 150, 1),)))

    with mount([str(tmp_path)]) as catalog:
        text = get_overview(catalog, "shop").text

    assert text.index("def z()") < text.index("def a()")


def test_an_unknown_package_is_not_found(catalog: Catalog) -> None:
    with pytest.raises(NotFound, match="get_overview"):
        get_overview(catalog, "zzz")


@pytest.mark.parametrize("package", ["", "httpq", "yamp", "flasq", "shop"])
def test_an_overview_keeps_its_budget(catalog: Catalog, package: str) -> None:
    assert count_tokens(get_overview(catalog, package).text) <= DEFAULT_TOKENS
