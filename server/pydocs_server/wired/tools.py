"""The nine tools: what each is called, says of itself, takes, and calls.

Names, parameters, defaults and limits are those of `docs/tool-contracts.md`; a test holds both
equal. Nothing here comes from a bundle, and everything here costs each conversation its tokens.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import NamedTuple, Protocol, cast

from pydocs_server.mounted.catalog import Catalog
from pydocs_server.rendered.answer import Answer
from pydocs_server.wired.parameters import Parameter, checked

__all__ = ["PROJECT", "TARGET", "TOOLS", "Tool", "call"]


class _Function(Protocol):
    def __call__(self, catalog: Catalog, **arguments: object) -> Answer: ...


class Tool(NamedTuple):
    """One tool as clients see it, and where its function is.

    `module` is where its function is, such as `.search` in `pydocs_server.answered`; `spellings`
    maps other names of parameters, as similar tools have them, to ours; `gives` names the fields of
    the structured answer with their JSON types.
    """

    name: str
    title: str
    description: str
    parameters: tuple[Parameter, ...]
    module: str
    spellings: Mapping[str, str] = MappingProxyType({})
    gives: Mapping[str, str] = MappingProxyType({})

    def input_schema(self) -> dict[str, object]:
        """The JSON schema of the arguments."""
        schema: dict[str, object] = {
            "type": "object",
            "properties": {each.name: each.schema() for each in self.parameters},
        }
        required = [each.name for each in self.parameters if each.is_required]
        if required:
            schema["required"] = required
        schema["additionalProperties"] = False
        return schema

    def output_schema(self) -> dict[str, object] | None:
        """The JSON schema of the structured answer, where `gives` tells of it.

        Nothing in it is required: an error says `error` instead, and clients check that as well.
        """
        if not self.gives:
            return None
        fields = {name: {"type": kind} for name, kind in self.gives.items()}
        return {"type": "object", "properties": fields}

    def function(self) -> _Function:
        """What answers; its module is imported when it is first called."""
        module = import_module(self.module, "pydocs_server.answered")
        return cast("_Function", getattr(module, self.name))

    def answer(self, catalog: Catalog, arguments: Mapping[str, object]) -> Answer:
        """What it answers, once the arguments are known to be what it takes.

        Raises:
            PydocsError: the arguments are wrong, or name nothing that is mounted.
        """
        return self.function()(
            catalog, **checked(self.name, self.parameters, arguments, self.spellings)
        )


def call(catalog: Catalog, name: str, arguments: Mapping[str, object]) -> Answer:
    """A tool's answer, once the arguments are known to be what it takes.

    Raises:
        KeyError: no tool has that name.
        PydocsError: the arguments are wrong, or name nothing that is mounted.
    """
    return TOOLS[name].answer(catalog, arguments)


PROJECT = Parameter("project", "string", "One of several mounted projects; empty: all.", "")
_SCOPE = Parameter(
    "scope",
    "string",
    "The project's own code, its dependencies, or both.",
    "all",
    choices=("project", "deps", "all"),
)
_PATH = Parameter("path", "string", "Only below this: package, package@version/folder, folder.", "")
TARGET = Parameter(
    "target",
    "string",
    "Dotted name (httpx.Client.get) or package@version/path:line.",
    min_length=1,
)

_ALL = (
    Tool(
        "get_overview",
        "Overview",
        "What is mounted: the project, its dependencies with versions, and their shape. With a "
        "package: its modules, main classes and functions. Call it first in an unfamiliar code "
        "base.",
        (
            Parameter("package", "string", "Any spelling, with a version or not; empty: all.", ""),
            PROJECT,
        ),
        ".overview",
    ),
    Tool(
        "search_codebase",
        "Search",
        "Ranked search over code, documentation and decisions of the project and its "
        "dependencies. For topics, questions, error messages and half-known names; naming the "
        "package in the query helps. For an exact name use get_symbol, for exact text grep.",
        (
            Parameter("query", "string", "Words, an identifier or a question.", min_length=1),
            Parameter(
                "kind",
                "string",
                "What to find.",
                "any",
                choices=("any", "api", "docs", "decision"),
            ),
            Parameter("package", "string", "Only this one: name or name==version.", ""),
            _SCOPE,
            Parameter("limit", "integer", "How many results.", 10, minimum=1, maximum=1000),
            PROJECT,
        ),
        ".search",
        gives={"results": "array"},
    ),
    Tool(
        "get_symbol",
        "Symbol",
        "One symbol by its dotted name, public or private: signature, documentation and members "
        "(summary), the outline of all below it (tree), or its code (source).",
        (
            TARGET,
            Parameter(
                "depth",
                "string",
                "How much.",
                "summary",
                choices=("summary", "tree", "source"),
            ),
            PROJECT,
        ),
        ".symbol",
    ),
    Tool(
        "get_context",
        "Context",
        "All that is needed to work on some symbols, in one budget: their source, signatures and "
        "docstrings of what they call and inherit, and their main callers. Pass all targets in "
        "one call.",
        (
            Parameter(
                "targets",
                "array",
                "1 to 20 dotted names.",
                min_length=1,
                max_length=20,
            ),
            PROJECT,
        ),
        ".context",
    ),
    Tool(
        "get_references",
        "References",
        "Edges of the reference graph, across packages, each with its call site: callers, "
        "callees, inherits (bases and subclasses), impact (callers of callers), governed_by "
        "(decisions). Says found, none, or unresolved (how many, why): unresolved is not none.",
        (
            TARGET,
            Parameter(
                "direction",
                "string",
                "Which edges.",
                "callers",
                choices=("callers", "callees", "inherits", "impact", "governed_by"),
            ),
            Parameter("limit", "integer", "How many edges.", 50, minimum=1, maximum=1000),
            PROJECT,
        ),
        ".references",
        gives={"status": "string", "edges": "array"},
    ),
    Tool(
        "get_why",
        "Why",
        "Recorded decisions: ADRs, proposals, changelogs, commits that state a reason, WHY and "
        "NOTE comments, rationale in documents, quoted with source, status and date. By question, "
        "by the symbols they govern, or both; "
        "with neither, the project's own. Ask before changing a design.",
        (
            Parameter("query", "string", "A question in words.", ""),
            Parameter("targets", "array", "Dotted names.", (), max_length=20),
            PROJECT,
        ),
        ".why",
        gives={"decisions": "array", "total": "integer"},
    ),
    Tool(
        "grep",
        "Grep",
        "Lines that match a regular expression (Python's flavour) in all mounted text. For exact "
        "strings, error messages, configuration keys.",
        (
            Parameter("pattern", "string", "The regular expression.", min_length=1),
            _PATH,
            Parameter("glob", "string", "Only files like *.py or src/**/*.{md,rst}.", ""),
            Parameter(
                "output_mode",
                "string",
                "Lines, files, or counts for each file.",
                "content",
                choices=("content", "files_with_matches", "count"),
            ),
            Parameter("ignore_case", "boolean", "Capitals do not count.", default=False),
            Parameter("line_numbers", "boolean", "Number the lines.", default=True),
            Parameter("before", "integer", "Lines before a match.", 0, minimum=0, maximum=100),
            Parameter("after", "integer", "Lines after a match.", 0, minimum=0, maximum=100),
            Parameter("context", "integer", "Lines on both sides.", 0, minimum=0, maximum=100),
            Parameter("head_limit", "integer", "How much to show.", 100, minimum=1, maximum=10_000),
            Parameter("multiline", "boolean", "Matches may span lines.", default=False),
            _SCOPE,
        ),
        ".grep",
        {
            "-i": "ignore_case",
            "-n": "line_numbers",
            "-B": "before",
            "-A": "after",
            "-C": "context",
        },
        {"matches": "array", "total": "integer"},
    ),
    Tool(
        "glob",
        "Glob",
        "Mounted files by path pattern: *, ?, [ab], **, {a,b}. Without a slash it is matched "
        "against file names in any folder. Gives addresses for read_file.",
        (
            Parameter("pattern", "string", "Such as **/test_*.py.", min_length=1),
            _PATH,
            Parameter("head_limit", "integer", "How much to show.", 100, minimum=1, maximum=10_000),
        ),
        ".glob",
        gives={"files": "array", "total": "integer"},
    ),
    Tool(
        "read_file",
        "Read",
        "A mounted file's lines with their numbers. Only files inside bundles can be read.",
        (
            Parameter(
                "file_path",
                "string",
                "package@version/path, package/path or a unique path; path:line begins there.",
                min_length=1,
            ),
            Parameter("offset", "integer", "First line.", 1, minimum=1, maximum=1_000_000_000),
            Parameter(
                "limit",
                "integer",
                "How many lines; 0: as many as fit a short answer.",
                0,
                minimum=0,
                maximum=1_000_000,
            ),
        ),
        ".read",
    ),
)

TOOLS: Mapping[str, Tool] = {each.name: each for each in _ALL}
"""The tools by name, in the order in which they are listed."""
