"""An encoder's bundle is mounted beside those that are searched."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from pydocs_bundle import PydocsError, write_bundle
from pydocs_bundle.records import BundleContent
from pydocs_native import write_vectors
from pydocs_server.mounted.mount import mount

Write = Callable[[Path, BundleContent], Path]
ContentOf = Callable[..., BundleContent]


def encoder(path: Path, name: str, model: bytes) -> Path:
    content = BundleContent("encoder", name, "1", (), (), ())
    about = {"name": name, "identity": sha256(model).hexdigest(), "dimensions": "32"}
    write_bundle(path, content, builder={}, model=model, encoder=about)
    return path


def test_it_is_not_searched(
    tmp_path: Path, tiny_section: bytes, write: Write, content_of: ContentOf
) -> None:
    write(tmp_path, content_of("demo", "1", {"demo.py": "X = 1\n"}))
    encoder(tmp_path / "e.pdx", "tiny", tiny_section)
    with mount([str(tmp_path)], strict=True) as catalog:
        assert [bundle.manifest.name for bundle in catalog.bundles] == ["demo"]
        assert catalog.encoder is not None
        assert bytes(catalog.encoder.model) == tiny_section


def test_without_one_there_is_none(tmp_path: Path, write: Write, content_of: ContentOf) -> None:
    write(tmp_path, content_of("demo", "1", {"demo.py": "X = 1\n"}))
    with mount([str(tmp_path)]) as catalog:
        assert catalog.encoder is None


def test_a_second_one_is_skipped(
    tmp_path: Path, tiny_section: bytes, write: Write, content_of: ContentOf
) -> None:
    write(tmp_path, content_of("demo", "1", {"demo.py": "X = 1\n"}))
    encoder(tmp_path / "b.pdx", "other", tiny_section)
    encoder(tmp_path / "a.pdx", "tiny", tiny_section)
    with mount([str(tmp_path)]) as catalog:
        assert catalog.encoder is not None
        assert catalog.encoder.manifest.name == "other"
        (warning,) = catalog.warnings
    assert "mount one encoder" in warning
    with pytest.raises(PydocsError, match="mount one encoder"):
        mount([str(tmp_path)], strict=True)


@pytest.mark.parametrize("unused", ["another", "zebra"])
def test_of_two_the_one_that_made_the_vectors_is_mounted(
    tmp_path: Path, tiny_section: bytes, content_of: ContentOf, unused: str
) -> None:
    encoder(tmp_path / "a.pdx", unused, tiny_section[:-4] + bytes(4))
    encoder(tmp_path / "b.pdx", "tiny", tiny_section)
    content = content_of("demo", "1", {"demo.py": '"""Sells."""\n'})
    identity = sha256(tiny_section)
    vectors = write_vectors(bytes(128), 32, bytes(4), bytes(2), identity.digest())
    about = {"name": "tiny", "identity": identity.hexdigest(), "dimensions": "32"}
    write_bundle(tmp_path / "demo-1.pdx", content, builder={}, vectors=vectors, encoder=about)
    with mount([str(tmp_path)]) as catalog:
        assert catalog.encoder is not None
        assert catalog.encoder.manifest.name == "tiny"


def test_alone_it_answers_nothing(tmp_path: Path, tiny_section: bytes) -> None:
    encoder(tmp_path / "e.pdx", "tiny", tiny_section)
    with pytest.raises(PydocsError, match="No bundle is mounted"):
        mount([str(tmp_path)])
