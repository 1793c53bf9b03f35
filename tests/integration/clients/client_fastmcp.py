"""The client of fastmcp: one conversation, printed as JSON."""

import asyncio
import json
import os
import sys

from fastmcp import Client
from fastmcp.client.transports import StdioTransport


async def main(wire: str, address: str, *arguments: str) -> None:
    """Asks over `http URL` or `stdio COMMAND [ARGUMENT …]`."""
    server = (
        address
        if wire == "http"
        else StdioTransport(address, list(arguments), env=dict(os.environ))
    )
    async with Client(server) as client:
        tools = await client.list_tools()
        good = await client.call_tool("get_symbol", {"target": "shop.total"})
        bad = await client.call_tool("get_symbol", {"target": "shop.totl"}, raise_on_error=False)
        names = ("shop.total", "shop.Order", "rich.print")
        many = await asyncio.gather(
            *(client.call_tool("get_symbol", {"target": name}) for name in names)
        )
        resources = await client.list_resources()
        read = await client.read_resource("pydocs://symbol/shop/shop.total")
        contents = getattr(read, "contents", read)
        said = {
            "tools": [tool.name for tool in tools],
            "text": good.content[0].text,
            "structured": good.structured_content,
            "error": bad.content[0].text,
            "is_error": bad.is_error,
            "many": [each.structured_content["public_name"] for each in many],
            "resources": [str(each.uri) for each in resources],
            "resource": contents[0].text,
        }
        sys.stdout.write(json.dumps(said))


asyncio.run(main(*sys.argv[1:]))
