"""The sets of tools by name: the nine that are always there, and those that a server opts into."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from pydocs_server.wired.analysis_tools import ANALYSIS_TOOLS
from pydocs_server.wired.docs_tools import DOCS_TOOLS
from pydocs_server.wired.tools import TOOLS, Tool
from pydocs_server.wired.versions_tools import VERSIONS_TOOLS

__all__ = ["EVERY_TOOL", "TOOLSETS", "tools_with"]

TOOLSETS: Final[Mapping[str, Mapping[str, Tool]]] = {
    "analysis": ANALYSIS_TOOLS,
    "docs": DOCS_TOOLS,
    "versions": VERSIONS_TOOLS,
}
"""The tools of each set that can be asked for."""

EVERY_TOOL: Final[Mapping[str, Tool]] = {**TOOLS, **ANALYSIS_TOOLS, **DOCS_TOOLS, **VERSIONS_TOOLS}
"""All tools there are; the command line has a command for most of them."""


def tools_with(toolsets: Iterable[str] = ()) -> Mapping[str, Tool]:
    """The nine tools and those of some sets, in the order in which they are listed."""
    chosen = set(toolsets)
    more = {name: tool for each in sorted(chosen) for name, tool in TOOLSETS.get(each, {}).items()}
    return {**TOOLS, **more}
