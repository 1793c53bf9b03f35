"""The encoder on a model of random numbers: Rust and its twin alike."""

from __future__ import annotations

import math
from array import array
from types import ModuleType
from typing import Any

import pytest


def test_a_text_becomes_the_longest_known_pieces(native: ModuleType, tiny_section: bytes) -> None:
    encoder = native.Encoder(tiny_section)
    start, the, time, out, unknown, end = 2, 5, 7, 8, 1, 3
    assert encoder.tokenize("The TIMEOUT 9") == [start, the, time, out, unknown, end]


def test_special_tokens_in_a_text_are_themselves(native: ModuleType, tiny_section: bytes) -> None:
    assert native.Encoder(tiny_section).tokenize("the[MASK]!") == [2, 5, 4, 9, 3]


def test_accents_and_controls_are_dropped(native: ModuleType, tiny_section: bytes) -> None:
    encoder = native.Encoder(tiny_section)
    assert encoder.tokenize("t\u0301h\u200b\u0085\ud800\u00e9") == encoder.tokenize("the")


def test_a_long_text_is_cut(native: ModuleType, tiny_section: bytes) -> None:
    tokens = native.Encoder(tiny_section).tokenize("time " * 99)
    assert len(tokens) == 24
    assert tokens[-1] == 3


def test_a_word_that_is_too_long_is_unknown(native: ModuleType, tiny_section: bytes) -> None:
    encoder = native.Encoder(tiny_section)
    assert encoder.tokenize("a" * 101) == [2, 1, 3]
    assert len(encoder.tokenize("a" * 100)) == 24


def test_a_vector_has_unit_length(native: ModuleType, tiny_section: bytes) -> None:
    encoder = native.Encoder(tiny_section)
    vector = array("f", encoder.encode(["the time"]))
    assert len(vector) == encoder.dimensions == 32
    assert math.hypot(*vector) == pytest.approx(1.0, abs=1e-6)


def test_a_vector_does_not_depend_on_other_texts(native: ModuleType, tiny_section: bytes) -> None:
    encoder = native.Encoder(tiny_section)
    texts = ["", "a", "the timing of time", "a", "z " * 40]
    assert encoder.encode(texts) == b"".join(encoder.encode([text]) for text in texts)


def test_a_vector_may_be_that_of_the_first_token(
    native: ModuleType, tiny_model: dict[str, Any], tiny_section: bytes
) -> None:
    section = native.write_encoder(**tiny_model, is_first=True)
    assert (section[:4], tiny_section[:4]) == (b"\2\0\0\0", b"\1\0\0\0")
    assert section[4:] == tiny_section[4:]
    texts = ["", "the time", "the timing"]
    vectors = native.Encoder(section).encode(texts)
    assert math.hypot(*array("f", vectors)[:32]) == pytest.approx(1.0, abs=1e-6)
    assert vectors != native.Encoder(tiny_section).encode(texts)
    assert vectors == b"".join(native.Encoder(section).encode([text]) for text in texts)


def test_no_texts_have_no_vectors(native: ModuleType, tiny_section: bytes) -> None:
    assert native.Encoder(tiny_section).encode([]) == b""


def test_memory_that_can_change_is_refused(native: ModuleType, tiny_section: bytes) -> None:
    with pytest.raises(TypeError):
        native.Encoder(memoryview(bytearray(tiny_section)))


@pytest.mark.parametrize(
    ("at", "number", "problem"),
    [
        (0, 9, "has version 9"),
        (4, 33, "has sizes that no encoder has"),
        (12, 0, "has sizes that no encoder has"),
        (20, 25, "bytes where its sizes want"),
        (40, 60_000, "has sizes that no encoder has"),
        (64, 0x7000_7000, "has a slot for a piece that is not there"),
    ],
)
def test_a_damaged_section_is_refused(
    native: ModuleType, tiny_section: bytes, at: int, number: int, problem: str
) -> None:
    section = tiny_section[:at] + number.to_bytes(4, "little") + tiny_section[at + 4 :]
    with pytest.raises(ValueError, match=problem):
        native.Encoder(section)


def test_a_number_that_is_not_finite_is_refused(native: ModuleType, tiny_section: bytes) -> None:
    nan = array("f", [math.nan]).tobytes()
    with pytest.raises(ValueError, match="not finite"):
        native.Encoder(tiny_section[:-4] + nan)


def test_a_cut_section_is_refused(native: ModuleType, tiny_section: bytes) -> None:
    for length in (0, 63, 64, len(tiny_section) - 1):
        with pytest.raises(ValueError, match="the encoder section "):
            native.Encoder(tiny_section[:length])


def test_a_missing_tensor_is_named(native: ModuleType, tiny_model: dict[str, Any]) -> None:
    name = "encoder.layer.1.output.dense.bias"
    tensors = {key: value for key, value in tiny_model["tensors"].items() if key != name}
    with pytest.raises(ValueError, match=f"has no tensor {name}"):
        native.write_encoder(**{**tiny_model, "tensors": tensors})
