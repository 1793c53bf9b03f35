"""What is mounted, and how people spell it: packages by distribution, import name and version."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from pydocs_bundle import Bundle
from pydocs_native import Postings
from pydocs_server.answer import NotFound

__all__ = ["Catalog", "Scope", "Spelling", "normalised", "spelling"]

Scope = Literal["project", "deps", "all"]

_RUNS: Final = re.compile(r"[-_.]+")
_VERSIONED: Final = re.compile(r"\s*(?P<name>[^=@\s]+)\s*(?:===?|@)\s*(?P<version>\S+)\s*")


class Spelling(NamedTuple):
    """A package as the user wrote it: its name, and a version where one is asked for."""

    name: str
    version: str = ""


def spelling(text: str) -> Spelling:
    """`httpx`, `httpx==0.28.1` or `httpx@0.28.1` taken apart."""
    match = _VERSIONED.fullmatch(text)
    return Spelling(match["name"], match["version"]) if match else Spelling(text.strip())


def normalised(name: str) -> str:
    """The distribution name as PEP 503 compares it: `Zope.Interface` is `zope-interface`."""
    return _RUNS.sub("-", name).lower()


class Catalog:
    """The bundles that are mounted, in an order that no command line changes.

    It owns them: closing the catalog closes them. Bundles are known by their index in `bundles`,
    which is also their section number in `postings`.

    Args:
        bundles: open bundles, no two with the same `name==version`.
        warnings: what was skipped while mounting, a sentence each.
    """

    def __init__(self, bundles: Sequence[Bundle], warnings: Sequence[str] = ()) -> None:
        self.bundles: tuple[Bundle, ...] = tuple(
            sorted(
                bundles,
                key=lambda b: (normalised(b.manifest.name), b.manifest.version, b.content_id),
            )
        )
        self.warnings: tuple[str, ...] = tuple(warnings)

    @property
    def postings(self) -> Postings:
        """The union of all postings, read when first asked for."""
        raise NotImplementedError

    def label(self, bundle: int) -> str:
        """`name@version` of a bundle, as addresses begin."""
        raise NotImplementedError

    def package(self, text: str) -> list[int]:
        """The bundles that a spelling means; every version where none is named.

        Raises:
            NotFound: no such package or version is mounted; names the closest and what is there.
        """
        raise NotFound(text)

    def select(self, package: str = "", scope: str = "all", project: str = "") -> list[int]:
        """The bundles that a call is about: of a package, of a scope, of a project."""
        raise NotImplementedError

    def close(self) -> None:
        """Closes every bundle."""

    def __enter__(self) -> Catalog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
