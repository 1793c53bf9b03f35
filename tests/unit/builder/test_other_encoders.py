"""Other models than the published one, as sentence-transformers keeps them in folders."""

from __future__ import annotations

import json
import struct
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from model_files import safetensors

from pydocs_builder.embedded.choice import choose_encoder
from pydocs_builder.encoder.others import OtherModelError
from pydocs_builder.encoder.pack import pack_encoder
from pydocs_builder.encoder.tensors import read_tensors
from pydocs_bundle import Bundle, verify
from pydocs_native import Encoder, write_encoder

Files = dict[str, Any]
WriteModel = Callable[[Files], Path]


def bert(tiny_model: dict[str, Any]) -> Files:
    """What a folder of the tiny model holds; objects stand for JSON files."""
    normalizer = {
        "type": "BertNormalizer",
        "lowercase": True,
        "strip_accents": None,
        "handle_chinese_chars": True,
    }
    return {
        "model.safetensors": safetensors(tiny_model["tensors"]),
        "README.md": "---\nlanguage: en\nlicense: mit\n---\n# Little\n",
        "config.json": {
            "model_type": "bert",
            "hidden_act": "gelu",
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "max_position_embeddings": 30,
            "layer_norm_eps": 1e-12,
        },
        "modules.json": [
            {"path": "", "type": "sentence_transformers.models.Transformer"},
            {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
            {"path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
        ],
        "1_Pooling/config.json": {
            "pooling_mode_cls_token": False,
            "pooling_mode_mean_tokens": True,
        },
        "sentence_bert_config.json": {"max_seq_length": 24},
        "tokenizer_config.json": {"tokenizer_class": "BertTokenizer", "model_max_length": 512},
        "tokenizer.json": {
            "normalizer": normalizer,
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "added_tokens": [{"content": "[PAD]"}, {"content": "[MASK]"}],
            "model": {
                "type": "WordPiece",
                "continuing_subword_prefix": "##",
                "max_input_chars_per_word": 100,
                "vocab": {piece: number for number, piece in enumerate(tiny_model["pieces"])},
            },
        },
    }


@pytest.fixture
def files(tiny_model: dict[str, Any]) -> Files:
    return bert(tiny_model)


@pytest.fixture
def written(tmp_path: Path) -> WriteModel:
    def write(files: Files) -> Path:
        folder = tmp_path / "models" / "little"
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, bytes):
                path.write_bytes(content)
            else:
                said = content if isinstance(content, str) else json.dumps(content)
                path.write_text(said, "utf-8")
        return folder

    return write


def model_of(bundle: Path) -> bytes:
    with Bundle.open(bundle) as opened:
        return bytes(opened.model)


def test_a_folder_of_berts_kind_is_packed(
    tmp_path: Path, files: Files, written: WriteModel, tiny_section: bytes
) -> None:
    path, manifest = pack_encoder(tmp_path, written(files))
    assert path.name == "little-encoder.pdx"
    assert verify(path) == manifest
    assert model_of(path) == tiny_section
    assert manifest.licence == "MIT"
    assert manifest.encoder["pooling"] == "mean"
    assert manifest.encoder["max_length"] == "24"


def test_the_first_token_may_be_the_vector(
    tmp_path: Path, files: Files, written: WriteModel, tiny_model: dict[str, Any]
) -> None:
    files["1_Pooling/config.json"] = {"pooling_mode": "cls"}
    path, manifest = pack_encoder(tmp_path, written(files))
    assert manifest.encoder["pooling"] == "first token"
    assert model_of(path) == write_encoder(**tiny_model, is_first=True)


def test_pieces_may_stand_in_a_text_file(
    tmp_path: Path,
    files: Files,
    written: WriteModel,
    tiny_model: dict[str, Any],
    tiny_section: bytes,
) -> None:
    del files["tokenizer.json"]
    files["vocab.txt"] = "\n".join(tiny_model["pieces"]) + "\n"
    assert model_of(pack_encoder(tmp_path, written(files)).path) == tiny_section


@pytest.mark.parametrize("dtype", ["F16", "BF16"])
def test_numbers_of_half_the_width_are_widened(dtype: str) -> None:
    numbers = [1.5, -0.25, 0.0, 3.0]
    if dtype == "F16":
        content = struct.pack("<4e", *numbers)
    else:
        wide = array("f", numbers).tobytes()
        content = b"".join(wide[at + 2 : at + 4] for at in range(0, 16, 4))
    found = read_tensors(safetensors({"a": content}, dtype))
    assert list(array("f", bytes(found["a"]))) == numbers


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff" * 8,
        struct.pack("<Q", 2) + b"{]",
        struct.pack("<Q", 2) + b"[1",
        struct.pack("<Q", 5) + b'{"a":',
        safetensors({"a": bytes(8)})[:-1],
        safetensors({"a": bytes(7)}),
    ],
)
def test_what_is_no_safetensors_file_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="is no safetensors file"):
        read_tensors(content)


