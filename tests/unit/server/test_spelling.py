from __future__ import annotations

import pytest

from pydocs_server.mounted.spelling import (
    has_version,
    normalised,
    taken_apart,
    version_key,
    without_conditions,
)


@pytest.mark.parametrize(
    ("text", "name", "version"),
    [
        ("httpx", "httpx", ""),
        (" httpx == 0.28.1 ", "httpx", "0.28.1"),
        ("httpx@0.28.1", "httpx", "0.28.1"),
        ("httpx===0.28.1", "httpx", "0.28.1"),
        ("httpx@v0.28.1", "httpx", "0.28.1"),
        ("httpx==", "httpx==", ""),
        ("httpx[http2]", "httpx", ""),
        ("httpx[http2, cli] == 0.28.1", "httpx", "0.28.1"),
    ],
)
def test_a_spelling_is_taken_apart(text: str, name: str, version: str) -> None:
    assert taken_apart(text) == (name, version)


@pytest.mark.parametrize("name", ["Zope.Interface", "zope_interface", "zope-._interface"])
def test_names_compare_as_pep_503_has_it(name: str) -> None:
    assert normalised(name) == "zope-interface"


@pytest.mark.parametrize("text", ["httpx>=0.20", "httpx[http2]~=1.0", "httpx ; extra == 'a'"])
def test_a_requirement_begins_with_its_name(text: str) -> None:
    assert without_conditions(text) == "httpx"


def test_a_version_stands_for_its_later_parts() -> None:
    assert has_version("1.10.2", "1.10")
    assert not has_version("1.100", "1.10")


def test_versions_sort_as_people_read_them() -> None:
    mixed = ["1.10", "1.0", "2.0", "1.9", "1.0rc1", "1.0.1", "1.0a1", "1.0.dev1"]

    assert sorted(mixed, key=version_key) == [
        *("1.0.dev1", "1.0a1", "1.0rc1", "1.0", "1.0.1", "1.9", "1.10", "2.0"),
    ]
