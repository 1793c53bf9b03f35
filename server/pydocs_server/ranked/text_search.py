"""Searching the mounted text: decoded a few batches ahead in threads, taken in order, in time."""

from __future__ import annotations

import os
import time
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from pydocs_native import Grep
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.files import MountedFile
from pydocs_server.underway import CALL

__all__ = ["DEADLINE_S", "FileMatches", "Line", "Outcome", "TextSearch", "search_files"]

DEADLINE_S = 5.0

_OUT_OF_TIME = (
    f"Stopped after {DEADLINE_S:.0f} seconds with files left; narrow with path, glob or scope, "
    "or write a simpler pattern."
)
_GIVEN_UP = "Stopped, as nobody waits for it any more."
_MOST_MATCHES_PER_FILE = 50_000
_BATCH_BYTES = 2 << 20
_WORKERS = min(4, os.cpu_count() or 1)
_LINE_WIDTH = 400


class Line(NamedTuple):
    """One line of a file, and whether the pattern matched on it or it only stands near."""

    number: int
    text: str
    is_match: bool


@dataclass(frozen=True, slots=True)
class FileMatches:
    """What one file gave: how many lines matched, and the first of them with their context."""

    file: MountedFile
    count: int
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class TextSearch:
    """One search as every thread sees it; `most_lines` 0 asks for counts alone."""

    catalog: Catalog
    engine: Grep
    before: int
    after: int
    most_lines: int
    stop_at: float


class Outcome(NamedTuple):
    """The files with matches, how many files were searched, and why it stopped if it did."""

    found: list[FileMatches]
    searched: int
    stopped: str


def search_files(search: TextSearch, files: Sequence[MountedFile]) -> Outcome:
    """What the files give, in their order; what was found by the deadline where it comes first."""
    found: list[FileMatches] = []
    searched = 0
    wanted = search.most_lines
    call = CALL.get()
    for part in _in_parallel(search, _batches(search.catalog, files)):
        for each in part.found:
            # Past the limit only the counts are kept: lines would fill the memory.
            found.append(each if wanted > 0 else FileMatches(each.file, each.count, ()))
            wanted -= len(each.lines)
        searched += part.searched
        if call.is_given_up():
            return Outcome(found, searched, _GIVEN_UP)
        call.report(searched, len(files), f"{searched:,} of {len(files):,} files searched")
        if part.stopped:
            return Outcome(found, searched, part.stopped)
    return Outcome(found, searched, "")


def _batches(catalog: Catalog, files: Sequence[MountedFile]) -> Iterator[tuple[MountedFile, ...]]:
    batch: list[MountedFile] = []
    held = 0
    for each in files:
        size = catalog.bundles[each.bundle].text.size(each.file)
        if batch and held + size > _BATCH_BYTES:
            yield tuple(batch)
            batch, held = [], 0
        batch.append(each)
        held += size
    if batch:
        yield tuple(batch)


def _in_parallel(
    search: TextSearch, batches: Iterable[tuple[MountedFile, ...]]
) -> Iterator[Outcome]:
    """The outcomes in the order of the batches; only so many are in memory at once."""
    waiting: deque[Future[Outcome]] = deque()
    with ThreadPoolExecutor(_WORKERS, thread_name_prefix="grep") as pool:
        try:
            for batch in batches:
                waiting.append(pool.submit(_search_batch, search, batch))
                if len(waiting) > _WORKERS:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for each in waiting:
                each.cancel()


def _search_batch(search: TextSearch, batch: tuple[MountedFile, ...]) -> Outcome:
    found: list[FileMatches] = []
    for searched, file in enumerate(batch):
        if time.monotonic() > search.stop_at:
            return Outcome(found, searched, _OUT_OF_TIME)
        text = search.catalog.bundles[file.bundle].text.read(file.file)
        try:
            matches = search.engine.search([text], _MOST_MATCHES_PER_FILE)
        except TimeoutError:
            problem = (
                f"The pattern took too long on {file.address} and was stopped; write it without "
                "nested repetitions, or leave that file out with path or glob."
            )
            return Outcome(found, searched, problem)
        if matches:
            spans = [(start, end) for _, start, end in matches]
            result = _file_matches(search, file, text, spans)
            if result.count:
                found.append(result)
    return Outcome(found, len(batch), "")


def _file_matches(
    search: TextSearch, file: MountedFile, text: bytes, spans: Sequence[tuple[int, int]]
) -> FileMatches:
    # Of bytes, these are the line ends of Python sources: LF, CR LF and CR, and nothing else.
    lines = text.splitlines(keepends=True)
    matched = _matched_lines(lines, spans)
    if not search.most_lines:
        return FileMatches(file, len(matched), ())
    wanted: dict[int, bool] = {}
    for number in matched[: search.most_lines]:
        first = max(number - search.before, 1)
        for near in range(first, min(number + search.after, len(lines)) + 1):
            wanted.setdefault(near, False)
        wanted[number] = True
    shown = tuple(
        Line(number, _shown(lines[number - 1]), wanted[number]) for number in sorted(wanted)
    )
    return FileMatches(file, len(matched), shown)


def _matched_lines(lines: Sequence[bytes], spans: Sequence[tuple[int, int]]) -> list[int]:
    """The numbers of the lines that the spans touch, each once."""
    ends = list(accumulate(map(len, lines)))
    numbers: list[int] = []
    for start, end in spans:
        first = bisect_right(ends, start) + 1
        last = bisect_right(ends, max(end - 1, start)) + 1
        if first > len(lines):
            # Behind the last line there is none, unless that one has no line end.
            if not lines or lines[-1].endswith((b"\n", b"\r")):
                continue
            first = last = len(lines)
        numbers += range(max(first, numbers[-1] + 1 if numbers else first), last + 1)
    return numbers


def _shown(line: bytes) -> str:
    text = line[: _LINE_WIDTH * 4].decode("utf-8", "replace").rstrip("\r\n")
    return text if len(text) <= _LINE_WIDTH else text[: _LINE_WIDTH - 1] + "…"
