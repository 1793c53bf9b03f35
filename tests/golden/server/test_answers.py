"""Rendered answers as files, so that a change of wording is a diff somebody can read.

`PYDOCS_UPDATE_GOLDEN=1 pytest tests/golden/server` writes them anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pydocs_bundle.errors import PydocsError
from pydocs_server.rendered.answer import Answer
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.answered.docs_collections import list_docs, reindex
from pydocs_server.answered.overview import get_overview
from pydocs_server.answered.passages import ask_docs
from pydocs_server.answered.search import search_codebase
from pydocs_server.answered.symbol import get_symbol

ANSWERS = Path(__file__).parent / "answers"
CALLS: dict[str, Callable[[Catalog], Answer]] = {
    "overview": get_overview,
    "overview-httpq": lambda catalog: get_overview(catalog, "httpq"),
    "overview-unknown": lambda catalog: get_overview(catalog, "htpq"),
    "search-name": lambda catalog: search_codebase(catalog, "httpq.Client"),
    "search-bare-name": lambda catalog: search_codebase(catalog, "Request", limit=4),
    "search-question": lambda catalog: search_codebase(catalog, "how do I set a timeout", limit=5),
    "search-failure": lambda catalog: search_codebase(
        catalog, "RuntimeError: Cannot send, the pool is closed already", limit=2
    ),
    "search-none": lambda catalog: search_codebase(catalog, "zygomorphic quux", kind="docs"),
    "symbol-summary": lambda catalog: get_symbol(catalog, "httpq.Client"),
    "symbol-tree": lambda catalog: get_symbol(catalog, "httpq.Client", depth="tree"),
    "symbol-source": lambda catalog: get_symbol(catalog, "yamp.safe_load", depth="source"),
    "symbol-module": lambda catalog: get_symbol(catalog, "httpq", depth="tree"),
    "symbol-inherited": lambda catalog: get_symbol(catalog, "flasq.Flasq.route"),
    "symbol-versions": lambda catalog: get_symbol(catalog, "pydanteq.Model.dump"),
    "symbol-section": lambda catalog: get_symbol(catalog, "httpq#readme:Timeouts"),
    "symbol-unknown": lambda catalog: get_symbol(catalog, "httpq.Cleint"),
}


DOCS_CALLS: dict[str, Callable[[Catalog], Answer]] = {
    "ask": lambda catalog: ask_docs(catalog, "How do I restore a backup?"),
    "ask-cut": lambda catalog: ask_docs(catalog, "colour and margin of the shop", max_chars=500),
    "ask-none": lambda catalog: ask_docs(catalog, "What is the capital of France?"),
    "ask-unknown": lambda catalog: ask_docs(catalog, "hours", layer="guides"),
    "docs": list_docs,
    "docs-overview": lambda catalog: get_overview(catalog, "handbook"),
    "docs-reindex": reindex,
}


@pytest.mark.parametrize("name", CALLS)
def test_an_answer_reads_as_it_did(catalog: Catalog, name: str) -> None:
    compare(name, CALLS[name], catalog)


@pytest.mark.parametrize("name", DOCS_CALLS)
def test_an_answer_from_collections_reads_as_it_did(collections: Catalog, name: str) -> None:
    compare(name, DOCS_CALLS[name], collections)


def compare(name: str, call: Callable[[Catalog], Answer], catalog: Catalog) -> None:
    try:
        text = call(catalog).text
    except PydocsError as error:
        text = str(error)
    file = ANSWERS / f"{name}.txt"
    if os.environ.get("PYDOCS_UPDATE_GOLDEN"):
        ANSWERS.mkdir(exist_ok=True)
        file.write_text(text + "\n", "utf-8")
    assert text + "\n" == file.read_text("utf-8")


def test_every_golden_file_belongs_to_a_call() -> None:
    assert sorted([*CALLS, *DOCS_CALLS]) == sorted(file.stem for file in ANSWERS.iterdir())
