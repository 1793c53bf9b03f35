"""What the server may import, where import-linter sees too little: modules of the standard library.

It knows `urllib`, not `urllib.request`, and it does not see what a module pulls in at run time.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NETWORK = {"ftplib", "http", "smtplib", "socket", "socketserver", "ssl", "urllib.request", "xmlrpc"}
SPEAKS_MCP = "mcp_server"
# The wires may be reached; what answers may not reach out.
LISTENS = {SPEAKS_MCP, "http_server"}


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def sources(*packages: str) -> list[Path]:
    found = [path for package in packages for path in (ROOT / package).rglob("*.py")]
    assert found
    return sorted(found)


def test_what_answers_reaches_no_network() -> None:
    for path in sources("server/pydocs_bundle", "server/pydocs_server", "native/pydocs_native"):
        if path.stem in LISTENS:
            continue
        found = {name for name in imports(path) if name in NETWORK or name.split(".")[0] in NETWORK}
        assert not found, f"{path.relative_to(ROOT)} imports {sorted(found)}"


def test_one_module_imports_the_mcp_sdk() -> None:
    packages = ("server/pydocs_bundle", "server/pydocs_server", "builder/pydocs_builder")
    found = {
        path.stem
        for path in sources(*packages)
        if any(name.split(".")[0] == "mcp" for name in imports(path))
    }
    assert found == {SPEAKS_MCP}


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The modules that one cold search on the command line ends with."""
    project = tmp_path_factory.mktemp("project")
    (project / "pyproject.toml").write_text('[project]\nname = "demo"\nversion = "1"\n', "utf-8")
    (project / "demo.py").write_text('def open_door():\n    """Opens the door."""\n', "utf-8")
    build = [sys.executable, "-m", "pydocs_builder", str(project), "--out", str(project / "out")]
    subprocess.run(build, check=True, capture_output=True)
    program = (
        "import sys\n"
        "from pydocs_server.cli import main\n"
        f"status = main(['search', 'open the door', '--bundle', {str(project / 'out')!r}])\n"
        "print(*sys.modules, file=sys.stderr)\n"
        "sys.exit(status)\n"
    )
    search = [sys.executable, "-c", program]
    done = subprocess.run(search, check=True, capture_output=True, text=True)
    assert "open_door" in done.stdout
    return set(done.stderr.split())


@pytest.mark.parametrize(
    "module",
    ["pydocs_builder", "mcp", "apsw", "rich", "packaging", "asyncio", "socket", "ssl", "torch"],
)
def test_the_command_line_answers_a_search_without(module: str, loaded: set[str]) -> None:
    assert module not in loaded
