"""What can be saved of a text that the running interpreter cannot parse.

The text is cut into top-level blocks. A block that does not parse becomes an outline of the same
length: its `def` and `class` lines with their names, on their lines, and nothing else.
"""

from __future__ import annotations

import ast
import re
import sys
import warnings

from pydocs_native._twins.parsing.source import Source, line_starts
from pydocs_native.records import Problem

__all__ = ["line_of", "parse_tree", "salvage", "sentence"]

BLOCK = re.compile(rb"[A-Za-z_@(\[{\x80-\xff]")
# Lines that begin in the first column and yet go on with the block before.
CONTINUATION = re.compile(rb"(elif|else|except|finally)\b")
HEADER = re.compile(rb"[ \t]*(?:async[ \t]+)?(def|class)[ \t]+([\w\x80-\xff]+)")
UNFINISHED = re.compile(r"unterminated triple-quoted|was never closed|EOF")
BLOCK_LIMIT = 10_000
JOIN_LIMIT = 50
PROBLEM_LIMIT = 20
FINE = Exception("no problem")


def parse_tree(source: Source) -> tuple[ast.Module | None, Exception]:
    """The tree of a text, or why there is none."""
    with warnings.catch_warnings():
        # What Python warns of (an invalid escape, say) is the affair of the text's author.
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source.code), FINE
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return None, error


def salvage(source: Source, error: Exception) -> tuple[bytes, list[Problem]]:
    """The text with an outline in place of each block that does not parse, and the problems."""
    blocks = _blocks(source)
    if len(blocks) > BLOCK_LIMIT:
        return _outline(source.text), [Problem(line_of(error), sentence(error))]
    kept: list[bytes] = []
    problems: list[Problem] = []
    while blocks:
        line, text = blocks.pop()
        tree, problem = parse_tree(Source(text))
        if tree is None and UNFINISHED.search(str(problem)):
            # A string or bracket may hold lines that look like the start of a block.
            joined = text
            for count in range(1, min(JOIN_LIMIT, len(blocks) + 1)):
                joined += blocks[-count][1]
                tree, _ = parse_tree(Source(joined))
                if tree is not None:
                    text = joined
                    del blocks[-count:]
                    break
        if tree is None:
            problems.append(Problem(line - 1 + line_of(problem), sentence(problem)))
            text = _outline(text)
        kept.append(text)
    if not problems:
        problems.append(Problem(line_of(error), sentence(error)))
    return b"".join(kept), problems[:PROBLEM_LIMIT]


def line_of(error: Exception) -> int:
    """The line where Python stopped."""
    return getattr(error, "lineno", None) or 1


def sentence(error: Exception) -> str:
    """What Python says of a text, and that it may be this Python that is too old."""
    if isinstance(error, RecursionError | MemoryError):
        return "nested too deeply to be parsed"
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    version = ".".join(map(str, sys.version_info[:2]))
    return f"{message} (for Python {version}; it may need a newer one)"


def _blocks(source: Source) -> list[tuple[int, bytes]]:
    """Each top-level block with its first line, the last block first."""
    starts = [0]
    lines = [1]
    follows_decorator = False
    for line, start in enumerate(source.line_starts, 1):
        if BLOCK.match(source.text, start) and not CONTINUATION.match(source.text, start):
            if start and not follows_decorator:
                starts.append(start)
                lines.append(line)
            follows_decorator = source.text[start : start + 1] == b"@"
    ends = [*starts[1:], len(source.text)]
    blocks = [
        (line, source.text[start:end]) for line, start, end in zip(lines, starts, ends, strict=True)
    ]
    return blocks[::-1]


def _outline(text: bytes) -> bytes:
    """`text` blanked but for its definitions, each from its `def` or `class` line to its end.

    A definition becomes `def f(` on its line and `):0` where it ends, for brackets span lines.
    """
    blank = bytearray(re.sub(rb"[^\r\n]", b" ", text))
    definitions = _definitions(text)
    # The classes that are open around a line: indentation and depth.
    classes: list[int] = []
    for index, (indent, word, name, start, end) in enumerate(definitions):
        while classes and indent <= classes[-1]:
            classes.pop()
        stub = b" " * len(classes) + word + b" " + name
        following = definitions[index + 1] if index + 1 < len(definitions) else None
        if word == b"class" and following and following[0] > indent and following[3] < end:
            blank[start : start + len(stub) + 1] = stub + b":"
            classes.append(indent)
        else:
            blank[start : start + len(stub) + 1] = stub + b"("
            blank[end - 3 : end] = b"):0"
    return bytes(blank)


def _definitions(text: bytes) -> list[tuple[int, bytes, bytes, int, int]]:
    """Indentation, word, name, start of line and end of each definition outside functions."""
    starts = line_starts(text)
    ends = [*starts[1:], len(text)]
    found: list[tuple[int, bytes, bytes, int, int]] = []
    # Indices into `found` of what the current line is inside of.
    inside: list[int] = []
    for start, line_end in zip(starts, ends, strict=True):
        line = text[start:line_end].rstrip()
        stripped = line.lstrip()
        indent = len(line) - len(stripped)
        if not stripped:
            continue
        if not stripped.startswith((b")", b"]", b"}")):
            while inside and indent <= found[inside[-1]][0]:
                inside.pop()
        end = start + len(line)
        for index in inside:
            found[index] = (*found[index][:4], end)
        header = HEADER.match(line)
        if header and not (inside and found[inside[-1]][1] == b"def"):
            found.append((indent, header[1], header[2], start, end))
            inside.append(len(found) - 1)
    return [it for it in found if _has_room(text, *it)]


def _has_room(text: bytes, indent: int, word: bytes, name: bytes, start: int, end: int) -> bool:
    head = text[start : start + indent + len(word) + len(name) + 2]
    tail = text[start + len(head) : end][-3:]
    return len(tail) == len(b"):0") and not re.search(rb"[\r\n]", head + tail)
