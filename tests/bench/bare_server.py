"""The least MCP server that the SDK allows: one tool that gives one word, over stdio."""

from __future__ import annotations

from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server


async def list_tools(_: Any, __: Any) -> types.ListToolsResult:  # noqa: ANN401 - least is the point
    """The one tool."""
    schema = {"type": "object", "properties": {"query": {"type": "string"}}}
    return types.ListToolsResult(tools=[types.Tool(name="search_codebase", input_schema=schema)])


async def call_tool(_: Any, __: Any) -> types.CallToolResult:  # noqa: ANN401
    """The one word."""
    return types.CallToolResult(content=[types.TextContent(type="text", text="word")])


async def main() -> None:
    """Serves until input ends."""
    server = Server("bare", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


anyio.run(main)
