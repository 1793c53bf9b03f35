"""What a bundle may claim: the caps that hold before anything is believed or inflated."""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = ["LIMITS", "Limits"]

_KIB: Final = 1024
_MIB: Final = 1024 * _KIB


class Limits(NamedTuple):
    """The caps of format version 1, in bytes unless the name says otherwise.

    A zstd frame may declare at most `inflation_ratio` times its stored length plus
    `inflation_allowance`: real text stays under ten, and the allowance lets small databases
    of nearly empty pages through.
    """

    file_bytes: int = 4096 * _MIB
    manifest_bytes: int = 1 * _MIB
    section_count: int = 32
    text_bytes: int = 1024 * _MIB
    database_bytes: int = 1024 * _MIB
    frame_bytes: int = 8 * _MIB
    window_bytes: int = 8 * _MIB
    inflation_ratio: int = 256
    inflation_allowance: int = 1 * _MIB
    file_count: int = 100_000
    entry_count: int = 4_000_000
    path_bytes: int = 1024
    name_chars: int = 200
    statement_seconds: float = 5.0


LIMITS: Final = Limits()
