"""Where a definition's name and its bases stand in the text."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

from pydocs_builder.extracted.symbols import Module
from pydocs_native.records import ParsedSymbol

__all__ = ["base_place", "name_place"]

_BEFORE: Final = re.compile(rb"[(,=\s]")
_MORE: Final = re.compile(rb"[\w.]")
_NAME: Final = re.compile(rb"(?:def|class)[\s\\]+")


def name_place(module: Module, symbol: ParsedSymbol) -> tuple[int, int]:
    """Line (from 1) and byte column (from 0) of the name in a `def` or `class` statement."""
    offset = _name_offset(module, symbol)
    return (symbol.line, 0) if offset < 0 else _place(module, offset)


def base_place(module: Module, symbol: ParsedSymbol, base: str) -> tuple[int, int]:
    """Line and byte column of the last name of a base as it is written; else of the class."""
    offset = _name_offset(module, symbol)
    if offset < 0:
        return (symbol.line, 0)
    written = base.partition("[")[0].strip().encode()
    name = written.rpartition(b".")[2].strip()
    text, end = module.text, symbol.body
    # A pattern for each base would take longer to make than to use.
    at = text.find(written, offset + len(symbol.name.encode()) + 1, end)
    while at >= 0:
        behind = at + len(written)
        if _BEFORE.match(text, at - 1) and not _MORE.match(text, behind, end):
            return _place(module, behind - len(name))
        at = text.find(written, at + 1, end)
    return _place(module, offset)


def _name_offset(module: Module, symbol: ParsedSymbol) -> int:
    start = module.starts[symbol.line - 1]
    name = symbol.name.encode()
    # The name stands behind the first such word where it is this one's.
    found = _NAME.search(module.text, start, symbol.body)
    while found and not module.text.startswith(name, found.end()):
        found = _NAME.search(module.text, found.end(), symbol.body)
    return found.end() if found else -1


def _place(module: Module, offset: int) -> tuple[int, int]:
    line = bisect_right(module.starts, offset)
    return line, offset - module.starts[line - 1]
