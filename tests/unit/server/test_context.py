from __future__ import annotations

import pytest

from pydocs_bundle.errors import UsageError
from pydocs_server.answered.context import get_context
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.rendered.answer import DEFAULT_TOKENS, NotFound, count_tokens


def test_the_source_is_whole_and_what_it_calls_and_inherits_is_short(graph: Catalog) -> None:
    text = get_context(graph, ["libq.Client"]).text

    assert "return str(url)" in text
    assert "libq._client.Base" in text
    assert "What clients share." in text
    assert "class Base" not in text


def test_callers_that_matter_are_named_with_their_call(graph: Catalog) -> None:
    text = get_context(graph, ["libq.get"]).text

    assert "app.main.run  app@2.0/app/main.py:14" in text
    assert 'return get("x")' in text


def test_builtins_are_no_context(graph: Catalog) -> None:
    answer = get_context(graph, ["libq.Client.send"])

    assert "builtins" not in answer.text
    related = answer.structured["targets"][0]["related"]  # type: ignore[index]
    assert [each["qualified_name"] for each in related] == ["libq._client.Base.close"]


def test_an_unknown_target_does_not_spoil_the_others(graph: Catalog) -> None:
    answer = get_context(graph, ["libq.get", "libq.gett"])

    assert "Gets one thing." in answer.text
    assert "'libq.gett' is not in what is mounted" in answer.text
    unknown = answer.structured["unknown"]
    assert "libq.get" in unknown[0]["closest"]  # type: ignore[index]


def test_only_unknown_targets_are_an_error(graph: Catalog) -> None:
    with pytest.raises(NotFound, match=r"libq\.get"):
        get_context(graph, ["libq.gett", "nope"])


def test_what_one_target_tells_another_does_not_repeat(graph: Catalog) -> None:
    text = get_context(graph, ["libq._client.Base", "libq.Client"]).text

    assert text.count("What clients share.") == 1


def test_a_long_source_is_cut_at_a_line_and_says_how_to_read_on(
    graph: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pydocs_server.answered.context.DEFAULT_TOKENS", 160)

    answer = get_context(graph, ["app.main"])

    assert 'read_file(file_path="app@2.0/app/main.py", offset=' in answer.text
    assert answer.structured["targets"][0]["next"] in answer.text  # type: ignore[index]


def test_the_budget_holds_for_each_target(graph: Catalog) -> None:
    targets = ["libq.Client", "libq.get", "app.main", "app.main.Mine"]

    assert count_tokens(get_context(graph, targets).text) <= DEFAULT_TOKENS * len(targets)


@pytest.mark.parametrize("targets", [[], ["libq"] * 21])
def test_one_to_twenty_targets(graph: Catalog, targets: list[str]) -> None:
    with pytest.raises(UsageError, match="1 to 20"):
        get_context(graph, targets)
