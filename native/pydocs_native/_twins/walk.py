"""The regular files below a folder, in one order everywhere."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from pydocs_native.records import WalkedFile

__all__ = ["walk"]


def walk(root: str, excluded: Sequence[str] = ()) -> tuple[list[WalkedFile], list[tuple[str, str]]]:
    """Lists the regular files below `root`, and what could not be looked at with the reason.

    Symbolic links are neither followed nor listed (the root may be one); folders called one of
    `excluded` are not entered, wherever they are. Both lists are sorted by `os.fsencode(path)`.
    """
    problems: list[tuple[str, str]] = []
    files = sorted(_files(root, "", frozenset(excluded), problems), key=_bytes_of_path)
    return files, sorted(problems, key=_bytes_of_path)


def _bytes_of_path(item: tuple[str, object]) -> bytes:
    return os.fsencode(item[0])


def _files(
    folder: str, below: str, excluded: frozenset[str], problems: list[tuple[str, str]]
) -> Iterator[WalkedFile]:
    pending = [(folder, below)]
    while pending:
        folder, below = pending.pop()
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    path = below + entry.name
                    try:
                        if entry.is_dir(follow_symlinks=False):
                            if entry.name not in excluded:
                                pending.append((entry.path, f"{path}/"))
                        elif entry.is_file(follow_symlinks=False):
                            yield WalkedFile(path, entry.stat(follow_symlinks=False).st_size)
                    except OSError as error:
                        problems.append((path, error.strerror or str(error)))
        except OSError as error:
            problems.append((below.removesuffix("/"), error.strerror or str(error)))
