from __future__ import annotations

from typing import cast

import pytest

from pydocs_bundle.errors import UsageError
from pydocs_server.answered.search import search, search_codebase
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.rendered.answer import DEFAULT_TOKENS, NotFound, count_tokens


def _names(catalog: Catalog, query: str, package: str = "", scope: str = "all") -> list[str]:
    answer = search_codebase(catalog, query, package=package, scope=scope)
    rows = cast("list[dict[str, str]]", answer.structured["results"])
    return [row["public_name"] for row in rows]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("httpq.Client", "httpq.Client"),
        ("Client", "httpq.Client"),
        ("client", "httpq.Client"),
        ("safe_load", "yamp.safe_load"),
        ("flasq.Flasq.route", "flasq.Flasq.route"),
        ("DEFAULT_TIMEOUT", "httpq._config.DEFAULT_TIMEOUT"),
    ],
)
def test_a_name_comes_first(catalog: Catalog, query: str, first: str) -> None:
    assert _names(catalog, query)[0] == first


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("parse yaml safely", "yamp.safe_load"),
        ("stream a response body", "httpq.Client.stream"),
        ("RuntimeError: Cannot send, the pool is closed already", "httpq.Client.send"),
        ("how do I set a timeout", "httpq#readme:Timeouts"),
    ],
)
def test_a_question_finds_its_answer(catalog: Catalog, query: str, wanted: str) -> None:
    assert wanted in _names(catalog, query)[:2]


def test_tests_come_after_the_product(catalog: Catalog) -> None:
    names = _names(catalog, "client timeout", package="httpq")

    assert names[0] != "tests.test_client.test_client_timeout"


def test_scope_is_a_promise(catalog: Catalog) -> None:
    for scope, wanted in (("project", {"shop"}), ("deps", {"httpq", "yamp", "flasq", "werkzeuq"})):
        names = _names(catalog, "fetch the orders with a timeout request", scope=scope)
        assert names
        assert {name.partition(".")[0].partition("#")[0] for name in names} <= wanted | {"tests"}


@pytest.mark.parametrize(
    ("kind", "kinds"),
    [("docs", {"section", "cell"}), ("method", {"method"}), ("class", {"class"})],
)
def test_kind_keeps_other_kinds_out(catalog: Catalog, kind: str, kinds: set[str]) -> None:
    answer = search_codebase(catalog, "request timeout client", kind=kind)
    rows = cast("list[dict[str, str]]", answer.structured["results"])

    assert rows
    assert {row["kind"] for row in rows} <= kinds


def test_one_symbol_of_two_versions_is_one_hit(catalog: Catalog) -> None:
    hits = search(catalog, "pydanteq.Model.dump")

    assert [hit.record.qualified_name for hit in hits].count("pydanteq.Model.dump") == 1
    assert catalog.label(hits[0].bundle) == "pydanteq@2.0"
    assert hits[0].other_versions == ("1.10.2",)


def test_a_version_in_the_package_selects_it(catalog: Catalog) -> None:
    hits = search(catalog, "dump fields", package="pydanteq==1.10")

    assert {catalog.label(hit.bundle) for hit in hits} == {"pydanteq@1.10.2"}


def test_a_package_in_the_query_is_searched_first(catalog: Catalog) -> None:
    assert _names(catalog, "flasq request")[0].startswith("flasq")
    assert _names(catalog, "werkzeuq request")[0].startswith("werkzeuq")


def test_a_plain_word_is_a_topic_before_it_is_a_member(catalog: Catalog) -> None:
    assert _names(catalog, "timeout")[0] in {"httpq.Timeout", "httpq#readme:Timeouts"}
    assert _names(catalog, "route")[0] == "flasq.sansio.Scaffold.route"
    assert _names(catalog, "httpq")[0] == "httpq"


def test_scores_fall(catalog: Catalog) -> None:
    scores = [hit.score for hit in search(catalog, "send a request with a timeout", limit=50)]

    assert len(scores) > 3
    assert scores == sorted(scores, reverse=True)


