"""`grep`: the lines of the mounted files that match a regular expression."""

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

from pydocs_bundle.errors import UsageError
from pydocs_native import Grep
from pydocs_server.answer import DEFAULT_TOKENS, MOST_TOKENS, Answer, count_tokens
from pydocs_server.catalog import Catalog
from pydocs_server.files import MountedFile, mounted_files
from pydocs_server.pattern import compile_pattern
from pydocs_server.render import counted, fence, one_line, sealed, visible

__all__ = ["DEFAULT_HEAD_LIMIT", "OUTPUT_MODES", "grep"]

DEFAULT_HEAD_LIMIT = 100
OUTPUT_MODES = ("content", "files_with_matches", "count")

_DEADLINE_S = 5.0
_DEADLINE_MS_PER_FILE = 1_500
_OUT_OF_TIME = (
    f"Stopped after {_DEADLINE_S:.0f} seconds with files left; narrow with path, glob or scope, "
    "or write a simpler pattern."
)
_LONGEST_PATTERN = 10_000
_MOST_MATCHES_PER_FILE = 50_000
_BATCH_BYTES = 2 << 20
_WORKERS = min(4, os.cpu_count() or 1)
_LINE_WIDTH = 400
_TOKENS_FOR_FRAME = 120


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
class _Search:
    """One grep as every thread sees it."""

    catalog: Catalog
    engine: Grep
    before: int
    after: int
    most_lines: int
    stop_at: float


class _Outcome(NamedTuple):
    found: list[FileMatches]
    searched: int
    stopped: str


def grep(
    catalog: Catalog,
    pattern: str,
    path: str = "",
    glob: str = "",
    output_mode: str = "content",
    *,
    ignore_case: bool = False,
    line_numbers: bool = True,
    before: int = 0,
    after: int = 0,
    context: int = 0,
    head_limit: int = DEFAULT_HEAD_LIMIT,
    multiline: bool = False,
    scope: str = "all",
) -> Answer:
    """The matching lines, files, or counts, over all mounted text or a part of it.

    Args:
        catalog: what is mounted.
        pattern: a regular expression in Python's flavour.
        path: only below this package, folder or file.
        glob: only files like this, such as `*.py` or `src/**/*.{py,pyi}`.
        output_mode: `content`, `files_with_matches` or `count`.
        ignore_case: capital and small letters are the same.
        line_numbers: number the lines.
        before: lines of context before each match.
        after: lines of context after each match.
        context: lines of context on both sides; the larger of this and the one above counts.
        head_limit: lines (or files, in the other modes) to show.
        multiline: a match may span lines, and `.` matches line ends.
        scope: `project`, `deps` or `all`.
    """
    if output_mode not in OUTPUT_MODES:
        raise UsageError(f"output_mode must be one of {', '.join(OUTPUT_MODES)}.")
    engine = _compile(pattern, ignore_case=ignore_case, multiline=multiline)
    files = mounted_files(catalog, scope, path)
    if glob:
        wanted = compile_pattern(glob)
        files = [each for each in files if wanted.matches(each.path)]
    is_content = output_mode == "content"
    search = _Search(
        catalog,
        engine,
        max(before, context) if is_content else 0,
        max(after, context) if is_content else 0,
        head_limit if is_content else 0,
        time.monotonic() + _DEADLINE_S,
    )
    outcome = _run(search, files)
    if outcome.stopped and not outcome.found:
        raise UsageError(f"{outcome.stopped} Nothing had matched by then.")
    total = sum(each.count for each in outcome.found)
    where = f"{counted(total, 'line')} in {counted(len(outcome.found), 'file')}"
    head = f"{where} for {one_line(pattern)}, {counted(outcome.searched, 'file')} searched."
    if is_content:
        return _content(outcome, head, head_limit, line_numbers=line_numbers)
    return _files(outcome, head, head_limit, output_mode)


def _compile(pattern: str, *, ignore_case: bool, multiline: bool) -> Grep:
    if not pattern:
        raise UsageError(
            "The pattern is empty and would match every line; give some text, or use read_file."
        )
    if len(pattern) > _LONGEST_PATTERN:
        raise UsageError(
            f"The pattern has {len(pattern):,} characters, at most {_LONGEST_PATTERN:,} are taken; "
            "search for a shorter part of it."
        )
    try:
        return Grep(
            pattern,
            ignore_case=ignore_case,
            multiline=multiline,
            deadline_ms=_DEADLINE_MS_PER_FILE,
        )
    except ValueError as error:
        problem = one_line(str(error), 300).rstrip(".")
        raise UsageError(
            f"{one_line(pattern)} is no regular expression: {problem}. "
            "To look for it literally, put a backslash before each of . * + ? ( ) [ ] { } ^ $ | \\."
        ) from error


# --- searching: whole files, decoded a few batches ahead, taken in order


def _run(search: _Search, files: Sequence[MountedFile]) -> _Outcome:
    found: list[FileMatches] = []
    searched = 0
    wanted = search.most_lines
    for part in _in_parallel(search, _batches(search.catalog, files)):
        for each in part.found:
            # Past the limit only the counts are kept: lines would fill the memory.
            found.append(each if wanted > 0 else FileMatches(each.file, each.count, ()))
            wanted -= len(each.lines)
        searched += part.searched
        if part.stopped:
            return _Outcome(found, searched, part.stopped)
    return _Outcome(found, searched, "")


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


