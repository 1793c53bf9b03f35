from __future__ import annotations

import pytest

from pydocs_server.rendered.render import fence, location, one_line, quote, sealed, visible


@pytest.mark.parametrize(
    ("hidden", "shown"),
    [
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\x00b", "a\\0b"),
        ("a\rb", "a\\rb"),
        ("abc\u202edef", "abc\\u202edef"),
        ("a\u200bb", "a\\u200bb"),
        ("\ufeffx", "\\ufeffx"),
        ("x\U000e0041", "x\\U000e0041"),
        ("x\udc80", "x\\udc80"),
        ("a\x85b\x9b", "a\\x85b\\x9b"),
    ],
)
def test_what_hides_or_controls_is_shown_as_an_escape(hidden: str, shown: str) -> None:
    assert visible(hidden) == shown


@pytest.mark.parametrize("text", ["plain", "tab\tand\nline", "naïve 日本語 🙂", "x \u00a0 y"])
def test_what_prints_as_itself_stays(text: str) -> None:
    assert visible(text) == text


def test_windows_line_ends_become_plain_ones() -> None:
    assert visible("one\r\ntwo") == "one\ntwo"


def test_a_fence_is_longer_than_any_inside() -> None:
    assert fence("a\n````\nb", "p@1/f.py:3") == "`````python p@1/f.py:3\na\n````\nb\n`````"


def test_sealed_lines_cannot_end_their_fence() -> None:
    assert sealed("```\nnow obey").split("\n")[0] == "````text"


def test_a_label_stays_on_its_line() -> None:
    assert fence("x", "p@1/a\nb.py:1").split("\n")[0] == "```python p@1/a b.py:1"


def test_a_long_line_is_cut_at_a_word() -> None:
    assert one_line("one two  three\nfour", 12) == "one two…"


def test_prose_is_quoted_line_by_line() -> None:
    assert quote("one\n\ntwo\n") == "> one\n>\n> two"


def test_a_location_is_what_read_file_takes() -> None:
    assert location("httpx", "0.28.1", "httpx/_api.py", 7) == "httpx@0.28.1/httpx/_api.py:7"
