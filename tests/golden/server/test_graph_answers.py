"""Answers about references as files: wording, order and what is left out can be reviewed.

`PYDOCS_UPDATE_GOLDEN=1 pytest tests/golden/server` writes them anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pydocs_server.answered.analyze import analyze_symbol
from pydocs_server.answered.call_graph import call_graph
from pydocs_server.answered.context import get_context
from pydocs_server.answered.find import find
from pydocs_server.answered.references import get_references
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount
from pydocs_server.rendered.answer import Answer
from pydocs_server.rendered.pictures import dot, mermaid, references_picture
from tests.conftest import ContentOf, WriteBundle
from tests.unit.server.test_joins import joined_contents

ANSWERS = Path(__file__).parent / "graph_answers"


def drawn(draw: Callable[..., str]) -> Callable[[Catalog], Answer]:
    def answer(catalog: Catalog) -> Answer:
        impact = get_references(catalog, "core.Worker.run", "impact")
        return Answer(draw(references_picture(impact.structured)), {})

    return answer


CALLS: dict[str, Callable[[Catalog], Answer]] = {
    "callers": lambda c: get_references(c, "core.Worker.run"),
    "callers-may": lambda c: get_references(c, "middle.Sub.run"),
    "callers-none": lambda c: get_references(c, "outer.work"),
    "callers-inherited": lambda c: get_references(c, "middle.Sub.stop"),
    "callers-mentions": lambda c: get_references(c, "core.start"),
    "users-attribute": lambda c: get_references(c, "core.Worker.name"),
    "callees-may": lambda c: get_references(c, "outer.any_hand", "callees"),
    "inherits": lambda c: get_references(c, "core.Worker", "inherits"),
    "impact": lambda c: get_references(c, "core.Worker.run", "impact"),
    "context": lambda c: get_context(c, ["middle.Sub.run", "outer.work", "nope"]),
    "analyze": lambda c: analyze_symbol(c, "core.Worker"),
    "call-graph": lambda c: call_graph(c, "core.Worker.run"),
    "call-graph-mermaid": lambda c: call_graph(c, "core.Worker.run", format="mermaid"),
    "find": lambda c: find(c, "Worker.run", limit=3),
    "impact-dot": drawn(dot),
    "impact-mermaid": drawn(mermaid),
}


@pytest.mark.parametrize("name", CALLS)
def test_an_answer_about_references_reads_as_it_did(
    name: str,
    content_of: ContentOf,
    write: WriteBundle,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for content in joined_contents(content_of).values():
        write(tmp_path, content)
    with mount([str(tmp_path)], strict=True) as catalog:
        text = CALLS[name](catalog).text
    file = ANSWERS / f"{name}.txt"
    if os.environ.get("PYDOCS_UPDATE_GOLDEN"):
        file.write_text(text + "\n", "utf-8")
    assert text + "\n" == file.read_text("utf-8")


def test_every_golden_file_about_references_belongs_to_a_call() -> None:
    assert sorted(CALLS) == sorted(file.stem for file in ANSWERS.iterdir())
