"""A server over HTTP as a process of its own, and requests to it without the SDK."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

__all__ = ["JSON_HEADERS", "Served", "ask", "serving", "still_answers"]

JSON_HEADERS: Final = {"content-type": "application/json", "accept": "application/json"}


class Served(NamedTuple):
    process: subprocess.Popen[str]
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"


@contextlib.contextmanager
def serving(bundles: Path, *options: str, token: str = "") -> Iterator[Served]:
    command = [sys.executable, "-m", "pydocs_server", "serve", "--bundle", str(bundles)]
    process = subprocess.Popen(
        [*command, "--http", "127.0.0.1:0", *options],
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"PYDOCS_TOKEN": token},
    )
    try:
        assert process.stderr is not None
        said = process.stderr.readline()
        match = re.search(r"http://127\.0\.0\.1:(\d+)/mcp", said)
        assert match, said
        served = Served(process, int(match[1]))
        until_ready(served)
        yield served
    finally:
        process.kill()
        process.communicate()


def until_ready(served: Served) -> None:
    deadline = time.monotonic() + 60
    while True:
        with contextlib.suppress(OSError, http.client.HTTPException):
            ask(served, "GET", "/healthz")
            return
        assert time.monotonic() < deadline, "the server is not ready after a minute"
        time.sleep(0.05)


def ask(
    served: Served,
    method: str,
    path: str,
    body: bytes | None = None,
    headers: dict[str, str] | None = None,
) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=30)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def called(served: Served, name: str = "get_symbol", **arguments: object) -> dict[str, Any]:
    """The result of a tool, as a client without the SDK asks for it."""
    params = {"name": name, "arguments": arguments or {"target": "shop.total"}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    status, body = ask(served, "POST", "/mcp", json.dumps(message).encode(), JSON_HEADERS)
    assert status == 200, body
    result = json.loads(body)["result"]
    assert isinstance(result, dict)
    return result


def still_answers(served: Served) -> None:
    assert not called(served)["isError"]
