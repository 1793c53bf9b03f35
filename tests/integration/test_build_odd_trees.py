"""Trees as they are found: odd names, links that lead in circles, pipes, other encodings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pydocs_bundle import Bundle, verify
from pydocs_server.answered.grep import grep
from pydocs_server.answered.search import search_codebase
from pydocs_server.mounted.mount import mount

NAMES = Path(__file__).parents[1] / "inputs" / "surrogate-file-names" / "make.py"
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="names that other systems refuse")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A bundle of an odd tree, and what the build said."""
    root = tmp_path_factory.mktemp("odd")
    project = root / "project"
    package = project / "src" / "space" / "inner"
    package.mkdir(parents=True)
    (project / "pyproject.toml").write_text('[project]\nname = "odd"\nversion = "1"\n')
    (package / "mod.py").write_text("def reached(): ...\n")
    for folder in (project, package):
        subprocess.run([sys.executable, str(NAMES)], cwd=folder, check=True)
    (package / "circle").symlink_to(package)
    (package / "first").symlink_to(package / "second")
    (package / "second").symlink_to(package / "first")
    (package / "nowhere.py").symlink_to(package / "missing.py")
    (package / "secret.md").symlink_to("/etc/passwd")
    (package / "folder.py").mkdir()
    os.mkfifo(package / "pipe.py")
    (project / "tab\tname.md").write_text("# A\n")
    (project / "trailing .md").write_text("# B\n")
    (project / "per%20cent.md").write_text("# C\n")
    (project / "wide.md").write_bytes("# Größe\n\nBeiße ab.\n".encode("utf-16"))
    (project / "nothing.py").write_bytes(b"")
    (project / "table.py").write_text(f"TABLE = {list(range(100_000))}\ndef after(): ...\n")
    command = [sys.executable, "-m", "pydocs_builder", str(project), "--out", str(root / "out")]
    done = subprocess.run(
        [*command, "--json"], capture_output=True, check=True, text=True, timeout=120
    )
    return root / "out" / "odd-1.pdx", json.loads(done.stdout)


def test_every_file_is_there_or_named_with_escapes(
    built: tuple[Path, dict[str, Any]],
) -> None:
    path, summary = built
    with Bundle.open(path) as bundle:
        paths = set(bundle.text.paths)
    notes = [note.removeprefix("odd 1: ") for note in summary["notes"]]
    for folder in ("", "src/space/inner/"):
        names = (
            "-dash.py",
            "Case.py",
            "case.py",
            "caf\u00e9.py",
            "cafe\u0301.py",
            "a" * 250 + ".py",
        )
        assert {folder + name for name in (*names, "q'uo\"te.py")} <= paths
        for name in (r"bad_\udcff\udce9.py", r"new\nline.py"):
            assert any(note.startswith(f"{folder}{name}: left out") for note in notes)
    assert {"trailing .md", "per%20cent.md", "wide.md", "nothing.py"} <= paths
    assert any(note.startswith(r"tab\tname.md: left out") for note in notes)
    assert not [each for each in paths if "circle" in each or "pipe" in each or "secret" in each]
    assert summary["exit_status"] == 0
    verify(path)


def test_names_are_unique_and_all_are_found(built: tuple[Path, dict[str, Any]]) -> None:
    path, _ = built
    with Bundle.open(path) as bundle:
        names = Counter(record.qualified_name for record in bundle.records)
    assert max(names.values()) == 1
    catalog = mount([str(path)])
    results: Any = search_codebase(catalog, "reached").structured["results"]
    assert results[0]["qualified_name"] == "space.inner.mod.reached"
    json.dumps(search_codebase(catalog, "f", limit=100).structured)
    assert "wide.md\n3:Beiße ab." in grep(catalog, "Beiße").text
    assert "after" in search_codebase(catalog, "table.after").text
