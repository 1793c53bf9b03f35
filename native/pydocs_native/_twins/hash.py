"""The 64-bit hash that tells whether a file changed; never a proof of identity."""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence

from pydocs_native._twins.read import read_file

__all__ = ["hash_files", "xxh64"]

_MASK = (1 << 64) - 1
_P1 = 0x9E3779B185EBCA87
_P2 = 0xC2B2AE3D27D4EB4F
_P3 = 0x165667B19E3779F9
_P4 = 0x85EBCA77C2B2AE63
_P5 = 0x27D4EB2F165667C5
_STRIPE = 32
_MAX_BYTES = (1 << 63) - 2


def xxh64(data: bytes) -> int:
    """Gives XXH64 (seed 0) of `data`."""
    whole = len(data) // _STRIPE * _STRIPE
    value = _stripes(data, whole) if whole else _P5
    value = (value + len(data)) & _MASK
    eights = whole + (len(data) - whole) // 8 * 8
    for (lane,) in struct.iter_unpack("<Q", data[whole:eights]):
        value = (_rotated(value ^ _round(0, lane), 27) * _P1 + _P4) & _MASK
    rest = data[eights:]
    if len(rest) >= 4:  # noqa: PLR2004 - the algorithm's four-byte lane
        lane = int.from_bytes(rest[:4], "little")
        value = (_rotated(value ^ (lane * _P1 & _MASK), 23) * _P2 + _P3) & _MASK
        rest = rest[4:]
    for byte in rest:
        value = _rotated(value ^ (byte * _P5 & _MASK), 11) * _P1 & _MASK
    return _avalanche(value)


def hash_files(root: str, paths: Sequence[str]) -> list[int | None]:
    """Hashes files in the order of `paths`; None where one cannot be read."""
    return [_hash_file(os.path.join(root, path)) for path in paths]  # noqa: PTH118 - odd bytes stay as they are


def _hash_file(path: str) -> int | None:
    try:
        return xxh64(read_file(path, _MAX_BYTES))
    except (OSError, ValueError):
        return None


def _stripes(data: bytes, whole: int) -> int:
    a, b, c, d = (_P1 + _P2) & _MASK, _P2, 0, -_P1 & _MASK
    for one, two, three, four in struct.iter_unpack("<4Q", data[:whole]):
        a, b, c, d = _round(a, one), _round(b, two), _round(c, three), _round(d, four)
    value = _rotated(a, 1) + _rotated(b, 7) + _rotated(c, 12) + _rotated(d, 18)
    for lane in (a, b, c, d):
        value = ((value ^ _round(0, lane)) * _P1 + _P4) & _MASK
    return value


def _round(accumulator: int, lane: int) -> int:
    return _rotated((accumulator + lane * _P2) & _MASK, 31) * _P1 & _MASK


def _rotated(value: int, bits: int) -> int:
    value &= _MASK
    return (value << bits | value >> (64 - bits)) & _MASK


def _avalanche(value: int) -> int:
    value = (value ^ value >> 33) * _P2 & _MASK
    value = (value ^ value >> 29) * _P3 & _MASK
    return value ^ value >> 32
