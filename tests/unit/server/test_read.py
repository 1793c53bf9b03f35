from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pydocs_bundle.errors import UsageError
from pydocs_bundle.records import BundleContent
from pydocs_server.answered.read import read_file
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount
from pydocs_server.rendered.answer import DEFAULT_TOKENS, MOST_TOKENS, NotFound, count_tokens

WriteBundle = Callable[[Path, BundleContent], Path]
ContentOf = Callable[..., BundleContent]


@pytest.mark.parametrize(
    "address",
    [
        "httpq@0.28.1/httpq/_api.py",
        "httpq==0.28.1/httpq/_api.py",
        "HTTPQ/httpq/_api.py",
        "httpq/_api.py",
        "./httpq/_api.py",
        "_api.py:3",
    ],
)
def test_a_file_is_found_by_each_of_its_addresses(catalog: Catalog, address: str) -> None:
    if address.startswith("_"):
        with pytest.raises(NotFound, match=r"httpq@0\.28\.1/httpq/_api\.py"):
            read_file(catalog, address)
        return
    answer = read_file(catalog, address)

    assert answer.structured["address"] == "httpq@0.28.1/httpq/_api.py"
    assert " 1\tfrom ._client import Client" in answer.text


def test_a_path_with_a_line_begins_there(catalog: Catalog) -> None:
    answer = read_file(catalog, "httpq/_api.py:4")

    assert answer.structured["start_line"] == 4
    assert answer.structured["text"].startswith("def get")  # type: ignore[attr-defined]


def test_an_address_of_several_files_names_them(catalog: Catalog) -> None:
    with pytest.raises(NotFound, match=r"pydanteq@2\.0/.*pydanteq@1\.10\.2/"):
        read_file(catalog, "pydanteq/__init__.py")


def test_a_version_that_is_not_mounted_is_refused(catalog: Catalog) -> None:
    with pytest.raises(NotFound, match=r"only httpq@0\.28\.1"):
        read_file(catalog, "httpq@0.27.0/httpq/_api.py")


def test_an_unknown_path_gets_the_closest(catalog: Catalog) -> None:
    with pytest.raises(
        NotFound, match=r'read_file\(file_path="httpq@0\.28\.1/httpq/_client\.py"\)'
    ):
        read_file(catalog, "httpq/_clint.py")


@pytest.mark.parametrize(
    "address",
    [
        "",
        "/",
        "..",
        "../../etc/passwd",
        "/etc/passwd",
        "httpq@0.28.1/../../../etc/passwd",
        "httpq@0.28.1//etc/passwd",
        "httpq/%2e%2e/%2e%2e/etc/passwd",
        "httpq/_api.py\0",
        "httpq",
        "@",
        "==/x",
        "x" * 5_000,
    ],
)
def test_nothing_but_mounted_files_is_readable(catalog: Catalog, address: str) -> None:
    with pytest.raises(NotFound):
        read_file(catalog, address)


def test_a_range_says_how_to_read_on(catalog: Catalog) -> None:
    answer = read_file(catalog, "httpq/_client.py", offset=2, limit=3)

    assert answer.structured["start_line"] == 2
    assert answer.structured["end_line"] == 4
    assert 'read_file(file_path="httpq@0.28.1/httpq/_client.py", offset=5, limit=3)' in answer.text


def test_reading_on_gives_the_whole_file(catalog: Catalog) -> None:
    whole = read_file(catalog, "httpq/_client.py", limit=1_000).structured["text"]
    parts = []
    offset = 1
    while True:
        found: dict[str, Any] = read_file(
            catalog, "httpq/_client.py", offset=offset, limit=7
        ).structured
        parts.append(found["text"])
        offset = found["end_line"] + 1
        if "next" not in found:
            break

    assert "\n".join(parts) == whole


def test_past_the_end_is_wrong_usage_with_the_right_call(catalog: Catalog) -> None:
    with pytest.raises(UsageError, match=r"has \d+ lines.*offset=1\b"):
        read_file(catalog, "httpq/_api.py", offset=1_000)


@pytest.fixture
def odd(write: WriteBundle, content_of: ContentOf, tmp_path: Path) -> Catalog:
    """A package with an empty file, a huge one, one with a huge line, CRLF, and hidden text."""
    files = {
        "odd/__init__.py": "",
        "odd/long.md": "# Long\n" + "word\n" * 50_000,
        "odd/wide.md": "# Wide\n" + "x" * 1_000_000 + "\nend\n",
        "odd/cr.md": "# CR\rsecond\x0c\u2028\rthird",
        "odd/crlf.md": "# CRLF\r\nsecond\r\n",
        "odd/hidden.md": "# Hidden\n```\n\u202eevil\x1b[31m\n```\n",
    }
    write(tmp_path, content_of("odd", "1", files))
    return mount([str(tmp_path)], strict=True)


def test_an_empty_file_is_an_answer(odd: Catalog) -> None:
    answer = read_file(odd, "odd/__init__.py")

    assert answer.structured["lines"] == 0
    assert "empty" in answer.text


def test_a_huge_file_keeps_the_budget(odd: Catalog) -> None:
    assert count_tokens(read_file(odd, "odd/long.md").text) <= DEFAULT_TOKENS
    assert count_tokens(read_file(odd, "odd/long.md", limit=1_000_000).text) <= MOST_TOKENS


def test_a_huge_line_is_cut(odd: Catalog) -> None:
    answer = read_file(odd, "odd/wide.md")

    assert count_tokens(answer.text) <= DEFAULT_TOKENS
    assert "3\tend" in answer.text


def test_line_ends_do_not_show(odd: Catalog) -> None:
    assert read_file(odd, "odd/crlf.md").structured["text"] == "# CRLF\nsecond"


def test_lines_end_where_python_ends_them(odd: Catalog) -> None:
    answer = read_file(odd, "odd/cr.md")

    assert answer.structured["lines"] == 3
    assert answer.structured["text"] == "# CR\nsecond\\x0c\\u2028\nthird"


def test_what_is_hidden_shows_and_the_fence_holds(odd: Catalog) -> None:
    answer = read_file(odd, "odd/hidden.md")

    assert "\\u202eevil\\x1b[31m" in answer.text
    assert "\x1b" not in str(answer.structured["text"])
    assert answer.text.startswith("````")
