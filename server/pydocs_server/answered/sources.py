"""The source of a symbol as far as a budget goes: whole, as an outline, or cut at a line."""

from __future__ import annotations

from typing import Final, NamedTuple

from pydocs_bundle import Record
from pydocs_bundle.records import Kind
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.names import Found
from pydocs_server.rendered.answer import count_tokens, cut_lines
from pydocs_server.rendered.api import declaration
from pydocs_server.rendered.render import location

__all__ = ["Source", "source_within"]

_OUTLINED: Final = frozenset({Kind.CLASS, Kind.MODULE})
_MEMBERS: Final = frozenset({Kind.CLASS, Kind.FUNCTION, Kind.METHOD, Kind.PROPERTY})
_HEAD_SHARE: Final = 0.6
_LONGEST_DECLARATION: Final = 160


class Source(NamedTuple):
    """What is shown of a source, and how to read what is not; empty where all of it is shown."""

    text: str
    next: str
    is_outline: bool = False


def source_within(catalog: Catalog, found: Found, tokens: int) -> Source:
    """The source of a symbol, its first line indented as the file has it.

    A class or a module that does not fit is shown as what stands before its members, and a line
    for each of these: its beginning alone would hide most of what it offers.
    """
    bundle = catalog.bundles[found.bundle]
    record = found.record
    whole = bundle.text.slice(record.file, _line_start(catalog, found), record.end)
    text = whole.decode("utf-8", "replace")
    if count_tokens(text) <= tokens:
        return Source(text, "")
    manifest = bundle.manifest
    address = location(manifest.name, manifest.version, bundle.text.paths[record.file])
    members = [
        member
        for child in record.children
        if (member := bundle.records[child]).kind in _MEMBERS
        and member.file == record.file
        and record.start < member.start < record.end
    ]
    if record.kind in _OUTLINED and members:
        return _outline(text, record, members, address, tokens)
    fitted = cut_lines(text, tokens)
    begin = record.start_line + fitted.shown
    rest = record.end_line - begin + 1
    return Source(
        fitted.text,
        f"Cut after line {begin - 1}: "
        f'read_file(file_path="{address}", offset={begin}, limit={rest}).',
    )


def _outline(text: str, record: Record, members: list[Record], address: str, tokens: int) -> Source:
    head = cut_lines(
        "\n".join(text.split("\n")[: members[0].start_line - record.start_line]).rstrip(),
        int(tokens * _HEAD_SHARE),
    )
    room = tokens - count_tokens(head.text)
    lines = [head.text, *(["    …"] if head.left else [])]
    indent = "" if record.kind == Kind.MODULE else "    "
    shown = 0
    for member in members:
        declared = declaration(
            member, member.qualified_name.rpartition(".")[2], most=_LONGEST_DECLARATION
        )
        line = f"{indent}{declared}  # {member.start_line}-{member.end_line}"
        room -= count_tokens(line) + 1
        if room < 0:
            break
        lines.append(line)
        shown += 1
    left = len(members) - shown
    rest = f", {left} of its {len(members)} members left out" if left else ""
    return Source(
        "\n".join(lines),
        f"An outline of {record.end_line - record.start_line + 1:,} lines{rest}; the numbers are "
        f'lines: read_file(file_path="{address}", offset={record.start_line}).',
        is_outline=True,
    )


def _line_start(catalog: Catalog, found: Found) -> int:
    """Where the symbol's first line starts, if nothing but blanks stands before the symbol."""
    record = found.record
    text = catalog.bundles[found.bundle].text.read(record.file)
    start = text.rfind(b"\n", 0, record.start) + 1
    return start if not text[start : record.start].strip() else record.start
