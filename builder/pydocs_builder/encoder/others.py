"""Other models than the published one: what a folder of sentence-transformers says of its model.

Only what our encoder does as the model's makers do is taken; whatever differs is named.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, NamedTuple

from pydocs_builder.encoder.published import Settings
from pydocs_builder.encoder.weights import Found
from pydocs_bundle.errors import PydocsError

__all__ = ["Other", "OtherModelError", "read_other"]

_SPECIAL: Final = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_IS_FIRST: Final = {"mean": False, "cls": True}
_WORD_CHARACTERS: Final = 100

_Json = Mapping[str, object]


class OtherModelError(PydocsError):
    """A model cannot become an encoder's bundle.

    Args:
        name: which model.
        problem: what it does that our encoder does not, a clause without full stop.
    """

    def __init__(self, name: str, problem: str) -> None:
        self.problem = problem
        super().__init__(
            f"{name}: cannot be packed, as {problem}; BERT models in lower case with a "
            "model.safetensors can, whose vector is the mean of all tokens or that of the first."
        )


class Other(NamedTuple):
    """A model that our encoder can be: how it is run, and the pieces of words that it knows."""

    settings: Settings
    pieces: list[str]


class _Unlike(Exception):  # noqa: N818 - what is unlike, not an error yet
    """What a model does that our encoder does not, a clause."""


def read_other(found: Found) -> Other:
    """What the files of a model say.

    Raises:
        OtherModelError: they say too little, or of another kind of model.
    """
    try:
        return _read(found.files)
    except _Unlike as unlike:
        raise OtherModelError(found.name, str(unlike)) from None
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        problem = f"its settings cannot be read ({type(error).__name__}: {error})"
        raise OtherModelError(found.name, problem) from error


def _read(files: Mapping[str, bytes]) -> Other:
    config = _json(files, "config.json")
    kinds = (
        ("model_type", "bert"),
        ("hidden_act", "gelu"),
        ("position_embedding_type", "absolute"),
        ("is_decoder", False),
    )
    for key, wanted in kinds:
        if config.get(key, wanted) != wanted:
            raise _Unlike(f"its {key} is {config[key]!r}, not {wanted!r}")
    is_first = _is_first(files)
    _check_uses(files)
    pieces, word_characters = _pieces(files)
    numbers = {piece: number for number, piece in enumerate(pieces)}
    if missing := [token for token in _SPECIAL if token not in numbers]:
        raise _Unlike(f"it has no token {missing[0]}")
    padding, unknown, start, end, mask = (numbers[token] for token in _SPECIAL)
    lengths = [
        _json(files, "sentence_bert_config.json").get("max_seq_length"),
        _json(files, "tokenizer_config.json").get("model_max_length"),
        config["max_position_embeddings"],
    ]
    settings = Settings(
        layers=_whole(config["num_hidden_layers"]),
        heads=_whole(config["num_attention_heads"]),
        positions=min(_whole(length) for length in lengths if length),
        special=(padding, unknown, start, end, mask),
        word_characters=word_characters,
        epsilon=float(str(config.get("layer_norm_eps", 1e-12))),
        is_first=is_first,
    )
    return Other(settings, pieces)


def _json(files: Mapping[str, bytes], path: str) -> _Json:
    found = json.loads(files.get(path, b"{}"))
    if not isinstance(found, dict):
        raise _Unlike(f"{path} holds no object")
    return found


def _whole(number: object) -> int:
    return int(float(str(number)))


def _is_first(files: Mapping[str, bytes]) -> bool:
    """Whether a vector is that of the first token, by the steps that follow the transformer."""
    if "modules.json" not in files:
        raise _Unlike("it has no modules.json, which says how tokens become a vector")
    modules = json.loads(files["modules.json"])
    steps = [module["type"].rpartition(".")[2] for module in modules]
    if steps not in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"]):
        raise _Unlike(f"its steps are {', '.join(steps)}")
    config = _json(files, f"{modules[1]['path']}/config.json")
    # Once there was a key for each way, some of which might hold together.
    names = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}
    ways = [
        names.get(key, key.removeprefix("pooling_mode_"))
        for key, is_on in config.items()
        if "_mode_" in key and is_on
    ]
    stated = config.get("pooling_mode", ways)
    ways = [str(way) for way in (stated if isinstance(stated, list) else [stated])]
    if len(ways) != 1 or ways[0] not in _IS_FIRST:
        raise _Unlike(f"its pooling is {' and '.join(ways) or 'not said'}")
    return _IS_FIRST[ways[0]]


def _check_uses(files: Mapping[str, bytes]) -> None:
    """Refuses what a vector of unit length for every text alike cannot do."""
    uses = _json(files, "config_sentence_transformers.json")
    prompts = uses.get("prompts") or {}
    if isinstance(prompts, dict) and any(prompts.values()):
        raise _Unlike("it puts words of its own before texts")
    similarity = uses.get("similarity_fn_name") or "cosine"
    keeps_length = b"Normalize" not in files["modules.json"]
    if similarity != "cosine" and (keeps_length or similarity != "dot"):
        raise _Unlike(f"its vectors are compared by {similarity}")


def _pieces(files: Mapping[str, bytes]) -> tuple[list[str], int]:
    """The pieces of words, and how many characters the longest word has that is taken apart."""
    config = _json(files, "tokenizer_config.json")
    if not str(config.get("tokenizer_class", "BertTokenizer")).startswith("BertTokenizer"):
        raise _Unlike(f"its tokenizer is {config['tokenizer_class']}")
    _check_normalised(
        config, is_lower="do_lower_case", accents="strip_accents", han="tokenize_chinese_chars"
    )
    if "tokenizer.json" not in files:
        pieces = files.get("vocab.txt", b"").decode().removesuffix("\n").split("\n")
        return [piece.removesuffix("\r") for piece in pieces], _WORD_CHARACTERS
    stated = json.loads(files["tokenizer.json"])
    model, normalizer = stated["model"], stated["normalizer"]
    kinds = [part["type"] for part in (model, normalizer, stated["pre_tokenizer"])]
    if kinds != ["WordPiece", "BertNormalizer", "BertPreTokenizer"]:
        raise _Unlike(f"its tokenizer is {', '.join(kinds)}")
    _check_normalised(
        normalizer, is_lower="lowercase", accents="strip_accents", han="handle_chinese_chars"
    )
    if model["continuing_subword_prefix"] != "##":
        raise _Unlike("its tokenizer continues words otherwise than by ##")
    added = [str(token["content"]) for token in stated["added_tokens"]]
    if odd := sorted({*added} - {*_SPECIAL}):
        raise _Unlike(f"it has a token of its own, {odd[0]}")
    vocabulary = {str(piece): _whole(number) for piece, number in model["vocab"].items()}
    pieces = sorted(vocabulary, key=lambda piece: vocabulary[piece])
    if [vocabulary[piece] for piece in pieces] != list(range(len(pieces))):
        raise _Unlike("its tokens are not numbered one after the other")
    return pieces, _whole(model["max_input_chars_per_word"])


def _check_normalised(stated: _Json, *, is_lower: str, accents: str, han: str) -> None:
    if not stated.get(is_lower, True):
        raise _Unlike("it tells capital letters from small ones")
    if stated.get(accents) is False or not stated.get(han, True):
        raise _Unlike("it keeps accents, or writes Chinese characters together")
