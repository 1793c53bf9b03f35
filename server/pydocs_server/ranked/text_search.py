"""Searching the mounted text: decoded a few batches ahead in threads, taken in order, in time."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import NamedTuple

from pydocs_native import Grep
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.files import MountedFile
from pydocs_server.underway import CALL

__all__ = [
    "DEADLINE_S",
    "FileMatches",
    "Line",
    "Outcome",
    "TextSearch",
    "matching_lines",
    "search_files",
]

DEADLINE_S = 5.0

_OUT_OF_TIME = (
    f"Stopped after {DEADLINE_S:.0f} seconds with files left; narrow with path, glob or scope, "
    "or write a simpler pattern."
)
_GIVEN_UP = "Stopped, as nobody waits for it any more."
# A batch inflates the frames at its ends for itself, so it should hold many; a file that is left
# out is skipped only where that saves about a frame.
_BATCH_BYTES = 2 << 20
_GAP_BYTES = 256 << 10
_WORKERS = min(4, os.cpu_count() or 1)
_LINE_WIDTH = 400


class Line(NamedTuple):
    """One line of a file, and whether the pattern matched on it or it only stands near."""

    number: int
    text: str
    is_match: bool


@dataclass(frozen=True, slots=True)
class FileMatches:
    """What one file gave: how many lines matched, and the numbers of the first of them."""

    file: MountedFile
    count: int
    numbers: tuple[int, ...]


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
            # Past the limit only the counts are kept: numbers would fill the memory.
            found.append(each if wanted > 0 else replace(each, numbers=()))
            wanted -= len(each.numbers)
        searched += part.searched
        if call.is_given_up():
            return Outcome(found, searched, _GIVEN_UP)
        call.report(searched, len(files), f"{searched:,} of {len(files):,} files searched")
        if part.stopped:
            return Outcome(found, searched, part.stopped)
    return Outcome(found, searched, "")


def matching_lines(search: TextSearch, matches: FileMatches) -> list[Line]:
    """The numbered lines of one file with their context, in order, each once."""
    if not matches.numbers:
        return []
    text = search.catalog.bundles[matches.file.bundle].text.read(matches.file.file)
    # Of bytes, these are the line ends of Python sources: LF, CR LF and CR, and nothing else.
    lines = text.splitlines(keepends=True)
    wanted: dict[int, bool] = {}
    for number in matches.numbers:
        first = max(number - search.before, 1)
        for near in range(first, min(number + search.after, len(lines)) + 1):
            wanted.setdefault(near, False)
        wanted[number] = True
    return [Line(number, _shown(lines[number - 1]), wanted[number]) for number in sorted(wanted)]


def _batches(catalog: Catalog, files: Sequence[MountedFile]) -> Iterator[Sequence[MountedFile]]:
    """Files of one bundle that lie close together, in parts of some megabytes."""
    begin = 0
    bundle = start = end = -1
    for index, each in enumerate(files):
        first, last = catalog.bundles[each.bundle].text.span(each.file)
        is_near = each.bundle == bundle and end <= first <= end + _GAP_BYTES
        if not is_near or last - start > _BATCH_BYTES:
            if index:
                yield files[begin:index]
            begin, bundle, start = index, each.bundle, first
        end = last
    if files:
        yield files[begin:]


def _in_parallel(search: TextSearch, batches: Iterable[Sequence[MountedFile]]) -> Iterator[Outcome]:
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


def _search_batch(search: TextSearch, batch: Sequence[MountedFile]) -> Outcome:
    left_s = search.stop_at - time.monotonic()
    if left_s <= 0:
        return Outcome([], 0, _OUT_OF_TIME)
    text = search.catalog.bundles[batch[0].bundle].text
    places = [text.span(each.file) for each in batch]
    frames, origin = text.frames(places[0][0], places[-1][1])
    spans = [(start - origin, end - origin) for start, end in places]
    rows, searched, is_too_hard = search.engine.lines(
        frames, spans, search.most_lines, int(left_s * 1_000)
    )
    found = [FileMatches(batch[index], count, tuple(numbers)) for index, count, numbers in rows]
    problem = ""
    if is_too_hard:
        problem = (
            f"The pattern took too long on {batch[searched].address} and was stopped; write it "
            "without nested repetitions, or leave that file out with path or glob."
        )
    elif searched < len(batch):
        problem = _OUT_OF_TIME
    return Outcome(found, searched, problem)


def _shown(line: bytes) -> str:
    text = line[: _LINE_WIDTH * 4].decode("utf-8", "replace").rstrip("\r\n")
    return text if len(text) <= _LINE_WIDTH else text[: _LINE_WIDTH - 1] + "…"