@pytest.mark.parametrize(
    ("path", "change", "problem"),
    [
        ("config.json", {"model_type": "mpnet"}, "its model_type is 'mpnet', not 'bert'"),
        ("config.json", {"hidden_act": "relu"}, "its hidden_act is 'relu'"),
        ("config.json", {"num_attention_heads": 4}, "has sizes that no encoder has"),
        ("config.json", {"num_hidden_layers": 3}, "has no tensor encoder.layer.2"),
        ("config.json", {"num_hidden_layers": None}, "its settings cannot be read"),
        ("1_Pooling/config.json", {"pooling_mode_max_tokens": True}, "mean and max_tokens"),
        ("1_Pooling/config.json", {"pooling_mode": "lasttoken"}, "its pooling is lasttoken"),
        ("tokenizer_config.json", {"do_lower_case": False}, "capital letters"),
        ("tokenizer_config.json", {"strip_accents": False}, "keeps accents"),
        ("tokenizer_config.json", {"tokenizer_class": "XLMRobertaTokenizer"}, "XLMRoberta"),
        ("tokenizer.json", {"pre_tokenizer": {"type": "Metaspace"}}, "Metaspace"),
        ("tokenizer.json", {"added_tokens": [{"content": "[CODE]"}]}, r"its own, \[CODE\]"),
        ("config_sentence_transformers.json", {"prompts": {"query": "Find: "}}, "words of its own"),
        ("config_sentence_transformers.json", {"similarity_fn_name": "euclidean"}, "euclidean"),
    ],
)
def test_what_our_encoder_does_otherwise_is_named(
    tmp_path: Path, files: Files, written: WriteModel, path: str, change: Files, problem: str
) -> None:
    files[path] = {**files.get(path, {}), **change}
    with pytest.raises(OtherModelError, match=f"little: cannot be packed, as .*{problem}"):
        pack_encoder(tmp_path, written(files))


def test_other_steps_are_named(tmp_path: Path, files: Files, written: WriteModel) -> None:
    files["modules.json"].insert(2, {"path": "2_Dense", "type": "sentence_transformers.Dense"})
    with pytest.raises(OtherModelError, match="its steps are Transformer, Pooling, Dense, Norm"):
        pack_encoder(tmp_path, written(files))
    del files["modules.json"]
    (tmp_path / "models" / "little" / "modules.json").unlink()
    with pytest.raises(OtherModelError, match=r"it has no modules\.json"):
        pack_encoder(tmp_path, written(files))


def test_a_build_packs_the_folder_that_is_named(
    tmp_path: Path, files: Files, written: WriteModel
) -> None:
    encoder, note = choose_encoder(str(written(files)), tmp_path / "out", tmp_path, print)
    assert encoder is not None
    assert Path(encoder.place) == (tmp_path / "out" / "little-encoder.pdx").resolve()
    assert encoder.is_bundle
    assert not note
    assert Encoder(model_of(Path(encoder.place))).dimensions == 32


def test_a_folder_in_a_hubs_cache_is_called_as_the_hub_calls_it(
    tmp_path: Path, files: Files, written: WriteModel
) -> None:
    cached = tmp_path / "models--somebody--tiny-words" / "snapshots" / "0a1b2c"
    cached.parent.mkdir(parents=True)
    written(files).rename(cached)
    assert pack_encoder(tmp_path, cached).manifest.name == "tiny-words"
