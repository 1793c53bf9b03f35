"""Reading files whole, one or many, with a bound on their size."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence

__all__ = ["read_file", "read_files"]

_STEP = 1 << 16


class _RefusedError(ValueError):
    """The file is not read; the message is a clause."""


def read_file(path: str, max_bytes: int) -> bytes:
    """Gives a file's bytes.

    Raises:
        OSError: as `open` would.
        ValueError: it is larger than `max_bytes`, or not a regular file.
    """
    try:
        return _read(path, max_bytes)
    except _RefusedError as error:
        message = f"{path}: {error}."
        raise ValueError(message) from None


def read_files(root: str, paths: Sequence[str], max_bytes: int) -> list[bytes | str]:
    """Reads files in the order of `paths`; a clause that says why where one cannot be read."""
    return [_bytes_or_reason(os.path.join(root, path), max_bytes) for path in paths]  # noqa: PTH118 - odd bytes stay as they are


def _bytes_or_reason(path: str, max_bytes: int) -> bytes | str:
    try:
        return _read(path, max_bytes)
    except _RefusedError as error:
        return str(error)
    except OSError as error:
        return error.strerror or str(error)


def _read(path: str, max_bytes: int) -> bytes:
    # Opening a pipe would wait for a writer, so the kind is asked for first.
    status = os.stat(path)  # noqa: PTH116 - a path with odd bytes stays a string
    if not stat.S_ISREG(status.st_mode):
        raise _RefusedError("not a regular file")
    if status.st_size > max_bytes:
        raise _RefusedError(f"larger than {max_bytes} bytes")
    with open(path, "rb") as file:  # noqa: PTH123 - the same
        content = file.read(status.st_size + 1)
        # The file may grow between the two calls; the bound holds all the same.
        while len(content) <= max_bytes and (more := file.read(_STEP)):
            content += more
    if len(content) > max_bytes:
        raise _RefusedError(f"larger than {max_bytes} bytes")
    return content
