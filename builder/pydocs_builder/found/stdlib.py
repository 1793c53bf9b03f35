"""The standard library of an interpreter as a target: its sources, and stubs of what has none."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

from pydocs_builder.config import ProjectConfig
from pydocs_builder.found.interpreter import Interpreter
from pydocs_builder.planned.selection import is_licence_file, is_taken, storable
from pydocs_builder.targets import Target
from pydocs_bundle.errors import UsageError
from pydocs_native import walk

__all__ = ["STDLIB", "stdlib_target"]

STDLIB = "python-stdlib"
"""The name of the standard library's bundle."""

_SCRIPT = Path(__file__).with_name("interpreter_stubs.py")
_SECONDS = 120
_PRUNED = (
    *("__pycache__", "site-packages", "dist-packages", "lib-dynload"),
    *("test", "tests", "idle_test", "_bundled"),
)
# How one machine built its interpreter is nothing to read, and full of its paths; the others are
# modules that the interpreter tests itself with.
_ASIDE = re.compile(r"^(?:config-|_sysconfigdata|__p?hello__)")


def stdlib_target(interpreter: Interpreter, settings: ProjectConfig, scratch: Path) -> Target:
    """The target of an interpreter's standard library, gathered in a folder of its own.

    The interpreter runs once, isolated and without its `site` start-up, to describe the modules
    that it has no Python source of.
    """
    root = scratch / STDLIB
    root.mkdir()
    version, library = _describe(interpreter, root)
    found, problems = walk(str(library), _PRUNED)
    taken = [
        (file.path, file.size)
        for file in found
        if is_taken(file.path, settings) and not _ASIDE.match(file.path)
    ]
    paths, notes = storable(taken, settings)
    for path in paths:
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copyfile(library / path, target)
        except OSError as error:
            problems.append((path, str(error.strerror)))
    files, _ = walk(str(root))
    names = sorted(file.path for file in files)
    return Target(
        kind="stdlib",
        name=STDLIB,
        version=version,
        root=str(root),
        files=tuple(names),
        modules=_modules(names),
        summary="The standard library of Python, with its built-in modules.",
        licence="PSF-2.0",
        licence_files=tuple(path for path in names if "/" not in path and is_licence_file(path)),
        notes=(*(f"{path or '.'}: {said}" for path, said in problems), *notes),
    )


def _describe(interpreter: Interpreter, root: Path) -> tuple[str, Path]:
    """The interpreter's version and the folder of its library; its stubs are in `root` then."""
    if not interpreter.executable:
        raise UsageError(
            f"{interpreter.label}: has no interpreter, so no standard library; give --python one."
        )
    command = [interpreter.executable, "-I", "-S", str(_SCRIPT), str(root)]
    try:
        done = subprocess.run(  # noqa: S603 - the user names the interpreter
            command, capture_output=True, text=True, check=True, timeout=_SECONDS, encoding="utf-8"
        )
        known = json.loads(done.stdout.splitlines()[-1])
        return str(known["version"]), Path(str(known["library"]))
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, IndexError) as error:
        said = error.stderr if isinstance(error, subprocess.CalledProcessError) else str(error)
        last = (said or "it printed nothing useful").strip().splitlines()[-1]
        raise UsageError(
            f"{interpreter.executable}: does not describe its modules ({last}); "
            "give --python another interpreter."
        ) from error


def _modules(paths: list[str]) -> tuple[str, ...]:
    tops = {path.partition("/")[0] for path in paths if path.endswith((".py", ".pyi"))}
    names = {top.partition(".")[0] for top in tops}
    return tuple(sorted(name for name in names if name.isidentifier()))
