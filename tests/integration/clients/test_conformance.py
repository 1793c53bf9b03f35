"""The official conformance suite, with what a read-only server cannot offer written down."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

HERE: Final = Path(__file__).parent
SUITES: Final = {
    "0.1.16": ("@modelcontextprotocol/conformance", ()),
    "2025-11-25": ("conformance-next", ("--requirements", "2025-11-25")),
    "2026-07-28": ("conformance-next", ("--requirements", "2026-07-28")),
}


@pytest.fixture(scope="module")
def address(real_bundles: Path) -> Iterator[str]:
    """Our server with the suite's tools beside its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, str(HERE / "fixture_server.py"), str(real_bundles), str(port)]
    process = subprocess.Popen(command)
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                assert time.monotonic() < deadline, "the server is not ready after a minute"
                time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("name", SUITES)
def test_the_suite_finds_nothing_but_what_is_written_down(
    address: str, name: str, tmp_path: Path
) -> None:
    package, options = SUITES[name]
    suite = HERE / "node_modules" / package / "dist" / "index.js"
    expected = HERE / "expected" / f"{name}.yml"
    command = ["node", str(suite), "server", "--url", address, *options]
    done = subprocess.run(
        [*command, "--expected-failures", str(expected)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    assert "passed" in done.stdout
