"""The server as a client meets it: a process, two pipes, and the protocol in both of its eras."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp_types import INVALID_PARAMS, CallToolResult, TextContent

INPUTS: Final = Path(__file__).parents[1] / "inputs"
ERAS: Final = ("legacy", "2026-07-28")
PATTERNS: Final = tuple(
    (INPUTS / "regex-backtracking" / "patterns.txt").read_text("utf-8").split("\n")
)
TOOLS: Final = (
    "get_overview",
    "search_codebase",
    "get_symbol",
    "get_context",
    "get_references",
    "get_why",
    "grep",
    "glob",
    "read_file",
)
PATH_TRICKS: Final = (
    "../../../../etc/passwd",
    "/etc/passwd",
    "shop@1.0/../../etc/passwd",
    "shop@1.0//etc/passwd",
    "shop/..%2f..%2fetc/passwd",
    "%2e%2e/%2e%2e/etc/passwd",
    "C:\\Windows\\win.ini",
    "\\\\host\\share\\file",
    "file:///etc/passwd",
    "shop@1.0/shop/_orders.py\x00.txt",
    "shop-evil@1.0/x",
    "~root/.ssh/id_rsa",
    ".",
    "..",
    "/",
    "//",
    "@",
    "@/",
    "==",
    "shop@",
    "shop@9.9/shop/_orders.py",
    "con",
    "a" * 9_000,
    "a/" * 4_000,
)
HIDDEN: Final = ("\x1b", "\u202e", "\u200b", "\x00")

T = TypeVar("T")


def command(bundles: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "pydocs_server", "serve", "--bundle", str(bundles), *more]


def talk(
    bundles: Path,
    conversation: Callable[[Client], Awaitable[T]],
    mode: str = "auto",
    env: dict[str, str] | None = None,
    more: Sequence[str] = (),
) -> T:
    program, *arguments = command(bundles, *more)

    async def main() -> T:
        server = StdioServerParameters(command=program, args=arguments, env=env or dict(os.environ))
        async with Client(server, mode=mode, read_timeout_seconds=60) as client:
            return await conversation(client)

    return asyncio.run(main())


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


async def good(client: Client, name: str, **arguments: object) -> tuple[str, dict[str, Any]]:
    """An answer that is no error, as text and structured."""
    result = await client.call_tool(name, arguments)
    assert not result.is_error, text_of(result)
    assert isinstance(result.structured_content, dict)
    assert not any(hidden in text_of(result) for hidden in HIDDEN)
    return text_of(result), result.structured_content


async def bad(client: Client, name: str, **arguments: object) -> str:
    """The sentence of a tool error."""
    result = await client.call_tool(name, arguments)
    assert result.is_error, text_of(result)[:300]
    assert not any(hidden in text_of(result) for hidden in HIDDEN)
    assert "Traceback" not in text_of(result)
    assert len(text_of(result)) < 3_000
    return text_of(result)


async def still_answers(client: Client) -> None:
    _, found = await good(client, "get_symbol", target="shop.total")
    assert found


@pytest.mark.parametrize("mode", ERAS)
def test_both_eras_list_the_nine_tools(real_bundles: Path, mode: str) -> None:
    async def conversation(client: Client) -> None:
        listed = (await client.list_tools()).tools
        assert tuple(tool.name for tool in listed) == TOOLS
        for tool in listed:
            assert tool.title
            assert tool.description
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint is True
            assert tool.annotations.idempotent_hint is True
            assert tool.annotations.open_world_hint is False
        await still_answers(client)

    talk(real_bundles, conversation, mode)


def test_a_set_of_tools_is_offered_beside_the_nine_where_asked(real_bundles: Path) -> None:
    async def conversation(client: Client) -> None:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert names == [*TOOLS, "analyze_symbol", "call_graph", "find"]
        text, _ = await good(client, "analyze_symbol", target="shop.total")
        assert "risk of a change: " in text
        _, found = await good(client, "call_graph", target="shop.total", format="mermaid")
        assert found["mermaid"].startswith("flowchart LR")
        _, found = await good(client, "find", query="Order.price")
        assert found["places"][0]["public_name"] == "shop.Order.price"
        await bad(client, "call_graph", target="shop.total", depth=7)

    talk(real_bundles, conversation, more=["--toolset", "analysis"])


@pytest.mark.parametrize("mode", ERAS)
def test_every_tool_answers(real_bundles: Path, mode: str) -> None:
    async def conversation(client: Client) -> None:
        text, _ = await good(client, "get_overview")
        assert "shop" in text
        assert "rich" in text
        text, found = await good(client, "search_codebase", query="sum of prices in cents")
        assert found["results"][0]["qualified_name"] == "shop._orders.total"
        assert "shop.total" in text
        text, found = await good(client, "get_symbol", target="shop.Order", depth="source")
        assert "class Order" in text
        text, found = await good(client, "get_context", targets=["shop.Order", "no.such.thing"])
        assert "What a customer wants" in text
        assert "no.such.thing" in text
        assert found["unknown"]
        text, found = await good(client, "get_references", target="shop.total")
        assert found["status"] == "found"
        callers = {edge["qualified_name"] for edge in found["edges"]}
        assert {"shop._orders.Order.price", "shop.checkout.pay"} <= callers
        assert any(edge["is_test"] for edge in found["edges"])
        text, found = await good(client, "get_why", query="why are prices in cents")
        assert "cents" in text
        assert found["decisions"]
        text, found = await good(client, "grep", pattern=r"return \w+\(", scope="project")
        assert found["matches"]
        text, found = await good(client, "glob", pattern="shop/*.py")
        assert {row["path"] for row in found["files"]} >= {"shop/_orders.py", "shop/checkout.py"}
        text, found = await good(client, "read_file", file_path="shop@1.0/shop/_orders.py")
        assert "1\t" in text
        assert '"""Orders and their prices."""' in text

    talk(real_bundles, conversation, mode)


def test_calls_cross_from_the_project_into_a_dependency(real_bundles: Path) -> None:
    async def conversation(client: Client) -> None:
        _, found = await good(
            client, "get_references", target="packaging.version.Version", direction="callers"
        )
        assert "shop._orders.newest" in {edge["qualified_name"] for edge in found["edges"]}
        _, found = await good(client, "get_references", target="shop.total", direction="impact")
        depths = {edge["qualified_name"]: edge["depth"] for edge in found["edges"]}
        assert depths["shop._orders.Order.price"] == 1
        _, found = await good(client, "get_references", target="shop.Order", direction="inherits")
        assert "shop._orders.SpecialOrder" in {edge["qualified_name"] for edge in found["edges"]}

    talk(real_bundles, conversation)


def test_unknown_names_say_what_to_call(real_bundles: Path) -> None:
    async def conversation(client: Client) -> None:
        for tool, arguments in (
            ("get_symbol", {"target": "shop.Ordr"}),
            ("get_references", {"target": "shop.Ordr"}),
            ("get_context", {"targets": ["shop.Ordr"]}),
        ):
            sentence = await bad(client, tool, **arguments)
            assert "shop.Order" in sentence
            assert "get_symbol" in sentence
        sentence = await bad(client, "get_overview", package="riich")
        assert "rich" in sentence
        sentence = await bad(client, "read_file", file_path="shop/_order.py")
        assert "shop@1.0/shop/_orders.py" in sentence
        sentence = await bad(client, "search_codebase", query="x", package="rich==0.0.1")
        assert "rich" in sentence
        await still_answers(client)

    talk(real_bundles, conversation)


def test_an_unknown_tool_is_a_protocol_error(real_bundles: Path) -> None:
    async def conversation(client: Client) -> None:
        with pytest.raises(MCPError) as error:
            await client.call_tool("rm_rf", {})
        assert error.value.code == INVALID_PARAMS
        assert "get_symbol" in error.value.message
        await still_answers(client)

    talk(real_bundles, conversation)


def test_wrong_arguments_are_tool_errors(real_bundles: Path) -> None:
    wrong: tuple[tuple[str, dict[str, object], str], ...] = (
        ("search_codebase", {}, "query"),
        ("search_codebase", {"query": ""}, "query"),
        ("search_codebase", {"query": "x", "limit": 10**9}, "1 to 1,000"),
        ("search_codebase", {"query": "x", "limit": -1}, "1 to 1,000"),
        ("search_codebase", {"query": "x", "limit": "ten"}, "whole number"),
        ("search_codebase", {"query": "x", "limit": 1.5}, "whole number"),
        ("search_codebase", {"query": "x", "limit": True}, "whole number"),
        ("search_codebase", {"query": ["x"]}, "string"),
        ("search_codebase", {"query": "x", "scope": "everything"}, "project, deps, all"),
        ("search_codebase", {"query": "x", "colour": "red"}, "no parameter"),
        ("get_symbol", {"target": "shop.total", "depth": "deep"}, "summary, tree, source"),
        ("get_context", {"targets": []}, "1 to 20"),
        ("get_context", {"targets": ["shop"] * 21}, "1 to 20"),
        ("get_context", {"targets": "shop.total"}, "list"),
        ("get_context", {"targets": [1]}, "string"),
        ("get_references", {"target": "shop.total", "direction": "up"}, "callers, callees"),
        ("grep", {"pattern": ""}, "pattern"),
        ("grep", {"pattern": "x", "before": -1}, "0 to 100"),
        ("grep", {"pattern": "x", "multiline": "yes"}, "true or false"),
        ("glob", {"pattern": "{a,b}" * 60}, "alternatives"),
        ("read_file", {"file_path": "README.md", "offset": 0}, "whole number"),
        ("read_file", {"file_path": "shop@1.0/README.md", "offset": 10_000}, "offset="),
        ("read_file", {"file_path": {"a": 1}}, "string"),
    )

    async def conversation(client: Client) -> None:
        for tool, arguments, expected in wrong:
            sentence = await bad(client, tool, **arguments)
            assert expected in sentence, (tool, arguments, sentence)
            await still_answers(client)

    talk(real_bundles, conversation)


def test_path_tricks_reach_nothing_outside_the_bundles(real_bundles: Path) -> None:
    async def conversation(client: Client) -> None:
        for trick in PATH_TRICKS:
            for tool, arguments in (
                ("read_file", {"file_path": trick}),
                ("grep", {"pattern": "root:", "path": trick}),
                ("glob", {"pattern": trick}),
                ("glob", {"pattern": "**", "path": trick}),
                ("get_symbol", {"target": trick}),
                ("get_overview", {"package": trick}),
                ("search_codebase", {"query": "prices", "package": trick}),
                ("get_why", {"targets": [trick]}),
                ("get_symbol", {"target": "shop.total", "project": trick}),
            ):
                result = await client.call_tool(tool, arguments)
                text = text_of(result)
                assert "root:x:" not in text
                assert "Traceback" not in text
                assert "which is a bug" not in text, (tool, arguments, text)
                assert not any(hidden in text for hidden in HIDDEN)
        await still_answers(client)

    talk(real_bundles, conversation)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_that_backtrack_end_in_time(real_bundles: Path, pattern: str) -> None:
    async def conversation(client: Client) -> float:
        started = time.monotonic()
        result = await client.call_tool("grep", {"pattern": pattern, "multiline": True})
        elapsed = time.monotonic() - started
        assert "Traceback" not in text_of(result)
        assert "which is a bug" not in text_of(result)
        await still_answers(client)
        return elapsed

    assert talk(real_bundles, conversation) < 12


def test_huge_arguments_are_refused_and_the_next_call_is_answered(real_bundles: Path) -> None:
    async def conversation(client: Client) -> None:
        huge = "a" * 10_000_000
        assert "10,000,000" in await bad(client, "grep", pattern=huge)
        assert "10,000,000" in await bad(client, "search_codebase", query=huge)
        assert "10,000,000" in await bad(client, "get_symbol", target=huge)
        await bad(client, huge[:20_000] and "get_symbol", **{huge[:20_000]: 1})
        await still_answers(client)

    talk(real_bundles, conversation)


def test_text_from_packages_is_fenced_and_shows_what_is_hidden(real_bundles: Path) -> None:
    async def conversation(client: Client) -> None:
        text, _ = await good(client, "read_file", file_path="shop@1.0/shop/checkout.py")
        assert "\\u202e" in text
        assert "\\x1b" in text
        assert text.startswith("````"), "a fence that the fence inside cannot close"
        await good(client, "get_symbol", target="shop.checkout.hostile", depth="source")
        await good(client, "get_context", targets=["shop.checkout.hostile"])
        await good(client, "grep", pattern="previous instructions")
        await good(client, "search_codebase", query="ignore all previous instructions")

    talk(real_bundles, conversation)


def test_nothing_from_a_bundle_reaches_definitions_or_instructions(real_bundles: Path) -> None:
    async def conversation(client: Client) -> None:
        listed = await client.list_tools()
        said = listed.model_dump_json() + (client.instructions or "")
        assert "previous instructions" not in said
        assert "Sells things" not in said
        assert "shop 1.0" in said
        assert "packaging" in said

    talk(real_bundles, conversation, "legacy")


def test_a_hundred_calls_at_once_are_all_answered(real_bundles: Path) -> None:
    calls: tuple[tuple[str, dict[str, object]], ...] = (
        ("search_codebase", {"query": "prices"}),
        ("get_symbol", {"target": "shop.Order"}),
        ("grep", {"pattern": "def "}),
        ("get_references", {"target": "shop.total"}),
        ("get_why", {"query": "cents"}),
    )

    async def conversation(client: Client) -> list[CallToolResult]:
        return await asyncio.gather(
            *(client.call_tool(*calls[number % len(calls)]) for number in range(100))
        )

    results = talk(real_bundles, conversation)
    assert len(results) == 100
    answers: dict[int, set[str]] = {}
    for number, result in enumerate(results):
        assert not result.is_error, text_of(result)
        answers.setdefault(number % len(calls), set()).add(text_of(result))
    assert all(len(same) == 1 for same in answers.values()), "one question, one answer"


def test_a_quick_call_overtakes_a_slow_one(real_bundles: Path) -> None:
    async def conversation(client: Client) -> list[str]:
        order: list[str] = []

        async def ask(tool: str, **arguments: object) -> None:
            await client.call_tool(tool, arguments)
            order.append(tool)

        slow = asyncio.create_task(ask("grep", pattern=r"(.)(.)(.).*\3\2\1.*\1\2\3zz"))
        await asyncio.sleep(0.05)
        await ask("get_symbol", target="shop.total")
        await slow
        return order

    assert talk(real_bundles, conversation) == ["get_symbol", "grep"]


def test_a_legacy_code_page_changes_nothing(real_bundles: Path) -> None:
    async def conversation(client: Client) -> None:
        text, _ = await good(client, "search_codebase", query="→ 悬空 ✓")
        assert "悬空" in text
        text, _ = await good(client, "get_symbol", target="shop.checkout.label")
        assert "maps a → b ✓ 悬空" in text

    env = {"PYTHONIOENCODING": "cp1252", "LC_ALL": "C", "PYTHONUTF8": "0"}
    talk(real_bundles, conversation, env=env)


# --- below the client: bytes on the pipes


def exchange(
    bundles: Path, lines: Iterable[bytes], *, end: bytes = b"\n", timeout: float = 60
) -> list[dict[str, Any]]:
    """Writes lines, closes input, and gives the messages of the answer, each from a whole line."""
    run = subprocess.run(
        command(bundles),
        input=b"".join(line + end for line in lines),
        capture_output=True,
        timeout=timeout,
        check=True,
        env=os.environ | {"PYTHONIOENCODING": "cp1252", "LC_ALL": "C"},
    )
    assert b"\r" not in run.stdout
    assert run.stdout.endswith(b"\n")
    messages = [json.loads(line.decode("utf-8")) for line in run.stdout.splitlines()]
    assert all(message["jsonrpc"] == "2.0" for message in messages)
    return messages


def request(number: int, method: str, **params: object) -> bytes:
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps(message, ensure_ascii=False).encode()


HELLO: Final = (
    request(
        1,
        "initialize",
        protocolVersion="2025-11-25",
        capabilities={},
        clientInfo={"name": "test", "version": "1"},
    ),
    b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
)


def search(number: int, query: str = "prices → 悬空") -> bytes:
    return request(
        number, "tools/call", name="search_codebase", arguments={"query": query, "limit": 3}
    )


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_all_that_was_asked_before_the_end_of_input_is_answered(
    real_bundles: Path, end: bytes
) -> None:
    asked = range(2, 12)
    answers = exchange(real_bundles, [*HELLO, *map(search, asked)], end=end)
    assert {message["id"] for message in answers} == {1, *asked}
    for message in answers:
        assert "result" in message, message


def test_lines_that_are_no_messages_are_refused_and_the_next_is_answered(
    real_bundles: Path,
) -> None:
    deep = b'{"jsonrpc":"2.0","id":9,"method":"ping","params":' + b"[" * 100_000 + b"]" * 100_000
    wrong = [
        b"hello",
        b"{",
        b"[]",
        b"42",
        b'{"jsonrpc":"1.0","id":3,"method":"ping"}',
        b"\xff\xfe\x00",
        deep + b"}",
        b'{"jsonrpc":"2.0","id":4}',
        b"",
    ]
    answers = exchange(real_bundles, [*HELLO, *wrong, search(5)])
    by_id = {message["id"]: message for message in answers}
    assert "result" in by_id[5]
    codes = [message["error"]["code"] for message in answers if message["id"] is None]
    assert set(codes) == {-32700, -32600}
    assert len(codes) == len(wrong) - 1


def test_malformed_requests_are_protocol_errors(real_bundles: Path) -> None:
    answers = exchange(
        real_bundles,
        [
            *HELLO,
            request(2, "tools/call", arguments={}),
            request(3, "tools/call", name="grep", arguments=[1]),
            request(4, "no/such/method"),
            search(5),
        ],
    )
    by_id = {message["id"]: message for message in answers}
    assert by_id[2]["error"]["code"] == -32602
    assert by_id[3]["error"]["code"] == -32602
    assert by_id[4]["error"]["code"] == -32601
    assert "result" in by_id[5]


def test_a_cancelled_call_is_not_answered_and_not_waited_for(real_bundles: Path) -> None:
    slow = request(
        2, "tools/call", name="grep", arguments={"pattern": r"(.)(.)(.).*\3\2\1.*\1\2\3zz"}
    )
    cancelled = b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}'
    answers = exchange(real_bundles, [*HELLO, slow, cancelled, search(3)])
    assert [message["id"] for message in answers] == [1, 3]


def test_what_a_library_prints_stays_off_the_protocol(real_bundles: Path, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import os, sys\n"
        "class Noisy:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.startswith(('pydocs_server.answered.search', 'mcp.server', 'apsw')):\n"
        "            print('noise from a print')\n"
        "            os.write(1, b'noise from below\\n')\n"
        "            os.system('echo noise from a child')\n"
        "sys.meta_path.insert(0, Noisy())\n",
        encoding="utf-8",
    )
    run = subprocess.run(
        command(real_bundles),
        input=b"".join(line + b"\n" for line in [*HELLO, search(2)]),
        capture_output=True,
        timeout=60,
        check=True,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
    )
    assert all(json.loads(line) for line in run.stdout.splitlines())
    assert b"noise from a child" in run.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM to send")
def test_sigterm_ends_it_at_once(real_bundles: Path) -> None:
    with subprocess.Popen(
        command(real_bundles), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(HELLO[0] + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=5) == 0


def test_it_ends_when_its_client_has_gone(real_bundles: Path) -> None:
    with subprocess.Popen(
        command(real_bundles), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.close()
        process.stdin.write(HELLO[0] + b"\n")
        process.stdin.flush()
        assert process.wait(timeout=20) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="pipes that do not wait are a POSIX matter")
def test_a_pipe_that_does_not_wait_is_no_end_of_input(real_bundles: Path) -> None:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    with (
        subprocess.Popen(command(real_bundles), stdin=reading, stdout=subprocess.PIPE) as process,
        os.fdopen(writing, "wb") as client,
    ):
        os.close(reading)
        time.sleep(2)
        client.write(HELLO[0] + b"\n")
        client.flush()
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["id"] == 1
        client.close()
        assert process.wait(timeout=20) == 0


def test_nothing_to_mount_is_said_on_standard_error(tmp_path: Path) -> None:
    run = subprocess.run(command(tmp_path), input=b"", capture_output=True, timeout=60, check=False)
    assert run.returncode == 2
    assert run.stdout == b""
    assert b"pydocs-build" in run.stderr


def test_it_ends_when_its_parent_is_gone_though_the_pipes_stay_open(real_bundles: Path) -> None:
    program = (
        "import subprocess, sys, time\n"
        "server = subprocess.Popen(sys.argv[1:])\n"
        "print(server.pid, file=sys.stderr, flush=True)\n"
        "time.sleep(600)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program, *command(real_bundles)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert parent.stdin is not None
    assert parent.stdout is not None
    assert parent.stderr is not None
    server = int(parent.stderr.readline())
    message = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    parent.stdin.write(json.dumps(message) + "\n")
    parent.stdin.flush()
    assert parent.stdout.readline()
    parent.kill()
    parent.wait()
    # Our end of its input is still open: only the loss of its parent can end it.
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            os.kill(server, 0)
        except ProcessLookupError:
            break
        time.sleep(0.1)
    else:
        os.kill(server, signal.SIGKILL)
        pytest.fail("the server outlives its client")
    parent.communicate()
