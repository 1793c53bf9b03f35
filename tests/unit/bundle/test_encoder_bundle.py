"""A bundle of kind `encoder`: a model that is mapped and used where it lies."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from pydocs_bundle import Bundle, BundleError, inspect, verify, write_bundle
from pydocs_bundle.records import BundleContent, SourceFile
from pydocs_bundle.writer import encode_bundle
from pydocs_native import Encoder

ENCODER = BundleContent(
    kind="encoder",
    name="tiny",
    version="1",
    files=(SourceFile("LICENSE", b"Do what you like.\n"),),
    entries=(),
    texts=(),
    licence="0BSD",
    licence_files=("LICENSE",),
)


def written(path: Path, model: bytes, **settings: str) -> Path:
    about = {"name": "tiny", "identity": sha256(model).hexdigest(), "dimensions": "32"}
    write_bundle(path, ENCODER, builder={}, model=model, encoder={**about, **settings})
    return path


def test_the_model_is_used_where_it_lies(tmp_path: Path, tiny_section: bytes) -> None:
    with Bundle.open(written(tmp_path / "e.pdx", tiny_section)) as bundle:
        encoder = Encoder(bundle.model)
        assert encoder.encode(["the time"]) == Encoder(tiny_section).encode(["the time"])
        del encoder


def test_it_says_what_it_is(tmp_path: Path, tiny_section: bytes) -> None:
    path = written(tmp_path / "e.pdx", tiny_section)
    assert verify(path).encoder["identity"] == sha256(tiny_section).hexdigest()
    assert inspect(path)["kind"] == "encoder"


def test_another_model_is_another_content(tiny_section: bytes) -> None:
    ids = {
        encode_bundle(ENCODER, builder={}, model=model)[0].content_id
        for model in (tiny_section, tiny_section + b"\0")
    }
    assert len(ids) == 2


def test_a_damaged_model_is_refused_when_it_is_asked_for(
    tmp_path: Path, tiny_section: bytes
) -> None:
    path = written(tmp_path / "e.pdx", tiny_section)
    with Bundle.open(path) as bundle:
        offset = bundle.layout.sections["ENC"].offset
    content = bytearray(path.read_bytes())
    content[offset + 900] ^= 1
    path.write_bytes(content)
    with Bundle.open(path) as bundle, pytest.raises(BundleError, match="ENC does not match"):
        _ = bundle.model


@pytest.mark.parametrize(
    ("settings", "problem"),
    [({"dimensions": "33"}, "different encoders"), ({"identity": "0" * 64}, "different encoders")],
)
def test_a_manifest_that_speaks_of_another_encoder_is_refused(
    tmp_path: Path, tiny_section: bytes, settings: dict[str, str], problem: str
) -> None:
    path = written(tmp_path / "e.pdx", tiny_section, **settings)
    with pytest.raises(BundleError, match=problem):
        verify(path)


def test_a_section_that_is_no_model_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "e.pdx", b"no model at all")
    with pytest.raises(BundleError, match="section ENC is refused"):
        verify(path)


def test_an_encoder_needs_a_model_and_nothing_else_has_one(tiny_section: bytes) -> None:
    with pytest.raises(ValueError, match="needs a model"):
        encode_bundle(ENCODER, builder={})
    with pytest.raises(ValueError, match="needs a model"):
        encode_bundle(ENCODER._replace(kind="dependency"), builder={}, model=tiny_section)
