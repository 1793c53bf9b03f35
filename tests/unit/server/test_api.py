from __future__ import annotations

from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.names import resolve
from pydocs_server.rendered.api import api_name, declaration, declarations, public_api, submodules


def test_a_module_offers_what_it_imports_from_its_private_ones(catalog: Catalog) -> None:
    (bundle,) = catalog.package("httpq")
    offered = public_api(catalog, bundle, ["httpq"])

    assert [api_name(record, ["httpq"]) for record in offered] == [
        "httpq.Client",
        "httpq.Timeout",
        "httpq.get",
    ]


def test_tests_are_no_modules_of_the_product(catalog: Catalog) -> None:
    (bundle,) = catalog.package("httpq")

    assert submodules(catalog, bundle) == [
        "httpq",
        "httpq._api",
        "httpq._client",
        "httpq._config",
    ]
    assert submodules(catalog, bundle, "httpq") == ["httpq._api", "httpq._client", "httpq._config"]
    assert submodules(catalog, bundle, "httpq._api") == []


def test_a_declaration_reads_like_python(catalog: Catalog) -> None:
    record = resolve(catalog, "httpq.get")[0].record

    assert declaration(record) == "def get(url: str, *, timeout: float=5.0) -> str"
    assert declaration(record, "httpq.get", 20) == "def httpq.get(url…"


def test_each_overload_has_its_declaration(catalog: Catalog) -> None:
    record = resolve(catalog, "httpq.get")[0].record._replace(signature="(a: int)\n(a: str)")

    assert declarations(record) == ["def get(a: int)", "def get(a: str)"]
    assert declaration(record) == "def get(a: int)  (+1 overloads)"
