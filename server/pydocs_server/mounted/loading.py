"""Reading ahead what the first search needs, so that nobody waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable

from pydocs_bundle.errors import BundleError
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.shelf import Shelf

__all__ = ["load", "load_beside"]


def load(catalog: Catalog) -> tuple[str, ...]:
    """Loads the postings, the encoder's model and the vectors, those that searches will use.

    Gives what is wrong with the model and the vectors, a sentence each.
    """
    _ = catalog.postings
    meaning = catalog.meaning
    if meaning is None or not catalog.ranking.dense:
        return ()
    try:
        meaning.load()
    except BundleError as error:
        return (str(error),)
    return tuple(f"{problem} (searched by its words)." for problem in meaning.problems)


def load_beside(shelf: Shelf, tell: Callable[[str], None]) -> None:
    """Does the same for the catalog of a shelf, in a thread beside the first calls.

    Searches that come meanwhile are answered by words.

    Args:
        shelf: holds a catalog.
        tell: told of what is wrong.
    """
    catalog = shelf.catalog
    meaning = catalog.meaning if catalog is not None else None
    if meaning is not None:
        meaning.is_loading = True

    def work() -> None:
        try:
            with shelf.lent() as catalog:
                for problem in load(catalog):
                    tell(problem)
        finally:
            if meaning is not None:
                meaning.is_loading = False

    threading.Thread(target=work, daemon=True).start()
