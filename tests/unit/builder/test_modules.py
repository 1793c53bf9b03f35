from __future__ import annotations

import pytest

from pydocs_builder.extracted.modules import module_name


@pytest.mark.parametrize(
    ("path", "roots", "name"),
    [
        ("httpx/__init__.py", ("",), "httpx"),
        ("httpx/_client.py", ("",), "httpx._client"),
        ("six.py", ("",), "six"),
        ("src/pkg/mod.py", ("", "src/"), "pkg.mod"),
        ("src/pkg/__init__.py", ("", "src/"), "pkg"),
        ("tests/test_a.py", ("", "src/"), "tests.test_a"),
        ("google/cloud/storage.py", ("",), "google.cloud.storage"),
        ("pkg/mod.pyi", ("",), "pkg.mod"),
        ("yaml-stubs/loader.pyi", ("",), "yaml.loader"),
        ("yaml-stubs/__init__.pyi", ("",), "yaml"),
        ("native/python/pkg/__main__.py", ("native/python/",), "pkg.__main__"),
    ],
)
def test_module_is_named_below_its_source_root(
    path: str, roots: tuple[str, ...], name: str
) -> None:
    assert module_name(path, roots) == name
