"""The folder that bundles go to: one build at a time, and no litter of a killed one."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pydocs_bundle.errors import PydocsError, UsageError

__all__ = ["OutFolderError", "open_out_folder"]

# What `write_bundle` calls a bundle that is not whole yet.
_PARTIAL = ".*.pdx.*.partial"


class OutFolderError(PydocsError):
    """Nothing can be written where the bundles should go."""

    def __init__(self, folder: Path, problem: str, remedy: str = "give another --out") -> None:
        super().__init__(f"{folder}: {problem}; {remedy}.")


@contextmanager
def open_out_folder(folder: Path) -> Iterator[None]:
    """Make the folder, keep other builds out of it, and clear what a killed one left behind."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise UsageError(f"{folder}: is a file, not a folder; give another --out.") from error
    except OSError as error:
        raise OutFolderError(folder, f"cannot be made ({error.strerror})") from error
    with _alone(folder):
        if not os.access(folder, os.W_OK | os.X_OK):
            raise OutFolderError(folder, "cannot be written to")
        try:
            _clear(folder)
        except OSError as error:
            raise OutFolderError(folder, f"cannot be written to ({error.strerror})") from error
        try:
            yield
        finally:
            # An interrupt ends the workers wherever they are.
            with suppress(OSError):
                _clear(folder)


def _clear(folder: Path) -> None:
    for litter in folder.glob(_PARTIAL):
        litter.unlink(missing_ok=True)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold the folder's own lock, which leaves no file and ends with the process."""
    if sys.platform == "win32":
        yield
        return
    import fcntl  # noqa: PLC0415 - not everywhere

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            problem = "another build is writing to it"
            raise OutFolderError(folder, problem, "wait for it or give another --out") from error
        except OSError:
            # Some network file systems have no locks; a build alone needs none.
            pass
        yield
    finally:
        os.close(descriptor)
