"""The tools over the Model Context Protocol, both eras of it; the one user of the SDK."""

from __future__ import annotations

import asyncio
import os
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Final, TypeVar

import anyio
import anyio.from_thread
import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import ValidationError

from pydocs_bundle.errors import ExitCode, PydocsError
from pydocs_server.mounted.shelf import Shelf
from pydocs_server.rendered.answer import Answer, NotFound
from pydocs_server.rendered.render import one_line, visible
from pydocs_server.underway import CALL, Call
from pydocs_server.wired import messages, resources
from pydocs_server.wired.instructions import instructions
from pydocs_server.wired.pipes import LONGEST_LINE, LineTooLongError, Pipes
from pydocs_server.wired.tools import TOOLS, Tool

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

__all__ = ["http_sessions", "run", "server", "version_here"]

_CALLS_AT_ONCE: Final = 8
_ANSWERS_AWAITED_S: Final = 30.0
_DAY_MS: Final = 24 * 60 * 60 * 1000
_PROGRESS_S: Final = 1.0
# What the protocol's first era calls a resource that is not there; the second has no own number.
_MISSING: Final = -32002

_Context = ServerRequestContext[dict[str, object]]
_Incoming = SessionMessage | Exception
_Result = TypeVar("_Result")


def run(shelf: Shelf, pipes: Pipes, tools: Mapping[str, Tool] = TOOLS) -> None:
    """Answers over the pipes until input ends and what was asked is answered."""
    try:
        anyio.run(_serve, server(shelf, tools), pipes)
    except* OSError:
        # The client is gone, and a thread may be waiting for its next word for ever.
        os._exit(ExitCode.OK)


def http_sessions(shelf: Shelf, tools: Mapping[str, Tool] = TOOLS) -> StreamableHTTPSessionManager:
    """The protocol over HTTP: an application that keeps nothing between two requests."""
    return StreamableHTTPSessionManager(server(shelf, tools), json_response=True, stateless=True)


def server(shelf: Shelf, tools: Mapping[str, Tool] = TOOLS) -> Server[dict[str, object]]:
    """The protocol's view of a shelf: tools, resources, completion, and instructions.

    Args:
        shelf: what calls are answered from.
        tools: what is offered, by name.
    """
    asked = _Asked(shelf, tools)
    hint = CacheHint(ttl_ms=_DAY_MS, scope="public")
    return Server(
        "pydocs",
        version=version_here(),
        title="pydocs",
        instructions=instructions(shelf.catalog),
        cache_hints={"tools/list": hint, "resources/templates/list": hint},
        on_list_tools=asked.list_tools,
        on_call_tool=asked.call_tool,
        on_list_resources=asked.list_resources,
        on_list_resource_templates=asked.list_templates,
        on_read_resource=asked.read_resource,
        on_completion=asked.complete,
    )


class _Asked:
    """What each request of the protocol gets; work is done in threads, so that none waits."""

    def __init__(self, shelf: Shelf, tools: Mapping[str, Tool]) -> None:
        self._shelf = shelf
        self._tools = tools
        self._limiter = anyio.CapacityLimiter(_CALLS_AT_ONCE)
        self._described = types.ListToolsResult(tools=list(map(messages.described, tools.values())))
        self._templates = messages.templates()

    async def list_tools(
        self, _: _Context, __: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return self._described

    async def call_tool(
        self, context: _Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        tool = self._tools.get(params.name)
        if tool is None:
            raise MCPError(
                types.INVALID_PARAMS,
                f"Unknown tool {one_line(params.name, 80)!r}; there are {', '.join(self._tools)}.",
            )
        under_way = _UnderWay(context)
        token = CALL.set(Call(under_way.report, under_way.is_given_up))
        try:
            work = partial(_answered, self._shelf, tool, params.arguments or {})
            return await self._in_thread(work)
        finally:
            under_way.end()
            CALL.reset(token)

    async def list_resources(
        self, _: _Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        cursor = (params.cursor if params else None) or ""
        return messages.listed(await self._of_catalog(resources.listed, cursor))

    async def list_templates(
        self, _: _Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return self._templates

    async def read_resource(
        self, context: _Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        try:
            text, media_type = await self._of_catalog(resources.read, params.uri)
        except MCPError as error:
            is_first_era = context.protocol_version in HANDSHAKE_PROTOCOL_VERSIONS
            code = _MISSING if is_first_era else error.error.code
            raise MCPError(code, error.error.message, {"uri": params.uri}) from error
        return messages.contents(params.uri, text, media_type)

    async def complete(
        self, _: _Context, params: types.CompleteRequestParams
    ) -> types.CompleteResult:
        if not isinstance(params.ref, types.ResourceTemplateReference):
            return messages.completed(resources.Completed([], 0))
        known = (params.context.arguments if params.context else None) or {}
        argument = params.argument
        found = await self._of_catalog(resources.complete, argument.name, argument.value, known)
        return messages.completed(found)

    async def _of_catalog(self, ask: Callable[..., _Result], *arguments: object) -> _Result:
        """What is not a tool's answer: whatever goes wrong is an error of the protocol."""

        def asking() -> _Result:
            with self._shelf.lent() as catalog:
                return ask(catalog, *arguments)

        try:
            return await self._in_thread(asking)
        except PydocsError as error:
            raise MCPError(types.INVALID_PARAMS, visible(str(error))) from error

    async def _in_thread(self, work: Callable[[], _Result]) -> _Result:
        return await anyio.to_thread.run_sync(work, limiter=self._limiter, abandon_on_cancel=True)


class _UnderWay:
    """What a call in its thread says to whoever waits for it, and hears from them."""

    def __init__(self, context: _Context) -> None:
        self._context = context
        self._is_over = threading.Event()
        self._said_at = time.monotonic()

    def report(self, done: float, whole: float, what: str) -> None:
        """Sends progress, but neither in a call's first second nor more often than each second."""
        if time.monotonic() - self._said_at < _PROGRESS_S or self._is_over.is_set():
            return
        self._said_at = time.monotonic()
        anyio.from_thread.run(self._context.session.report_progress, done, whole, what)

    def is_given_up(self) -> bool:
        """Whether the call was cancelled, or its client has gone."""
        return self._is_over.is_set()

    def end(self) -> None:
        """Nobody waits any more."""
        self._is_over.set()


def _answered(shelf: Shelf, tool: Tool, arguments: dict[str, object]) -> types.CallToolResult:
    """A tool's answer; whatever goes wrong in it is an answer too, and the next call goes on."""
    try:
        with shelf.lent() as catalog:
            answer = tool.answer(catalog, arguments)
            if notice := shelf.notice(catalog):
                noted = answer.structured | {"notice": notice}
                answer = Answer(f"{notice}\n{answer.text}", noted)
    except NotFound as error:
        return messages.result(Answer(visible(str(error)), error.structured()), is_error=True)
    except PydocsError as error:
        text = visible(str(error))
        return messages.result(Answer(text, {"error": text}), is_error=True)
    except Exception as error:  # noqa: BLE001 - a bug in one tool must not end the others
        traceback.print_exception(error)
        text = (
            f"{tool.name} failed on this call, which is a bug in pydocs ({type(error).__name__}); "
            "another tool or other arguments may work."
        )
        return messages.result(Answer(text, {"error": text}), is_error=True)
    return messages.result(answer, is_error=False)


def version_here() -> str:
    """The version of this server as it is installed; empty where it is not."""
    try:
        return version("pydocs-server")
    except PackageNotFoundError:
        return ""


# --- the wire


async def _serve(protocol: Server[dict[str, object]], pipes: Pipes) -> None:
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
