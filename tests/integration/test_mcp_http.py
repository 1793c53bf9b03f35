"""The server over HTTP as clients, browsers and attackers meet it: a process and an address."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from http_wire import JSON_HEADERS, Served, ask, serving, still_answers
from mcp import Client
from mcp_types import TextContent

ERAS: Final = ("legacy", "2026-07-28")
TOKEN: Final = "a-long-token"  # noqa: S105 - of this test alone
FOREIGN_HOSTS: Final = (
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "localhost:80.evil.example",
    "evil.example:80",
    "127.0.0.1:99999",
    "127.0.0.1@evil.example",
    "10.0.0.1",
    "",
)
FOREIGN_ORIGINS: Final = (
    "null",
    "http://evil.example",
    "http://localhost.evil.example",
    "http://localhost:80.evil.example",
    "http://localhost@evil.example",
    "https://127.0.0.1:1/../evil",
    "file://",
    "localhost",
)


def children(process: int) -> list[int]:
    listed = Path(f"/proc/{process}/task/{process}/children").read_text("utf-8")
    return [int(each) for each in listed.split()]


def servers(process: int) -> list[int]:
    """The workers of a supervisor, without the helper that multiprocessing starts beside them."""
    return [
        each
        for each in children(process)
        if b"resource_tracker" not in Path(f"/proc/{each}/cmdline").read_bytes()
    ]


@pytest.fixture(scope="module")
def served(real_bundles: Path) -> Iterator[Served]:
    with serving(real_bundles) as started:
        yield started


@pytest.mark.parametrize("mode", ERAS)
def test_both_eras_are_answered_over_http(served: Served, mode: str) -> None:
    async def main() -> None:
        async with Client(served.url, mode=mode, read_timeout_seconds=60) as client:
            tools = (await client.list_tools()).tools
            assert "search_codebase" in {tool.name for tool in tools}
            result = await client.call_tool("get_symbol", {"target": "shop.total"})
            (content,) = result.content
            assert isinstance(content, TextContent)
            assert "The sum of prices in cents." in content.text
            assert isinstance(result.structured_content, dict)

    asyncio.run(main())


def test_health_names_what_is_served_by_content(served: Served) -> None:
    status, body = ask(served, "GET", "/healthz")
    health = json.loads(body)
    assert (status, health["status"]) == (200, "ok")
    by_name = {each["name"]: each for each in health["bundles"]}
    assert by_name["shop"]["version"] == "1.0"
    assert re.fullmatch("[0-9a-f]{64}", by_name["shop"]["content_id"])


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_a_request_for_another_host_is_refused(served: Served, host: str) -> None:
    status, body = ask(served, "GET", "/healthz", headers={"host": host})
    assert status in (400, 421)
    assert b"bundles" not in body
    still_answers(served)


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
def test_a_page_from_elsewhere_is_refused(served: Served, origin: str) -> None:
    for path in ("/healthz", "/mcp"):
        status, body = ask(served, "POST", path, b"{}", JSON_HEADERS | {"origin": origin})
        assert status == 403
        assert b"Origin" in body
    still_answers(served)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "127.0.0.1", "[::1]"])
def test_this_machine_is_let_in_by_any_of_its_names(served: Served, host: str) -> None:
    headers = {"host": f"{host}:{served.port}", "origin": f"http://localhost:{served.port}"}
    assert ask(served, "GET", "/healthz", headers=headers)[0] == 200


def test_two_host_headers_are_refused(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=30) as wire:
        wire.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n")
        assert b" 400 " in wire.recv(100)
    still_answers(served)


def test_without_sessions_there_is_nothing_to_open_or_end(served: Served) -> None:
    for method in ("GET", "DELETE", "PUT"):
        status, body = ask(served, method, "/mcp", headers=JSON_HEADERS)
        assert (status, b"POST" in body) == (405, True)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b"null",
        b'{"jsonrpc":"2.0"}',
        b'{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":' + b"[" * 400_000,
        b"[" * 400_000 + b"]" * 400_000,
        b'{"jsonrpc":"2.0","id":1,"method":"no/such"}',
    ],
    ids=["empty", "cut", "bytes", "list", "null", "bare", "id", "deep", "deeper", "method"],
)
def test_what_is_no_request_is_refused_as_such(served: Served, body: bytes) -> None:
    for extra in ({}, {"mcp-protocol-version": "2026-07-28"}):
        status, answer = ask(served, "POST", "/mcp", body, JSON_HEADERS | extra)
        assert status < 500, answer
        assert b"Traceback" not in answer
        if status == 200:
            assert "error" in json.loads(answer)
    still_answers(served)


def test_a_body_that_is_too_long_is_refused(served: Served) -> None:
    status, answer = ask(served, "POST", "/mcp", b" " * (2 << 20), JSON_HEADERS)
    assert (status, b"at most" in answer) == (413, True)
    still_answers(served)


def test_a_body_of_no_declared_length_is_bounded_too(served: Served) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=30)
    pieces = (b" " * 65_536 for _ in range(64))
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        connection.request("POST", "/mcp", pieces, JSON_HEADERS)
        assert connection.getresponse().status == 413
    connection.close()
    still_answers(served)


def test_clients_that_never_finish_keep_no_other_waiting(served: Served) -> None:
    with contextlib.ExitStack() as open_wires:
        for number in range(50):
            wire = socket.create_connection(("127.0.0.1", served.port), timeout=60)
            open_wires.enter_context(wire)
            wire.sendall(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\n")
            if number % 2:
                wire.sendall(b"Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{")
        still_answers(served)
        # Each is let go of in the end, those in their head and those in their body.
        for started in (0, 1):
            assert_let_go(served, body=bool(started))
    still_answers(served)


def assert_let_go(served: Served, *, body: bool) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=60) as wire:
        wire.sendall(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\n")
        if body:
            wire.sendall(b"Content-Length: 500\r\n\r\n{")
        said = b""
        while part := wire.recv(4096):
            said += part
        assert (b" 408 " in said) is body


def test_many_calls_at_once_are_all_answered(served: Served) -> None:
    async def main() -> None:
        async with Client(served.url, mode="2026-07-28", read_timeout_seconds=120) as client:
            names = ["shop.total", "shop.Order", "no.such.name"] * 100
            calls = [client.call_tool("get_symbol", {"target": name}) for name in names]
            results = await asyncio.gather(*calls)
            assert [bool(each.is_error) for each in results] == [False, False, True] * 100

    asyncio.run(main())


def test_a_token_is_asked_for_where_one_is_set(real_bundles: Path) -> None:
    with serving(real_bundles, token=TOKEN) as served:
        message = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
        wrong = ("", "Bearer", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x")
        for given in wrong:
            headers = JSON_HEADERS | ({"authorization": given} if given else {})
            assert ask(served, "POST", "/mcp", message, headers)[0] == 401
        assert json.loads(ask(served, "GET", "/healthz")[1]) == {"status": "ok"}
        headers = JSON_HEADERS | {"authorization": f"Bearer {TOKEN}"}
        assert ask(served, "POST", "/mcp", message, headers)[0] == 200
        assert b"bundles" in ask(served, "GET", "/healthz", headers=headers)[1]


def test_names_and_origins_can_be_allowed(real_bundles: Path) -> None:
    allowed = ("--allow-host", "docs.example", "--allow-origin", "https://tools.example")
    with serving(real_bundles, *allowed) as served:
        headers = {"host": "docs.example", "origin": "https://tools.example"}
        assert ask(served, "GET", "/healthz", headers=headers)[0] == 200
        assert ask(served, "GET", "/healthz", headers={"host": "evil.example"})[0] == 421


def test_it_ends_when_told_to(real_bundles: Path) -> None:
    with serving(real_bundles) as served:
        served.process.send_signal(signal.SIGTERM)
        assert served.process.wait(timeout=30) in (0, -signal.SIGTERM)


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks for processes in /proc")
def test_a_worker_that_dies_is_replaced_and_none_outlives_its_supervisor(
    real_bundles: Path,
) -> None:
    with serving(real_bundles, "--workers", "2") as served:
        first = servers(served.process.pid)
        assert len(first) == 2
        os.kill(first[0], signal.SIGKILL)
        deadline = time.monotonic() + 60
        while (now := servers(served.process.pid)) == first or len(now) < 2:
            assert time.monotonic() < deadline, "no new worker after a minute"
            time.sleep(0.1)
        still_answers(served)
        # Stopped hard, it can tell nobody.
        served.process.kill()
        served.process.wait(timeout=30)
        while any(Path(f"/proc/{each}").exists() for each in now):
            assert time.monotonic() < deadline, "a worker is left over"
            time.sleep(0.1)


@pytest.mark.parametrize("written", ["here", "127.0.0.1:", "127.0.0.1:99999", "a b:80", "::1:80"])
def test_what_is_no_address_is_said_in_a_sentence(real_bundles: Path, written: str) -> None:
    command = [sys.executable, "-m", "pydocs_server", "serve", "--bundle", str(real_bundles)]
    done = subprocess.run(
        [*command, "--http", written], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert "write HOST:PORT" in done.stderr


def test_an_address_that_is_taken_is_said_in_a_sentence(served: Served, real_bundles: Path) -> None:
    command = [sys.executable, "-m", "pydocs_server", "serve", "--bundle", str(real_bundles)]
    done = subprocess.run(
        [*command, "--http", f"127.0.0.1:{served.port}"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "cannot be listened on" in done.stderr
