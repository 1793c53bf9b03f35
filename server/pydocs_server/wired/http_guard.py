"""Who may speak to the server over HTTP, and how much they may say.

A page in somebody's browser can reach a server on the loopback address, under a name of its own
that it lets point there (DNS rebinding). It cannot choose the `Host` and the `Origin` that its
browser sends: both are compared as a whole, never by how they begin.
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from ipaddress import ip_address
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import anyio

__all__ = ["ASGIApp", "Guard", "Receive", "Scope", "Send", "host_name", "respond"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGIApp = Callable[[Scope, Receive, Send], Awaitable[None]]

_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
# A name or an address as RFC 3986 writes them, and perhaps a port.
_HOST: Final = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([0-9A-Za-z_.-]{1,253}))(?::([0-9]{1,5}))?")
_LARGEST_PORT: Final = 0xFFFF
_ONCE: Final = (b"host", b"origin", b"authorization", b"content-length")


class Guard(NamedTuple):
    """What is let in.

    Attributes:
        names: hosts, without ports, that requests may be addressed to.
        takes_addresses: whether any literal IP address may be, too. No name that somebody lets
            point elsewhere looks like one.
        origins: what browsers may come from, beside pages of this machine where `names` are its.
        token: what `Authorization: Bearer` must carry; empty: nothing is asked for.
        most_bytes: of a request's body.
        patience_s: seconds in which a body has to be there.
    """

    names: frozenset[str] = _LOOPBACK
    takes_addresses: bool = False
    origins: frozenset[str] = frozenset()
    token: str = ""
    most_bytes: int = 1 << 20
    patience_s: float = 10.0

    def wrapped(self, app: ASGIApp) -> ASGIApp:
        """An application that sees only what is let in, each body whole."""

        async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "lifespan":
                await app(scope, receive, send)
                return
            if scope["type"] != "http":
                return
            refusal = self._refusal(scope["headers"])
            if refusal is not None:
                await respond(send, *refusal)
                return
            scope["pydocs.is_trusted"] = is_trusted = self._knows(scope["headers"])
            if not is_trusted and scope["path"] != "/healthz":
                await respond(
                    send,
                    401,
                    "A bearer token is needed: send it as Authorization: Bearer TOKEN.",
                    (b"www-authenticate", b'Bearer realm="pydocs"'),
                )
                return
            body = await self._body(receive, send)
            if body is not None:
                await app(scope, _replayed(body, receive), send)

        return guarded

    def is_host(self, written: str) -> bool:
        """Whether a `Host` header names this server."""
        name = host_name(written)
        return name in self.names or (self.takes_addresses and _is_address(name))

    def is_origin(self, written: str) -> bool:
        """Whether a page from there may ask: one that was allowed, or one of a host that we are."""
        if written in self.origins:
            return True
        scheme, separator, host = written.partition("://")
        if not separator or scheme not in ("http", "https"):
            return False
        return host_name(host) in self.names and urlsplit(written).netloc == host

    def _refusal(self, headers: Iterable[tuple[bytes, bytes]]) -> tuple[int, str] | None:
        given: dict[bytes, str] = {}
        for name, value in headers:
            if name in _ONCE and name in given:
                return 400, f"There are two {name.decode()} headers; send one."
            given[name] = value.decode("latin-1")
        if not self.is_host(given.get(b"host", "")):
            return 421, (
                "This server is not known by that Host; start it with --allow-host NAME if it is"
                " to be."
            )
        if b"origin" in given and not self.is_origin(given[b"origin"]):
            return 403, (
                "Pages of that Origin may not ask here; start the server with --allow-origin ORIGIN"
                " if they are to."
            )
        length = given.get(b"content-length", "0")
        if not (length.isascii() and length.isdigit()) or int(length) > self.most_bytes:
            return 413, f"A request may have at most {self.most_bytes:,} bytes."
        return None

    def _knows(self, headers: Iterable[tuple[bytes, bytes]]) -> bool:
        if not self.token:
            return True
        given = next((value for name, value in headers if name == b"authorization"), b"")
        scheme, _, token = given.partition(b" ")
        known = self.token.encode()
        return scheme.lower() == b"bearer" and hmac.compare_digest(token.strip(), known)

    async def _body(self, receive: Receive, send: Send) -> bytes | None:
        """The whole body, or nothing where it was refused or the client has gone."""
        parts: list[bytes] = []
        size = 0
        with anyio.move_on_after(self.patience_s):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    return None
                parts.append(message.get("body", b""))
                size += len(parts[-1])
                if size > self.most_bytes:
                    limit = f"A request may have at most {self.most_bytes:,} bytes."
                    await respond(send, 413, limit, (b"connection", b"close"))
                    return None
                if not message.get("more_body", False):
                    return b"".join(parts)
        late = f"The request was not there within {self.patience_s:g} seconds."
        await respond(send, 408, late, (b"connection", b"close"))
        return None


def host_name(written: str) -> str:
    """The host of a `Host` header in lower case, without its port; empty where it is none."""
    match = _HOST.fullmatch(written)
    if match is None or int(match[3] or 0) > _LARGEST_PORT:
        return ""
    return (match[1] or match[2]).lower()


async def respond(send: Send, status: int, sentence: str, *headers: tuple[bytes, bytes]) -> None:
    """Sends a refusal as JSON that says what to do."""
    body = json.dumps({"error": sentence}).encode()
    fields = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        *headers,
    ]
    await send({"type": "http.response.start", "status": status, "headers": fields})
    await send({"type": "http.response.body", "body": body})


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _replayed(body: bytes, receive: Receive) -> Receive:
    is_given = False

    async def replay() -> Message:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
