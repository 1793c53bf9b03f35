"""The ways of searching that are compared: the presets, and the first without one of its parts."""

from __future__ import annotations

from typing import Final

from pydocs_server.ranked.numbers import PRESETS, RANKING, Ranking

__all__ = ["CONFIGURATIONS"]

CONFIGURATIONS: Final[dict[str, Ranking]] = {
    **PRESETS,
    "no standing": RANKING._replace(private=1.0, deeper=1.0, module=1.0),
    "no popularity": RANKING._replace(popular=0.0),
    "no lengths": RANKING._replace(documented=0.0),
    "no signatures": RANKING._replace(taken=0.0),
    "no topics": RANKING._replace(topic=0.0),
    "no packages": RANKING._replace(package_named=1.0, package_perhaps=1.0, named_in_query=1.0),
    "no files": RANKING._replace(path=0.0, owner=0.0, file_evidence=0.0, same_own_file=1.0),
    "never abstains": RANKING._replace(least_fit=-2.0, least_said_alone=-2.0),
    "abstains less": RANKING._replace(least_fit=0.39),
    "abstains more": RANKING._replace(least_fit=0.49),
    "lexical abstains less": PRESETS["lexical"]._replace(least_said_alone=0.18),
    "lexical abstains more": PRESETS["lexical"]._replace(least_said_alone=0.26),
}
"""Rankings by name."""
