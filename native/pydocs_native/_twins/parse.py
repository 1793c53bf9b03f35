"""The twin of the Rust parser, on CPython's own: the same results on every text it can parse.

Newer syntax than the running interpreter knows, and broken text, it can only salvage: what stands
in top-level blocks that parse is whole, of the others the names and lines of `def` and `class`
remain, and a problem says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydocs_native._twins.parsing.collect import collect
from pydocs_native._twins.parsing.salvage import line_of, parse_tree, salvage, sentence
from pydocs_native._twins.parsing.source import Source, line_starts
from pydocs_native.records import ParsedModule, Problem

__all__ = ["parse", "parse_all"]


def parse(text: bytes) -> ParsedModule:
    """Gives what one module's text says; broken text gives what it can, and problems."""
    try:
        text.decode()
    except UnicodeDecodeError as error:
        line = len(line_starts(text[: error.start]))
        return _only(Problem(line, "not UTF-8"))
    source = Source(text)
    tree, failure = parse_tree(source)
    if tree is not None:
        return collect(source, tree)
    kept, problems = salvage(source, failure)
    source = Source(kept)
    tree, failure = parse_tree(source)
    if tree is not None:
        return collect(source, tree, problems)
    return _only(*problems, Problem(line_of(failure), sentence(failure)))


def parse_all(texts: Sequence[bytes]) -> list[ParsedModule]:
    """Parses every text."""
    return [parse(text) for text in texts]


def _only(*problems: Problem) -> ParsedModule:
    return ParsedModule(None, None, (), (), (), (), (), problems)
