"""What a search says beside its results."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from pydocs_bundle.records import BundleContent
from pydocs_server.answered.search import search_codebase
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount
from pydocs_server.mounted.spelling import normalised
from pydocs_server.ranked.well_known import WELL_KNOWN
from pydocs_server.rendered.answer import Answer

Write = Callable[[Path, BundleContent], Path]
ContentOf = Callable[..., BundleContent]


def _packages(answer: Answer) -> set[str]:
    rows = cast("list[dict[str, str]]", answer.structured["results"])
    return {f"{row['package']}@{row['version']}" for row in rows}


@pytest.mark.parametrize(
    "query",
    ["tensorflow GPU memory growth", "keras.layers.LSTM", "how do I use pytorch", "numpy==2"],
)
def test_a_well_known_package_that_is_not_mounted_is_told(catalog: Catalog, query: str) -> None:
    answer = search_codebase(catalog, query)

    assert answer.structured["results"] == []
    assert " is not mounted. Nothing else fits " in answer.text
    assert "get_overview()" in answer.text


def test_beside_a_mounted_package_it_is_a_note(catalog: Catalog) -> None:
    answer = search_codebase(catalog, "httpq client with a timeout from tensorflow")

    assert _packages(answer)
    assert answer.text.startswith("tensorflow is not mounted.\n```text\n")
    assert answer.structured["note"] == "tensorflow is not mounted."


def test_a_version_that_is_not_mounted_is_told(catalog: Catalog) -> None:
    answer = search_codebase(catalog, "pydanteq==1.9 Model")

    assert answer.text.startswith("pydanteq 1.9 is not mounted, only 2.0, 1.10.2.\n")
    assert _packages(answer)


def test_who_names_a_version_gets_no_other(catalog: Catalog) -> None:
    assert _packages(search_codebase(catalog, "pydanteq==1.10 dump of a model")) >= {
        "pydanteq@1.10.2"
    }
    assert "pydanteq@2.0" not in _packages(search_codebase(catalog, "pydanteq==1.10 Model"))


def test_what_only_another_version_has_is_no_answer_for_the_one_that_is_named(
    tmp_path: Path, write: Write, content_of: ContentOf
) -> None:
    for version, name in (("1.0", "bake"), ("2.0", "toast")):
        text = f'def {name}() -> None:\n    """Warms the bread."""\n'
        write(tmp_path, content_of("oven", version, {"oven.py": text}))
    with mount([str(tmp_path)]) as catalog:
        assert _packages(search_codebase(catalog, "warms the bread")) == {"oven@1.0", "oven@2.0"}
        assert _packages(search_codebase(catalog, "oven==1.0 warms the bread")) == {"oven@1.0"}


def test_a_number_behind_a_package_chooses_the_version_that_is_shown(catalog: Catalog) -> None:
    for query, version in (("pydanteq 1.10 Model", "1.10.2"), ("pydanteq v2 Model", "2.0")):
        rows = search_codebase(catalog, query).structured["results"]
        first = cast("list[dict[str, object]]", rows)[0]
        assert (first["version"], first["public_name"]) == (version, "pydanteq.Model")


@pytest.mark.parametrize("query", ["?", "the", "How do I do it?", '""', "* * *"])
def test_what_tells_nothing_is_asked_for_more(catalog: Catalog, query: str) -> None:
    answer = search_codebase(catalog, query)

    assert answer.structured["results"] == []
    assert "tells what to look for" in answer.text


def test_a_name_that_nothing_has_is_told_with_what_is_nearly_called_so(catalog: Catalog) -> None:
    answer = search_codebase(catalog, "httpq.Client.stram")

    assert "Nothing is called httpq.Client.stram; nearly: httpq.Client.stream" in answer.text


def test_a_name_of_which_nothing_is_known_gets_none(catalog: Catalog) -> None:
    assert search_codebase(catalog, "frobnicate_quux").structured["results"] == []


def test_limits_that_leave_nothing_are_told(catalog: Catalog) -> None:
    text = search_codebase(catalog, "client", package="httpq", scope="project").text

    assert text == (
        "None: no mounted package is within package=httpq, scope=project. "
        "Try it without the limits."
    )


def test_another_script_is_pointed_at_english(catalog: Catalog) -> None:
    assert "mostly English" in search_codebase(catalog, "データフレームを結合する").text


def test_a_list_of_packages_is_answered_as_any_question(catalog: Catalog) -> None:
    answer = search_codebase(catalog, "zebra " + " ".join(sorted(WELL_KNOWN, key=len)))

    assert answer.structured["results"] == []
    assert answer.text.count(" is not mounted.") == 8


def test_well_known_names_are_whole_and_no_plain_words(catalog: Catalog) -> None:
    assert all(name == normalised(name) and not name.endswith("-") for name in WELL_KNOWN)
    assert not search_codebase(catalog, "read settings of a client").structured.get("note")
