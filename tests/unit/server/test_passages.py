"""Questions to documentation collections: cited passages within a budget, or plainly none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pydocs_builder.documented.collection_content import build_collection
from pydocs_builder.targets import Collection, Target
from pydocs_bundle.errors import UsageError
from pydocs_bundle.records import BundleContent
from pydocs_server.answered.passages import ask_docs
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount
from pydocs_server.rendered.answer import Answer, NotFound

WriteBundle = Callable[[Path, BundleContent], Path]
ContentOf = Callable[..., BundleContent]


def rows(answer: Answer) -> list[dict[str, object]]:
    passages = answer.structured["passages"]
    assert isinstance(passages, list)
    return passages


def test_a_passage_is_cited_by_file_lines_and_headings(collections: Catalog) -> None:
    answer = ask_docs(collections, "How do I run it behind a proxy?", docs="handbook")

    first, *_ = rows(answer)
    assert first["n"] == 1
    assert (first["docs"], first["revision"]) == ("handbook", "abc123")
    assert (first["path"], first["start_line"], first["end_line"]) == ("docs/deploy.md", 5, 8)
    assert first["heading"] == "Deploying > Behind a proxy"
    assert first["address"] == "handbook@abc123/docs/deploy.md:5"
    assert answer.text.startswith(
        "```text [1] handbook@abc123/docs/deploy.md:5-8 Deploying > Behind a proxy\n"
        "## Behind a proxy\n"
    )


def test_text_and_structure_say_the_same(collections: Catalog) -> None:
    answer = ask_docs(collections, "How do I restore a backup?")

    assert answer.structured["is_answered"] is True
    assert all(str(row["text"]) in answer.text for row in rows(answer))
    assert all(f"[{row['n']}] {row['docs']}@" in answer.text for row in rows(answer))


@pytest.mark.parametrize(
    "question",
    [
        "What is the capital of France?",
        "How do I configure Kubernetes ingress?",
        "zygomorphic",
        "what is this?",
        "?",
        "悬空",
        "\x00",
    ],
)
def test_what_the_documents_do_not_answer_gets_no_passage(
    collections: Catalog, question: str
) -> None:
    answer = ask_docs(collections, question)

    assert rows(answer) == []
    assert answer.structured["is_answered"] is False
    assert answer.text.startswith("None: nothing in handbook@abc123, recipes@abc123 answers ")
    assert answer.structured["note"] == answer.text


def test_a_collection_answers_for_itself_alone(collections: Catalog) -> None:
    question = "How hot do I bake bread?"

    assert [row["docs"] for row in rows(ask_docs(collections, question))] == ["recipes"]
    assert rows(ask_docs(collections, question, docs="handbook")) == []


def test_other_forms_of_a_word_are_that_word(collections: Catalog) -> None:
    for question in ("deployment to a server", "restoring a backup", "proxies for the client"):
        assert rows(ask_docs(collections, question, docs="handbook")), question


def test_changelogs_come_after_what_is_said_of_today(collections: Catalog) -> None:
    paths = [row["path"] for row in rows(ask_docs(collections, "How do I restore a backup?"))]

    assert paths[0] == "docs/deploy.md"


def test_parts_of_one_section_are_joined_with_marks_for_gaps(collections: Catalog) -> None:
    answer = ask_docs(collections, "OPTION_0 OPTION_9 margin colour", docs="handbook")

    (passage,) = rows(answer)
    assert passage["spans"] == [[1, 8], [21, 21]]
    assert "\n…\n" in str(passage["text"])
    assert str(passage["text"]).index("OPTION_0") < str(passage["text"]).index("OPTION_9")
    assert "settings.md:1-8,21 Settings" in answer.text


def test_the_label_of_the_next_section_is_left_out(collections: Catalog) -> None:
    passage, *_ = rows(ask_docs(collections, "lines of an order", docs="handbook"))

    assert str(passage["text"]).endswith("An order has lines and a currency.")
    assert (passage["start_line"], passage["end_line"]) == (4, 7)


def test_the_same_words_are_shown_once(
    content_of: ContentOf, write: WriteBundle, tmp_path: Path
) -> None:
    text = "# Backups\n\nRun `shop dump` every night.\n"
    files = {"v1/backups.md": text, "v2/backups.md": text}
    write(tmp_path, content_of("manual", "1", files, kind="docs"))

    with mount([str(tmp_path)]) as catalog:
        passages = rows(ask_docs(catalog, "How do I make backups?"))

    assert len(passages) == 1


def test_line_ends_of_another_system_are_plain(write: WriteBundle, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"# Backups\r\n\r\nRun `shop dump`.\r\n")
    target = Target("docs", "manual", "1", str(tmp_path), ("a.md",), ())
    write(tmp_path, build_collection(target, Collection(1_500), {})[0])

    with mount([str(tmp_path)]) as catalog:
        (passage,) = rows(ask_docs(catalog, "How do I make backups?"))

    assert passage["text"] == "# Backups\n\nRun `shop dump`."


def test_a_layer_is_only_its_files_whatever_the_case(collections: Catalog) -> None:
    within = ask_docs(collections, "currency of an order", layer=" SETTINGS ")

    assert {row["layer"] for row in rows(within)} == {"settings"}
    assert rows(ask_docs(collections, "restore a backup", layer="settings")) == []
    assert 'ask with layer="all"' in ask_docs(collections, "restore", layer="empty").text


def test_an_unknown_layer_names_those_there_are(collections: Catalog) -> None:
    with pytest.raises(NotFound, match="Closest: all, empty, settings"):
        ask_docs(collections, "currency", layer="other")


def test_an_unknown_collection_names_those_there_are(collections: Catalog) -> None:
    with pytest.raises(NotFound, match="Closest: handbook, recipes"):
        ask_docs(collections, "currency", docs="shop")


@pytest.mark.parametrize("docs", ["HandBook", "handbook@abc", "handbook@abc123"])
def test_a_collection_has_several_spellings(collections: Catalog, docs: str) -> None:
    assert rows(ask_docs(collections, "restore a backup", docs=docs))


def test_another_revision_is_not_there(collections: Catalog) -> None:
    with pytest.raises(NotFound):
        ask_docs(collections, "restore a backup", docs="handbook@fff")


def test_without_collections_the_sentence_says_how_to_make_one(catalog: Catalog) -> None:
    with pytest.raises(NotFound, match=r"\[tool.pydocs.docs.<id>\]"):
        ask_docs(catalog, "anything")


@pytest.mark.parametrize("max_chars", [500, 700, 1_200, 8_000])
def test_passages_keep_the_budget_and_end_with_a_line(collections: Catalog, max_chars: int) -> None:
    answer = ask_docs(
        collections, "sets a number with a default option", docs="handbook", max_chars=max_chars
    )

    *whole, last = rows(answer)
    assert sum(len(str(row["text"])) for row in (*whole, last)) <= max_chars
    assert len(answer.text) <= max_chars + 250
    assert not any(row["is_cut"] for row in whole)
    if last["is_cut"]:
        assert str(last["text"]).endswith("\n…")
        assert "the last passage is cut" in answer.text.lower()


def test_a_passage_that_is_cut_says_up_to_which_line(collections: Catalog) -> None:
    answer = ask_docs(
        collections, "sets a number with a default option", docs="handbook", max_chars=500
    )

    last = rows(answer)[-1]
    lines = str(last["text"]).removesuffix("\n…").splitlines()
    text = collections.bundles[0].text
    file = text.index(str(last["path"]))
    assert file is not None
    at_end = text.read(file).decode().splitlines()[int(str(last["end_line"])) - 1]
    assert lines[-1] == at_end


@pytest.mark.parametrize(("question", "max_chars"), [("  ", 8_000), ("x", 499), ("x", 80_001)])
def test_what_cannot_be_asked_is_wrong_usage(
    collections: Catalog, question: str, max_chars: int
) -> None:
    with pytest.raises(UsageError):
        ask_docs(collections, question, max_chars=max_chars)


def test_other_bundles_do_not_change_the_answer(collections: Catalog) -> None:
    alone = Catalog([collections.bundles[0]])

    question = "How do I restore a backup?"
    assert ask_docs(alone, question).text == ask_docs(collections, question, docs="handbook").text
