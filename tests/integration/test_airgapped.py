"""Everything is answered with the network cut, nowhere to write, no home and no source tree."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

# The project's tree is covered by an empty one; bundles and home cannot be written to.
CUT_OFF: Final = """\
set -e
mount -t tmpfs -o ro none "$PROJECT"
mount -t tmpfs -o ro none "$HOME"
mount --bind "$BUNDLES" "$BUNDLES"
mount -o remount,bind,ro "$BUNDLES"
mount -o remount,bind,ro /
cd "$HOME"
! touch "$HOME/x" "$BUNDLES/x" 2>/dev/null
! test -e "$PROJECT/pyproject.toml"
! grep -v -e ' lo:' -e 'Inter-' -e ' face' /proc/net/dev
exec "$@"
"""
UNSHARE: Final = ("unshare", "--map-root-user", "--mount", "--net")

COMMANDS: Final = (
    (("overview",), "shop"),
    (("overview", "rich"), "rich"),
    (("search", "prices in cents"), "shop.total"),
    (("symbol", "shop.Order", "--depth", "source"), "class Order"),
    (("context", "shop.Order"), "What a customer wants"),
    (("refs", "shop.total"), "shop.checkout.pay"),
    (("refs", "packaging.version.Version", "--direction", "impact"), "shop.checkout.newest"),
    (("why", "why cents"), "cents"),
    (("grep", "def total", "--scope", "project"), "def total(prices"),
    (("glob", "shop/*.py"), "shop@1.0/shop/_orders.py"),
    (("read", "shop@1.0/shop/_orders.py"), "def total(prices"),
)


class CutOff:
    """Runs the server's command where there is nothing but the bundles."""

    def __init__(self, project: Path, bundles: Path, home: Path) -> None:
        self.environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "PROJECT": str(project),
            "BUNDLES": str(bundles),
            "HOME": str(home),
            "TMPDIR": str(home),
        }
        self.bundles = bundles

    def run(self, *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "pydocs_server", *arguments]
        return subprocess.run(
            [*UNSHARE, "sh", "-c", CUT_OFF, "sh", *command, "--bundle", str(self.bundles)],
            env=self.environment,
            input=given,
            capture_output=True,
            check=False,
            timeout=120,
        )


@pytest.fixture
def cut_off(real_bundles: Path, sample_project: Path, tmp_path: Path) -> CutOff:
    if shutil.which("unshare") is None:
        pytest.skip("there is no unshare here to cut the network with")
    probe = subprocess.run([*UNSHARE, "true"], capture_output=True, text=True, check=False)
    if probe.returncode:
        pytest.skip(f"namespaces are not allowed here: {probe.stderr.strip()}")
    home = tmp_path / "home"
    home.mkdir()
    return CutOff(sample_project, real_bundles, home)


@pytest.mark.parametrize(("arguments", "expected"), COMMANDS, ids=lambda value: str(value)[:30])
def test_every_command_answers(cut_off: CutOff, arguments: tuple[str, ...], expected: str) -> None:
    run = cut_off.run(*arguments)

    assert run.returncode == 0, run.stderr.decode()
    assert expected in run.stdout.decode()
    assert run.stderr == b""


def test_the_server_answers(cut_off: CutOff) -> None:
    calls: tuple[tuple[str, dict[str, object]], ...] = (
        ("search_codebase", {"query": "prices in cents"}),
        ("get_references", {"target": "shop.total", "direction": "impact"}),
        ("get_why", {"query": "cents"}),
        ("grep", {"pattern": "def total"}),
        ("read_file", {"file_path": "shop@1.0/shop/_orders.py"}),
    )
    hello = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    lines: list[dict[str, object]] = [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]
    lines += [
        {
            "jsonrpc": "2.0",
            "id": number,
            "method": "tools/call",
            "params": {"name": name, "arguments": arguments},
        }
        for number, (name, arguments) in enumerate(calls, 1)
    ]

    run = cut_off.run("serve", given=b"".join(json.dumps(line).encode() + b"\n" for line in lines))

    assert run.returncode == 0, run.stderr.decode()
    answers = {message["id"]: message for message in map(json.loads, run.stdout.splitlines())}
    assert set(answers) == {0, *range(1, len(calls) + 1)}
    for number in range(1, len(calls) + 1):
        assert not answers[number]["result"].get("isError"), answers[number]
