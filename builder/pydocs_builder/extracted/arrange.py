"""The order of a bundle's entries: what is searched by place, then what only has a name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from pydocs_builder.extracted.chunks import cut_body
from pydocs_bundle.records import Entry, IndexText, SourceFile

__all__ = ["Arranged", "Draft", "arrange"]


_PARENT: Final = Entry._fields.index("parent")


class Draft(NamedTuple):
    """An entry on its way: `parent` is an index into the drafts, `body` what is searched of it.

    `body` is None for what only has a name, `name` what the search calls it where that is not the
    last part of its qualified name.
    """

    entry: Entry
    body: bytes | None = None
    heading: str = ""
    name: str = ""


class Arranged(NamedTuple):
    """The entries and texts of a bundle, and for each draft the index of its entry."""

    entries: tuple[Entry, ...]
    texts: tuple[IndexText, ...]
    places: list[int]


def arrange(drafts: Sequence[Draft], files: Sequence[SourceFile]) -> Arranged:
    """The drafts in the order of the format, with parents that point to entries."""
    searched: list[tuple[int, int, int, int]] = []
    named: list[tuple[str, int]] = []
    for number, (entry, body, _, _) in enumerate(drafts):
        if body is None:
            named.append((entry.qualified_name, number))
        else:
            searched.append((entry.file, entry.start, entry.kind, number))
    order = [key[-1] for key in sorted(searched)]
    order += [number for _, number in sorted(named)]
    places = [0] * len(drafts)
    for place, number in enumerate(order):
        places[number] = place
    entries: list[Entry] = []
    texts: list[IndexText] = []
    # As `Entry(…)`, which costs three times as much.
    new: Callable[..., Entry] = tuple.__new__
    for number in order:
        entry, body, heading, name = drafts[number]
        if entry.parent >= 0:
            parent = places[entry.parent]
            entry = new(Entry, (*entry[:_PARENT], parent, *entry[_PARENT + 1 :]))
        entries.append(entry)
        if body is not None:
            path = files[entry.file].path
            texts.append(_text(entry, cut_body(body), path, heading, name))
    return Arranged(tuple(entries), tuple(texts), places)


def _text(entry: Entry, body: bytes, path: str, heading: str, name: str) -> IndexText:
    qualified_name = entry.qualified_name
    return IndexText(
        name or qualified_name.rpartition(".")[2],
        qualified_name,
        "" if heading else entry.signature,
        entry.docstring,
        body.decode(errors="replace"),
        path,
        heading,
    )
