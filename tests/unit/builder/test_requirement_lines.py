"""Requirements files line by line: the same lines that pip would see."""

from __future__ import annotations

import codecs

import pytest

from pydocs_builder.wanted.requirement_lines import Ask, Line, decode, parse_lines


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("alpha==1.0", "alpha==1.0"),
        ("\talpha  ", "alpha"),
        ("alpha # why", "alpha"),
        ("alpha==1 --hash=sha256:ab --hash=sha256:cd", "alpha==1"),
        ('alpha ; platform_version != "a;b"', 'alpha ; platform_version != "a;b"'),
        (
            "alpha @ https://example.org/a.zip#egg=alpha",
            "alpha @ https://example.org/a.zip#egg=alpha",
        ),
    ],
)
def test_a_requirement_is_its_line_without_comment_and_options(line: str, text: str) -> None:
    (found,) = parse_lines(line)
    assert (found.ask, found.text) == (Ask.REQUIREMENT, text)


@pytest.mark.parametrize(
    ("line", "ask", "text"),
    [
        ("-rbase.txt", Ask.INCLUDE, "base.txt"),
        ("-r base.txt", Ask.INCLUDE, "base.txt"),
        ("--requirement=base.txt", Ask.INCLUDE, "base.txt"),
        ("--requirement base.txt  # all", Ask.INCLUDE, "base.txt"),
        ("-r 'a b.txt'", Ask.INCLUDE, "a b.txt"),
        ("-c limits.txt", Ask.CONSTRAINT, "limits.txt"),
        ("--constraint=limits.txt", Ask.CONSTRAINT, "limits.txt"),
        ("-e .", Ask.EDITABLE, "."),
        ("--editable=./sub[extra]", Ask.EDITABLE, "./sub[extra]"),
        ("-x", Ask.UNKNOWN, "-x"),
    ],
)
def test_options_that_lead_elsewhere_are_told_apart(line: str, ask: Ask, text: str) -> None:
    (found,) = parse_lines(line)
    assert (found.ask, found.text) == (ask, text)


@pytest.mark.parametrize(
    "line",
    ["", "  ", "# alpha", "-i https://example.org", "--pre", "--require-hashes", "-f wheels"],
)
def test_what_names_no_distribution_is_left_out(line: str) -> None:
    assert parse_lines(line) == ()


def test_a_continued_line_is_one_requirement_on_its_first_line() -> None:
    first, second = parse_lines(
        "alpha==1 \\\n    --hash=sha256:ab \\\n    --hash=sha256:cd\nbeta\n"
    )
    assert first == Line(Ask.REQUIREMENT, "alpha==1", 1, ("sha256:ab", "sha256:cd"))
    assert second == Line(Ask.REQUIREMENT, "beta", 4)


def test_a_comment_ends_a_continuation() -> None:
    assert [line.text for line in parse_lines("alpha \\\n# beta \\\ngamma\n")] == ["alpha", "gamma"]


def test_the_last_line_may_end_in_a_continuation() -> None:
    assert [line.text for line in parse_lines("alpha \\")] == ["alpha"]


def test_windows_line_ends_are_line_ends() -> None:
    assert [line.text for line in parse_lines("alpha\r\nbeta\r\n")] == ["alpha", "beta"]


@pytest.mark.parametrize(
    "raw",
    [
        "ä==1".encode(),
        codecs.BOM_UTF8 + "ä==1".encode(),
        codecs.BOM_UTF16_LE + "ä==1".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "ä==1".encode("utf-16-be"),
    ],
)
def test_text_is_decoded_by_its_byte_order_mark(raw: bytes) -> None:
    assert decode(raw) == "ä==1"


def test_text_is_decoded_by_its_cookie() -> None:
    assert decode("# -*- coding: latin-1 -*-\nä".encode("latin-1")).endswith("ä")


def test_an_unknown_cookie_is_no_obstacle() -> None:
    assert decode(b"# coding: nonsense\nalpha").endswith("alpha")


@pytest.mark.parametrize(
    "raw",
    [
        "alpha # é".encode("latin-1"),
        "# -*- coding: cp1252 -*-\nalpha # \x80".encode("latin-1"),
        b"# coding: rot13\nalpha",
        b"# coding: punycode\nalpha",
        b"# coding: idna\nalpha",
        b"# coding: no-such\nalpha",
        "alpha\r\n".encode("utf-16"),
        codecs.BOM_UTF32_LE + "alpha".encode("utf-32-le"),
        codecs.BOM_UTF16_LE + b"a",
        b"alpha\0",
    ],
)
def test_no_encoding_is_a_crash_and_names_are_read(raw: bytes) -> None:
    lines = parse_lines(decode(raw))
    assert len(lines) == 1
    assert raw.endswith(b"\xfe" + b"a") or lines[0].text[:1] in {"a", "\ufffd"}
