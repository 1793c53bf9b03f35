"""The opt-in tool that compares two versions of a package."""

from __future__ import annotations

from collections.abc import Mapping

from pydocs_server.wired.parameters import Parameter
from pydocs_server.wired.tools import Tool

__all__ = ["VERSIONS_TOOLS"]

VERSIONS_TOOLS: Mapping[str, Tool] = {
    "compare_versions": Tool(
        "compare_versions",
        "Compare versions",
        "What an upgrade changes in a package's public API, between two mounted versions: names "
        "removed, added, newly deprecated, and changed signatures with what may break callers.",
        (
            Parameter("package", "string", "Any spelling.", min_length=1),
            Parameter("old", "string", "The version to come from; empty: the one before.", ""),
            Parameter("new", "string", "The version to go to; empty: the newest mounted.", ""),
            Parameter("limit", "integer", "How many names.", 100, minimum=1, maximum=10_000),
        ),
        ".versions",
        gives={"removed": "array", "changed": "array", "deprecated": "array", "added": "array"},
    )
}
"""The tools by name."""
