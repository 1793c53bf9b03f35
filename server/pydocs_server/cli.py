"""The command `pydocs-mcp`: the tools of all sets as commands, and `serve`.

Results go to stdout, talk goes to stderr. Nothing is imported before a command needs it: a cold
`search` is mostly the start of the interpreter.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from pydocs_bundle.errors import ExitCode, PydocsError

if TYPE_CHECKING:
    from pydocs_server.mounted.catalog import Catalog
    from pydocs_server.rendered.answer import Answer

__all__ = ["main", "main_entry", "parser"]

_Arguments = argparse.Namespace
_Adding = Callable[[str, str, str], argparse.ArgumentParser]

_MOST_WORKERS: Final = 64
_EPILOG: Final = """\
Without --bundle, $PYDOCS_BUNDLES is used (several separated as in PATH), then ./artifacts.
exit status: 0 answered, 1 no such name, 2 wrong usage, 5 a bundle was refused, 70 a bug
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and gives its exit status."""
    _speak_utf8()
    typed = _spread_bundles(sys.argv[1:] if argv is None else argv)
    arguments, unknown = parser().parse_known_args(typed)
    if unknown:
        # The command's own usage says what it takes; the usage of the whole only names commands.
        arguments.parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    try:
        return _run(arguments)
    except PydocsError as error:
        if arguments.traceback:
            raise
        _complain(error, as_json=arguments.json)
        return int(error.exit_code)
    except BrokenPipeError:
        # The reader has seen enough (`| head`); the interpreter must not complain while it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.OK
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if arguments.traceback:
            raise
        problem = f"{type(error).__name__}: {error}"
        print(f"pydocs-mcp: a bug, {problem}; --traceback shows where.", file=sys.stderr)  # noqa: T201
        return ExitCode.INTERNAL


def main_entry() -> None:
    """What the installed command calls."""
    sys.exit(main())


def _run(arguments: _Arguments) -> int:
    if arguments.command in _LIVE:
        return _LIVE[arguments.command](arguments)
    from pydocs_server.mounted.mount import mount  # noqa: PLC0415 - usage errors need no catalog

    with mount(arguments.bundle, strict=arguments.strict) as catalog:
        for warning in catalog.warnings:
            print(f"pydocs-mcp: {warning}", file=sys.stderr)  # noqa: T201
        answer = _answer(catalog, arguments)
    drawn = _drawn(answer, arguments) if arguments.command == "refs" else ""
    _write(drawn or (_json(answer.structured) if arguments.json else answer.text))
    return ExitCode.OK


def _drawn(answer: Answer, typed: _Arguments) -> str:
    """Draws the pictures that were asked for; gives the one that goes to standard output."""
    files = [getattr(typed, name, "") for name in ("dot", "mermaid")]
    if not any(files):
        return ""
    from pydocs_server.wired.drawings import draw_references  # noqa: PLC0415 - few want pictures

    return draw_references(answer, *files)


def _write(text: str) -> None:
    sys.stdout.write(text if text.endswith("\n") else text + "\n")
    sys.stdout.flush()


def _json(structured: dict[str, object]) -> str:
    import json  # noqa: PLC0415 - text answers do without

    return json.dumps(structured, ensure_ascii=False)


def _complain(error: PydocsError, *, as_json: bool) -> None:
    from pydocs_server.rendered.render import visible  # noqa: PLC0415 - only errors need it here

    if as_json:
        structured = getattr(error, "structured", None)
        _write(_json(structured() if structured else {"error": str(error)}))
    print(f"pydocs-mcp: {visible(str(error))}", file=sys.stderr)  # noqa: T201


def _speak_utf8() -> None:
    """Makes the standard streams UTF-8 with plain line ends, whatever the locale is."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def _spread_bundles(argv: Sequence[str]) -> list[str]:
    """Lets one `--bundle` take the several files that a shell makes of an unquoted glob."""
    spread: list[str] = []
    after_bundle = False
    for argument in argv:
        if after_bundle and argument.endswith(".pdx") and not spread[-1].startswith("--bundle"):
            spread.append("--bundle")
        after_bundle = argument == "--bundle" or (after_bundle and argument.endswith(".pdx"))
        spread.append(argument)
    return spread


