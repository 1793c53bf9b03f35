"""The nine tools over the Model Context Protocol, both eras of it; the one user of the SDK."""

from __future__ import annotations

import asyncio
import os
import traceback
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Final

import anyio
import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from pydocs_bundle.errors import ExitCode, PydocsError
from pydocs_server.mounted.shelf import Shelf
from pydocs_server.rendered.answer import Answer, NotFound, bounded
from pydocs_server.rendered.render import one_line, visible
from pydocs_server.wired.instructions import instructions
from pydocs_server.wired.pipes import LONGEST_LINE, LineTooLongError, Pipes
from pydocs_server.wired.tools import Tool
from pydocs_server.wired.toolsets import tools_with

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

__all__ = ["http_sessions", "run", "server", "version_here"]

_CALLS_AT_ONCE: Final = 8
_ANSWERS_AWAITED_S: Final = 30.0
_DAY_MS: Final = 24 * 60 * 60 * 1000

_Context = ServerRequestContext[dict[str, object]]
_Incoming = SessionMessage | Exception


def run(shelf: Shelf, pipes: Pipes, toolsets: Sequence[str] = ()) -> None:
    """Answers over the pipes until input ends and what was asked is answered."""
    try:
        anyio.run(_serve, shelf, pipes, toolsets)
    except* OSError:
        # The client is gone, and a thread may be waiting for its next word for ever.
        os._exit(ExitCode.OK)


def http_sessions(shelf: Shelf, toolsets: Sequence[str] = ()) -> StreamableHTTPSessionManager:
    """The protocol over HTTP: an application that keeps nothing between two requests."""
    return StreamableHTTPSessionManager(server(shelf, toolsets), json_response=True, stateless=True)


def server(shelf: Shelf, toolsets: Sequence[str] = ()) -> Server[dict[str, object]]:
    """The protocol's view of a shelf: its tools, and instructions that name what is mounted."""
    limiter = anyio.CapacityLimiter(_CALLS_AT_ONCE)
    tools = tools_with(toolsets)
    listed = types.ListToolsResult(tools=[_described(each) for each in tools.values()])

    async def list_tools(
        _: _Context, __: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return listed

    async def call_tool(_: _Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = tools.get(params.name)
        if tool is None:
            raise MCPError(
                types.INVALID_PARAMS,
                f"Unknown tool {one_line(params.name, 80)!r}; there are {', '.join(tools)}.",
            )
        return await anyio.to_thread.run_sync(
            _answered,
            shelf,
            tool,
            params.arguments or {},
            limiter=limiter,
            abandon_on_cancel=True,
        )

    return Server(
        "pydocs",
        version=version_here(),
        title="pydocs",
        instructions=instructions(shelf.catalog),
        cache_hints={"tools/list": CacheHint(ttl_ms=_DAY_MS, scope="public")},
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _described(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema(),
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=True,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=False,
        ),
    )


def _answered(shelf: Shelf, tool: Tool, arguments: dict[str, object]) -> types.CallToolResult:
    """A tool's answer; whatever goes wrong in it is an answer too, and the next call goes on."""
    try:
        with shelf.lent() as catalog:
            answer = tool.answer(catalog, arguments)
            if notice := shelf.notice(catalog):
                noted = answer.structured | {"notice": notice}
                answer = Answer(f"{notice}\n{answer.text}", noted)
    except NotFound as error:
        return _result(Answer(visible(str(error)), error.structured()), is_error=True)
    except PydocsError as error:
        text = visible(str(error))
        return _result(Answer(text, {"error": text}), is_error=True)
    except Exception as error:  # noqa: BLE001 - a bug in one tool must not end the others
        traceback.print_exception(error)
        text = (
            f"{tool.name} failed on this call, which is a bug in pydocs ({type(error).__name__}); "
            "another tool or other arguments may work."
        )
        return _result(Answer(text, {"error": text}), is_error=True)
    return _result(answer, is_error=False)


def _result(answer: Answer, *, is_error: bool) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=answer.text)],
        structured_content=bounded(answer.structured),
        is_error=is_error,
    )


def version_here() -> str:
    """The version of this server as it is installed; empty where it is not."""
    try:
        return version("pydocs-server")
    except PackageNotFoundError:
        return ""


# --- the wire


async def _serve(shelf: Shelf, pipes: Pipes, toolsets: Sequence[str]) -> None:
    protocol = server(shelf, toolsets)
    to_server, from_client = anyio.create_memory_object_stream[_Incoming](0)
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    wire = _Wire(pipes)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(wire.read, to_server, to_client.clone())
        tasks.start_soon(wire.write, from_server)
        await protocol.run(from_client, to_client, protocol.create_initialization_options())


class _Wire:
    """The messages on the pipes, and which requests among them still wait for their answer."""

    def __init__(self, pipes: Pipes) -> None:
        self._pipes = pipes
        self._waiting: set[types.RequestId] = set()
        self._all_answered = asyncio.Event()

    async def read(
        self,
        to_server: MemoryObjectSendStream[_Incoming],
        to_client: MemoryObjectSendStream[SessionMessage],
    ) -> None:
        """Passes on what the client sends; at the end of input lets the open calls finish."""
        async with to_server, to_client:
            while True:
                try:
                    line = await anyio.to_thread.run_sync(
                        self._pipes.read_line, abandon_on_cancel=True
                    )
                except LineTooLongError:
                    problem = f"a message has more than {LONGEST_LINE:,} bytes"
                    await to_client.send(_refusal(types.INVALID_REQUEST, problem))
                    continue
                if not line:
                    break
                if not line.strip():
                    continue
                try:
                    message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
                except ValidationError as error:
                    await to_client.send(_malformed(error))
                    continue
                self._note(message)
                await to_server.send(SessionMessage(message))
            await self._answers()

    async def write(self, from_server: MemoryObjectReceiveStream[SessionMessage]) -> None:
        """Writes what the server sends, a line each."""
        async with from_server:
            async for each in from_server:
                line = each.message.model_dump_json(by_alias=True, exclude_unset=True)
                await anyio.to_thread.run_sync(self._pipes.write_line, line.encode())
                if isinstance(each.message, types.JSONRPCResponse | types.JSONRPCError):
                    self._settle(each.message.id)

    def _note(self, message: types.JSONRPCMessage) -> None:
        if isinstance(message, types.JSONRPCRequest):
            self._waiting.add(message.id)
        elif (
            isinstance(message, types.JSONRPCNotification)
            and message.method == "notifications/cancelled"
        ):
            # A cancelled request is never answered.
            cancelled = (message.params or {}).get("requestId")
            if isinstance(cancelled, str | int):
                self._settle(cancelled)

    def _settle(self, request: types.RequestId | None) -> None:
        if request is not None:
            self._waiting.discard(request)
        if not self._waiting:
            self._all_answered.set()

    async def _answers(self) -> None:
        """Waits until what was asked is answered: input may end right after the question."""
        with anyio.move_on_after(_ANSWERS_AWAITED_S):
            while self._waiting:
                self._all_answered.clear()
                await self._all_answered.wait()


def _malformed(error: ValidationError) -> SessionMessage:
    if error.errors(include_url=False, include_input=False)[0]["type"] == "json_invalid":
        return _refusal(types.PARSE_ERROR, "a line is not JSON")
    return _refusal(types.INVALID_REQUEST, "a line is no JSON-RPC message")


def _refusal(code: int, problem: str) -> SessionMessage:
    error = types.ErrorData(code=code, message=f"{problem[0].upper()}{problem[1:]}.")
    return SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=None, error=error))
