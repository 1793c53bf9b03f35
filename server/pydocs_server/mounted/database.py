"""Questions to the bundles' databases, each of which is inflated when it is first asked.

A search or a look-up never comes here. The inflated copies lie in the user's cache folder under
names made of their hashes; where there is no folder to write to, they lie in memory.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from pydocs_bundle import Bundle
from pydocs_bundle.caches import user_caches

if TYPE_CHECKING:
    import apsw

__all__ = ["Value", "ask", "cache_folder"]

Value = int | str | None

_lock = threading.Lock()
_connections: WeakKeyDictionary[Bundle, tuple[apsw.Connection, threading.Lock]] = (
    WeakKeyDictionary()
)


def ask(bundle: Bundle, question: str, parameters: Sequence[Value] = ()) -> list[tuple[Value, ...]]:
    """All rows that answer a question in SQL; callers in other threads wait their turn."""
    connection, turn = _connection(bundle)
    with turn:
        return list(connection.execute(question, tuple(parameters)))


def cache_folder() -> Path | None:
    """Where inflated databases are kept, made if need be; None where nothing can be written."""
    try:
        folder = user_caches() / "databases"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    return folder if os.access(folder, os.W_OK | os.X_OK) else None


def _connection(bundle: Bundle) -> tuple[apsw.Connection, threading.Lock]:
    with _lock:
        known = _connections.get(bundle)
        if known is None:
            known = bundle.database(cache_folder()), threading.Lock()
            _connections[bundle] = known
        return known
