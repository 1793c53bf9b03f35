"""The tools of analysis over a project and its library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import pytest

from pydocs_bundle.errors import UsageError
from pydocs_server.answered.analyze import analyze_symbol
from pydocs_server.answered.call_graph import call_graph
from pydocs_server.answered.find import find
from pydocs_server.answered.risk import Radius, assess
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.rendered.answer import DEFAULT_TOKENS, NotFound, count_tokens
from pydocs_server.wired.analysis_tools import ANALYSIS_TOOLS
from pydocs_server.wired.toolsets import tools_with


def part(structured: Mapping[str, object], name: str) -> Any:  # noqa: ANN401
    return structured[name]


@pytest.mark.parametrize(
    ("radius", "risk"),
    [
        (Radius(0, 0, 0), "low"),
        (Radius(2, 1, 0), "low"),
        (Radius(2, 0, 0), "medium"),
        (Radius(3, 1, 0), "medium"),
        (Radius(3, 1, 1), "high"),
        (Radius(11, 5, 0), "high"),
        (Radius(41, 5, 0), "critical"),
        (Radius(41, 0, 3), "critical"),
        (Radius(5, 5, 0, is_whole=False), "critical"),
    ],
)
def test_the_risk_follows_the_rule(radius: Radius, risk: str) -> None:
    assert assess(radius).name == risk


def test_an_analysis_tells_product_code_and_tests_apart(graph: Catalog) -> None:
    answer = analyze_symbol(graph, "libq.get")

    assert part(answer.structured, "blast_radius") == {
        "product": 3,
        "tests": 1,
        "may": 0,
        "other_packages": 1,
        "is_whole": True,
    }
    assert part(answer.structured, "risk")["class"] == "high"
    assert "risk of a change: high (3 symbols of product code" in answer.text
    assert "product, depth 1 (1): app.main.run" in answer.text
    assert "tests, depth 2 (1): tests.test_app.test_run" in answer.text


def test_an_analysis_shows_the_hierarchy_and_the_declaration(graph: Catalog) -> None:
    text = analyze_symbol(graph, "libq.Client").text

    assert "class Client(Base)" in text
    assert "bases: libq._client.Base" in text
    assert "subclasses (1): app.main.Mine" in text
    assert count_tokens(text) <= DEFAULT_TOKENS


def test_an_analysis_counts_what_is_unresolved(graph: Catalog) -> None:
    assert "unresolved: 1 more calls" in analyze_symbol(graph, "libq.Client.send").text


def test_an_analysis_of_nothing_names_the_closest(graph: Catalog) -> None:
    with pytest.raises(NotFound, match=r"libq\.Client"):
        analyze_symbol(graph, "libq.Cliemt")


def test_a_call_graph_goes_both_ways_and_cuts_cycles(graph: Catalog) -> None:
    answer = call_graph(graph, "app.main.ping", depth=6)
    calls = [(each["caller"], each["callee"]) for each in part(answer.structured, "calls")]

    assert calls == [
        ("app.main.pong", "app.main.ping"),
        ("app.main.ping", "app.main.pong"),
        ("app.main.ping", "app.main.run"),
        ("app.main.run", "libq.get"),
        ("libq.get", "libq.Client"),
        ("libq.get", "libq.Client.send"),
        ("libq.Client.send", "libq._client.Base.close"),
        ("app.main.ping", "app.main.pong"),
        ("app.main.pong", "app.main.ping"),
    ]
    assert "(followed above or below)" in answer.text


def test_a_call_graph_keeps_its_depth_and_says_that_there_is_more(graph: Catalog) -> None:
    answer = call_graph(graph, "app.main.ping", direction="callees", depth=1)

    assert {each["caller"] for each in part(answer.structured, "calls")} == {"app.main.ping"}
    assert answer.structured["is_whole"] is False
    assert "and more" in answer.text


def test_a_call_graph_keeps_its_limit(graph: Catalog) -> None:
    answer = call_graph(graph, "app.main.ping", direction="callees", depth=6, limit=1)

    assert len(part(answer.structured, "calls")) == 1
    assert "… 1 more" in answer.text


def test_a_call_graph_is_a_flow_chart_where_asked(graph: Catalog) -> None:
    answer = call_graph(graph, "libq.get", direction="callers", format="mermaid")
    chart = cast("str", answer.structured["mermaid"])

    assert chart.startswith('flowchart LR\n    n0["libq.get"]\n')
    assert "    n1 --> n0\n" in chart
    assert chart in answer.text


def test_an_unknown_way_or_format_is_wrong_usage(graph: Catalog) -> None:
    with pytest.raises(UsageError, match="both, callers, callees"):
        call_graph(graph, "libq.get", direction="sideways")
    with pytest.raises(UsageError, match="text, mermaid"):
        call_graph(graph, "libq.get", format="svg")


def test_a_bare_name_finds_classes_and_functions_first(graph: Catalog) -> None:
    places = part(find(graph, "get").structured, "places")

    assert places[0]["public_name"] == "libq.get"
    assert places[0]["found_by"] == ["name", "text"]
    assert places[0]["uses"] == 1


def test_a_dotted_name_finds_methods_first(graph: Catalog) -> None:
    places = part(find(graph, "Client.send").structured, "places")

    assert places[0]["public_name"] == "libq.Client.send"


def test_names_that_are_alike_are_ordered_by_their_use(graph: Catalog) -> None:
    places = part(find(graph, "send").structured, "places")
    named = [each for each in places if "name" in each["found_by"]]

    assert [(each["public_name"], each["uses"]) for each in named] == [
        ("other.send", 1),
        ("libq.Client.send", 2),
        ("app.main.Mine.send", 0),
    ]


def test_words_find_the_texts_that_have_them(graph: Catalog) -> None:
    places = part(find(graph, "network loses every second thing").structured, "places")

    assert places[0]["found_by"] == ["text"]
    assert places[0]["path"] == "why/0001-send-twice.md"


def test_nothing_is_said_to_be_nothing(graph: Catalog) -> None:
    answer = find(graph, "zzyzx")

    assert answer.text.startswith("None: ")
    assert answer.structured["places"] == []
    with pytest.raises(UsageError, match="empty"):
        find(graph, " ")


def test_the_tools_of_a_set_are_offered_beside_the_nine_only_where_asked() -> None:
    assert not tools_with().keys() & ANALYSIS_TOOLS.keys()
    assert list(tools_with(["analysis"]))[-3:] == list(ANALYSIS_TOOLS)
