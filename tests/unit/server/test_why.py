from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pydocs_bundle import write_bundle
from pydocs_bundle.errors import UsageError
from pydocs_bundle.records import BundleContent, Decision, Entry, IndexText, Kind, SourceFile
from pydocs_server.answered.why import get_why, governing
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount
from pydocs_server.mounted.names import require
from pydocs_server.rendered.answer import DEFAULT_TOKENS, count_tokens


def decisions(catalog: Catalog, *arguments: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    found: list[dict[str, Any]] = get_why(catalog, *arguments).structured["decisions"]  # type: ignore[assignment]
    return found


def test_a_question_finds_the_decision_with_source_status_date_and_words(graph: Catalog) -> None:
    answer = get_why(graph, "why do we send everything twice")

    (found,) = decisions(graph, "why do we send everything twice")
    assert found["title"] == "Send twice"
    assert found["status"] == "accepted"
    assert found["date"] == "2024-02-01"
    assert found["address"] == "app@2.0/why/0001-send-twice.md:1"
    assert "> The network loses every second thing." in answer.text
    assert "(adr, accepted, 2024-02-01)" in answer.text


@pytest.mark.parametrize("target", ["app.main.Mine", "app.main.Mine.send"])
def test_a_symbol_finds_what_governs_it_or_its_class(graph: Catalog, target: str) -> None:
    (found,) = decisions(graph, "", [target])

    assert found["governs"] == "app.main.Mine"


def test_what_is_found_both_ways_is_one_entry(graph: Catalog) -> None:
    assert len(decisions(graph, "why twice", ["app.main.Mine", "app.main.Mine.send"])) == 1


def test_without_question_and_target_the_projects_decisions_are_listed(graph: Catalog) -> None:
    assert [each["title"] for each in decisions(graph)] == ["Send twice"]


def test_no_decision_says_where_else_to_look(graph: Catalog) -> None:
    answer = get_why(graph, "", ["libq.get"])

    assert answer.structured["decisions"] == []
    assert "search_codebase" in answer.text


def test_the_next_call_asks_the_same_question(graph: Catalog) -> None:
    answer = get_why(graph, 'the "moon" landing')

    assert """search_codebase(query="the 'moon' landing", kind="docs")""" in answer.text


def test_an_unknown_target_is_reported_beside_the_others(graph: Catalog) -> None:
    answer = get_why(graph, "", ["app.main.Mine", "app.main.Miine"])

    assert "Send twice" in answer.text
    assert "'app.main.Miine' is not in what is mounted" in answer.text


def test_the_closest_holder_governs_first(graph: Catalog) -> None:
    (target,) = require(graph, "app.main.Mine.send")

    assert [each.governs for each in governing(graph, target)] == ["app.main.Mine"]


def test_the_answer_stays_in_its_budget(graph: Catalog) -> None:
    assert count_tokens(get_why(graph, "twice " * 400).text) <= DEFAULT_TOKENS


def test_at_most_twenty_targets(graph: Catalog) -> None:
    with pytest.raises(UsageError, match="20"):
        get_why(graph, "", ["app"] * 21)


def test_what_only_shares_a_word_with_the_question_is_no_answer(graph: Catalog) -> None:
    question = "why do we twice encrypt certificates of printers"
    answer = get_why(graph, question)

    assert decisions(graph, question) == []
    assert answer.text.startswith("None: no recorded decision on ")
    assert "encrypt" in answer.text.splitlines()[0]
    assert "search_codebase" in answer.text


@pytest.fixture
def succeeded(tmp_path: Path) -> Catalog:
    """A project with a decision, the one that replaces it, and one told in several places."""
    text = b"# Talk XML\n\nEverybody can read XML.\n\n# Talk JSON\n\nNobody can read XML.\n"
    first, second = text.index(b"# Talk XML"), text.index(b"# Talk JSON")
    names = ["p#decision:a.md:1", "p#decision:a.md:5"]
    spans = [(first, second, 1, 4), (second, len(text), 5, 7)]
    entries = tuple(
        Entry(name, Kind.DECISION, 0, *span, summary=title)
        for name, span, title in zip(names, spans, ("Talk XML", "Talk JSON"), strict=True)
    )
    texts = tuple(
        IndexText(e.summary, e.qualified_name, "", "", e.summary, "", "") for e in entries
    )
    said = ("Everybody can read XML.", "Nobody can read XML.")
    content = BundleContent(
        "project",
        "p",
        "1",
        (SourceFile("a.md", text),),
        entries,
        texts,
        decisions=(
            Decision(0, "adr", "Talk XML", said[0], "accepted", "", (), "ADR-1", 1, 1),
            Decision(1, "adr", "Talk JSON", said[1], "accepted", "", (), "ADR-2", 3),
        ),
    )
    path = tmp_path / "p.pdx"
    write_bundle(path, content, builder={})
    return mount([str(path)])


def test_what_was_replaced_stands_last_and_leads_to_what_replaced_it(succeeded: Catalog) -> None:
    answer = get_why(succeeded, "why talk XML")

    found = decisions(succeeded, "why talk XML")
    assert [each["title"] for each in found] == ["Talk JSON", "Talk XML"]
    assert [each["is_current"] for each in found] == [True, False]
    assert found[1]["replaced_by"] == "p@1/a.md:5"
    assert "Replaced by ADR-2 Talk JSON: p@1/a.md:5" in answer.text
    assert "(adr ADR-2, accepted, in 3 places)" in answer.text


def test_a_reason_goes_before_a_change(tmp_path: Path) -> None:
    text = b"- Sockets are shared now.\n\n# Sockets\n\nSockets are shared because they are few.\n"
    spans = [(0, 25, 1, 1), (27, len(text), 3, 5)]
    entries = tuple(
        Entry(f"p#decision:{line}", Kind.DECISION, 0, *span, summary="Sockets shared")
        for line, span in enumerate(spans)
    )
    texts = tuple(IndexText("", "", "", "", "Sockets are shared", "", "") for _ in entries)
    decisions_made = (
        Decision(0, "changelog", "Sockets shared", "- Sockets are shared now."),
        Decision(1, "section", "Sockets", "Sockets are shared because they are few."),
    )
    content = BundleContent(
        "project", "p", "1", (SourceFile("a.md", text),), entries, texts, decisions=decisions_made
    )
    write_bundle(tmp_path / "p.pdx", content, builder={})
    found = decisions(mount([str(tmp_path)]), "why are sockets shared")
    assert [each["origin"] for each in found] == ["section", "changelog"]
