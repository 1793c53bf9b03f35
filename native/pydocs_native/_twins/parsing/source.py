"""The text with its lines: places of nodes as byte offsets, and expressions as one-line text."""

from __future__ import annotations

import ast
import re
import token
import tokenize
from bisect import bisect_right
from collections.abc import Iterator

__all__ = ["Source", "line_starts", "scrub", "unify_line_ends"]

BOM = b"\xef\xbb\xbf"
PART_LIMIT = 200

# What a part would drop, in strings or not.
DROPPED = re.compile(r"[\n\r\t\f\\#]|  | [)\]}]|[(\[{] ")
NAME_BYTE = re.compile(rb"[\w\x80-\xff]")
SURROGATE = re.compile("[\ud800-\udfff]")

STRING_STARTS = {getattr(token, name, None) for name in ("FSTRING_START", "TSTRING_START")}
STRING_ENDS = {getattr(token, name, None) for name in ("FSTRING_END", "TSTRING_END")}
BLANKS = {token.COMMENT, token.NL, token.NEWLINE, token.ENDMARKER, token.INDENT, token.DEDENT}


class Source:
    """One module's text and where its lines begin."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.line_starts = line_starts(text)
        self.bom = len(BOM) if text.startswith(BOM) else 0

    @property
    def code(self) -> str:
        """The text as Python's own parser takes it."""
        return self.text[self.bom :].decode()

    def offset(self, line: int, column: int) -> int:
        """The byte offset of a node's line and column."""
        return self.line_starts[line - 1] + column + (self.bom if line == 1 else 0)

    def line(self, offset: int) -> int:
        """The line of `offset`, from 1."""
        return bisect_right(self.line_starts, offset)

    def position(self, offset: int) -> tuple[int, int]:
        """Line (from 1) and byte column (from 0) of `offset`."""
        line = self.line(offset)
        return line, offset - self.line_starts[line - 1]

    def start(self, node: ast.expr | ast.stmt | ast.arg | ast.alias) -> int:
        """Where `node` begins; a statement with decorators begins with the first `@`."""
        decorators = getattr(node, "decorator_list", ())
        if decorators:
            return self._at_sign(decorators[0].lineno)
        return self.offset(node.lineno, node.col_offset)

    def expression_end(self, node: ast.expr) -> int:
        """The byte after `node`."""
        return self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def end(self, node: ast.expr | ast.stmt) -> int:
        """The byte after `node`."""
        return self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def last_name(self, node: ast.expr) -> int:
        """Where the last name of a callee begins; where it ends with no name, the callee itself."""
        if not isinstance(node, ast.Attribute):
            return self.start(node)
        start = self.end(node)
        while start and _is_in_name(self.text[start - 1]):
            start -= 1
        return start

    def part(self, node: ast.expr) -> str:
        """The text of `node` on one line, without comments, cut at 200 characters."""
        text = self.text[self.start(node) : self.end(node)].decode()
        if DROPPED.search(text):
            text = _one_line(unify_line_ends(text))
        return text if len(text) <= PART_LIMIT else text[:PART_LIMIT] + "…"

    def _at_sign(self, line: int) -> int:
        # Only brackets and comments can stand between the sign and the expression.
        while True:
            start = self.line_starts[line - 1]
            end = self.line_starts[line] if line < len(self.line_starts) else len(self.text)
            text = self.text[start:end]
            stripped = text.lstrip(b" \t\f" + BOM)
            if stripped.startswith(b"@") or line == 1:
                return start + len(text) - len(stripped)
            line -= 1


def line_starts(text: bytes) -> list[int]:
    r"""Where each line begins; `\n`, `\r` and `\r\n` end one, a form feed does not."""
    return [0, *(match.end() for match in re.finditer(rb"\r\n|\r|\n", text))]


def unify_line_ends(text: str) -> str:
    r"""`\r\n` and `\r` as `\n`, as Python reads them."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def scrub(value: str) -> str:
    """`value` with what UTF-8 cannot say replaced."""
    return SURROGATE.sub("\ufffd", value)


def _is_in_name(byte: int) -> bool:
    return NAME_BYTE.match(bytes([byte])) is not None


def _one_line(text: str) -> str:
    parts: list[str] = []
    length = 0
    before: tuple[int, int] | None = None
    previous = ""
    for string, start, end in _tokens(text):
        if before is not None and before != start and previous not in "([{" and string not in ")]}":
            parts.append(" ")
        parts.append(string)
        length += len(string)
        before, previous = end, string
        if length > PART_LIMIT:
            break
    return "".join(parts)


def _tokens(text: str) -> Iterator[tuple[str, tuple[int, int], tuple[int, int]]]:
    """Each token of an expression with its place; a string with fields is one token."""
    # Within brackets line ends are blanks.
    lines = [line + "\n" for line in f"({text}\n)".split("\n")]
    depth = 0
    begin = (1, 0)
    last = len(lines)
    for item in tokenize.generate_tokens(iter([*lines, ""]).__next__):
        if item.start[0] == last:
            return
        if item.type in BLANKS or (item.start == (1, 0) and item.string == "("):
            continue
        if item.type in STRING_STARTS:
            begin = begin if depth else item.start
            depth += 1
        elif item.type in STRING_ENDS:
            depth -= 1
            if not depth:
                yield _between(lines, begin, item.end), begin, item.end
        elif not depth:
            yield item.string, item.start, item.end


def _between(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    if start[0] == end[0]:
        return lines[start[0] - 1][start[1] : end[1]]
    first = lines[start[0] - 1][start[1] :]
    return "".join([first, *lines[start[0] : end[0] - 1], lines[end[0] - 1][: end[1]]])
