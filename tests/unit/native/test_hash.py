from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest


@pytest.mark.parametrize(
    ("content", "digest"),
    [
        (b"", 0xEF46DB3751D8E999),
        (b"a", 0xD24EC4F1A98C6E5B),
        (b"abc", 0x44BC2CF5AD770999),
        (b"Nobody inspects the spammish repetition", 0xFBCEA83C8A378BF1),
    ],
)
def test_published_vectors(native: ModuleType, content: bytes, digest: int) -> None:
    assert native.xxh64(content) == digest


def test_files_hash_as_their_bytes_and_unreadable_ones_to_none(
    native: ModuleType, tmp_path: Path
) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    hashes = native.hash_files(str(tmp_path), ["a", "none", "."])
    assert hashes == [0x44BC2CF5AD770999, None, None]