def _count(argument: str) -> int:
    """A number of processes."""
    number = int(argument)
    if not 1 <= number <= _MOST_WORKERS:
        raise argparse.ArgumentTypeError(f"{number} is not from 1 to {_MOST_WORKERS}")
    return number


def _text(argument: str) -> str:
    """An argument as real text: bytes that are no UTF-8 become U+FFFD."""
    return argument.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _answer(catalog: Catalog, typed: _Arguments) -> Answer:
    """Calls the tool behind a command with what was typed, checked as a client's call is."""
    from pydocs_server.wired.parameters import checked  # noqa: PLC0415 - usage errors need no tools
    from pydocs_server.wired.tools import TOOLS  # noqa: PLC0415

    if typed.tool in TOOLS:
        tool = TOOLS[typed.tool]
    else:
        from pydocs_server.wired.toolsets import EVERY_TOOL  # noqa: PLC0415 - imports what answers

        tool = EVERY_TOOL[typed.tool]
    given: dict[str, object] = {}
    for parameter in tool.parameters:
        if hasattr(typed, parameter.name):
            value = getattr(typed, parameter.name)
            is_words = parameter.type == "string" and isinstance(value, list)
            given[parameter.name] = " ".join(value) if is_words else value
    # Only the command line takes the finer kinds; the search itself knows them all.
    finer = {"kind": given.pop("kind")} if "kind" in given else {}
    taken = checked(tool.name, tool.parameters, given, tool.spellings)
    return tool.function()(catalog, **taken, **finer)


def _serve(typed: _Arguments) -> int:
    if typed.paths:
        from pydocs_server.live import building, following, projects  # noqa: PLC0415 - most serve none

        building.require_builder()
        following.keep_built(
            projects.projects(typed.paths), (), is_watching=getattr(typed, "watch", False)
        )
    if hasattr(typed, "http"):
        return _serve_http(typed)
    from pydocs_server.wired.serve import serve  # noqa: PLC0415 - the SDK takes longer than any answer

    toolsets = tuple(getattr(typed, "toolset", ()))
    serve(typed.bundle, strict=typed.strict, projects=typed.paths, toolsets=toolsets)
    return ExitCode.OK


def _index(typed: _Arguments) -> int:
    from pydocs_server.live import building, projects  # noqa: PLC0415 - as above

    building.require_builder()
    options = [
        f"--{each}" for each in ("force", "skip-project") if hasattr(typed, each.replace("-", "_"))
    ]
    for project in projects.projects(typed.paths):
        summary = building.build(project, options)
        _write(_json(summary) if typed.json else str(project.folder))
    return ExitCode.OK


def _watch(typed: _Arguments) -> int:
    from pydocs_server.live import building, projects  # noqa: PLC0415 - as above

    building.require_builder()
    (project,) = projects.projects(typed.paths)
    for summary in building.builds(project):
        _write(_json(summary) if typed.json else str(project.folder))
    return ExitCode.OK


def _serve_http(typed: _Arguments) -> int:
    from pydocs_server.wired.http_guard import Guard  # noqa: PLC0415 - as the SDK above
    from pydocs_server.wired.http_server import Served, address, serve_http  # noqa: PLC0415

    guard = Guard()
    guard = guard._replace(
        names=guard.names | {each.lower() for each in getattr(typed, "allow_host", ())},
        origins=frozenset(getattr(typed, "allow_origin", ())),
        token=os.environ.get("PYDOCS_TOKEN", "").strip(),
    )
    patterns = None if typed.bundle is None else tuple(typed.bundle)
    toolsets = tuple(getattr(typed, "toolset", ()))
    served = Served(patterns, typed.strict, guard, tuple(typed.paths), toolsets)
    serve_http(address(typed.http), served, getattr(typed, "workers", 1))
    return ExitCode.OK


_LIVE: Final = {"index": _index, "serve": _serve, "watch": _watch}


# --- what can be typed


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

    _add_files(command)
    _add_docs(command)
    _add_analysis(command)
    _add_serve(command)
    _add_live(command)
    return top


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
        choices=("analysis", "docs"),
        help="offer the tools of a further set as well; may be given several times",
    )
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
        _write(f"pydocs-mcp {number}, bundle format 1")
        parser.exit(ExitCode.OK)
