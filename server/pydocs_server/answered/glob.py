"""`glob`: the mounted files whose paths match a pattern."""

from __future__ import annotations

from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.files import MountedFile, closest_files, files_below
from pydocs_server.ranked.pattern import PathPattern, compile_pattern
from pydocs_server.rendered.answer import DEFAULT_TOKENS, MOST_TOKENS, Answer, count_tokens
from pydocs_server.rendered.render import one_line, sealed

__all__ = ["DEFAULT_HEAD_LIMIT", "glob"]

DEFAULT_HEAD_LIMIT = 100
_TOKENS_FOR_CLOSING = 60


def glob(
    catalog: Catalog, pattern: str, path: str = "", head_limit: int = DEFAULT_HEAD_LIMIT
) -> Answer:
    """The files that match, as addresses; projects first, then by package, newest release first.

    Args:
        catalog: what is mounted.
        pattern: `*`, `?`, `[…]`, `**`, `{a,b}`; without a slash it is matched against file names.
        path: look only below this package or folder, and match from there.
        head_limit: how many files to list.
    """
    compiled = compile_pattern(pattern)
    files, start = files_below(catalog, within=path)
    found = [each for each in files if _matches(compiled, each, start)]
    shown = _that_fit(found[:head_limit], head_limit)
    left = len(found) - len(shown)
    where = f" below {one_line(path)}" if path else ""
    lines = [f"{len(found):,} of {len(files):,} files{where} match {one_line(pattern)}."]
    if shown:
        lines.append(sealed("\n".join(each.address for each in shown)))
    structured: dict[str, object] = {
        "files": [each.row() for each in shown],
        "total": len(found),
        "left": left,
    }
    if left:
        further = f"{left:,} more match: give a narrower pattern or path, or a higher head_limit."
        lines.append(further)
        structured["next"] = further
    elif not found:
        closest = [each.address for each in closest_files(catalog, pattern.strip("*/"))]
        further = "Try '**/*.py', or another path" + (
            f"; closest: {', '.join(closest)}." if closest else "."
        )
        lines.append(further)
        structured["next"] = further
        structured["closest"] = closest
    return Answer("\n".join(lines), structured)


def _matches(compiled: PathPattern, file: MountedFile, start: int) -> bool:
    """Whether the path below the folder matches; from the top, the whole address may as well."""
    if compiled.matches(file.path[start:]):
        return True
    return start == 0 and compiled.has_folder and compiled.matches(file.address)


def _that_fit(files: list[MountedFile], head_limit: int) -> list[MountedFile]:
    budget = DEFAULT_TOKENS if head_limit <= DEFAULT_HEAD_LIMIT else MOST_TOKENS
    budget -= _TOKENS_FOR_CLOSING
    shown = []
    for each in files:
        budget -= count_tokens(each.address + "\n")
        if budget < 0:
            break
        shown.append(each)
    return shown
