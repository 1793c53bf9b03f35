"""From what the user names (files, folders, globs) to a catalog of verified bundles."""

from __future__ import annotations

from collections.abc import Sequence

from pydocs_server.catalog import Catalog

__all__ = ["mount"]


def mount(patterns: Sequence[str] | None = None, *, strict: bool = False) -> Catalog:
    """The catalog of all bundles that the patterns name; without any, `$PYDOCS_BUNDLES`, `./artifacts`.

    Args:
        patterns: files, folders and globs.
        strict: a bundle that cannot be mounted is an error; otherwise it is skipped and the catalog's
            `warnings` say why.
    """
    raise NotImplementedError
