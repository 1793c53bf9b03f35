"""Names that become file names, and paths that come from elsewhere: what is safe, what is not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pydocs_bundle.limits import LIMITS

__all__ = ["file_name", "name_problem", "path_problem", "paths_problem"]

_SAFE: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+!-")
_SPACE: Final = 0x20
_DELETE: Final = 0x7F
_SEGMENT_BYTES: Final = 255


def file_name(name: str, version: str) -> str:
    """The file name of a bundle, `httpx-0.28.1.pdx`, of safe characters only."""
    parts = ("".join(c if c in _SAFE else "_" for c in part) for part in (name, version))
    return "-".join(part for part in parts if part).lstrip(".-") + ".pdx"


def name_problem(name: str) -> str:
    """What forbids `name` as a distribution's name or version, as a clause; empty if nothing."""
    if len(name) > LIMITS.name_chars:
        return f"is longer than {LIMITS.name_chars} characters"
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
    if not encoded or len(encoded) > LIMITS.path_bytes:
        return f"is empty or longer than {LIMITS.path_bytes} bytes"
    if "\\" in path or any(byte < _SPACE or byte == _DELETE for byte in encoded):
        return "has a backslash or a control character"
    segments = path.split("/")
    if any(segment in {"", ".", ".."} for segment in segments):
        return "is absolute or has an empty, `.` or `..` segment"
    if any(len(segment.encode()) > _SEGMENT_BYTES for segment in segments):
        return f"has a segment longer than {_SEGMENT_BYTES} bytes"
    # A drive such as `C:` would leave the folder that Windows unpacks into.
    if ":" in segments[0]:
        return "has a colon in its first segment"
    return ""


def paths_problem(paths: Sequence[str]) -> str:
    """What forbids these paths together or one of them, as a clause; empty if nothing does."""
    for path in paths:
        if problem := path_problem(path):
            return f"the path {path!r} {problem}"
    encoded = [path.encode() for path in paths]
    if any(left >= right for left, right in zip(encoded, encoded[1:], strict=False)):
        return "the paths are not sorted or not unique"
    known = frozenset(paths)
    for path in paths:
        folder = path
        while folder := folder.rpartition("/")[0]:
            if folder in known:
                return f"{folder!r} is a file and a folder"
    return ""
