from __future__ import annotations

from pathlib import Path

import pytest

from pydocs_bundle import Bundle, BundleError, verify, write_bundle
from pydocs_bundle.records import BundleContent
from pydocs_native import write_vectors

ENCODER = {"name": "tiny", "identity": "00" * 32, "dimensions": "1"}
ONE = b"\0\0\x80\x3f"


def test_vectors_are_checked_when_they_are_asked_for(with_vectors: Path) -> None:
    damaged = bytearray(with_vectors.read_bytes())
    damaged[-1] ^= 1
    with_vectors.write_bytes(damaged)
    with Bundle.open(with_vectors) as bundle:
        assert bundle.records[0].qualified_name
        with pytest.raises(BundleError, match="section TQ does not match its hash"):
            _ = bundle.vectors


@pytest.mark.parametrize(
    ("encoder", "problem"),
    [
        (ENCODER | {"identity": "11" * 32}, "names another encoder than section TQ"),
        (ENCODER | {"dimensions": "2"}, "names another encoder than section TQ"),
        ({}, "names another encoder than section TQ"),
    ],
)
def test_vectors_of_another_encoder_than_the_manifest_says_are_refused(
    tmp_path: Path, content: BundleContent, encoder: dict[str, str], problem: str
) -> None:
    path = tmp_path / "x.pdx"
    vectors = write_vectors(ONE, 1, bytes(4), b"\x10\0", bytes(32))
    write_bundle(path, content, builder={}, vectors=vectors, encoder=encoder)
    with Bundle.open(path) as bundle, pytest.raises(BundleError, match=problem):
        _ = bundle.vectors


@pytest.mark.parametrize(
    ("section", "problem"),
    [
        (b"short", "is shorter than its header"),
        (b"\2" + bytes(63), "has version 2"),
        (write_vectors(ONE, 1, bytes(4), b"\x10\0", bytes(32)) + b"\0", "do not add up"),
        (write_vectors(ONE, 1, b"\6\0\0\0", b"\6\0", bytes(32)), "of 6, which is no document"),
        (write_vectors(ONE, 1, bytes(4), b"\1\0", bytes(32)), "disagree on entry 0"),
        (write_vectors(ONE, 1, bytes(4), b"\x10\1", bytes(32)), "disagree on entry 0"),
    ],
)
def test_vectors_that_contradict_the_records_do_not_pass(
    tmp_path: Path, content: BundleContent, section: bytes, problem: str
) -> None:
    path = tmp_path / "x.pdx"
    write_bundle(path, content, builder={}, vectors=section, encoder=ENCODER)
    with pytest.raises(BundleError, match=problem):
        verify(path)


def test_more_vectors_than_documents_are_refused(tmp_path: Path, content: BundleContent) -> None:
    path = tmp_path / "x.pdx"
    records = b"".join(number.to_bytes(4, "little") for number in range(7))
    vectors = write_vectors(ONE * 7, 1, records, b"\1\0" * 7, bytes(32))
    write_bundle(path, content, builder={}, vectors=vectors, encoder=ENCODER)
    with Bundle.open(path) as bundle, pytest.raises(BundleError, match="more vectors than"):
        _ = bundle.vectors


def test_an_encoder_without_vectors_does_not_pass(tmp_path: Path, content: BundleContent) -> None:
    path = tmp_path / "x.pdx"
    write_bundle(path, content, builder={}, encoder=ENCODER)
    with pytest.raises(BundleError, match="names an encoder, and there are no vectors"):
        verify(path)
