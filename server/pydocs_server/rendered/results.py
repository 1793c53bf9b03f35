"""Search results as text: what each is and where, how it is called, what it does, why it is here.

The reader pays for every token, so nothing stands twice: a file's address is whole once, a document
is known by its headings and not by a name that repeats its path.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from pydocs_bundle import Record
from pydocs_bundle.records import Flag, Kind
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.nearest import shown_name
from pydocs_server.rendered.prose import unmarked
from pydocs_server.rendered.render import one_line
from pydocs_server.rendered.rows import kind_label, place
from pydocs_server.rendered.signatures import bases, briefly, overloads

__all__ = ["Result", "block", "mention", "places"]

_SIGNATURE: Final = 140
_ASKED_SIGNATURE: Final = 400
_SUMMARY: Final = 160
_ONE_LINE: Final = 100
_HEADINGS: Final = 100


class Result(NamedTuple):
    """What is told of one hit.

    `place` is where it is, `also` the other versions that have it, `line` the number and text of a
    line that says why it is a hit, `constructor` the signature by which a class is called, `name`
    what a class lends it that only inherits it.
    """

    record: Record
    place: str
    also: tuple[str, ...] = ()
    line: tuple[int, str] | None = None
    constructor: str = ""
    name: str = ""


def block(result: Result, *, is_asked: bool = False) -> str:
    """A result as its reader needs it: what it is and where, how it is called, what it does.

    Of the very thing that was asked for by its name, more of the signature is shown.
    """
    record = result.record
    most = _ASKED_SIGNATURE if is_asked else _SIGNATURE
    signature = _signature(record, most)
    name = _name(result)
    if len(name) + len(signature) <= _ONE_LINE:
        parts = [_joined(name + signature, result)]
    else:
        parts = [_joined(name, result), f"    {signature.strip()}"]
    if result.constructor:
        called = briefly(result.constructor, most, is_method=True)
        parts.append(f"    {name.rpartition('.')[2]}{one_line(called, most)}")
    if record.summary:
        parts.append(f"    {one_line(unmarked(record.summary), _SUMMARY)}")
    if result.line:
        parts.append(f"    {result.line[0]}: {result.line[1]}")
    return "\n".join(parts)


def mention(result: Result) -> str:
    """A result in one line, for what stands below the very thing that was asked for."""
    return _joined(_name(result), result)


def places(catalog: Catalog, hits: Sequence[tuple[int, Record]]) -> list[str]:
    """Where each is: `package@version/path:line`; in a file that was named before, `…/name:line`.

    That is only where no other file in the answer is called so.
    """
    files = [(bundle, record.file) for bundle, record in hits]
    ends = {file: _end(catalog.bundles[file[0]].text.paths[file[1]]) for file in files}
    times = Counter(ends.values())
    named: set[tuple[int, int]] = set()
    shown: list[str] = []
    for (bundle, record), file in zip(hits, files, strict=True):
        whole = place(catalog, bundle, record)
        short = f"…/{ends[file]}:{record.start_line}"
        is_known = file in named and times[ends[file]] == 1
        shown.append(short if is_known and len(short) < len(whole) else whole)
        named.add(file)
    return shown


def _end(path: str) -> str:
    """The last part of a path; of what every package has, the last two."""
    folder, _, name = path.rpartition("/")
    is_common = name.startswith(("__init__.", "__main__."))
    return one_line(f"{folder.rpartition('/')[2]}/{name}" if is_common and folder else name)


def _name(result: Result) -> str:
    """The name to call a symbol by; of a document the headings, without the title of the whole."""
    record = result.record
    if record.kind == Kind.DECISION:
        return ""
    if record.kind < Kind.SECTION:
        return one_line(result.name or shown_name(record))
    title, _, below = record.signature.partition(" > ")
    headings = below or title or record.qualified_name.rpartition(":")[2]
    if len(headings) > _HEADINGS:
        headings = headings.rpartition(" > ")[2]
    return one_line(headings, _HEADINGS)


def _label(result: Result) -> str:
    """The kind, behind what a caller has to know of it before all else, and whose it really is."""
    record = result.record
    deprecated = "deprecated " if record.flags & Flag.DEPRECATED else ""
    is_async = "async " if record.flags & Flag.ASYNC else ""
    owner, lender = (
        name.rpartition(".")[0].rpartition(".")[2] for name in (record.qualified_name, result.name)
    )
    of = f" of {one_line(owner)}" if lender and lender != owner else ""
    return f"{deprecated}{is_async}{kind_label(record.kind)}{of}"


def _joined(called: str, result: Result) -> str:
    versions = f" (also {', '.join(result.also)})" if result.also else ""
    parts = (called, _label(result), result.place + versions)
    return "  ".join(part for part in parts if part)


def _signature(record: Record, most: int) -> str:
    """How to call it, or what a class inherits from; nothing for modules and prose."""
    if record.kind == Kind.MODULE or record.kind >= Kind.SECTION:
        return ""
    if record.kind == Kind.CLASS:
        return one_line(bases(record.signature), most)
    is_method = record.kind in {Kind.METHOD, Kind.PROPERTY}
    signature = briefly(record.signature, most, is_method=is_method)
    if record.kind == Kind.PROPERTY:
        signature = signature.removeprefix("()").strip()
        signature = f" {signature}" if signature else ""
    more = len(overloads(record.signature)) - 1
    shown = one_line(signature, most) if not signature.startswith(" ") else signature
    return f"{shown} (+{more} overload{'s' if more > 1 else ''})" if more else shown
