"""The opt-in tools of analysis: one symbol in depth, the calls around it, and where things are."""

from __future__ import annotations

from collections.abc import Mapping

from pydocs_server.answered.call_graph import (
    DEEPEST,
    DEFAULT_DEPTH,
    FORMATS,
    WAYS,
)
from pydocs_server.answered.call_graph import DEFAULT_LIMIT as DEFAULT_SYMBOLS
from pydocs_server.answered.call_graph import MOST as MOST_SYMBOLS
from pydocs_server.answered.find import DEFAULT_LIMIT, MOST
from pydocs_server.wired.parameters import Parameter
from pydocs_server.wired.tools import PROJECT, TARGET, Tool

__all__ = ["ANALYSIS_TOOLS"]

_ALL = (
    Tool(
        "analyze_symbol",
        "Analyze",
        "One symbol in depth before it is changed: definition and signature, callers and callees, "
        "class hierarchy, blast radius with product code and tests apart, and a risk class with "
        "the rule behind it.",
        (TARGET, PROJECT),
        ".analyze",
    ),
    Tool(
        "call_graph",
        "Call graph",
        "Who calls a symbol and what it calls, some steps in both directions, as a tree or as a "
        "Mermaid flow chart. Cycles are cut, overrides that may run are marked.",
        (
            TARGET,
            Parameter("direction", "string", "Which way.", "both", choices=WAYS),
            Parameter(
                "depth", "integer", "How many steps.", DEFAULT_DEPTH, minimum=1, maximum=DEEPEST
            ),
            Parameter(
                "limit",
                "integer",
                "How many symbols in each direction.",
                DEFAULT_SYMBOLS,
                minimum=1,
                maximum=MOST_SYMBOLS,
            ),
            Parameter("format", "string", "How to write it.", "text", choices=FORMATS),
            PROJECT,
        ),
        ".call_graph",
    ),
    Tool(
        "find",
        "Find",
        "Where something is: symbols of that name and texts with the words, one row for each "
        "place. Of a dotted name methods go first, of a bare one classes and functions, then what "
        "is used most.",
        (
            Parameter("query", "string", "A name or words.", min_length=1),
            Parameter(
                "limit", "integer", "How many places.", DEFAULT_LIMIT, minimum=1, maximum=MOST
            ),
            PROJECT,
        ),
        ".find",
    ),
)

ANALYSIS_TOOLS: Mapping[str, Tool] = {each.name: each for each in _ALL}
"""The tools by name, in the order in which they are listed."""
