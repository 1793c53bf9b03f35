"""Dotted names over the union: definitions, aliases, members, and what a class inherits."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NamedTuple

from pydocs_bundle import Record
from pydocs_server.catalog import Catalog

__all__ = ["Found", "closest", "members", "mro", "require", "resolve"]

Via = Literal["definition", "alias", "inherited"]


class Found(NamedTuple):
    """A record, the index of its bundle in the catalog, and how the name led to it."""

    bundle: int
    record: Record
    via: Via = "definition"


def resolve(catalog: Catalog, name: str, within: Collection[int] | None = None) -> list[Found]:
    """What a name means, best first, one for each mounted version; empty where nothing is.

    Takes public and private dotted names, `package@version/dotted.name`, an address
    `package@version/path:line` (the symbol around that line), names that begin with a
    distribution's name, and bare or partly dotted ones (`Client`, `Client.get`).

    Args:
        catalog: what is mounted.
        name: as the user wrote it.
        within: the bundles to look in; aliases and bases may still lead out of them.
    """
    raise NotImplementedError


def require(catalog: Catalog, name: str, within: Collection[int] | None = None) -> list[Found]:
    """Like `resolve`, and never empty.

    Raises:
        NotFound: nothing has that name; names the closest and the call to make.
    """
    raise NotImplementedError


def mro(catalog: Catalog, found: Found) -> list[Found]:
    """A class and its mounted bases in method resolution order; cycles and gaps are survived."""
    raise NotImplementedError


def members(catalog: Catalog, found: Found) -> list[Found]:
    """The direct members of a class or module in source order, attributes last."""
    raise NotImplementedError


def closest(catalog: Catalog, name: str, most: int = 5) -> list[str]:
    """The mounted names nearest to one that is not there, best first."""
    raise NotImplementedError
