"""The catalog in use and its successor: bundles are exchanged without dropping a call."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from pydocs_bundle.errors import PydocsError
from pydocs_server.mounted.catalog import Catalog

__all__ = ["EmptyShelfError", "Shelf"]

_PATIENCE_S: Final = 25.0


class EmptyShelfError(PydocsError):
    """Nothing is mounted yet; whoever asks again in a moment gets an answer."""

    def __init__(self) -> None:
        super().__init__(
            "The first index of this project is still being built; ask again in a moment."
        )


class Shelf:
    """What calls are answered from; each call keeps the catalog that it began with.

    It owns the catalogs it is given: one that has a successor is closed when its last call ends.

    Args:
        catalog: what to begin with; None where it is still being built.
        notice: a sentence that every answer carries for now, or an empty one; it is given the
            catalog that the answer is from.
    """

    def __init__(
        self, catalog: Catalog | None = None, notice: Callable[[Catalog], str] = lambda _: ""
    ) -> None:
        self.notice = notice
        self._catalog = catalog
        self._calls: dict[int, int] = {}
        self._changed = threading.Condition()

    @property
    def catalog(self) -> Catalog | None:
        """The catalog in use; it may be closed at any moment, so calls take it by `lent`."""
        return self._catalog

    @contextmanager
    def lent(self) -> Iterator[Catalog]:
        """Gives the catalog in use, which stays open as long as it is lent.

        Raises:
            EmptyShelfError: there is none, even after a wait.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._catalog is not None, _PATIENCE_S)
            catalog = self._catalog
            if catalog is None:
                raise EmptyShelfError
            self._calls[id(catalog)] = self._calls.get(id(catalog), 0) + 1
        try:
            yield catalog
        finally:
            with self._changed:
                self._calls[id(catalog)] -= 1
                self._let_go(catalog)

    def put(self, catalog: Catalog) -> None:
        """Answers the calls to come from another catalog."""
        with self._changed:
            former, self._catalog = self._catalog, catalog
            self._changed.notify_all()
            if former is not None:
                self._let_go(former)

    def close(self) -> None:
        """Closes the catalog in use; those that are lent follow when they come back."""
        with self._changed:
            former, self._catalog = self._catalog, None
            if former is not None:
                self._let_go(former)

    def _let_go(self, catalog: Catalog) -> None:
        """Closes a catalog that has a successor and that no call is answered from."""
        if not self._calls.get(id(catalog)):
            self._calls.pop(id(catalog), None)
            if catalog is not self._catalog:
                catalog.close()
