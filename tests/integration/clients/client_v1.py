"""The Python SDK, first generation: one conversation, printed as JSON."""

import asyncio
import json
import os
import sys
from contextlib import AsyncExitStack

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client
from pydantic import AnyUrl


async def main(wire: str, address: str, *arguments: str) -> None:
    """Asks over `http URL` or `stdio COMMAND [ARGUMENT …]`."""
    async with AsyncExitStack() as open_ones:
        if wire == "http":
            pipes = await open_ones.enter_async_context(streamablehttp_client(address))
        else:
            server = StdioServerParameters(
                command=address, args=list(arguments), env=dict(os.environ)
            )
            pipes = await open_ones.enter_async_context(stdio_client(server))
        client = await open_ones.enter_async_context(ClientSession(pipes[0], pipes[1]))
        await client.initialize()
        tools = (await client.list_tools()).tools
        good = await client.call_tool("get_symbol", {"target": "shop.total"})
        bad = await client.call_tool("get_symbol", {"target": "shop.totl"})
        names = ("shop.total", "shop.Order", "rich.print")
        many = await asyncio.gather(
            *(client.call_tool("get_symbol", {"target": name}) for name in names)
        )
        resources = (await client.list_resources()).resources
        read = await client.read_resource(AnyUrl("pydocs://symbol/shop/shop.total"))
        said = {
            "tools": [tool.name for tool in tools],
            "text": good.content[0].text,
            "structured": good.structuredContent,
            "error": bad.content[0].text,
            "is_error": bad.isError,
            "many": [each.structuredContent["public_name"] for each in many],
            "resources": [str(each.uri) for each in resources],
            "resource": read.contents[0].text,
        }
        sys.stdout.write(json.dumps(said))


asyncio.run(main(*sys.argv[1:]))
