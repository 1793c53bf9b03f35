"""The `TEXT` section: the files themselves, once each, in frames that inflate alone.

Frame 0 holds the directory, one JSON array a line: path, size, encoding, module, 0 or 1 for lossy,
and of a file that is in a layer of its collection the layer.
The other frames hold the files' text, joined in the directory's order and cut every 256 KiB.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from pydocs_bundle.errors import BundleError
from pydocs_bundle.frames import Framed, write_framed
from pydocs_bundle.limits import Limits
from pydocs_bundle.names import paths_problem

if TYPE_CHECKING:
    from pydocs_bundle.records import SourceFile

__all__ = ["Text", "write_text"]

# On 8 MB of real sources, frames of 64, 128 and 256 KiB give 4.37, 4.55 and 4.74 to 1 at the same
# level; 256 KiB inflates in a third of a millisecond.
FRAME_BYTES: Final = 256 * 1024

_FRAMES_KEPT: Final = 2
_ROW_TYPES: Final = (str, int, str, str, int)


def write_text(files: Sequence[SourceFile], level: int) -> tuple[bytes, bytes]:
    """The stored and the raw form of a `TEXT` section of files sorted by path."""
    directory = b"".join(
        json.dumps(
            _row(file),
            ensure_ascii=False,
            separators=(",", ":"),
        ).encode()
        + b"\n"
        for file in files
    )
    joined = b"".join(file.text for file in files)
    view = memoryview(joined)
    parts = [view[i : i + FRAME_BYTES] for i in range(0, len(view), FRAME_BYTES)]
    stored = write_framed(b"", [directory, *parts] if directory else [], level)
    return stored, directory + joined


def _row(file: SourceFile) -> list[str | int]:
    layer = [file.layer] if file.layer else []
    return [file.path, len(file.text), file.encoding, file.module, int(file.is_lossy), *layer]


class Text:
    """The files of one bundle, sorted by path; built on first use, checked whole.

    Args:
        view: the stored section.
        raw_length: its raw length according to the section table.
        path: the bundle, for errors.
    """

    def __init__(self, view: memoryview, raw_length: int, path: str) -> None:
        self._path = path
        self._framed = Framed(view, raw_length, path, "TEXT", _FRAMES_KEPT)
        self._framed.check_table()
        directory = self._framed.frame(0) if self._framed.count else b""
        rows = [_parse_row(line, path) for line in directory.split(b"\n") if line]
        self.paths: tuple[str, ...] = tuple(row[0] for row in rows)
        if problem := paths_problem(self.paths):
            raise BundleError(path, f"section TEXT is refused, {problem}")
        if len(rows) > Limits.FILE_COUNT:
            raise BundleError(path, f"section TEXT has over {Limits.FILE_COUNT} files")
        self._sizes = [row[1] for row in rows]
        self._encodings = [row[2] for row in rows]
        self._modules = [row[3] for row in rows]
        self._lossy = [row[4] for row in rows]
        self._layers = [row[5] for row in rows]
        self._starts = list(accumulate(self._sizes, initial=len(directory)))
        if self._starts[-1] != self._framed.raw_size:
            raise BundleError(path, "section TEXT and its directory disagree in length")
        self._numbers = {name: number for number, name in enumerate(self.paths)}

    def __len__(self) -> int:
        return len(self.paths)

    def index(self, path: str) -> int | None:
        """The file's number, if there is such a path."""
        return self._numbers.get(path)

    def size(self, index: int) -> int:
        """The length of the file's text in bytes."""
        return self._sizes[index]

    def encoding(self, index: int) -> str:
        """The encoding that the file's bytes had."""
        return self._encodings[index]

    def module(self, index: int) -> str:
        """The dotted module name of the file, empty for documents."""
        return self._modules[index]

    def is_lossy(self, index: int) -> bool:
        """True if some bytes of the file could not be decoded."""
        return bool(self._lossy[index])

    def layer(self, index: int) -> str:
        """The layer of its collection that the file is in, empty if it is in none."""
        return self._layers[index]

    def read(self, index: int) -> bytes:
        """The file's whole text, UTF-8."""
        return self.slice(index, 0, self._sizes[index])

    def span(self, index: int) -> tuple[int, int]:
        """The places of the file's first byte, and of the one behind its last, in the section."""
        return self._starts[index], self._starts[index + 1]

    def frames(self, start: int, end: int) -> tuple[list[bytes], int]:
        """The frames that these places lie in, inflated, and the place of their first byte."""
        return self._framed.frames(start, end)

    def slice(self, index: int, start: int, end: int) -> bytes:
        """Bytes `start` to `end` of the file's text; only the frames they lie in are inflated."""
        if not 0 <= start <= end <= self._sizes[index]:
            raise BundleError(
                self._path, f"bytes {start} to {end} lie outside {self.paths[index]!r}"
            )
        origin = self._starts[index]
        return self._framed.slice(origin + start, origin + end)


def _parse_row(line: bytes, path: str) -> tuple[str, int, str, str, int, str]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BundleError(path, "the directory of section TEXT is not JSON") from error
    is_layered = isinstance(row, list) and len(row) > len(_ROW_TYPES)
    types = (*_ROW_TYPES, str) if is_layered else _ROW_TYPES
    if not isinstance(row, list) or tuple(map(type, row)) != types:
        raise BundleError(path, "the directory of section TEXT has a line of another shape")
    name, size, encoding, module, lossy, *layer = row
    if size < 0 or lossy not in {0, 1} or layer == [""]:
        raise BundleError(path, "the directory of section TEXT has a number out of range")
    return name, size, encoding, module, lossy, layer[0] if layer else ""
