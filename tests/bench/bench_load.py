"""Many clients at once over HTTP: how long their calls take, and how many go wrong.

One server process with its workers, one process of clients; each client keeps one connection and
sends the next call when the last is answered, for as long as told. The calls are those of an
assistant at work, over the bundles given.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from statistics import quantiles

from bench_mcp_start import httpx_bundles
from measure import table

CALLS: tuple[tuple[str, dict[str, object]], ...] = (
    ("search_codebase", {"query": "set a timeout on a client's connection pool"}),
    ("search_codebase", {"query": "how to retry a request after an error"}),
    ("search_codebase", {"query": "parse a version string"}),
    ("get_overview", {}),
    ("get_symbol", {"target": "httpx.Client.get"}),
    ("get_symbol", {"target": "click.Command", "depth": "source"}),
    ("get_context", {"targets": ["httpx.Client.send", "httpx.Response.json"]}),
    ("get_references", {"target": "httpx.Client.send"}),
    ("get_symbol", {"target": "no.such.name"}),
    ("grep", {"pattern": r"class \w+Error\b", "glob": "*.py"}),
    ("glob", {"pattern": "**/_client*.py"}),
)


def main() -> None:
    """Starts the server, loads it and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cache", type=Path, help="folder for environments, kept between runs")
    parser.add_argument("--bundles", type=Path, help="serve these instead of httpx and its pins")
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--json", type=Path, help="write the figures here, too")
    typed = parser.parse_args()
    bundles = typed.bundles or httpx_bundles(typed.cache.resolve())
    serve = [sys.executable, "-m", "pydocs_server", "serve", "--bundle", str(bundles)]
    process = subprocess.Popen(
        [*serve, "--http", "127.0.0.1:0", "--workers", str(typed.workers)],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        found = re.search(r"127\.0\.0\.1:(\d+)", process.stderr.readline())
        assert found is not None
        figures = asyncio.run(loaded(int(found[1]), typed.clients, typed.seconds))
        figures |= {"worker MiB": largest(process.pid)}
    finally:
        process.terminate()
        process.wait(timeout=30)
    heading = [f"{typed.clients} clients", *figures]
    print(table([heading, [f"{typed.workers} workers", *figures.values()]]))
    if typed.json:
        typed.json.write_text(json.dumps(figures, indent=1), encoding="utf-8")


async def loaded(port: int, clients: int, seconds: float) -> dict[str, float]:
    """The figures of all calls of all clients, after each has had its first answer."""
    taken: list[float] = []
    wrong: Counter[str] = Counter()
    ready = asyncio.Barrier(clients)
    workers = [client(port, number, seconds, ready, taken, wrong) for number in range(clients)]
    started = time.perf_counter()
    await asyncio.gather(*workers)
    lasted = time.perf_counter() - started
    for what, count in wrong.most_common():
        print(f"{count} times: {what}", file=sys.stderr)
    centiles = quantiles(taken, n=100)
    return {
        "calls": len(taken),
        "calls/s": len(taken) / lasted,
        "p50 ms": centiles[49] * 1e3,
        "p95 ms": centiles[94] * 1e3,
        "p99 ms": centiles[98] * 1e3,
        "max ms": max(taken) * 1e3,
        "errors": wrong.total(),
    }


async def client(
    port: int,
    number: int,
    seconds: float,
    ready: asyncio.Barrier,
    taken: list[float],
    wrong: Counter[str],
) -> None:
    """One client's calls, one after the other."""
    chosen = random.Random(number)  # noqa: S311 - repeats
    reader, writer = await connected(port)
    await call(reader, writer, *CALLS[number % len(CALLS)])
    await ready.wait()
    end = time.perf_counter() + seconds
    while (begun := time.perf_counter()) < end:
        name, arguments = chosen.choice(CALLS)
        try:
            status, answer = await call(reader, writer, name, arguments)
        except (OSError, EOFError, ValueError) as error:
            wrong[f"{name}: {type(error).__name__}"] += 1
            reader, writer = await connected(port)
            continue
        taken.append(time.perf_counter() - begun)
        expects_error = arguments.get("target") == "no.such.name"
        if status != 200 or answer["result"]["isError"] is not expects_error:
            wrong[f"{name}: {status}"] += 1
    writer.close()


async def connected(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection, once the server takes one."""
    while True:
        try:
            return await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)


async def call(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    name: str,
    arguments: dict[str, object],
) -> tuple[int, dict[str, dict[str, object]]]:
    """The status and the message of one answer."""
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    }
    body = json.dumps(message).encode()
    head = (
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Accept: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    writer.write(head.encode() + body)
    await writer.drain()
    answered = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    length = re.search(r"(?i)content-length: (\d+)", answered)
    assert length is not None
    return int(answered.split()[1]), json.loads(await reader.readexactly(int(length[1])))


def largest(supervisor: int) -> float:
    """The memory of the largest process of a tree, in MiB; mapped bundles are included."""
    listed = Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text("utf-8")
    pages = [
        int(Path(f"/proc/{each}/statm").read_text("utf-8").split()[1])
        for each in (supervisor, *listed.split())
    ]
    return max(pages) * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    main()
