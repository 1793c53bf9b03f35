"""The opt-in tools of documentation collections, with the parameters that their users know."""

from __future__ import annotations

from collections.abc import Mapping

from pydocs_server.answered.passages import (
    ALL_LAYERS,
    DEFAULT_CHARACTERS,
    LEAST_CHARACTERS,
    MOST_CHARACTERS,
)
from pydocs_server.wired.parameters import Parameter
from pydocs_server.wired.tools import Tool

__all__ = ["DOCS_TOOLS"]

_DOCS = Parameter("docs", "string", "The id of one collection; empty: all.", "")

_ALL = (
    Tool(
        "list_docs",
        "Collections",
        "The mounted documentation collections, with what they hold, their layers and revisions.",
        (),
        ".docs_collections",
        gives={"docs": "array"},
    ),
    Tool(
        "ask_docs",
        "Ask",
        "Passages of documentation collections that answer a question, with [n] citations by file, "
        "headings and lines. Gives none where the documents do not answer it.",
        (
            Parameter("question", "string", "In words.", min_length=1),
            _DOCS,
            Parameter("layer", "string", "Only this layer, as list_docs names it.", ALL_LAYERS),
            Parameter(
                "max_chars",
                "integer",
                "How long the passages may be together.",
                DEFAULT_CHARACTERS,
                minimum=LEAST_CHARACTERS,
                maximum=MOST_CHARACTERS,
            ),
        ),
        ".passages",
        gives={"is_answered": "boolean", "passages": "array"},
    ),
    Tool(
        "reindex",
        "Reindex",
        "How to bring collections up to date; mounted bundles are never changed.",
        (_DOCS,),
        ".docs_collections",
    ),
)

DOCS_TOOLS: Mapping[str, Tool] = {each.name: each for each in _ALL}
"""The tools by name, in the order in which they are listed."""
