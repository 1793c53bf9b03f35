"""The two pipes of a protocol on standard input and output, kept for the protocol alone.

The process's own standard streams are turned away first: what a library prints goes to standard
error, and what it reads is empty. The pipes carry bytes, one message a line, ended by a line feed,
so neither a locale nor a platform's line ends can touch them.
"""

from __future__ import annotations

import os
from typing import BinaryIO, Final, NamedTuple

__all__ = ["LONGEST_LINE", "LineTooLongError", "Pipes", "claim"]

LONGEST_LINE: Final = 16 << 20
"""Bytes that one message may have."""

_STDIN, _STDOUT, _STDERR = 0, 1, 2


class LineTooLongError(ValueError):
    """A message was longer than any that a tool takes; its whole line has been passed over."""


class Pipes(NamedTuple):
    """Where messages come from and where they go."""

    reading: BinaryIO
    writing: BinaryIO

    def read_line(self) -> bytes:
        """The next line, empty at the end of input; waits for it.

        Raises:
            LineTooLongError: the line is longer than `LONGEST_LINE`.
        """
        line = self.reading.readline(LONGEST_LINE)
        if len(line) < LONGEST_LINE or line.endswith(b"\n"):
            return line
        while (rest := self.reading.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
            pass
        raise LineTooLongError

    def write_line(self, line: bytes) -> None:
        """Writes one line whole; waits for the reader if need be."""
        self.writing.write(line + b"\n")
        self.writing.flush()


def claim() -> Pipes:
    """The process's standard input and output, which it no longer has itself afterwards."""
    reading = os.fdopen(os.dup(_STDIN), "rb")
    writing = os.fdopen(os.dup(_STDOUT), "wb")
    if os.name == "posix":
        # Some clients hand over pipes that do not wait, and then an empty one looks ended.
        os.set_blocking(reading.fileno(), True)
        os.set_blocking(writing.fileno(), True)
    nothing = os.open(os.devnull, os.O_RDWR)
    try:
        os.dup2(nothing, _STDIN)
        try:
            os.dup2(_STDERR, _STDOUT)
        except OSError:
            os.dup2(nothing, _STDOUT)
    finally:
        os.close(nothing)
    return Pipes(reading, writing)
