"""Opening a bundle: mapped read-only, checked before anything in it is believed."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from pydocs_bundle.manifest import Manifest
from pydocs_bundle.symbols import Records
from pydocs_bundle.text import Text

if TYPE_CHECKING:
    import apsw

__all__ = ["Bundle"]


class Bundle:
    """One mapped bundle."""

    path: Path
    manifest: Manifest
    content_id: str
    postings: memoryview
    records: Records
    text: Text
    vectors: memoryview | None

    @classmethod
    def open(cls, path: Path, verify: Literal["search", "all"] = "search") -> Self:
        """Map the bundle and check it; `BundleError` says what is wrong with it."""
        raise NotImplementedError

    def docstring(self, index: int) -> str:
        """The cleaned docstring of an entry, empty if it has none."""
        raise NotImplementedError

    def source(self, index: int) -> bytes:
        """The text of an entry, from `start` to `end`."""
        raise NotImplementedError

    def database(self, cache: Path | None = None) -> apsw.Connection:
        """A read-only connection to the `DB` section, inflated into `cache` or into memory."""
        raise NotImplementedError

    def close(self) -> None:
        """Unmap the file."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
