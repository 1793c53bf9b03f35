"""Docstrings in any writing system are found by words of them, with or without blanks between."""

from __future__ import annotations

import shutil
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from pydocs_builder.content import build_content
from pydocs_builder.targets import Target
from pydocs_bundle import write_bundle
from pydocs_server.answered.search import search_codebase
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount

INPUT = Path(__file__).parents[1] / "inputs" / "cjk-and-identifiers" / "cjk.py"
MORE = '''
def korean():
    """한국어문서검색기능 테스트입니다"""

def thai():
    """ค้นหาเอกสารภาษาไทย"""

def wide():
    """\uff26\uff55\uff4c\uff4c\uff37\uff49\uff44\uff54\uff48 文字"""

def emoji():
    """Launch 🚀 now."""

def marked():
    """A\u030angstro\u0308m und nai\u0308ve."""

def arabic():
    """بحث في الوثائق"""
'''


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    root = tmp_path_factory.mktemp("scripts")
    shutil.copy(INPUT, root)
    (root / "more.py").write_text(MORE, "utf-8")
    content, notes = build_content(
        Target("project", "scripts", "1", str(root), ("cjk.py", "more.py"), ("cjk", "more"))
    )
    assert notes == ()
    write_bundle(root / "scripts.pdx", content, builder={})
    return mount([str(root)])


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("悬空", "cjk.rerun"),
        ("itgc", "cjk.rerun"),
        ("清零", "cjk.rerun"),
        ("テスト", "cjk.sandbox"),
        ("サンドボックス", "cjk.sandbox"),
        (unicodedata.normalize("NFC", "café"), "cjk.cafe"),
        (unicodedata.normalize("NFD", "café"), "cjk.cafe"),
        ("검색", "more.korean"),
        ("เอกสาร", "more.thai"),
        ("fullwidth", "more.wide"),
        ("文字", "more.wide"),
        ("🚀", "more.emoji"),
        ("ångström", "more.marked"),
        ("naïve", "more.marked"),
        ("الوثائق", "more.arabic"),
    ],
)
def test_words_of_a_docstring_find_it(catalog: Catalog, query: str, name: str) -> None:
    results: Any = search_codebase(catalog, query).structured["results"]
    assert results[0]["qualified_name"] == name
