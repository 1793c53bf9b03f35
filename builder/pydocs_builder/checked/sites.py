"""Where a call is: from the type checker's spans to the places that the parser gives.

The checker names an expression by its first and last line and column (`12:5-13:2`: lines and bytes
from 1, the end exclusive), the parser a call by the callee's last name. A call's name is in no
smaller call than its own, so a sweep over both in the order of the text brings them together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from pydocs_builder.extracted.symbols import Module

__all__ = ["Sites", "Span", "callee", "match_calls", "name_offset", "read_span"]

_SPAN: Final = re.compile(r"(\d{1,9}):(\d{1,9})-(\d{1,9}):(\d{1,9})")
_NAME: Final = re.compile(rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*(?![\w\x80-\xff\"'])")
_LAST: Final = re.compile(rb"\.\s*([A-Za-z_\x80-\xff][\w\x80-\xff]*)\s*\Z")
_LONGEST_TAIL: Final = 300


class Span(NamedTuple):
    """The offsets of an expression in its file's text, the end exclusive."""

    start: int
    end: int


class Sites(NamedTuple):
    """The parsed call of each span that is one, and the calls that share their place with another.

    Calls in an f-string are all where it begins, and `f()()` is where `f` is.
    """

    calls: dict[Span, int]
    shared: frozenset[tuple[int, int]]


def read_span(place: str, starts: Sequence[int]) -> Span | None:
    """The offsets of a span as a report writes it; None if it is none of this file."""
    match = _SPAN.fullmatch(place)
    if match is None:
        return None
    first, left, last, right = map(int, match.groups())
    if not 0 < first <= last < len(starts) + 1 or not left or not right:
        return None
    span = Span(starts[first - 1] + left - 1, starts[last - 1] + right - 1)
    return span if span.start < span.end <= starts[-1] else None


def match_calls(module: Module, spans: Sequence[Span]) -> Sites:
    """Which parsed call each span is, where there is one."""
    text, starts = module.text, module.starts
    named: list[tuple[int, int]] = []
    pinned: list[tuple[int, int]] = []
    places: set[tuple[int, int]] = set()
    shared: set[tuple[int, int]] = set()
    for number, call in enumerate(module.parsed.calls):
        place = (call.line, call.column)
        (shared if place in places else places).add(place)
        offset = starts[call.line - 1] + call.column
        name = _NAME.match(text, offset)
        if name is None:
            pinned.append((offset, number))
        elif call.callee.encode().endswith(name[0]):
            named.append((offset, number))
    held = _sweep(sorted(named), sorted(set(spans), key=lambda span: (span.start, -span.end)))
    calls = {span: _own(span, numbers, module) for span, numbers in held.items()}
    if pinned:
        _match_pinned(module, sorted(pinned), [span for span in spans if span not in calls], calls)
    return Sites(calls, frozenset(shared))


def name_offset(text: bytes, span: Span) -> int:
    """Where the last name of an expression is, or where it begins if it does not end with one."""
    found = _LAST.search(text, max(span.start, span.end - _LONGEST_TAIL), span.end)
    return found.start(1) if found else span.start


def callee(text: bytes, span: Span) -> Span:
    """The part of a call that its last opening bracket ends; all of it where there is none."""
    opening = text.rfind(b"(", span.start, span.end)
    return Span(span.start, opening) if opening > span.start else span


def _sweep(
    named: Sequence[tuple[int, int]], spans: Sequence[Span]
) -> dict[Span, list[tuple[int, int]]]:
    """The names in each span that are in no smaller one."""
    held: dict[Span, list[tuple[int, int]]] = {}
    open_spans: list[Span] = []
    coming = iter(spans)
    following = next(coming, None)
    for offset, number in named:
        while following is not None and following.start <= offset:
            open_spans.append(following)
            following = next(coming, None)
        while open_spans and open_spans[-1].end <= offset:
            open_spans.pop()
        # Spans are nested, but ends that were passed may still lie below the innermost.
        if open_spans:
            held.setdefault(open_spans[-1], []).append((offset, number))
    return held


def _own(span: Span, numbers: Sequence[tuple[int, int]], module: Module) -> int:
    """Among the names in a span and in no smaller one, the one that is called.

    There are several where the checker did not report a call inside of it.
    """
    if len(numbers) > 1:
        for offset, number in numbers:
            if offset == span.start and "." not in module.parsed.calls[number].callee:
                return number
    return numbers[0][1]


def _match_pinned(
    module: Module,
    pinned: Sequence[tuple[int, int]],
    spans: Sequence[Span],
    calls: dict[Span, int],
) -> None:
    """Bring calls in f-strings together by the last name of what is called."""
    waiting = list(pinned)
    for span in spans:
        before = [(offset, number) for offset, number in waiting if offset <= span.start]
        nearest = before[-1][0] if before else -1
        head = module.text[span.start : span.end].partition(b"(")[0].rstrip()
        for offset, number in before:
            callee = module.parsed.calls[number].callee.encode()
            if offset == nearest and head.endswith(callee.rpartition(b".")[2]):
                calls[span] = number
                waiting.remove((offset, number))
                break
