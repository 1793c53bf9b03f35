"""The exact edges of a small program, through the real type checker.

Its report is undocumented: whatever another version of it says differently shows here.
`PYDOCS_UPDATE_GOLDEN=1 pytest tests/golden/builder` writes them anew.
"""

from __future__ import annotations

import os
from pathlib import Path

from pydocs_builder.checked.checker import Limits, find_checker
from pydocs_builder.checked.reports import open_reports
from pydocs_builder.content import build_content
from pydocs_builder.planned.sight import parts_of
from pydocs_builder.targets import Checking, Target, Viewed

PROGRAM = Path(__file__).parents[2] / "inputs" / "checked"
GOLDEN = Path(__file__).parent / "checked.txt"
FILES = ("shop/__init__.py", "shop/things.py")


def test_exact_edges_of_the_program_are_as_written(tmp_path: Path) -> None:
    target = Target(
        "project", "shop", "1", str(PROGRAM), FILES, ("shop",), python="3.12", checking=Checking("")
    )
    view = Viewed("", str(PROGRAM), ("",), parts_of(FILES, ("",)), (), "")
    with open_reports([(target, 1)], [view], find_checker(), Limits(), tmp_path) as reports:
        content, notes = build_content(target, (), reports[""])
    lines = [
        f"{edge.line}:{edge.column} {edge.kind.name.lower()}"
        f" {content.entries[edge.source].qualified_name} -> {edge.target}"
        for edge in sorted(content.references, key=lambda edge: edge[3:])
        if edge.tier == "exact"
    ]
    text = "\n".join(lines) + "\n"
    if os.environ.get("PYDOCS_UPDATE_GOLDEN"):
        GOLDEN.write_text(text, "utf-8")
    assert text == GOLDEN.read_text("utf-8")
    assert notes == ()
    assert list(tmp_path.iterdir()) == []
