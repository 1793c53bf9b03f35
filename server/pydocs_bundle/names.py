"""Names that become file names, and paths that come from elsewhere: what is safe, what is not."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from pydocs_bundle.limits import Limits

__all__ = ["file_name", "name_problem", "path_problem", "paths_problem"]

_SAFE: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+!-")
_SPACE: Final = 0x20
_DELETE: Final = 0x7F
_SEGMENT_BYTES: Final = 255


def file_name(name: str, version: str) -> str:
    """The file name of a bundle, `httpx-0.28.1.pdx`, of safe characters only."""
    parts = ("".join(c if c in _SAFE else "_" for c in part) for part in (name, version))
    # A leading dot would hide the file, a leading dash make it an option.
    stem = "-".join(part for part in parts if part).lstrip(".-")
    return f"{stem or '_'}.pdx"


def name_problem(name: str) -> str:
    """What forbids `name` as a distribution's name or version, as a clause; empty if nothing."""
    if not name:
        return "is empty"
    if len(name) > Limits.NAME_CHARS:
        return f"is longer than {Limits.NAME_CHARS} characters"
    if not name.isprintable():
        return "has unprintable characters"
    if "/" in name or "\\" in name:
        return "has a slash"
    return ""


def path_problem(path: str) -> str:
    """What forbids `path` in a bundle, as a clause; empty if nothing does."""
    try:
        encoded = path.encode()
    except UnicodeEncodeError:
        return "is not valid Unicode"
    segments = encoded.split(b"/")
    problems = (
        (len(encoded) > Limits.PATH_BYTES, f"is longer than {Limits.PATH_BYTES} bytes"),
        (b"\\" in encoded, "has a backslash"),
        (any(b < _SPACE or b == _DELETE for b in encoded), "has a control character"),
        (not {b"", b".", b".."}.isdisjoint(segments), "is absolute or has an empty or dot segment"),
        (max(map(len, segments)) > _SEGMENT_BYTES, f"has a segment over {_SEGMENT_BYTES} bytes"),
        # A drive such as `C:` would leave the folder that Windows unpacks into.
        (b":" in segments[0], "has a colon in its first segment"),
    )
    return next((problem for found, problem in problems if found), "")


def paths_problem(paths: Sequence[str]) -> str:
    """What forbids these paths together or one of them, as a clause; empty if nothing does."""
    for path in paths:
        if problem := path_problem(path):
            return f"the path {path!r} {problem}"
    encoded = [path.encode() for path in paths]
    if any(left >= right for left, right in pairwise(encoded)):
        return "the paths are not sorted or not unique"
    known = frozenset(paths)
    for path in paths:
        folder = path
        while folder := folder.rpartition("/")[0]:
            if folder in known:
                return f"{folder!r} is a file and a folder"
    return ""
