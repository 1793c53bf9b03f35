"""From starting the MCP server to its first answer, beside a bare server of the same SDK.

Both are started in turn, in the same run, so that whatever else the machine does hits both. Each
gets `initialize` and one `search_codebase` over stdio; the clock stops when the answer's line is
read. CPU is all that the process used until it ended.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench_build import build_ours
from environments import HERE, environment, ours, project
from measure import table

REQUESTS = (
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"},
        },
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {
            "name": "search_codebase",
            "arguments": {"query": "set a timeout on a client's connection pool"},
        },
    },
)
AIM = 1.2


class Start(NamedTuple):
    """One start: seconds to the first answer, CPU seconds of the whole process, its peak memory."""

    wall_s: float
    cpu_s: float
    peak_mib: float


def main() -> None:
    """Measures both sides and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cache", type=Path, help="folder for environments, kept between runs")
    parser.add_argument("--bundles", type=Path, help="serve these instead of httpx and its pins")
    parser.add_argument("--runs", type=int, default=15, help="starts of each")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    options = parser.parse_args()
    bundles = options.bundles or httpx_bundles(options.cache.resolve())
    sides: dict[str, list[str]] = {
        "bare server of the SDK": [sys.executable, str(HERE / "bare_server.py")],
        "pydocs-mcp serve": [str(ours("pydocs-mcp")), "serve", "--bundle", str(bundles)],
    }
    starts: dict[str, list[Start]] = {name: [] for name in sides}
    for number in range(options.runs + 1):
        for name, command in sides.items():
            measured = start(command)
            if number:  # the first start of each warms the page cache
                starts[name].append(measured)
    rows = {
        name: [median(column) for column in zip(*every, strict=True)]
        for name, every in starts.items()
    }
    bare, served = rows.values()
    ratios = [mine / theirs for mine, theirs in zip(served, bare, strict=True)]
    heading = ("", "first answer s", "CPU s", "peak MiB")
    print(table([heading, *((name, *row) for name, row in rows.items()), ("ratio", *ratios)]))
    print(f"median of {options.runs} starts each; aim: first answer at most {AIM} times")
    if options.json:
        figures = {name: Start(*row)._asdict() for name, row in rows.items()}
        figures["ratio"] = Start(*ratios)._asdict()
        options.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


def httpx_bundles(cache: Path) -> Path:
    """The bundles of httpx and all it pins, built if they are not there."""
    bundles = cache / "httpx-bundles"
    if not list(bundles.glob("*.pdx")):
        pins = HERE / "httpx.txt"
        wanted = project(cache / "httpx-project", pins)
        build_ours(wanted, environment(cache / "httpx", pins), bundles, str(os.cpu_count()))
    return bundles


def start(command: Sequence[str]) -> Start:
    """Starts a server, asks it once, and ends it."""
    begun = time.perf_counter()
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"".join(json.dumps(each).encode() + b"\n" for each in REQUESTS))
    process.stdin.flush()
    for line in process.stdout:
        message = json.loads(line)
        if message.get("id") == 2:
            break
    wall = time.perf_counter() - begun
    if "result" not in message or message["result"].get("isError"):
        sys.exit(f"{command[0]} answered {message}")
    process.stdin.close()
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Start(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


if __name__ == "__main__":
    main()
