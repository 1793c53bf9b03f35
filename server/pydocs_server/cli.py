"""The command `pydocs-mcp`: the nine tools on the command line, and `serve`.

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
    from pydocs_server.answer import Answer
    from pydocs_server.catalog import Catalog

__all__ = ["main", "main_entry", "parser"]

_Arguments = argparse.Namespace

_EPILOG: Final = """\
Without --bundle, $PYDOCS_BUNDLES is used (several separated as in PATH), then ./artifacts.
exit status: 0 answered, 1 no such name, 2 wrong usage, 5 a bundle was refused, 70 a bug
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and gives its exit status."""
    _speak_utf8()
    arguments = parser().parse_args(_spread_bundles(sys.argv[1:] if argv is None else argv))
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
    if arguments.command == "serve":
        return _serve(arguments)
    from pydocs_server.mount import mount  # noqa: PLC0415 - usage errors need no catalog

    with mount(arguments.bundle, strict=arguments.strict) as catalog:
        for warning in catalog.warnings:
            print(f"pydocs-mcp: {warning}", file=sys.stderr)  # noqa: T201
        answer: Answer = arguments.run(catalog, arguments)
    _write(_json(answer.structured) if arguments.json else answer.text)
    return ExitCode.OK


def _write(text: str) -> None:
    sys.stdout.write(text if text.endswith("\n") else text + "\n")
    sys.stdout.flush()


def _json(structured: dict[str, object]) -> str:
    import json  # noqa: PLC0415 - text answers do without

    return json.dumps(structured, ensure_ascii=False)


def _complain(error: PydocsError, *, as_json: bool) -> None:
    from pydocs_server.render import visible  # noqa: PLC0415 - only errors need it here

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


def _text(argument: str) -> str:
    """An argument as real text: bytes that are no UTF-8 become U+FFFD."""
    return argument.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


# --- the commands: each takes the catalog and what was typed, and gives the tool's answer


def _overview(catalog: Catalog, typed: _Arguments) -> Answer:
    from pydocs_server.overview import get_overview  # noqa: PLC0415 - each command its own

    return get_overview(catalog, typed.package, project=typed.project)


def _search(catalog: Catalog, typed: _Arguments) -> Answer:
    from pydocs_server.search import search_codebase  # noqa: PLC0415

    return search_codebase(
        catalog,
        " ".join(typed.query),
        kind=typed.kind,
        package=typed.package,
        scope=typed.scope,
        limit=typed.limit,
        project=typed.project,
    )


def _symbol(catalog: Catalog, typed: _Arguments) -> Answer:
    from pydocs_server.symbol import get_symbol  # noqa: PLC0415

    return get_symbol(catalog, typed.target, depth=typed.depth, project=typed.project)


def _context(catalog: Catalog, typed: _Arguments) -> Answer:
    from pydocs_server.context import get_context  # noqa: PLC0415

    return get_context(catalog, typed.targets, project=typed.project)


def _refs(catalog: Catalog, typed: _Arguments) -> Answer:
    from pydocs_server.references import get_references  # noqa: PLC0415

    return get_references(
        catalog,
        typed.target,
        direction=typed.direction,
        limit=typed.limit,
        project=typed.project,
    )


def _why(catalog: Catalog, typed: _Arguments) -> Answer:
    from pydocs_server.why import get_why  # noqa: PLC0415

    return get_why(catalog, " ".join(typed.query), targets=typed.target, project=typed.project)


def _grep(catalog: Catalog, typed: _Arguments) -> Answer:
    from pydocs_server.grep import grep  # noqa: PLC0415

    return grep(
        catalog,
        typed.pattern,
        path=typed.path,
        glob=typed.glob,
        output_mode=typed.output_mode,
        ignore_case=typed.ignore_case,
        line_numbers=typed.line_numbers,
        before=typed.before,
        after=typed.after,
        context=typed.context,
        head_limit=typed.head_limit,
        multiline=typed.multiline,
        scope=typed.scope,
    )


def _glob(catalog: Catalog, typed: _Arguments) -> Answer:
    from pydocs_server.glob import glob  # noqa: PLC0415

    return glob(catalog, typed.pattern, path=typed.path, head_limit=typed.head_limit)


def _read(catalog: Catalog, typed: _Arguments) -> Answer:
    from pydocs_server.read import read_file  # noqa: PLC0415

    return read_file(catalog, typed.file_path, offset=typed.offset, limit=typed.limit)


def _serve(typed: _Arguments) -> int:
    from pydocs_server.serve import serve  # noqa: PLC0415 - the SDK takes longer than any answer

    serve(typed.bundle, strict=typed.strict)
    return ExitCode.OK


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

    def command(
        name: str, run: Callable[[Catalog, _Arguments], Answer] | None, summary: str
    ) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=summary, description=summary, parents=[shared])
        made.set_defaults(run=run)
        return made

    overview = command("overview", _overview, "what is mounted, or what one package offers")
    overview.add_argument("package", nargs="?", default="", type=_text)

    search = command("search", _search, "the symbols, documents and decisions that fit a query")
    search.add_argument("query", nargs="+", type=_text)
    search.add_argument(
        "--kind",
        default="any",
        help="docs, api, any or decision; or one of module, class, function, method, property, "
        "attribute, section, cell (default: any)",
    )
    search.add_argument(
        "--package", default="", type=_text, help="only this: NAME or NAME==VERSION"
    )
    _add_scope(search)
    search.add_argument("--limit", type=int, default=10, help="results, 1 to 1000 (default: 10)")

    symbol = command("symbol", _symbol, "what a name is: signature, documentation, members, source")
    symbol.add_argument("target", type=_text)
    symbol.add_argument("--depth", choices=("summary", "tree", "source"), default="summary")

    context = command("context", _context, "what has to be read to work on some names, together")
    context.add_argument("targets", nargs="+", type=_text)

    refs = command("refs", _refs, "who uses a name, and what it uses")
    refs.add_argument("target", type=_text)
    refs.add_argument(
        "--direction",
        choices=("callers", "callees", "inherits", "impact", "governed_by"),
        default="callers",
    )
    refs.add_argument("--limit", type=int, default=50, help="edges at most (default: 50)")

    why = command("why", _why, "the decisions behind the code, with their sources")
    why.add_argument("query", nargs="*", type=_text)
    why.add_argument("--target", action="append", default=[], type=_text, help="a name it governs")

    grep = command("grep", _grep, "the lines that match a regular expression")
    grep.add_argument("pattern", type=_text)
    grep.add_argument("--path", default="", type=_text, help="only below this package or folder")
    grep.add_argument("--glob", default="", type=_text, help="only files like this")
    grep.add_argument(
        "--output-mode",
        choices=("content", "files_with_matches", "count"),
        default="content",
    )
    grep.add_argument("-i", "--ignore-case", action="store_true")
    grep.add_argument("--no-line-numbers", dest="line_numbers", action="store_false")
    grep.add_argument("-B", "--before", type=int, default=0, help="lines before each match")
    grep.add_argument("-A", "--after", type=int, default=0, help="lines after each match")
    grep.add_argument("-C", "--context", type=int, default=0, help="lines around each match")
    grep.add_argument("--head-limit", type=int, default=100, help="lines or files at most")
    grep.add_argument("--multiline", action="store_true", help="`.` and the match span lines")
    _add_scope(grep)

    glob = command("glob", _glob, "the files whose path fits a pattern")
    glob.add_argument("pattern", type=_text)
    glob.add_argument("--path", default="", type=_text, help="only below this package or folder")
    glob.add_argument("--head-limit", type=int, default=100, help="files at most (default: 100)")

    read = command("read", _read, "a file out of a bundle, with line numbers")
    read.add_argument("file_path", type=_text)
    read.add_argument("--offset", type=int, default=1, help="the first line (default: 1)")
    read.add_argument("--limit", type=int, default=0, help="lines at most (default: what fits)")

    command("serve", None, "the same as an MCP server over stdio")
    return top


def _shared_options() -> argparse.ArgumentParser:
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--bundle",
        action="append",
        metavar="PATTERN",
        help="a bundle, a folder of bundles or a glob; may be given several times",
    )
    shared.add_argument("--project", default="", type=_text, help="one of several mounted projects")
    shared.add_argument("--strict", action="store_true", help="stop at a bundle that is refused")
    shared.add_argument("--json", action="store_true", help="the answer for a program")
    shared.add_argument("--traceback", action="store_true", help="show where an error came from")
    return shared


def _add_scope(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--scope",
        choices=("project", "deps", "all"),
        default="all",
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
