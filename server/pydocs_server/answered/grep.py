"""`grep`: the lines of the mounted files that match a regular expression."""

from __future__ import annotations

import time
from collections.abc import Sequence

from pydocs_bundle.errors import UsageError
from pydocs_native import Grep
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.files import MountedFile, mounted_files
from pydocs_server.ranked.pattern import compile_pattern
from pydocs_server.ranked.text_search import (
    DEADLINE_S,
    FileMatches,
    Line,
    Outcome,
    TextSearch,
    matching_lines,
    search_files,
)
from pydocs_server.rendered.answer import DEFAULT_TOKENS, MOST_TOKENS, Answer, count_tokens
from pydocs_server.rendered.render import counted, fence, one_line, sealed, visible

__all__ = ["DEFAULT_HEAD_LIMIT", "OUTPUT_MODES", "grep"]

DEFAULT_HEAD_LIMIT = 100
OUTPUT_MODES = ("content", "files_with_matches", "count")

_DEADLINE_MS_PER_FILE = 1_500
_ENGINE_SAYS = "The pattern is no regular expression: "
_LONGEST_PATTERN = 10_000
_TOKENS_FOR_FRAME = 120


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
    search = TextSearch(
        catalog,
        engine,
        max(before, context) if is_content else 0,
        max(after, context) if is_content else 0,
        head_limit if is_content else 0,
        time.monotonic() + DEADLINE_S,
    )
    outcome = search_files(search, files)
    if outcome.stopped and not outcome.found:
        raise UsageError(f"{outcome.stopped} Nothing had matched by then.")
    total = sum(each.count for each in outcome.found)
    where = f"{counted(total, 'line')} in {counted(len(outcome.found), 'file')}"
    head = f"{where} for {one_line(pattern)}, {counted(outcome.searched, 'file')} searched."
    if is_content:
        return _content(search, outcome, head, head_limit, line_numbers=line_numbers)
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
        problem = one_line(str(error), 300).removeprefix(_ENGINE_SAYS).rstrip(".")
        raise UsageError(
            f"{one_line(pattern)} is no regular expression: {problem}. "
            "To look for it literally, put a backslash before each of . * + ? ( ) [ ] { } ^ $ | \\."
        ) from error


def _content(
    search: TextSearch, outcome: Outcome, head: str, head_limit: int, *, line_numbers: bool
) -> Answer:
    total = sum(each.count for each in outcome.found)
    shown, matches_shown = _lines_that_fit(search, outcome.found, head_limit)
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


def _files(outcome: Outcome, head: str, head_limit: int, output_mode: str) -> Answer:
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


def _further(outcome: Outcome, left: int, what: str) -> str:
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
    search: TextSearch, found: Sequence[FileMatches], head_limit: int
) -> tuple[list[tuple[MountedFile, list[Line]]], int]:
    """The first lines that limit and budget allow, and how many of them are matches."""
    budget = _budget(head_limit)
    shown: list[tuple[MountedFile, list[Line]]] = []
    lines_shown = 0
    matches_shown = 0
    for each in found:
        budget -= count_tokens(f"``` {each.file.address}\n```\n\n")
        taken: list[Line] = []
        lines = matching_lines(search, each)
        for line in lines:
            budget -= count_tokens(f"{line.number}:{line.text}\n")
            if budget < 0 or lines_shown >= head_limit:
                break
            taken.append(line)
            lines_shown += 1
            matches_shown += line.is_match
        if taken:
            shown.append((each.file, taken))
        if len(taken) < len(lines) or lines_shown >= head_limit:
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
