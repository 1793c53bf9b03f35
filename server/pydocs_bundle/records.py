"""The records that builder and server share: what a bundle says, before it is bytes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from pydocs_bundle.kinds import Flag, Kind, ReferenceKind

__all__ = [
    "BundleContent",
    "Decision",
    "Entry",
    "Flag",
    "IndexText",
    "Kind",
    "Reference",
    "ReferenceKind",
    "Requirement",
    "Score",
    "SourceFile",
]


class SourceFile(NamedTuple):
    """One file of the target, as text.

    `path` is relative to the distribution's or project's root, with `/`; `text` is UTF-8 with the
    file's own line ends and no byte-order mark; `encoding` is what the bytes were
    (`utf-8`, `utf-8-sig`, `iso-8859-1` …), so that unpacking gives them back; `module` is the
    dotted module name, empty for documents; `is_lossy` says that some bytes could not be decoded
    and stand as U+FFFD; `layer` is the layer of its collection that the file is in, or empty.
    """

    path: str
    text: bytes
    encoding: str = "utf-8"
    module: str = ""
    is_lossy: bool = False
    layer: str = ""


class IndexText(NamedTuple):
    """The seven fields of one searchable entry, in the order of the postings' field numbers."""

    name: str
    qualified_name: str
    signature: str
    docstring: str
    body: str
    path: str
    heading: str


class Entry(NamedTuple):
    """One thing with a name: a symbol, a section of a document, a notebook cell, a decision.

    `file` is an index into `BundleContent.files`; `start` and `end` are byte offsets in that file's
    text, `end` exclusive, decorators included; lines count from 1 and are inclusive. `parent` is an
    index into `BundleContent.entries`, -1 at the top. `public_name` is the shortest dotted name
    users can import it by, empty where that is `qualified_name` itself. `bases` are the qualified
    names of a class's bases as resolved at build time, in order; for an `ALIAS` it is the one
    name, outside this bundle, that the alias leads to. `docstring` is the cleaned docstring,
    `summary` its first sentence or line.
    """

    qualified_name: str
    kind: Kind
    file: int
    start: int
    end: int
    start_line: int
    end_line: int
    signature: str = ""
    summary: str = ""
    docstring: str = ""
    public_name: str = ""
    parent: int = -1
    flags: int = 0
    bases: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    decorators: tuple[str, ...] = ()


class Reference(NamedTuple):
    """One edge from an entry to a name, with its place in the text.

    `source` is an index into `BundleContent.entries`. `target` is the qualified name at its
    definition site where the target lies in this bundle, the name as imported where it lies
    outside, and the text as written where it is unresolved, with `reason` saying why (empty:
    resolved). `line` counts from 1, `column` (UTF-8 bytes) from 0. `tier` is `exact` or
    `syntactic`.
    """

    kind: ReferenceKind
    source: int
    target: str
    file: int
    line: int
    column: int
    tier: str = "syntactic"
    reason: str = ""


class Score(NamedTuple):
    """How much of the bundle leads to an entry, and what it belongs to.

    `in_degree` counts the entries that call it, decorate with it, inherit from it, read or write
    it, tests apart; `rank` is its PageRank without the part that every entry has, in hundredths of
    the average; `community` is the number of the group of symbols that it is in, 0 for none.
    """

    entry: int
    in_degree: int
    rank: int
    community: int


class Decision(NamedTuple):
    """Why something is as it is: an ADR, a changelog entry, a decision comment, a why-section.

    `entry` is the index of its `DECISION` entry; `origin` one of `adr`, `proposal`, `changelog`,
    `commit`, `comment`, `section`; `status` and `date` as the text has them, or empty; `quote` is
    verbatim; `governs` are qualified names of this bundle and paths of its files. `label` is what
    it is cited by: the number of a record, the version of a changelog entry, the id of a commit.
    `places` counts where the same words stand; `successor` is the entry of the decision that
    replaces it, or -1.
    """

    entry: int
    origin: str
    title: str
    quote: str
    status: str = ""
    date: str = ""
    governs: tuple[str, ...] = ()
    label: str = ""
    places: int = 1
    successor: int = -1


class Requirement(NamedTuple):
    """What the target wants, and its fate in this build.

    `fate` is one of `built`, `reused`, `not for this environment`, `not installed`, `not found`,
    `failed`, and `detail` says why. What a dependency declares has no fate; its marker is `detail`.
    """

    name: str
    specifier: str
    fate: str
    version: str = ""
    detail: str = ""


_NO_SOURCE: Final[Mapping[str, str]] = MappingProxyType({})


class BundleContent(NamedTuple):
    """All that one bundle says, sorted, ready to be written.

    `files` are sorted by path (by UTF-8 bytes). `entries` holds the searchable ones first
    (`len(texts)` of them, in the order of `texts`: by file, then start, then kind), then the ones
    that only have a name (`ATTRIBUTE`, `ALIAS`, generated methods), by qualified name. `modules`
    are the top-level import names that the target provides, `imports` those that it imports from
    elsewhere, edges into others included.
    `layers` are those of a documentation collection, each with what it holds. `resolved_with` are
    the distributions whose sources helped to resolve edges, each with its version. `scores` are by
    entry, and an entry without one has nothing but zeros.

    A named tuple, as every record here: importing `dataclasses` costs a cold search 15 ms.
    """

    kind: str
    name: str
    version: str
    files: tuple[SourceFile, ...]
    entries: tuple[Entry, ...]
    texts: tuple[IndexText, ...]
    references: tuple[Reference, ...] = ()
    decisions: tuple[Decision, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    modules: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    summary: str = ""
    licence: str = ""
    licence_files: tuple[str, ...] = ()
    source: Mapping[str, str] = _NO_SOURCE
    notes: tuple[str, ...] = ()
    layers: tuple[tuple[str, str], ...] = ()
    resolved_with: tuple[tuple[str, str], ...] = ()
    scores: tuple[Score, ...] = ()
