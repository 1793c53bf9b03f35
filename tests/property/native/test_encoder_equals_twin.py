from __future__ import annotations

from types import ModuleType
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pydocs_native import _twins

characters = st.one_of(
    st.sampled_from([*"abcxyz !.,-", "\t", "\n", "\u00e9", "\u0301", "\u4e2d", "\u200b", "\ufffd"]),
    st.characters(),
)
parts = st.one_of(
    st.text(characters, max_size=12),
    st.sampled_from(["the", "timeout", "timing", "[MASK]", "[CLS]", "[mask]", "a" * 101]),
)
texts = st.lists(parts, max_size=12).map(" ".join)


def test_written_bytes(core: ModuleType, tiny_model: dict[str, Any]) -> None:
    assert core.write_encoder(**tiny_model) == _twins.write_encoder(**tiny_model)


@given(text=texts)
@settings(deadline=None)
def test_tokens(core: ModuleType, tiny_section: bytes, text: str) -> None:
    assert core.Encoder(tiny_section).tokenize(text) == _twins.Encoder(tiny_section).tokenize(text)


@given(some=st.lists(texts, max_size=3))
@settings(deadline=None, max_examples=40)
def test_vectors(core: ModuleType, tiny_section: bytes, some: list[str]) -> None:
    assert core.Encoder(tiny_section).encode(some) == _twins.Encoder(tiny_section).encode(some)
