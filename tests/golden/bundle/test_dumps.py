"""What one small bundle holds, as text that a reviewer can read.

`UPDATE_GOLDEN=1 pytest tests/golden/bundle` writes the files anew.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pydocs_bundle import Bundle, Kind, ReferenceKind, verify, write_bundle
from pydocs_bundle.records import (
    BundleContent,
    Decision,
    Entry,
    IndexText,
    Reference,
    Requirement,
    Score,
    SourceFile,
)
from pydocs_bundle.schema import COLUMNS

HERE = Path(__file__).parent
GUIDE = b"# Use\n\nTurn it.\n"
TAP = b'''\
class Tap:
    """Gives water.

    Cold only.
    """

    def turn(self):
        """Turns\\tit."""
        return turn(self)


LITRES = 3
'''


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    content = BundleContent(
        kind="dependency",
        name="Tap",
        version="1.0",
        files=(SourceFile("docs/guide.md", GUIDE), SourceFile("tap.py", TAP, "utf-8", "tap")),
        entries=(
            Entry("Tap#docs/guide.md:Use", Kind.SECTION, 0, 0, 16, 1, 3, summary="Turn it."),
            Entry("tap", Kind.MODULE, 1, 0, len(TAP), 1, 12),
            Entry(
                *("tap.Tap", Kind.CLASS, 1, 0, 126, 1, 9, "", "Gives water."),
                *("Gives water.\n\nCold only.", "water.Tap", 1, 0, ("pipe.End",), ("t.Tap",)),
            ),
            Entry(
                *("tap.Tap.turn", Kind.METHOD, 1, 60, 126, 7, 9, "(self)", "Turns\tit."),
                *("Turns\tit.", "", 2, 1),
            ),
            Entry("tap.LITRES", Kind.ATTRIBUTE, 1, 129, 139, 12, 12, " = 3", parent=1),
        ),
        texts=tuple(IndexText(word, "", "", "", "", "", "") for word in ("a", "b", "c", "d")),
        references=(
            Reference(ReferenceKind.INHERIT, 2, "pipe.End", 1, 1, 10, "exact"),
            Reference(ReferenceKind.CALL, 3, "turn", 1, 9, 15, reason="no such name in scope"),
        ),
        decisions=(Decision(0, "section", "Use", "Turn it.", governs=("tap.Tap", "tap.py")),),
        requirements=(
            Requirement("pipe", ">=1", "built", "2.0"),
            Requirement("seal", "<3", "", detail="extra == 'cold'"),
        ),
        modules=("tap",),
        imports=("pipe",),
        summary="Gives water.",
        licence="MIT",
        source={"record": "0" * 64},
        scores=(Score(2, 1, 85, 1), Score(4, 3, 240, 1)),
    )
    path = tmp_path_factory.mktemp("golden") / "tap.pdx"
    write_bundle(path, content, builder={"pydocs-builder": "0.1.0"}, fingerprint="f")
    verify(path)
    return Bundle.open(path)


def test_manifest(bundle: Bundle) -> None:
    said = json.loads(bundle.layout.manifest)
    # These change with SQLite and with the analysis of text; the two that remain must not.
    said["sections"] |= {"DB": "…", "PXI": "…"}
    said["content_id"] = "…"
    check("manifest.json", json.dumps(said, indent=1, ensure_ascii=False) + "\n")


def test_database(bundle: Bundle) -> None:
    connection = bundle.database()
    lines = [sql + ";\n" for (sql,) in connection.execute("SELECT sql FROM sqlite_schema")]
    for table, columns in COLUMNS.items():
        listed = ", ".join(columns)
        lines += [
            f"INSERT INTO {table} VALUES({', '.join(map(literal, row))});\n"
            for row in connection.execute(f"SELECT {listed} FROM {table} ORDER BY 1, 2")  # noqa: S608 # ours
        ]
    check("database.sql", "".join(lines))


def test_records(bundle: Bundle) -> None:
    _, *frames = bundle.raw_section("CHK")
    fields = json.loads(b"".join(frames))
    lines = [json.dumps(field, ensure_ascii=False, separators=(",", ":")) for field in fields]
    check("records.jsonl", "".join(f"{line}\n" for line in lines))


def test_text(bundle: Bundle) -> None:
    check("text.txt", b"".join(bundle.raw_section("TEXT")).decode())


def literal(value: object) -> str:
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return "NULL" if value is None else str(value)


def check(name: str, text: str) -> None:
    path = HERE / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
