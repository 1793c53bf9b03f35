"""What can be typed: the commands of `pydocs-mcp`, their options, and what each is for."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Final

from pydocs_bundle.errors import ExitCode

__all__ = ["parser"]

_Adding = Callable[[str, str, str], argparse.ArgumentParser]

_MOST_WORKERS: Final = 64
_EPILOG: Final = """\
Without --bundle, $PYDOCS_BUNDLES is used (several separated as in PATH), then ./artifacts.
exit status: 0 answered, 1 no such name, 2 wrong usage, 5 a bundle was refused, 70 a bug
"""


def parser() -> argparse.ArgumentParser:
    """The whole command line, as the documentation describes it."""
    top = argparse.ArgumentParser(
        prog="pydocs-mcp",
        description="Answers questions about a Python project and its dependencies from bundles.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action=_Version, help="the version, and that of the format")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    shared = _shared_options()

    def command(name: str, tool: str, summary: str) -> argparse.ArgumentParser:
        made = commands.add_parser(
            name,
            help=summary,
            description=summary,
            parents=[shared],
            # What is not typed is not passed on, so that each tool keeps its own defaults.
            argument_default=argparse.SUPPRESS,
        )
        made.set_defaults(tool=tool, parser=made)
        return made

    overview = command("overview", "get_overview", "what is mounted, or what one package offers")
    overview.add_argument("package", nargs="?", default="", type=_text)

    search = command(
        "search", "search_codebase", "the symbols, documents and decisions that fit a query"
    )
    search.add_argument("query", nargs="+", type=_text)
    search.add_argument(
        "--kind",
        help="docs, api, any or decision; or one of module, class, function, method, property, "
        "attribute, section, cell (default: any)",
    )
    search.add_argument("--package", type=_text, help="only this: NAME or NAME==VERSION")
    _add_scope(search)
    search.add_argument("--limit", type=int, help="results, 1 to 1000 (default: 10)")
    _add_config(search)

    symbol = command("symbol", "get_symbol", "what a name is: signature, documentation, source")
    symbol.add_argument("target", type=_text)
    symbol.add_argument("--depth", choices=("summary", "tree", "source"), help="(default: summary)")

    context = command("context", "get_context", "what has to be read to work on some names")
    context.add_argument("targets", nargs="+", type=_text, metavar="target")

    refs = command("refs", "get_references", "who uses a name, and what it uses")
    refs.add_argument("target", type=_text)
    refs.add_argument(
        "--direction",
        choices=("callers", "callees", "inherits", "impact", "governed_by"),
        help="which way to look (default: callers)",
    )
    refs.add_argument("--limit", type=int, help="edges at most (default: 50)")
    refs.add_argument("--dot", metavar="FILE", help="draw them for Graphviz; - for stdout")
    refs.add_argument(
        "--mermaid",
        nargs="?",
        const="-",
        metavar="FILE",
        help="draw them as a Mermaid flow chart; on stdout without a file",
    )

    why = command("why", "get_why", "the decisions behind the code, with their sources")
    why.add_argument("query", nargs="*", default=[], type=_text)
    why.add_argument(
        "--target", dest="targets", action="append", type=_text, help="a name it governs"
    )

    _add_grep(command)
    _add_files(command)
    _add_docs(command)
    _add_analysis(command)
    _add_versions(command)
    _add_serve(command)
    _add_live(command)
    return top


def _add_grep(command: _Adding) -> None:
    grep = command("grep", "grep", "the lines that match a regular expression")
    grep.add_argument("pattern", type=_text)
    grep.add_argument("--path", type=_text, help="only below this package or folder")
    grep.add_argument("--glob", type=_text, help="only files like this")
    grep.add_argument(
        "--output-mode",
        choices=("content", "files_with_matches", "count"),
        help="what to show of each file (default: content)",
    )
    grep.add_argument("-i", "--ignore-case", action="store_true", help="capitals do not count")
    grep.add_argument("--no-line-numbers", dest="line_numbers", action="store_false")
    grep.add_argument("-B", "--before", type=int, help="lines before each match")
    grep.add_argument("-A", "--after", type=int, help="lines after each match")
    grep.add_argument("-C", "--context", type=int, help="lines around each match")
    grep.add_argument("--head-limit", type=int, help="lines or files at most (default: 100)")
    grep.add_argument("--multiline", action="store_true", help="`.` and the match span lines")
    _add_scope(grep)


def _add_versions(command: _Adding) -> None:
    compare = command(
        "compare", "compare_versions", "what an upgrade of a package changes in its public API"
    )
    compare.add_argument("package", type=_text)
    compare.add_argument(
        "--old", type=_text, metavar="VERSION", help="(default: the one before the newest mounted)"
    )
    compare.add_argument(
        "--new", type=_text, metavar="VERSION", help="(default: the newest mounted)"
    )
    compare.add_argument("--limit", type=int, help="names at most (default: 100)")


def _add_serve(command: _Adding) -> None:
    serve = command("serve", "", "the same as an MCP server, over stdio or HTTP")
    serve.add_argument(
        "paths",
        nargs="*",
        default=[],
        metavar="PATH",
        help="a project's folder, whose bundles are built here and kept in the user's cache",
    )
    serve.add_argument(
        "--toolset",
        action="append",
        choices=("analysis", "docs", "versions"),
        help="offer the tools of a further set as well; may be given several times",
    )
    _add_config(serve)
    serve.add_argument(
        "--watch", action="store_true", help="build again when a file of the projects changes"
    )
    serve.add_argument(
        "--http",
        metavar="HOST:PORT",
        help="answer over HTTP at /mcp instead; $PYDOCS_TOKEN is the bearer token, if any",
    )
    serve.add_argument(
        "--workers", type=_count, help="processes that answer over HTTP (default: 1)"
    )
    serve.add_argument(
        "--allow-host",
        action="append",
        metavar="NAME",
        help="a host name that HTTP requests may be addressed to; may be given several times",
    )
    serve.add_argument(
        "--allow-origin",
        action="append",
        metavar="ORIGIN",
        help="an origin whose pages may ask over HTTP, such as https://tools.example",
    )


def _add_live(command: _Adding) -> None:
    index = command("index", "", "build the bundles of live projects, as far as they have changed")
    index.add_argument("paths", nargs="+", metavar="PATH", help="a project's folder")
    index.add_argument("--force", action="store_true", help="build everything anew")
    index.add_argument("--skip-project", action="store_true", help="build the dependencies only")

    watch = command("watch", "", "build a live project's bundles, and again after each change")
    watch.add_argument("paths", nargs=1, metavar="PATH", help="a project's folder")


def _add_analysis(command: _Adding) -> None:
    analyze = command("analyze", "analyze_symbol", "one name in depth, and the risk of changing it")
    analyze.add_argument("target", type=_text)

    graph = command("call-graph", "call_graph", "who calls a name and what it calls, in steps")
    graph.add_argument("target", type=_text)
    graph.add_argument(
        "--direction", choices=("both", "callers", "callees"), help="which way (default: both)"
    )
    graph.add_argument("--depth", type=int, help="steps, 1 to 6 (default: 2)")
    graph.add_argument("--limit", type=int, help="names in each direction (default: 40)")
    graph.add_argument(
        "--mermaid",
        dest="format",
        action="store_const",
        const="mermaid",
        help="as a Mermaid flow chart",
    )

    find = command("find", "find", "where something is: names and texts, one row a place")
    find.add_argument("query", nargs="+", type=_text)
    find.add_argument("--limit", type=int, help="places at most (default: 10)")


def _add_files(command: _Adding) -> None:
    glob = command("glob", "glob", "the files whose path fits a pattern")
    glob.add_argument("pattern", type=_text)
    glob.add_argument("--path", type=_text, help="only below this package or folder")
    glob.add_argument("--head-limit", type=int, help="files at most (default: 100)")

    read = command("read", "read_file", "a file out of a bundle, with line numbers")
    read.add_argument("file_path", type=_text)
    read.add_argument("--offset", type=int, help="the first line (default: 1)")
    read.add_argument("--limit", type=int, help="lines at most (default: what fits)")


def _add_docs(command: _Adding) -> None:
    command("docs", "list_docs", "the documentation collections, with layers and revisions")

    ask = command("ask", "ask_docs", "the passages of documentation that answer a question")
    ask.add_argument("question", nargs="+", type=_text)
    ask.add_argument("--docs", type=_text, metavar="ID", help="only this collection (default: all)")
    ask.add_argument("--layer", type=_text, help="only the files of this layer (default: all)")
    ask.add_argument(
        "--max-chars", type=int, metavar="N", help="characters of passages (default: 8000)"
    )


def _shared_options() -> argparse.ArgumentParser:
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--bundle",
        action="append",
        metavar="PATTERN",
        help="a bundle, a folder of bundles or a glob; may be given several times",
    )
    shared.add_argument("--project", default="", type=_text, help="one of several projects")
    shared.add_argument("--strict", action="store_true", help="stop at a bundle that is refused")
    shared.add_argument("--json", action="store_true", help="the answer for a program")
    shared.add_argument("--traceback", action="store_true", help="show where an error came from")
    return shared


def _add_config(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--config",
        metavar="NAME|FILE",
        help="rank by a preset (hybrid, lexical or dense), or by a TOML file of other numbers "
        "(default: $PYDOCS_RANKING, then hybrid)",
    )


def _add_scope(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--scope",
        choices=("project", "deps", "all"),
        help="the project's own code, its dependencies, or both (default: all)",
    )


class _Version(argparse.Action):
    """Prints the version when asked, and looks for it only then."""

    def __init__(self, option_strings: Sequence[str], dest: str, **options: object) -> None:
        super().__init__(option_strings, dest, nargs=0, help=str(options.get("help", "")))

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Prints and ends."""
        from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - slow

        try:
            number = version("pydocs-server")
        except PackageNotFoundError:
            number = "(not installed)"
        sys.stdout.write(f"pydocs-mcp {number}, bundle format 1\n")
        parser.exit(ExitCode.OK)


def _count(argument: str) -> int:
    """A number of processes."""
    number = int(argument)
    if not 1 <= number <= _MOST_WORKERS:
        raise argparse.ArgumentTypeError(f"{number} is not from 1 to {_MOST_WORKERS}")
    return number


def _text(argument: str) -> str:
    """An argument as real text: bytes that are no UTF-8 become U+FFFD."""
    return argument.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
