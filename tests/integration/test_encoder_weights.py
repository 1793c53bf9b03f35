"""The real model: tokens and vectors as its makers' own code gives them.

`PYDOCS_TEST_ENCODER` names the bundle that `pydocs-build encoder` wrote; the session `tests` of
nox makes it, which also tries the download.
"""

from __future__ import annotations

import json
import os
from array import array
from collections.abc import Iterator
from operator import mul
from pathlib import Path
from typing import Any

import pytest

from pydocs_bundle import Bundle
from pydocs_native import IMPLEMENTATION, Encoder

REFERENCE = Path(__file__).parents[1] / "inputs" / "encoder-reference" / "reference.json"


@pytest.fixture(scope="module")
def encoder() -> Iterator[Encoder]:
    place = os.environ.get("PYDOCS_TEST_ENCODER", "")
    if not place or IMPLEMENTATION == "python":
        pytest.skip("PYDOCS_TEST_ENCODER names no bundle, or there is no Rust to read it with")
    with Bundle.open(Path(place)) as bundle:
        yield Encoder(bytes(bundle.model))


@pytest.fixture(scope="module")
def items() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(REFERENCE.read_text("utf-8"))["items"]
    return found


def test_tokens_are_those_of_the_model_s_own_tokenizer(
    encoder: Encoder, items: list[dict[str, Any]]
) -> None:
    for item in items:
        assert encoder.tokenize(item["text"]) == item["input_ids"], item["text"]


def test_vectors_are_close_to_those_of_full_precision(
    encoder: Encoder, items: list[dict[str, Any]]
) -> None:
    vectors = array("f", encoder.encode([item["text"] for item in items]))
    size = encoder.dimensions
    cosines = [
        sum(map(mul, vectors[place * size : (place + 1) * size], item["vector"]))
        for place, item in enumerate(items)
    ]
    assert min(cosines) >= 0.99
    assert sum(cosines) / len(cosines) >= 0.998