def test_more_results_are_announced(catalog: Catalog) -> None:
    answer = search_codebase(catalog, "request", limit=1)

    assert answer.structured["has_more"] is True
    assert answer.structured["results"]


def test_none_is_said_plainly(catalog: Catalog) -> None:
    answer = search_codebase(catalog, "zygomorphic quux", package="httpq")

    assert answer.structured["results"] == []
    assert answer.text.startswith("None: nothing fits 'zygomorphic quux', package=httpq")
    assert "Try it without the limits" in answer.text


@pytest.mark.parametrize("limit", [0, -1, 1_001, 10**9])
def test_a_limit_out_of_range_is_wrong_usage(catalog: Catalog, limit: int) -> None:
    with pytest.raises(UsageError, match="between 1 and 1,000"):
        search_codebase(catalog, "client", limit=limit)


def test_an_empty_query_is_wrong_usage(catalog: Catalog) -> None:
    with pytest.raises(UsageError, match="query is empty"):
        search_codebase(catalog, " \n ")


def test_an_unknown_kind_lists_the_known_ones(catalog: Catalog) -> None:
    with pytest.raises(UsageError, match="any, api, docs, decision"):
        search_codebase(catalog, "client", kind="verb")


def test_an_unknown_package_is_no_empty_answer(catalog: Catalog) -> None:
    with pytest.raises(NotFound, match="Closest: httpq"):
        search_codebase(catalog, "client", package="htpq")


def test_a_row_has_what_a_program_needs(catalog: Catalog) -> None:
    answer = search_codebase(catalog, "httpq.get", limit=1)
    rows = cast("list[dict[str, object]]", answer.structured["results"])

    assert rows[0] == {
        "qualified_name": "httpq._api.get",
        "public_name": "httpq.get",
        "kind": "function",
        "package": "httpq",
        "version": "0.28.1",
        "path": "httpq/_api.py",
        "start_line": 4,
        "end_line": 11,
        "address": "httpq@0.28.1/httpq/_api.py:4",
        "signature": "(url: str, *, timeout: float=5.0) -> str",
        "summary": "Sends a `GET` request.",
        "score": 1000.0,
        "is_exact": True,
        "other_versions": [],
        "lines": [],
    }


def test_lines_are_shown_where_the_summary_does_not_say_it(catalog: Catalog) -> None:
    answer = search_codebase(catalog, "cannot send, closed already", limit=1)
    rows = cast("list[dict[str, list[dict[str, object]]]]", answer.structured["results"])

    assert rows[0]["lines"][0]["line"] == 25
    assert "Cannot send, the pool is closed already" in answer.text


def test_the_default_answer_keeps_its_budget(catalog: Catalog) -> None:
    assert count_tokens(search_codebase(catalog, "request client timeout").text) <= DEFAULT_TOKENS


def test_what_only_shares_a_word_does_not_answer(catalog: Catalog) -> None:
    answer = search_codebase(catalog, "weather forecast for the pool of Paris tomorrow")

    assert answer.structured["results"] == []
    assert answer.text.startswith("None: nothing fits")
    assert "Nearest, but hardly it" in answer.text
    assert answer.structured["nearest"]


def test_what_says_enough_of_it_answers(catalog: Catalog) -> None:
    assert search_codebase(catalog, "the pool of a client").structured["results"]


def test_what_was_searched_is_told(catalog: Catalog) -> None:
    assert search_codebase(catalog, "timeout").structured["searched_by"] == "words"


def test_words_that_no_text_has_are_told_as_they_were_typed(catalog: Catalog) -> None:
    text = search_codebase(catalog, "Zygomorphics quuxing").text
    assert "No mounted text has: Zygomorphics, quuxing." in text


def test_a_class_goes_before_the_distribution_that_is_called_so(catalog: Catalog) -> None:
    assert _names(catalog, "Flasq")[:2] == ["flasq.Flasq", "flasq"]
    assert _names(catalog, "PyYAMP")[0] == "yamp"
