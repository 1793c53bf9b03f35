"""Patterns over many texts, with a deadline."""

from __future__ import annotations

import re
import time
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice

import regex

__all__ = ["Grep"]

_MAX_PATTERN = 10_000
_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n)|([^\r\n]+)")
_LINE_END = re.compile(r"[\r\n]")
# Escapes and classes are passed over, so that only anchors are found.
_ANCHOR = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|(?P<start>\^)|(?P<end>\$)", re.DOTALL)
# In the same way: the names of groups, which `regex` lets stand for several.
_NAME = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?P?<(?P<name>\w+)>", re.DOTALL)
_LINE_START = r"(?:(?<=\n)|(?<=\r)(?!\n)|\A)"
_BEFORE_LINE_END = r"(?:(?=\r|\Z)|(?<!\r)(?=\n))"


class Grep:
    """A compiled pattern, to be searched for in many texts.

    Args:
        pattern: as for Python's `re`.
        ignore_case: letters match whatever their case.
        multiline: matches may span lines, and a dot matches line ends too.
        deadline_ms: how long a search may take.

    Raises:
        ValueError: the pattern is none.
    """

    def __init__(
        self,
        pattern: str,
        *,
        ignore_case: bool = False,
        multiline: bool = False,
        deadline_ms: int = 2000,
    ) -> None:
        if len(pattern) > _MAX_PATTERN:
            raise _bad_pattern(f"it is longer than {_MAX_PATTERN} characters")
        names = [found["name"] for found in _NAME.finditer(pattern) if found["name"]]
        if len(names) != len(set(names)):
            raise _bad_pattern("two groups have one name")
        flags = regex.VERSION0 | (regex.IGNORECASE if ignore_case else 0)
        # A line is searched by itself, so its edges are those of the text.
        flags |= regex.DOTALL if multiline else 0
        try:
            self._pattern = regex.compile(_anchored(pattern) if multiline else pattern, flags)
        except (regex.error, RecursionError, OverflowError) as error:
            raise _bad_pattern(str(error)) from None
        self._multiline = multiline
        self._deadline_ms = deadline_ms

    def lines(
        self,
        pieces: Sequence[bytes],
        spans: Sequence[tuple[int, int]],
        most: int,
        allowed_ms: int,
    ) -> tuple[list[tuple[int, int, list[int]]], int, bool]:
        """Gives the lines that a match touches.

        Args:
            pieces: what is searched, cut anywhere.
            spans: each text's first byte and the one behind its last, in the joined pieces.
            most: how many lines of each text to number.
            allowed_ms: how long all texts together may take.

        Returns:
            `(text, lines, numbers of the first of them)` of the texts with matches, how many texts
            were searched, and whether the one behind those was given up.

        Raises:
            ValueError: a span lies outside the pieces.
        """
        joined = b"".join(pieces)
        if not all(0 <= start <= end <= len(joined) for start, end in spans):
            raise ValueError("a span lies outside the pieces")
        stop_at = time.monotonic() + allowed_ms / 1000
        found: list[tuple[int, int, list[int]]] = []
        for index, (start, end) in enumerate(spans):
            now = time.monotonic()
            if now >= stop_at:
                return found, index, False
            text = joined[start:end]
            try:
                matches = list(self._matches([text], now + self._deadline_ms / 1000))
            except TimeoutError:
                return found, index, True
            if matches:
                numbers = _touched(text, [span[1:] for span in matches])
                found.append((index, len(numbers), numbers[:most]))
        return found, len(spans), False

    def search(self, texts: Sequence[bytes], limit: int) -> list[tuple[int, int, int]]:
        """Gives `(text, start, end)` of the first `limit` matches, in bytes.

        An empty match counts where it is the first of its line, so that each line counts once.

        Raises:
            TimeoutError: the deadline has passed.
        """
        deadline = time.monotonic() + self._deadline_ms / 1000
        try:
            return list(islice(self._matches(texts, deadline), limit))
        except TimeoutError:
            raise TimeoutError(
                f"The search was stopped after {self._deadline_ms} ms; "
                "use a simpler pattern or fewer files."
            ) from None

    def _matches(self, texts: Sequence[bytes], deadline: float) -> Iterator[tuple[int, int, int]]:
        for index, content in enumerate(texts):
            for offset, text in _texts(content):
                # Bytes are counted from match to match, not from the front each time.
                at, before = 0, offset
                for start, end in self._spans(text, deadline):
                    first = before + len(text[at:start].encode())
                    at, before = end, first + len(text[start:end].encode())
                    yield index, first, before

    def _spans(self, text: str, deadline: float) -> Iterator[tuple[int, int]]:
        passed, is_new_line = 0, True
        for start, end in self._found(text, deadline):
            if start == end:
                is_inside_crlf = text[start - 1 : start + 1] == "\r\n"
                is_behind_all = start == len(text) and text[-1:] in {"", "\r", "\n"}
                if is_inside_crlf or is_behind_all:
                    continue
                is_new_line = is_new_line or bool(_LINE_END.search(text, passed, start))
                passed = start
                if not is_new_line:
                    continue
            passed, is_new_line = end, False
            yield start, end

    def _found(self, text: str, deadline: float) -> Iterator[tuple[int, int]]:
        if self._multiline:
            yield from self._found_in(text, deadline)
            return
        for line in _LINE.finditer(text):
            for start, end in self._found_in(line[1] or line[2] or "", deadline):
                yield line.start() + start, line.start() + end

    def _found_in(self, text: str, deadline: float) -> Iterator[tuple[int, int]]:
        at = 0
        while at <= len(text):
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            found = self._pattern.search(text, at, timeout=left)
            if not found:
                return
            start, end = found.span()
            yield start, end
            at = end + (start == end)


def _touched(text: bytes, spans: Sequence[tuple[int, int]]) -> list[int]:
    """The numbers of the lines that the spans touch, each once."""
    # Of bytes, these are the line ends of Python sources: LF, CR LF and CR, and nothing else.
    ends = list(accumulate(map(len, text.splitlines(keepends=True))))
    numbers: list[int] = []
    for start, end in spans:
        first = min(bisect_right(ends, start) + 1, len(ends))
        last = min(bisect_right(ends, max(end - 1, start)) + 1, len(ends))
        numbers += range(max(first, numbers[-1] + 1 if numbers else first), last + 1)
    return numbers


def _texts(content: bytes) -> Iterator[tuple[int, str]]:
    """Gives the parts of `content` that are text, cut at bytes that are none, and where."""
    offset = 0
    while offset < len(content):
        try:
            yield offset, content[offset:].decode()
        except UnicodeDecodeError as error:
            yield offset, content[offset : offset + error.start].decode()
            offset += error.end
        else:
            return


def _anchored(pattern: str) -> str:
    """Gives the pattern with `^` and `$` at every line end, CR and CRLF too."""

    def spelled(found: re.Match[str]) -> str:
        return {"start": _LINE_START, "end": _BEFORE_LINE_END}.get(
            found.lastgroup or "", found.group()
        )

    return _ANCHOR.sub(spelled, pattern)


def _bad_pattern(problem: str) -> ValueError:
    return ValueError(f"The pattern is no regular expression: {problem}.")
