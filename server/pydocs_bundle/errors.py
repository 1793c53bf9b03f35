"""The errors both sides raise: each composes its own sentence and knows its exit code."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["BundleError", "ExitCode", "PydocsError", "UsageError"]


class ExitCode(IntEnum):
    """The exit statuses of both commands, as documented in the README."""

    OK = 0
    NOT_FOUND = 1
    USAGE = 2
    PARTIAL = 3
    FAILED = 4
    BAD_BUNDLE = 5
    INTERNAL = 70


class PydocsError(Exception):
    """Anything a user can mend; `str()` is a sentence: what was wrong, where, what to do."""

    exit_code = ExitCode.FAILED


class UsageError(PydocsError):
    """The command line or the configuration asks for something that cannot be done."""

    exit_code = ExitCode.USAGE


class BundleError(PydocsError):
    """A file is not a bundle that this reader accepts.

    Args:
        path: the file that was refused.
        problem: what is wrong with it, a clause without full stop.
        remedy: what to do about it, a clause without full stop.
    """

    exit_code = ExitCode.BAD_BUNDLE

    def __init__(self, path: str, problem: str, remedy: str = "build or download it again") -> None:
        self.path = path
        self.problem = problem
        self.remedy = remedy
        super().__init__(f"{path}: {problem}; {remedy}.")
