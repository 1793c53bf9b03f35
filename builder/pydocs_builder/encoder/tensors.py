"""The numbers of a safetensors file: a length, a JSON object of names and places, and the bytes."""

from __future__ import annotations

import json
import struct
import sys
from array import array
from collections.abc import Mapping
from typing import Final

__all__ = ["read_tensors"]

_LENGTH: Final = struct.Struct("<Q")
_WIDTHS: Final = {"BF16": 2, "F16": 2, "F32": 4}


def read_tensors(content: bytes) -> Mapping[str, bytes | memoryview]:
    """The floating-point tensors of a file by name, as little-endian numbers of 32 bits.

    Raises:
        ValueError: it is no such file.
    """
    try:
        (length,) = _LENGTH.unpack_from(content)
        start = _LENGTH.size + length
        listed = dict(json.loads(content[_LENGTH.size : start]))
        listed.pop("__metadata__", None)
        view = memoryview(content)[start:]
        return {
            name: _widened(_part(view, *entry["data_offsets"]), entry["dtype"])
            for name, entry in listed.items()
            if entry["dtype"] in _WIDTHS
        }
    except (KeyError, RecursionError, TypeError, ValueError, struct.error) as error:
        raise ValueError("is no safetensors file") from error


def _part(view: memoryview, start: int, end: int) -> memoryview:
    if not 0 <= start <= end <= len(view):
        raise ValueError("lies outside of the file")
    return view[start:end]


def _widened(numbers: memoryview, dtype: str) -> bytes | memoryview:
    if len(numbers) % _WIDTHS[dtype]:
        raise ValueError("holds half a number")
    if dtype == "F32":
        return numbers
    if dtype == "BF16":
        # The upper half of a number of 32 bits.
        wide = bytearray(2 * len(numbers))
        wide[2::4], wide[3::4] = numbers[::2], numbers[1::2]
        return bytes(wide)
    floats = array("f", struct.unpack(f"<{len(numbers) // 2}e", numbers))
    if sys.byteorder == "big":
        floats.byteswap()
    return floats.tobytes()
