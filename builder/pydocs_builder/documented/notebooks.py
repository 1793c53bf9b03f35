"""The cells of a notebook, format 3 and 4, with the place of each in the file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

__all__ = ["Cell", "NotebookError", "notebook_cells"]

_BLANKS: Final = re.compile(r"[ \t\r\n]*")
_DECODER: Final = json.JSONDecoder()


class NotebookError(ValueError):
    """A file is no notebook; says why in a clause."""


class Cell(NamedTuple):
    """One cell: `code`, `markdown`, `heading` or another kind, its source, its span in characters.

    `level` is that of a heading cell of format 3.
    """

    kind: str
    source: str
    start: int
    end: int
    level: int = 0


def notebook_cells(text: str) -> list[Cell]:
    """The cells of a notebook in order.

    Raises:
        NotebookError: the text is no JSON, or no notebook.
    """
    try:
        return list(_cells(text))
    except NotebookError:
        raise
    except RecursionError:
        raise NotebookError("it is nested too deeply") from None
    except ValueError as error:
        raise NotebookError(f"it is no whole JSON ({error})") from None


def _cells(text: str) -> Iterator[Cell]:
    for key, start in _members(text, _skip(text, 0)):
        if key == "cells":
            yield from _listed(text, start)
        elif key == "worksheets":
            for sheet in _elements(text, start):
                if text[sheet] == "{":
                    for inner, place in _members(text, sheet):
                        if inner == "cells":
                            yield from _listed(text, place)


def _listed(text: str, start: int) -> Iterator[Cell]:
    for place in _elements(text, start):
        cell, end = _DECODER.raw_decode(text, place)
        if not isinstance(cell, dict):
            continue
        kind = str(cell.get("cell_type", "raw"))
        source = cell.get("source", cell.get("input"))
        if isinstance(source, list):
            source = "".join(line for line in source if isinstance(line, str))
        level = cell.get("level", 1) if kind == "heading" else 0
        yield Cell(
            kind,
            # An escaped half of a surrogate pair is no character.
            (source if isinstance(source, str) else "").encode(errors="replace").decode(),
            place,
            end,
            level if isinstance(level, int) else 1,
        )


def _members(text: str, start: int) -> Iterator[tuple[str, int]]:
    """The keys of the object that begins at `start`, and where the value of each begins."""
    if text[start : start + 1] != "{":
        raise NotebookError("it is no JSON object")
    position = _skip(text, start + 1)
    while text[position : position + 1] == '"':
        key, position = _DECODER.raw_decode(text, position)
        position = _skip(text, position)
        if text[position : position + 1] != ":":
            raise NotebookError(f"a colon is missing at character {position}")
        position = _skip(text, position + 1)
        yield key, position
        _, position = _DECODER.raw_decode(text, position)
        position = _skip(text, position)
        if text[position : position + 1] == ",":
            position = _skip(text, position + 1)


def _elements(text: str, start: int) -> Iterator[int]:
    """Where each element of the array that begins at `start` begins."""
    if text[start : start + 1] != "[":
        return
    position = _skip(text, start + 1)
    while position < len(text) and text[position] != "]":
        yield position
        _, position = _DECODER.raw_decode(text, position)
        position = _skip(text, position)
        if text[position : position + 1] == ",":
            position = _skip(text, position + 1)


def _skip(text: str, position: int) -> int:
    match = _BLANKS.match(text, position)
    return match.end() if match else position
