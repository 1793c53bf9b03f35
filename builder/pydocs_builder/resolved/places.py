"""Where a definition's name and its bases stand in the text."""

from __future__ import annotations

import re
from bisect import bisect_right

from pydocs_builder.extracted.symbols import Module
from pydocs_native.records import ParsedSymbol

__all__ = ["base_place", "name_place"]


def name_place(module: Module, symbol: ParsedSymbol) -> tuple[int, int]:
    """Line (from 1) and byte column (from 0) of the name in a `def` or `class` statement."""
    offset = _name_offset(module, symbol)
    return (symbol.line, 0) if offset < 0 else _place(module, offset)


def base_place(module: Module, symbol: ParsedSymbol, base: str) -> tuple[int, int]:
    """Line and byte column of the last name of a base as it is written; else of the class."""
    offset = _name_offset(module, symbol)
    written = re.escape(base.partition("[")[0].strip().encode())
    name = base.partition("[")[0].rpartition(".")[2].strip().encode()
    pattern = re.compile(rb"[(,=\s]" + written + rb"(?![\w.])")
    found = pattern.search(module.text, offset + len(symbol.name.encode()), symbol.body)
    if offset < 0 or found is None:
        return name_place(module, symbol)
    return _place(module, found.end() - len(name))


def _name_offset(module: Module, symbol: ParsedSymbol) -> int:
    start = module.starts[symbol.line - 1]
    name = symbol.name.encode()
    pattern = re.compile(rb"(?:def|class)[\s\\]+(" + re.escape(name) + rb")")
    found = pattern.search(module.text, start, symbol.body)
    return found.start(1) if found else -1


def _place(module: Module, offset: int) -> tuple[int, int]:
    line = bisect_right(module.starts, offset)
    return line, offset - module.starts[line - 1]