def _in_parallel(search: _Search, batches: Iterable[tuple[MountedFile, ...]]) -> Iterator[_Outcome]:
    """The outcomes in the order of the batches; only so many are in memory at once."""
    waiting: deque[Future[_Outcome]] = deque()
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


def _search_batch(search: _Search, batch: tuple[MountedFile, ...]) -> _Outcome:
    found: list[FileMatches] = []
    for searched, file in enumerate(batch):
        if time.monotonic() > search.stop_at:
            return _Outcome(found, searched, _OUT_OF_TIME)
        text = search.catalog.bundles[file.bundle].text.read(file.file)
        try:
            matches = search.engine.search([text], _MOST_MATCHES_PER_FILE)
        except TimeoutError:
            problem = (
                f"The pattern took too long on {file.address} and was stopped; write it without "
                "nested repetitions, or leave that file out with path or glob."
            )
            return _Outcome(found, searched, problem)
        if matches:
            spans = [(start, end) for _, start, end in matches]
            result = _file_matches(search, file, text, spans)
            if result.count:
                found.append(result)
    return _Outcome(found, len(batch), "")


def _file_matches(
    search: _Search, file: MountedFile, text: bytes, spans: Sequence[tuple[int, int]]
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


# --- answering


def _content(outcome: _Outcome, head: str, head_limit: int, *, line_numbers: bool) -> Answer:
    total = sum(each.count for each in outcome.found)
    shown, matches_shown = _lines_that_fit(outcome.found, head_limit)
    blocks = [_block(file, lines, line_numbers=line_numbers) for file, lines in shown]
    further = _further(outcome, total - matches_shown, "matching lines")
    structured: dict[str, object] = {
        "matches": [
            {
                **file.row(),
                "start_line": line.number,
                "end_line": line.number,
                "text": visible(line.text),
                "is_match": line.is_match,
            }
            for file, lines in shown
            for line in lines
        ],
        "total": total,
        "files": len(outcome.found),
    }
    return _answer(head, blocks, further, structured)


def _files(outcome: _Outcome, head: str, head_limit: int, output_mode: str) -> Answer:
    total = sum(each.count for each in outcome.found)
    is_count = output_mode == "count"
    entries = [
        f"{each.count}\t{each.file.address}" if is_count else each.file.address
        for each in outcome.found[:head_limit]
    ]
    budget = _budget(head_limit)
    fitting = 0
    for entry in entries:
        budget -= count_tokens(entry + "\n")
        if budget < 0:
            break
        fitting += 1
    further = _further(outcome, len(outcome.found) - fitting, "matching files")
    structured: dict[str, object] = {
        "files": [{**each.file.row(), "count": each.count} for each in outcome.found[:fitting]],
        "total": total,
        "matching_files": len(outcome.found),
    }
    return _answer(
        head, [sealed("\n".join(entries[:fitting]))] if fitting else [], further, structured
    )


def _answer(
    head: str, blocks: Sequence[str], further: str, structured: dict[str, object]
) -> Answer:
    if further:
        structured["next"] = further
    parts = [head, *blocks, *([further] if further else [])]
    return Answer("\n\n".join(parts), structured)


def _further(outcome: _Outcome, left: int, what: str) -> str:
    sentences = [outcome.stopped] if outcome.stopped else []
    if left:
        sentences.append(
            f"{left:,} more {what} are not shown: narrow with path, glob or scope, "
            "or give a higher head_limit."
        )
    elif not outcome.found:
        sentences.append("Try ignore_case, another scope, or search_codebase with words.")
    return " ".join(sentences)


def _budget(head_limit: int) -> int:
    return (DEFAULT_TOKENS if head_limit <= DEFAULT_HEAD_LIMIT else MOST_TOKENS) - _TOKENS_FOR_FRAME


def _lines_that_fit(
    found: Sequence[FileMatches], head_limit: int
) -> tuple[list[tuple[MountedFile, list[Line]]], int]:
    """The first lines that limit and budget allow, and how many of them are matches."""
    budget = _budget(head_limit)
    shown: list[tuple[MountedFile, list[Line]]] = []
    lines_shown = 0
    matches_shown = 0
    for each in found:
        budget -= count_tokens(f"``` {each.file.address}\n```\n\n")
        taken: list[Line] = []
        for line in each.lines:
            budget -= count_tokens(f"{line.number}:{line.text}\n")
            if budget < 0 or lines_shown >= head_limit:
                break
            taken.append(line)
            lines_shown += 1
            matches_shown += line.is_match
        if taken:
            shown.append((each.file, taken))
        if len(taken) < len(each.lines):
            break
    return shown, matches_shown


def _block(file: MountedFile, lines: Sequence[Line], *, line_numbers: bool) -> str:
    written = []
    previous = lines[0].number - 1
    for line in lines:
        if line.number != previous + 1 and any(not each.is_match for each in lines):
            written.append("--")
        mark = ":" if line.is_match else "-"
        written.append(f"{line.number}{mark}{line.text}" if line_numbers else line.text)
        previous = line.number
    return fence("\n".join(written), file.address, "text")
