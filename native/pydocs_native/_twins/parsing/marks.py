"""Comments that say why: `# WHY: …`."""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterator, Sequence

from pydocs_native._twins.parsing.source import Source, unify_line_ends
from pydocs_native.records import Mark, ParsedSymbol

__all__ = ["marks"]

MARK = re.compile(r"#+[ \t]*(WHY|DECISION|RATIONALE|TRADEOFF|HACK|NOTE):")


def marks(source: Source, symbols: Sequence[ParsedSymbol]) -> tuple[Mark, ...]:
    """The marks of `source`; `symbols` in source order give each its scope."""
    # To find comments costs more than all the rest, and few modules have such words.
    if not MARK.search(source.code):
        return ()
    found: list[Mark] = []
    continues: tuple[int, int] | None = None
    for start, text in _comments(source):
        line, column = source.position(start)
        end = start + len(text.encode())
        match = MARK.match(text)
        before = source.text[start - column : start]
        if match:
            found.append(Mark(-1, match[1], start, end, line, line))
            continues = (line + 1, column)
        elif continues == (line, column) and not before.strip(b" \t\f"):
            found[-1] = found[-1]._replace(end=end, end_line=line)
            continues = (line + 1, column)
        else:
            continues = None
    scopes = _scopes(found, symbols)
    return tuple(mark._replace(scope=scope) for mark, scope in zip(found, scopes, strict=True))


def _comments(source: Source) -> Iterator[tuple[int, str]]:
    lines = [line + "\n" for line in unify_line_ends(source.code).split("\n")]
    # The last piece is what follows the last line end.
    lines[-1] = lines[-1][:-1]
    try:
        for item in tokenize.generate_tokens(iter([*lines, ""]).__next__):
            if item.type == tokenize.COMMENT:
                row, column = item.start
                yield source.offset(row, len(lines[row - 1][:column].encode())), item.string
    except (tokenize.TokenError, SyntaxError, StopIteration):
        return


def _scopes(found: Sequence[Mark], symbols: Sequence[ParsedSymbol]) -> Iterator[int]:
    """For each mark the innermost class or function around it; both are in source order."""
    definitions = [it for it in enumerate(symbols) if it[1].kind != "attribute"][::-1]
    around: list[tuple[int, ParsedSymbol]] = []
    for mark in found:
        while definitions and definitions[-1][1].start <= mark.start:
            definition = definitions.pop()
            while around and around[-1][1].end <= definition[1].start:
                around.pop()
            around.append(definition)
        while around and around[-1][1].end <= mark.start:
            around.pop()
        yield around[-1][0] if around else -1
