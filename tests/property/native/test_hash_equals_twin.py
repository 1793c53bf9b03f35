from __future__ import annotations

from types import ModuleType

from hypothesis import given
from hypothesis import strategies as st

from pydocs_native import _twins


@given(content=st.binary(max_size=300))
def test_xxh64(core: ModuleType, content: bytes) -> None:
    assert core.xxh64(content) == _twins.xxh64(content)
