"""Unpacking a wheel as an installer would lay it out, taking only what can be read.

A wheel is hostile until checked: no path leaves the folder, nothing is a link, no name comes twice,
and the sizes are bounded before a byte is inflated.
"""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from pydocs_bundle.names import path_problem

__all__ = ["UnsafeWheelError", "unpack_wheel"]

_LARGEST_FILE = 64 * 1024 * 1024
_LARGEST_WHEEL = 1024 * 1024 * 1024
_MOST_FILES = 100_000
_LAID_OUT = frozenset({"purelib", "platlib"})


class UnsafeWheelError(Exception):
    """A wheel that must not be unpacked, with the reason as a clause."""


def unpack_wheel(wheel: Path, folder: Path, is_wanted: Callable[[str], bool]) -> str:
    """Unpack a wheel's wanted files into a folder; gives the name of its metadata folder.

    The record is written anew, so that it lists what an installer would have put there.
    """
    try:
        with zipfile.ZipFile(wheel) as archive:
            members = _checked(archive)
            metadata = _metadata_folder(members)
            left = _LARGEST_WHEEL
            for path, member in members.items():
                if not is_wanted(path) or member.file_size > _LARGEST_FILE:
                    continue
                left -= member.file_size
                if left < 0:
                    raise UnsafeWheelError(f"it holds more than {_LARGEST_WHEEL} bytes to read")
                target = folder / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(member))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError) as error:
        raise UnsafeWheelError(f"it cannot be unpacked ({error})") from error
    record = "".join(f'"{path.replace(chr(34), chr(34) * 2)}",,\n' for path in sorted(members))
    (folder / metadata / "RECORD").write_text(record, "utf-8")
    return metadata


def _checked(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The members by the path that an installer gives them; scripts and data lie elsewhere."""
    if len(archive.infolist()) > _MOST_FILES:
        raise UnsafeWheelError(f"it holds more than {_MOST_FILES} files")
    found: dict[str, zipfile.ZipInfo] = {}
    for member in archive.infolist():
        if member.is_dir():
            continue
        if problem := path_problem(member.filename):
            raise UnsafeWheelError(f"its member {member.filename!r} {problem}")
        if stat.S_ISLNK(member.external_attr >> 16):
            raise UnsafeWheelError(f"its member {member.filename!r} is a link")
        path = _laid_out(member.filename)
        if path in found:
            raise UnsafeWheelError(f"it holds {path!r} twice")
        if path:
            found[path] = member
    return found


def _laid_out(name: str) -> str:
    """Where an installer puts a member below its folder, empty if elsewhere."""
    top, _, rest = name.partition("/")
    if not top.endswith(".data"):
        return name
    scheme, _, path = rest.partition("/")
    return path if scheme in _LAID_OUT else ""


def _metadata_folder(members: dict[str, zipfile.ZipInfo]) -> str:
    folders = {
        str(PurePosixPath(path).parent)
        for path in members
        if path.endswith(".dist-info/METADATA") and path.count("/") == 1
    }
    if len(folders) != 1:
        raise UnsafeWheelError(f"it holds {len(folders) or 'no'} metadata folders")
    return folders.pop()
