"""What a bundle may claim: the caps that hold before anything is believed or inflated."""

from __future__ import annotations

from typing import Final

__all__ = ["Limits"]

_KIB: Final = 1024
_MIB: Final = 1024 * _KIB


class Limits:
    """The caps of format version 1, in bytes unless the name says otherwise.

    A zstd frame may declare at most `INFLATION_RATIO` times its stored length plus
    `INFLATION_ALLOWANCE`: real text stays under ten, and the allowance lets small databases
    of nearly empty pages through.
    """

    FILE_BYTES: Final = 4096 * _MIB
    MANIFEST_BYTES: Final = 1 * _MIB
    SECTION_COUNT: Final = 32
    TEXT_BYTES: Final = 1024 * _MIB
    DATABASE_BYTES: Final = 1024 * _MIB
    MODEL_BYTES: Final = 1024 * _MIB
    FRAME_BYTES: Final = 8 * _MIB
    WINDOW_BYTES: Final = 8 * _MIB
    INFLATION_RATIO: Final = 256
    INFLATION_ALLOWANCE: Final = 1 * _MIB
    FILE_COUNT: Final = 100_000
    ENTRY_COUNT: Final = 4_000_000
    PATH_BYTES: Final = 1024
    NAME_CHARS: Final = 200
    STATEMENT_SECONDS: Final = 5.0
