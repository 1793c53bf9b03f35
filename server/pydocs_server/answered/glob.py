"""`glob`: the mounted files whose paths match a pattern."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Final

from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.files import MountedFile, files_below
from pydocs_server.ranked.pattern import PathPattern, compile_pattern
from pydocs_server.rendered.answer import DEFAULT_TOKENS, MOST_TOKENS, Answer, count_tokens
from pydocs_server.rendered.render import one_line, sealed

__all__ = ["DEFAULT_HEAD_LIMIT", "glob"]

DEFAULT_HEAD_LIMIT = 100
_TOKENS_FOR_CLOSING = 60
_MOST_SHOWN: Final = 3
_SHORTEST_STEM: Final = 3
_LIKE_ENOUGH: Final = 0.8


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
        further, near = _instead(files, pattern)
        structured["closest"] = [each.address for each in near]
        structured["next"] = further
        lines.append(further)
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


def _instead(files: Sequence[MountedFile], pattern: str) -> tuple[str, list[MountedFile]]:
    """What to try where nothing matches: files that are called so elsewhere, or nearly so.

    Nothing is suggested that is only as like as any two names are.
    """
    folders, _, name = pattern.rstrip("/").rpartition("/")
    elsewhere = [each for each in files if folders and _is_called(each, name)]
    if elsewhere:
        near = _nearest(elsewhere, pattern)
        count = f"{len(elsewhere):,} in other folders" if len(elsewhere) > 1 else "One elsewhere"
        told = f"{count}: {_listed(near)}{', …' if len(elsewhere) > len(near) else ''}"
        return f"{told}; **/{one_line(name)} matches them." if len(near) > 1 else f"{told}.", near
    stem, dot, suffix = re.sub(r"[*?{}\[\]]", "", name).lower().rpartition(".")
    stem, suffix = (stem, suffix) if dot else (suffix, "")
    names = {_name(each).lower() for each in files}
    alike = {each for each in names if stem and each.partition(".")[0] == stem}
    if not alike and len(stem) >= _SHORTEST_STEM:
        most = 1 + len(stem) // 4
        same = (each for each in sorted(names) if each.endswith(suffix))
        stems = {each.partition(".")[0]: each for each in same}
        stems = {each: stems[each] for each in stems if abs(len(each) - len(stem)) <= most}
        close = get_close_matches(stem, sorted(stems), n=_MOST_SHOWN, cutoff=_LIKE_ENOUGH)
        alike = {stems[each] for each in close}
    if alike:
        near = _nearest([each for each in files if _name(each).lower() in alike], pattern)
        return f"Nearly: {_listed(near)}.", near
    endings = Counter(_name(each).rpartition(".")[2] for each in files if "." in _name(each))
    if dot and suffix not in endings:
        told = ", ".join(f"{count:,} .{one_line(end)}" for end, count in endings.most_common(4))
        return f"No file here ends in .{one_line(suffix)}; there are {told or 'none'}.", []
    return "Try another name or path; get_overview() lists the packages.", []


def _is_called(file: MountedFile, name: str) -> bool:
    return bool(name) and fnmatchcase(_name(file), name)


def _nearest(files: Iterable[MountedFile], pattern: str) -> list[MountedFile]:
    """The few that share most of the pattern's folders, then those that lie highest."""
    wanted = frozenset(pattern.lower().split("/"))

    def distance(each: MountedFile) -> tuple[int, int]:
        there = each.address.lower().replace("@", "/").split("/")
        return -len(wanted.intersection(there)), len(there)

    return sorted(files, key=distance)[:_MOST_SHOWN]


def _listed(files: Iterable[MountedFile]) -> str:
    return ", ".join(each.address for each in files)


def _name(file: MountedFile) -> str:
    return file.path.rpartition("/")[2]
