"""What is searched of a symbol: its own lines, every line of a module in exactly one body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pydocs_builder.extracted.symbols import Module
from pydocs_bundle.records import Entry, Kind

__all__ = ["LONGEST_BODY", "bodies", "cut_body"]

LONGEST_BODY: Final = 32_768
"""How many bytes of one body are searched; more of it is a table, and `grep` finds it there."""


def bodies(modules: Sequence[Module], drafts: Sequence[Entry]) -> dict[int, bytes]:
    """For each searchable draft its own lines: a class without its methods, and so on."""
    children: dict[int, list[int]] = {}
    for number, draft in enumerate(drafts):
        if draft.kind is not Kind.ATTRIBUTE and draft.parent >= 0:
            children.setdefault(draft.parent, []).append(number)
    by_file = {module.file: module for module in modules}
    found: dict[int, bytes] = {}
    for number, draft in enumerate(drafts):
        if draft.kind is Kind.ATTRIBUTE:
            continue
        module = by_file[draft.file]
        within = [
            (drafts[child].start_line, drafts[child].end_line)
            for child in children.get(number, ())
            if drafts[child].file == draft.file
        ]
        found[number] = _own_lines(module, draft, within)
    return found


def cut_body(body: bytes) -> bytes:
    """The body up to the last line end below the limit."""
    if len(body) <= LONGEST_BODY:
        return body
    cut = body.rfind(b"\n", 0, LONGEST_BODY) + 1
    return body[:cut] if cut else body[:LONGEST_BODY]


def _own_lines(module: Module, draft: Entry, within: list[tuple[int, int]]) -> bytes:
    starts = module.starts
    last = len(starts) - 1
    end = min(draft.end_line, last)
    line = draft.start_line
    if not within:
        return module.text[starts[min(line - 1, last)] : starts[end]]
    pieces = []
    for first, until in sorted(within):
        if first > line:
            pieces.append(module.text[starts[line - 1] : starts[min(first - 1, last)]])
        line = max(line, until + 1)
    if line <= end:
        pieces.append(module.text[starts[line - 1] : starts[end]])
    return b"".join(pieces)
