"""The server as clients that are not ours see it, over both wires."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import jsonschema
import pytest
from http_wire import JSON_HEADERS, Served, ask, serving

HERE: Final = Path(__file__).parent
NINE: Final = 9
Question = tuple[str, dict[str, Any], str]
INSPECTOR: Final = HERE / "node_modules" / ".bin" / "mcp-inspector"
CLIENTS: Final = {
    "typescript v1": ["node", str(HERE / "client_v1.mjs")],
    "typescript v2": ["node", str(HERE / "client_v2.mjs")],
    "python v1": [os.environ.get("PYDOCS_PYTHON_V1", ""), str(HERE / "client_v1.py")],
    "fastmcp": [os.environ.get("PYDOCS_PYTHON_FASTMCP", ""), str(HERE / "client_fastmcp.py")],
}


@contextmanager
def wires(bundles: Path, wire: str) -> Iterator[list[str]]:
    """The words that tell a client where the server is."""
    if wire == "stdio":
        yield ["stdio", sys.executable, "-m", "pydocs_server", "serve", "--bundle", str(bundles)]
    else:
        with serving(bundles) as served:
            yield ["http", served.url]


def said(command: list[str]) -> Any:  # noqa: ANN401 - what a client printed
    # Their interpreters have packages of their own.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONHOME"}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, env=env
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.mark.parametrize("wire", ["stdio", "http"])
@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_of_others_gets_whole_answers(real_bundles: Path, client: str, wire: str) -> None:
    with wires(real_bundles, wire) as where:
        heard = said([*CLIENTS[client], *where])
    assert len(heard["tools"]) == NINE
    assert "The sum of prices in cents." in heard["text"]
    assert heard["structured"]["public_name"] == "shop.total"
    assert heard["is_error"]
    assert "shop.total" in heard["error"]
    assert heard["many"] == ["shop.total", "shop.Order", "rich.print"]
    assert "pydocs://package/shop@1.0" in heard["resources"]
    assert "The sum of prices in cents." in heard["resource"]


def test_the_inspector_lists_and_calls(real_bundles: Path) -> None:
    with serving(real_bundles) as served:
        inspect = [str(INSPECTOR), "--cli", served.url, "--transport", "http", "--method"]
        assert len(said([*inspect, "tools/list"])["tools"]) == NINE
        call = ["--tool-name", "get_symbol", "--tool-arg", "target=shop.total"]
        called = said([*inspect, "tools/call", *call])
        assert called["structuredContent"]["public_name"] == "shop.total"


@pytest.fixture(scope="module")
def schemas() -> dict[str, dict[str, Any]]:
    """The official schema of each era, which the conformance suite carries."""
    found = said(["node", str(HERE / "schemas.mjs")])
    of_eras = [each for each in found if "CallToolResult" in each.get("$defs", {})]
    first = next(each for each in of_eras if "InitializeResult" in each["$defs"])
    second = next(each for each in of_eras if "DiscoverResult" in each["$defs"])
    return {"2025-11-25": first, "2026-07-28": second}


QUESTIONS: Final[tuple[Question, ...]] = (
    ("tools/list", {}, "ListToolsResult"),
    ("tools/call", {"name": "get_overview", "arguments": {}}, "CallToolResult"),
    (
        "tools/call",
        {"name": "search_codebase", "arguments": {"query": "prices"}},
        "CallToolResult",
    ),
    ("tools/call", {"name": "get_symbol", "arguments": {"target": "shop"}}, "CallToolResult"),
    (
        "tools/call",
        {"name": "get_context", "arguments": {"targets": ["shop.total", "no.such"]}},
        "CallToolResult",
    ),
    (
        "tools/call",
        {"name": "get_references", "arguments": {"target": "shop.total"}},
        "CallToolResult",
    ),
    ("tools/call", {"name": "get_why", "arguments": {"query": "cents"}}, "CallToolResult"),
    ("tools/call", {"name": "grep", "arguments": {"pattern": "cents"}}, "CallToolResult"),
    ("tools/call", {"name": "glob", "arguments": {"pattern": "*.py"}}, "CallToolResult"),
    (
        "tools/call",
        {"name": "read_file", "arguments": {"file_path": "shop/shop/_orders.py"}},
        "CallToolResult",
    ),
    ("tools/call", {"name": "get_symbol", "arguments": {"target": "no.such"}}, "CallToolResult"),
    ("tools/call", {"name": "grep", "arguments": {"pattern": "("}}, "CallToolResult"),
    ("tools/call", {"name": "no_such_tool", "arguments": {}}, "JSONRPCError"),
    ("resources/list", {}, "ListResourcesResult"),
    ("resources/templates/list", {}, "ListResourceTemplatesResult"),
    ("resources/read", {"uri": "pydocs://package/shop"}, "ReadResourceResult"),
    ("resources/read", {"uri": "pydocs://package/none"}, "JSONRPCError"),
    (
        "completion/complete",
        {
            "ref": {"type": "ref/resource", "uri": "pydocs://package/{package}"},
            "argument": {"name": "package", "value": "s"},
        },
        "CompleteResult",
    ),
    ("no/such/method", {}, "JSONRPCError"),
)
FIRST_ERA: Final[tuple[Question, ...]] = (
    (
        "initialize",
        {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
        "InitializeResult",
    ),
)
SECOND_ERA: Final[tuple[Question, ...]] = (("server/discover", {}, "DiscoverResult"),)


@pytest.mark.parametrize("era", ["2025-11-25", "2026-07-28"])
def test_every_answer_is_what_the_official_schema_says(
    real_bundles: Path, schemas: dict[str, dict[str, Any]], era: str
) -> None:
    schema = schemas[era]
    error = "JSONRPCError" if "JSONRPCError" in schema["$defs"] else "JSONRPCErrorResponse"
    asked = (*(FIRST_ERA if era == "2025-11-25" else SECOND_ERA), *QUESTIONS)
    with serving(real_bundles) as served:
        for method, params, kind in asked:
            body = answered(served, era, method, params)
            wanted = error if kind == "JSONRPCError" else kind
            assert ("error" in body) is (kind == "JSONRPCError"), (method, body)
            found = body if kind == "JSONRPCError" else body["result"]
            jsonschema.Draft202012Validator(
                {"$ref": f"#/$defs/{wanted}", "$defs": schema["$defs"]}
            ).validate(found)


def answered(served: Served, era: str, method: str, params: dict[str, Any]) -> Any:  # noqa: ANN401
    headers = JSON_HEADERS | {"mcp-protocol-version": era}
    if era != "2025-11-25":
        # The second era has no handshake: each request says who asks, and what is asked.
        meta = {
            "io.modelcontextprotocol/protocolVersion": era,
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        }
        params = {**params, "_meta": meta}
        headers |= {"mcp-method": method}
        if name := params.get("name") or params.get("uri"):
            headers |= {"mcp-name": name}
    message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
    _, body = ask(served, "POST", "/mcp", json.dumps(message).encode(), headers)
    parsed = json.loads(body)
    assert parsed["id"] == message["id"]
    return parsed
