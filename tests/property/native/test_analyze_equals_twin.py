from __future__ import annotations

import os
import sys
import unicodedata
from pathlib import Path
from types import ModuleType

from hypothesis import example, given
from hypothesis import strategies as st

from pydocs_native import _twins

# Rust and each Python know another version of Unicode; characters of the oldest are in all.
characters = st.characters(exclude_categories=["Cn"]).filter(
    lambda c: unicodedata.ucd_3_2_0.category(c) != "Cn"
)
words = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,20}", fullmatch=True)
pieces = st.one_of(st.text(characters, max_size=20), words, st.sampled_from([" ", "'", "’", "."]))  # noqa: RUF001
texts = st.lists(pieces, max_size=12).map("".join)


@given(text=texts)
@example(text="\ud800")
@example(text="ΑΣ ς İ ǅ ﷺ ŉs’s don’t_x IDs's")  # noqa: RUF001
@example(text="a" * 256 + "_B")
@example(text="a" * 257 + "_B")
@example(text="é" * 70 + "_Users")
def test_analyze(core: ModuleType, text: str) -> None:
    assert core.analyze(text) == _twins.analyze(text)


def test_every_character_known_to_this_python(core: ModuleType) -> None:
    for code in range(sys.maxunicode + 1):
        c = chr(code)
        if unicodedata.category(c) != "Cn":
            for text in (c, f"a{c}B"):
                assert core.analyze(text) == _twins.analyze(text), hex(code)


def test_the_interpreters_own_sources(core: ModuleType) -> None:
    for path in sorted(Path(os.__file__).parent.glob("*.py"))[::4]:
        text = path.read_text("utf-8")
        assert core.analyze(text) == _twins.analyze(text), path.name


@given(said=st.lists(texts, max_size=4), terms=st.lists(words | texts, max_size=6))
@example(said=["Caching a\ud800b"], terms=["b", "cach", "b", "\ud800"])
def test_terms_in(core: ModuleType, said: list[str], terms: list[str]) -> None:
    assert core.terms_in(said, terms) == _twins.terms_in(said, terms)
