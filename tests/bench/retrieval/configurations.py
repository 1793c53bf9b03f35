"""The ways of searching that are compared: the presets, and each without one of its parts."""

from __future__ import annotations

from typing import Final

from pydocs_server.ranked.numbers import RANKING, Ranking

__all__ = ["CONFIGURATIONS"]

CONFIGURATIONS: Final[dict[str, Ranking]] = {"lexical": RANKING}
