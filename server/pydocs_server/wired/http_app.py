"""What the server answers over HTTP: `/mcp`, each request by itself, and `/healthz`."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

from starlette.applications import Starlette
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.shelf import Shelf
from pydocs_server.wired import mcp_server
from pydocs_server.wired.http_guard import ASGIApp, Guard, Receive, Scope, Send, respond
from pydocs_server.wired.tools import TOOLS, Tool

__all__ = ["http_app"]


def http_app(shelf: Shelf, guard: Guard, tools: Mapping[str, Tool] = TOOLS) -> ASGIApp:
    """The whole application over a shelf, behind its guard."""
    sessions = mcp_server.http_sessions(shelf, tools)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with sessions.run():
            yield

    routes = [
        Route("/healthz", _health(shelf), methods=["GET"]),
        Route("/mcp", _Posted(sessions.handle_request)),
    ]
    app: ASGIApp = Starlette(routes=routes, lifespan=lifespan)
    if guard.origins:
        app = CORSMiddleware(
            app,
            allow_origins=sorted(guard.origins),
            allow_methods=["GET", "POST"],
            allow_headers=["*"],
            expose_headers=["WWW-Authenticate"],
        )
    return guard.wrapped(app)


class _Posted:
    """An endpoint that takes requests only: without sessions there is no stream to open or end."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "POST":
            await self._app(scope, receive, send)
        else:
            hint = "Each request stands by itself here: POST it to /mcp."
            await respond(send, 405, hint, (b"allow", b"POST"))


def _health(shelf: Shelf) -> Callable[[Request], Awaitable[JSONResponse]]:
    """What is served, by content: two replicas with the same ids give the same answers."""

    async def health(request: Request) -> JSONResponse:
        body: dict[str, object] = {"status": "ok"}
        catalog = shelf.catalog
        if request.scope["pydocs.is_trusted"]:
            body |= {
                "version": mcp_server.version_here(),
                "bundles": _mounted(catalog) if catalog is not None else [],
                "refused": len(catalog.warnings) if catalog is not None else 0,
            }
        return JSONResponse(body, headers={"cache-control": "no-store"})

    return health


def _mounted(catalog: Catalog) -> list[dict[str, str]]:
    return [
        {
            "kind": bundle.manifest.kind,
            "name": bundle.manifest.name,
            "version": bundle.manifest.version,
            "content_id": bundle.content_id,
        }
        for bundle in catalog.bundles
    ]
