"""Compiled modules that have no stub: which they are, and their stubs where they may be asked.

To ask one is to import it, which runs its code; so only `--inspect` does, each module in a process
of its own, for a limited time.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from pydocs_builder.targets import Inspection, Target
from pydocs_bundle.records import SourceFile

__all__ = ["Inspected", "compiled_modules", "inspect_modules", "undescribed", "untold"]

_COMPILED: Final = re.compile(
    r"(?P<stem>[A-Za-z_]\w*)(?:\.(?:cpython|pypy|graalpy|abi3)[^/]*\.so|(?:\.[^/]*)?\.pyd)$"
)
_SCRIPT: Final = Path(__file__).with_name("inspect_module.py")
_SECONDS: Final = 20
_LARGEST: Final = 4_000_000
_SHOWN: Final = 3
_HEAD: Final = (
    "# What this compiled module says of itself, as pydocs-build --inspect asked it to;\n"
    "# the distribution has no such file.\n"
)


class Inspected(NamedTuple):
    """The stubs that were made, and a clause for each module that gave none."""

    files: list[SourceFile]
    notes: list[str]


def compiled_modules(paths: Iterable[str]) -> tuple[str, ...]:
    """The paths without suffix of the compiled modules among a distribution's files, sorted."""
    found = set()
    for path in paths:
        folder, slash, name = path.rpartition("/")
        match = _COMPILED.match(name)
        if match and all(part.isidentifier() for part in folder.split("/") if folder):
            found.add(f"{folder}{slash}{match['stem']}")
    return tuple(sorted(found))


def undescribed(target: Target) -> tuple[str, ...]:
    """Those compiled modules of a target that neither a source nor a stub describes."""
    files = set(target.files)

    def is_described(module: str) -> bool:
        top, slash, rest = module.partition("/")
        stems = (module, f"{module}/__init__", f"{top}-stubs{slash}{rest}")
        return any(f"{stem}{suffix}" in files for stem in stems for suffix in (".py", ".pyi"))

    return tuple(module for module in target.compiled if not is_described(module))


def untold(target: Target) -> tuple[str, ...]:
    """The note that compiled modules keep their names to themselves, where some do."""
    modules = undescribed(target)
    if not modules:
        return ()
    names = ", ".join(module.replace("/", ".") for module in modules[:_SHOWN])
    more = f" and {len(modules) - _SHOWN} more" if len(modules) > _SHOWN else ""
    return (f"{names}{more}: compiled, without a stub; --inspect imports them for their names",)


def inspect_modules(inspection: Inspection) -> Inspected:
    """A stub for each of the modules, beside where it lies, as far as they can be imported."""
    files, notes = [], []
    for module in inspection.modules:
        name = module.replace("/", ".").removesuffix(".__init__")
        stub, problem = _ask(name, inspection)
        if problem:
            notes.append(f"{name}: cannot be inspected, {problem}; its names are not there")
        else:
            text = f"{_HEAD}{stub}".encode(errors="replace")
            files.append(SourceFile(f"{module}.pyi", text, module=name))
    return Inspected(files, notes)


def _ask(name: str, inspection: Inspection) -> tuple[str, str]:
    """The stub of a module, or why there is none."""
    command = [inspection.executable, "-I", "-S", "-B", str(_SCRIPT), name, *inspection.folders]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as said:
        try:
            child = subprocess.Popen(  # noqa: S603 - the user asks for it with --inspect
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=said,
                start_new_session=True,
            )
        except OSError as error:
            return "", f"{inspection.executable} does not start ({error.strerror})"
        try:
            answer, _ = child.communicate(timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            return "", f"it did not end within {_SECONDS} seconds"
        finally:
            _end(child)
        said.seek(max(0, said.tell() - _LARGEST))
        last = said.read().decode(errors="replace").strip().rpartition("\n")[2][:200]
    try:
        stub = json.loads(answer[:_LARGEST])["stub"]
    except (ValueError, KeyError, TypeError):
        return "", last or f"its process ended with status {child.returncode}"
    return (stub, "") if isinstance(stub, str) else ("", "its answer is no text")


def _end(child: subprocess.Popen[bytes]) -> None:
    """End a child and whatever it has started."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()
    child.wait()
    if child.stdout is not None:
        child.stdout.close()
