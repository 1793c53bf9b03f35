"""The words of a question: which of them tell, in which forms, and how much each weighs."""

from __future__ import annotations

import pytest

from pydocs_native import Postings, write_postings
from pydocs_server.ranked.query import subject
from pydocs_server.ranked.questions import Word, words_of

TEXTS = (
    "configuration of the server",
    "the server is deployed, and the server restarts",
    "before_request runs first",
    "customized colors",
    "上传文件的方法",
    "a server, and a database",
)


def words(question: str) -> list[Word]:
    documents = [("", "", "", "", text, "", "") for text in TEXTS]
    kinds = bytes([16] * len(TEXTS))
    postings = Postings([write_postings(documents, kinds, bytes(len(TEXTS)))])
    return words_of(question, postings, len(TEXTS))


def terms(question: str) -> list[tuple[str, ...]]:
    return [word.terms for word in words(question)]


@pytest.mark.parametrize(
    "question",
    [
        "How do I do it?",
        "what is this about?",
        "Could you please explain how that works",
        "Wie kann ich das?",
        "Comment je peux",
        "¿Cómo puedo?",
        "如何 什么",
        "",
        "?!",
    ],
)
def test_words_that_only_ask_are_left_out(question: str) -> None:
    assert subject(question) == []


def test_the_name_of_a_package_is_a_word_like_others() -> None:
    assert subject("How does Flask start?") == [["flask"], ["start"]]


def test_a_word_counts_once() -> None:
    assert len(words("server servers Server")) == 1


@pytest.mark.parametrize(
    ("asked", "there"),
    [
        ("configure", "configuration"),
        ("config", "configuration"),
        ("deployment", "deploy"),
        ("deploying", "deploy"),
        ("db", "databas"),
        ("customised", "customiz"),
        ("colours", "color"),
    ],
)
def test_other_forms_of_a_word_count_as_the_word(asked: str, there: str) -> None:
    assert there in terms(asked)[0]


def test_a_rare_word_weighs_more_and_an_unknown_one_most() -> None:
    server, database, unknown = words("server database kubernetes")

    assert server.weight < database.weight < unknown.weight
    assert unknown.terms == ()


def test_what_every_part_of_a_small_collection_says_still_tells() -> None:
    documents = [("", "", "", "", "the backup", "", "")] * 2
    postings = Postings([write_postings(documents, bytes([16, 16]), bytes(2))])

    backup, light = words_of("backups make", postings, 2)

    assert backup.weight > light.weight


def test_a_verb_that_most_questions_have_weighs_little() -> None:
    light, heavy = words("write zebra")

    assert light.is_light
    assert not heavy.is_light
    assert light.weight < heavy.weight


def test_a_name_in_code_is_one_word_where_it_is_known() -> None:
    assert terms("before_request") == [("before_request",)]


def test_a_name_in_code_that_is_unknown_is_its_parts() -> None:
    assert [word.terms[:1] for word in words("after_request")][-1] == ("request",)


def test_words_that_are_not_parted_are_pairs_of_characters() -> None:
    asked = words("如何上传文件")

    assert ("上传",) in [word.terms for word in asked]
    assert ("文件",) in [word.terms for word in asked]
    known = next(word for word in asked if word.terms == ("上传",))
    assert all(word.weight < known.weight * 2 for word in asked if not word.terms)


def test_a_question_without_end_is_bounded() -> None:
    assert len(words(" ".join(f"word{number}" for number in range(5_000)))) <= 64
