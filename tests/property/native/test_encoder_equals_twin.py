from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
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


@pytest.mark.parametrize("is_first", [False, True])
def test_written_bytes(core: ModuleType, tiny_model: dict[str, Any], *, is_first: bool) -> None:
    written = core.write_encoder(**tiny_model, is_first=is_first)
    assert written == _twins.write_encoder(**tiny_model, is_first=is_first)


@given(text=texts)
@settings(deadline=None)
def test_tokens(core: ModuleType, tiny_section: bytes, text: str) -> None:
    assert core.Encoder(tiny_section).tokenize(text) == _twins.Encoder(tiny_section).tokenize(text)


@given(some=st.lists(texts, max_size=3), version=st.sampled_from([b"\1", b"\2"]))
@settings(deadline=None, max_examples=40)
def test_vectors(core: ModuleType, tiny_section: bytes, some: list[str], version: bytes) -> None:
    section = version + tiny_section[1:]
    assert core.Encoder(section).encode(some) == _twins.Encoder(section).encode(some)
