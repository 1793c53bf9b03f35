"""The command `pydocs-mcp`: the tools of all sets as commands, and `serve`.

Results go to stdout, talk goes to stderr. Nothing is imported before a command needs it: a cold
`search` is mostly the start of the interpreter.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pydocs_bundle.errors import ExitCode, PydocsError
from pydocs_server.command_line import parser

if TYPE_CHECKING:
    from pydocs_server.mounted.catalog import Catalog
    from pydocs_server.rendered.answer import Answer

__all__ = ["main", "main_entry", "parser"]

_Arguments = argparse.Namespace


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
    if getattr(arguments, "config", ""):
        # There every mount finds it: a later one, and those of the worker processes.
        os.environ["PYDOCS_RANKING"] = arguments.config
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
