"""The `TEXT` section: the files themselves, once each, in frames that inflate alone."""

from __future__ import annotations

__all__ = ["Text"]


class Text:
    """The files of one bundle, sorted by path."""

    paths: tuple[str, ...]

    def __len__(self) -> int:
        raise NotImplementedError

    def index(self, path: str) -> int | None:
        """The file's number, if there is such a path."""
        raise NotImplementedError

    def size(self, index: int) -> int:
        """The length of the file's text in bytes."""
        raise NotImplementedError

    def encoding(self, index: int) -> str:
        """The encoding that the file's bytes had."""
        raise NotImplementedError

    def module(self, index: int) -> str:
        """The dotted module name of the file, empty for documents."""
        raise NotImplementedError

    def is_lossy(self, index: int) -> bool:
        """True if some bytes of the file could not be decoded."""
        raise NotImplementedError

    def read(self, index: int) -> bytes:
        """The file's whole text, UTF-8."""
        raise NotImplementedError

    def slice(self, index: int, start: int, end: int) -> bytes:
        """Bytes `start` to `end` of the file's text; only the frames they lie in are inflated."""
        raise NotImplementedError
