from __future__ import annotations

import codecs

import pytest

from pydocs_builder.extracted.decode import decode_document, decode_source
from pydocs_bundle.encodings import MARKS, encoded


@pytest.mark.parametrize(
    ("raw", "text", "encoding"),
    [
        (b"x = 1\n", "x = 1\n", "utf-8"),
        ("x = 'é'\n".encode(), "x = 'é'\n", "utf-8"),
        (codecs.BOM_UTF8 + b"x = 1\n", "x = 1\n", "utf-8-sig"),
        (b"# -*- coding: latin-1 -*-\nx = '\xe9'\n", "x = 'é'\n", "iso-8859-1"),
        (b"#!/bin/sh\n# vim: set fileencoding=cp1252 :\nx = '\x80'\n", "x = '€'\n", "cp1252"),
        (b"\n# coding: euc-jp\nx = '\xa4\xa2'\n", "x = 'あ'\n", "euc-jp"),
        (b"# coding: utf_8_sig_\nx = 1\n", "x = 1\n", "utf-8"),
    ],
)
def test_source_is_decoded_by_mark_and_cookie(raw: bytes, text: str, encoding: str) -> None:
    decoded = decode_source(raw)
    assert decoded.text.decode().endswith(text)
    assert (decoded.encoding, decoded.is_lossy, decoded.problem) == (encoding, False, "")


def test_cookie_counts_only_on_the_first_two_lines_and_behind_comments() -> None:
    assert decode_source(b"x = 1\n# coding: latin-1\n").encoding == "utf-8"
    assert decode_source(b"\n\n# coding: latin-1\n").encoding == "utf-8"


@pytest.mark.parametrize("raw", [b"a\r\nb\rc\n", b"a\x0cb\n", b"a\0b"])
def test_line_ends_form_feeds_and_nuls_stay(raw: bytes) -> None:
    assert decode_source(raw).text == raw


def test_undecodable_bytes_are_replaced_and_told_with_their_line() -> None:
    decoded = decode_source(b"x = 1\ny = '\xff'\n")
    assert decoded.is_lossy
    assert decoded.text.decode() == "x = 1\ny = '\ufffd'\n"
    assert "line 2" in decoded.problem


@pytest.mark.parametrize("cookie", ["no-such-codec", "hex", "idna", "punycode", "undefined"])
def test_codec_that_is_unknown_or_no_text_is_told_and_not_used(cookie: str) -> None:
    decoded = decode_source(f"# coding: {cookie}\nx = 1\n".encode())
    assert decoded.encoding == "utf-8"
    assert cookie in decoded.problem


def test_lone_surrogates_are_replaced() -> None:
    decoded = decode_source(b"x = '\xed\xa0\x80'\n")
    assert decoded.is_lossy
    decoded.text.decode()


@pytest.mark.parametrize("encoding", sorted(MARKS))
def test_document_with_a_mark_is_decoded_by_it(encoding: str) -> None:
    mark, codec = MARKS[encoding]
    raw = mark + "Überschrift\n".encode(codec)
    decoded = decode_document(raw)
    assert decoded.text.decode() == "Überschrift\n"
    assert decoded.encoding == encoding
    assert encoded(decoded.text, decoded.encoding) == raw


@pytest.mark.parametrize(
    ("raw", "text", "encoding"),
    [
        ("Größe\n".encode("utf-16-be"), "Größe\n", "utf-16-be"),
        (b"Gr\xf6\xdfe \x80\n", "Größe €\n", "cp1252"),
        (b".. -*- coding: koi8-r -*-\n\xc1\n", ".. -*- coding: koi8-r -*-\n\u0430\n", "koi8-r"),
    ],
)
def test_document_that_is_no_utf8_is_read_without_loss(
    raw: bytes, text: str, encoding: str
) -> None:
    decoded = decode_document(raw)
    assert (decoded.text.decode(), decoded.encoding, decoded.is_lossy) == (text, encoding, False)
    assert text.encode(encoding) == raw


def test_what_is_no_text_stays_marked_as_lossy() -> None:
    assert decode_document(b"\x81\x8d\xff").is_lossy
    assert b"\0" in decode_document(b"\x7fELF\0\0\0\1\xff").text
