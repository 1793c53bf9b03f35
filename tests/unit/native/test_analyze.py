from __future__ import annotations

import ast
import unicodedata
from pathlib import Path
from time import process_time
from types import ModuleType

import pytest


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("httpx.AsyncClient", "httpx asyncclient async client"),
        ("http_snake_parser", "http_snake_parser http snak parser"),
        ("HTTPServer", "httpserver http server"),
        ("getURLs", "geturls get url"),
        ("__init__", "__init__ init"),
        ("_private", "_private privat"),
        ("sha256", "sha256 sha"),
        ("Base64Encoder", "base64encoder base64 bas encoder"),
        ("x1", "x1"),
        ("_", "_"),
    ],
)
def test_identifiers_are_given_whole_and_in_parts(
    native: ModuleType, text: str, tokens: str
) -> None:
    assert native.analyze(text) == tokens.split()


@pytest.mark.parametrize(
    "words",
    [
        "parse parses parsed parsing",
        "Query queries",
        "class classes",
        "map mapping mapped",
        "use used using",
        "IDs ID",
    ],
)
def test_forms_of_a_word_give_one_token(native: ModuleType, words: str) -> None:
    assert len(set(native.analyze(words))) == 1


def test_words_that_only_look_alike_stay_apart(native: ModuleType) -> None:
    tokens = native.analyze("parse parser string str http https class new news")
    assert len(tokens) == len(set(tokens)) + 1  # new, news


def test_contractions_are_words_and_string_prefixes_are_not(native: ModuleType) -> None:
    assert native.analyze("don't DON’T user's b's'") == ["dont", "dont", "user", "b", "s"]  # noqa: RUF001


def test_queries_full_of_punctuation_find_their_words(native: ModuleType, inputs: Path) -> None:
    queries = (inputs / "fts5-punctuation/queries.txt").read_text().splitlines()
    found = {query: native.analyze(query) for query in queries}
    assert found["don't use"] == ["dont", "use"]
    assert found["@app.route"] == ["app", "rout"]
    assert found["numpy.linalg.norm"] == ["numpi", "linalg", "norm"]
    assert found["foo(bar)"] == ["foo", "bar"]
    assert found["C++"] == ["c"]
    assert found["NEAR("] == ["near"]
    assert found['"'] == found["'"] == found["*"] == found["^"] == found["-"] == []


def test_text_without_blanks_is_found_by_its_parts(native: ModuleType, inputs: Path) -> None:
    module = ast.parse((inputs / "cjk-and-identifiers/cjk.py").read_text("utf-8"))
    first, second, third = (
        set(native.analyze(ast.get_docstring(function) or ""))
        for function in module.body
        if isinstance(function, ast.FunctionDef)
    )
    for query, tokens in (("悬空", first), ("itgc", first), ("テスト", second), ("café", third)):
        assert tokens.issuperset(native.analyze(query)), query


def test_spellings_of_one_text_are_one(native: ModuleType) -> None:
    for text in ("café", "\uff46\uff55\uff4c\uff4c ﬁle", "Ångström", "한글"):
        for form in ("NFC", "NFD", "NFKC", "NFKD"):
            assert native.analyze(unicodedata.normalize(form, text)) == native.analyze(text)


def test_a_character_alone_is_a_token_where_words_have_no_blanks(native: ModuleType) -> None:
    assert native.analyze("猫 🚀 → ไ") == ["猫", "🚀", "→", "ไ"]


def test_tokens_have_a_greatest_length_and_encoded_data_no_parts(native: ModuleType) -> None:
    assert native.analyze("a" * 200) == ["a" * 64]
    assert native.analyze("aB" * 200) == ["ab" * 32]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("3.11", "3 11"),
        ("httpx==0.28.1", "httpx 0 28 1"),
        ("HTTP/2", "http 2"),
        ("utf-8", "utf 8"),
        ("int32 or Python3", "int32 int or python3 python"),
        ("x86_64", "x86_64 x86 64"),
        ("\uff11\uff12\uff13", "123"),
    ],
)
def test_numbers_and_versions_are_tokens_by_their_parts(
    native: ModuleType, text: str, tokens: str
) -> None:
    assert native.analyze(text) == tokens.split()


def test_right_to_left_joined_emoji_and_invisible_characters_are_no_trouble(
    native: ModuleType,
) -> None:
    assert native.analyze("مرحبا بالعالم שלום") == ["مرحبا", "بالعالم", "שלום"]
    assert native.analyze("👩\u200d👧 a\u200bb \u202ec") == ["👩", "👧", "a", "b", "c"]


@pytest.mark.parametrize(
    "piece", ["a", "aB", "_", "don't ", "漢", "e\u0301", "👩\u200d", "x'", "\0"]
)
def test_a_megabyte_of_anything_takes_no_more_than_its_length(
    native: ModuleType, piece: str
) -> None:
    started = process_time()
    assert len(native.analyze(piece * (1_000_000 // len(piece)))) <= 1_000_000
    assert process_time() - started < 20, "linear even in Python, and on a busy machine"


def test_nothing_a_user_can_type_raises(native: ModuleType) -> None:
    assert native.analyze("\ud800a\udfffb\0c") == ["a", "b", "c"]
    assert native.analyze("") == []


def test_of_terms_one_learns_which_a_text_has(native: ModuleType) -> None:
    terms = ["cach", "http", "asyncclient", "none"]
    assert native.terms_in(["Caching", "httpx.AsyncClient, http", ""], terms) == [1, 6, 0]
    assert native.terms_in([], terms) == []
    assert native.terms_in(["t63 t0"], [f"t{n}" for n in range(64)]) == [1 << 63 | 1]


def test_more_terms_than_bits_are_refused(native: ModuleType) -> None:
    with pytest.raises(ValueError, match="more than 64 terms"):
        native.terms_in(["a"], ["a"] * 65)
