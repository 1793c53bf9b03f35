from __future__ import annotations

from contextlib import contextmanager
from typing import Iterator

import httpx

from . import orders
from .transport import Transport

__all__ = ["Client"]

DEFAULT_TIMEOUT: float = 5.0


class Client:
    """Talks to the shop.

    Keep one for each thread.
    """

    def __init__(self, transport: Transport | None = None) -> None:
        self._transport = transport or Transport()
        self.retries = 1

    @property
    def transport(self) -> Transport:
        """Where requests go."""
        return self._transport

    @transport.setter
    def transport(self, value: Transport) -> None:
        self._transport = value

    def send(self, text: str) -> orders.Order:
        # WHY: the first try after a pause finds a dead socket,
        # and the second one never does.
        reply = self.transport.request(text)

        def again() -> str:
            return self.transport.request(text)

        return orders.parse(reply or again())

    async def fetch(self, url: str) -> httpx.Response:
        async with httpx.AsyncClient() as client:
            return await client.get(url)


@contextmanager
def session() -> Iterator[Client]:
    yield Client()
