"""`pydocs-mcp serve --http`: one or several processes that answer on one address."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import threading
from functools import partial
from ipaddress import ip_address
from multiprocessing import parent_process
from typing import Final, NamedTuple

import h11
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.supervisors import Multiprocess

from pydocs_bundle.errors import UsageError
from pydocs_server.mounted.loading import load_beside
from pydocs_server.mounted.mount import mount
from pydocs_server.mounted.shelf import Shelf
from pydocs_server.wired.http_guard import ASGIApp, Guard, host_name

__all__ = ["Address", "Served", "address", "serve_http"]

_WAITING: Final = 2_048
_MOST_CONNECTIONS: Final = 2_000
_PATIENCE_S: Final = 10
_IDLE_S: Final = 30
_LAST_ANSWERS_S: Final = 5
_LARGEST_HEAD: Final = 32 << 10
_LARGEST_PORT: Final = 0xFFFF


class Address(NamedTuple):
    """Where the server listens; port 0 takes one that is free."""

    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


class Served(NamedTuple):
    """All that one process needs to serve; it is sent to each of them."""

    patterns: tuple[str, ...] | None
    is_strict: bool
    guard: Guard
    projects: tuple[str, ...] = ()
    toolsets: tuple[str, ...] = ()


def address(written: str) -> Address:
    """The address that `HOST:PORT`, `:PORT` or `PORT` means; IPv6 stands in brackets.

    Raises:
        UsageError: it means none.
    """
    host, _, port = written.rpartition(":")
    host = host or "127.0.0.1"
    name = host_name(host)
    if not name or not (port.isascii() and port.isdigit()) or int(port) > _LARGEST_PORT:
        raise UsageError(
            f"--http {written} is no address; write HOST:PORT, such as 127.0.0.1:8000 or [::1]:80."
        )
    return Address(name, int(port))


def serve_http(where: Address, served: Served, workers: int = 1) -> None:
    """Serves until it is told to stop; with several workers one is started anew if it dies.

    Raises:
        PydocsError: nothing could be mounted, or the address cannot be had.
    """
    guard = _known_as(where, served.guard)
    served = served._replace(guard=guard)
    if not served.projects:
        with mount(served.patterns, strict=served.is_strict) as catalog:
            # What is wrong with the bundles is said once, and before anything listens.
            for warning in catalog.warnings:
                _say(warning)
    listening = _listen(where)
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    if not where.is_loopback and not guard.token:
        _say(
            f"anyone who reaches {shown} can read what is mounted; set PYDOCS_TOKEN to ask for a"
            " token, and put TLS in front."
        )
    _say(f"answers at http://{shown}:{port}/mcp")
    config = Config(
        partial(_application, served),
        factory=True,
        http=_Impatient,
        ws="none",
        loop="asyncio",
        lifespan="on",
        log_config=None,
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        workers=workers,
        backlog=_WAITING,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_keep_alive=_IDLE_S,
        timeout_graceful_shutdown=_LAST_ANSWERS_S,
        h11_max_incomplete_event_size=_LARGEST_HEAD,
    )
    if workers == 1:
        Server(config).run([listening])
    else:
        Multiprocess(config, [listening]).run()


def _known_as(where: Address, guard: Guard) -> Guard:
    """The guard of an address: elsewhere than on the loopback it may be called by any address."""
    return guard._replace(names=guard.names | {where.host}, takes_addresses=not where.is_loopback)


def _listen(where: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in where.host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((where.host, where.port))
        made.listen(_WAITING)
    except OSError as error:
        made.close()
        why = (error.strerror or str(error)).lower()
        raise UsageError(
            f"{where.host}:{where.port} cannot be listened on: {why}; choose another with --http."
        ) from error
    made.set_inheritable(True)
    return made


def _application(served: Served) -> ASGIApp:
    """What one process answers with, mounted in that process."""
    _end_with_parent()
    from pydocs_server.wired.http_app import http_app  # noqa: PLC0415 - the supervisor needs no SDK
    from pydocs_server.wired.toolsets import tools_with  # noqa: PLC0415

    return http_app(_shelf(served), served.guard, tools_with(served.toolsets))


def _shelf(served: Served) -> Shelf:
    if served.projects:
        from pydocs_server.live.following import followed  # noqa: PLC0415 - most serve no project
        from pydocs_server.live.projects import projects  # noqa: PLC0415

        return followed(projects(served.projects), served.patterns or ())
    catalog = mount(served.patterns, strict=served.is_strict)
    _ = catalog.postings
    shelf = Shelf(catalog)
    load_beside(shelf, _say)
    return shelf


def _end_with_parent() -> None:
    """Lets a worker end when its supervisor is gone, however that ended."""
    parent = parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()


class _Impatient(H11Protocol):
    """A connection that closes itself when a request's head does not come to an end."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._deadline: asyncio.TimerHandle | None = None
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._rest()
        super().connection_lost(exc)

    def _wait(self) -> None:
        """Counts from the first byte of a head until its last."""
        if self.conn.their_state is not h11.IDLE:
            self._rest()
        elif self._deadline is None and (self.cycle is None or self.conn.trailing_data[0]):
            self._deadline = self.loop.call_later(_PATIENCE_S, self._close)

    def _rest(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _close(self) -> None:
        self._deadline = None
        if not self.transport.is_closing():
            self.transport.close()


def _say(sentence: str) -> None:
    print(f"pydocs-mcp: {sentence}", file=sys.stderr, flush=True)  # noqa: T201
