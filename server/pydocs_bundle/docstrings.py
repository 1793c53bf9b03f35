"""Docstrings as spans of the source, so that no docstring is stored twice."""

from __future__ import annotations

__all__ = ["clean_docstring", "locate_docstring"]

_ATTEMPTS = 4


def clean_docstring(text: str) -> str:
    r"""The docstring without its indentation: the rules of `inspect.cleandoc` as of Python 3.11.

    `\r\n` and `\r` count as `\n`, as they do inside a literal.
    """
    if text.isprintable():
        return text.lstrip()  # as most are: of one line, without tabs
    lines = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs().split("\n")
    margins = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    margin = min(margins, default=0)
    cleaned = [lines[0].lstrip(), *(line[margin:] for line in lines[1:])]
    while cleaned and not cleaned[-1]:
        cleaned.pop()
    while cleaned and not cleaned[0]:
        cleaned.pop(0)
    return "\n".join(cleaned)


def locate_docstring(text: bytes, start: int, end: int, docstring: str) -> tuple[int, int] | None:
    """The span between `start` and `end` that `clean_docstring` turns into `docstring`.

    Gives None where no span does: a literal with escapes, or one of several parts.
    """
    first, *rest = docstring.encode().split(b"\n")
    place = start
    for _ in range(_ATTEMPTS):
        place = text.find(first, place, end)
        if place < 0:
            return None
        stop = _stop(text, place, end, first, rest)
        for begin in (place, _line_break_before(text, place, start)):
            if stop and clean_docstring(text[begin:stop].decode(errors="replace")) == docstring:
                return begin, stop
        place += 1
    return None


def _stop(text: bytes, place: int, end: int, first: bytes, rest: list[bytes]) -> int:
    """The end of the docstring whose first line is at `place`; 0 where there is none."""
    if not rest:
        return place + len(first)
    line_start = place
    for _ in rest:
        line_start = text.find(b"\n", line_start, end) + 1
        if not line_start:
            return 0
    last = rest[-1].lstrip()
    found = text.find(last, line_start, end)
    return found + len(last) if found >= 0 else 0


def _line_break_before(text: bytes, place: int, start: int) -> int:
    """The line break before `place` if only blanks part the two, so that its indentation counts."""
    begin = place
    while begin > start and text[begin - 1 : begin] in {b" ", b"\t"}:
        begin -= 1
    return begin - 1 if begin > start and text[begin - 1 : begin] == b"\n" else place
