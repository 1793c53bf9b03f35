"""The `.pdx` bundle: one file that holds what a distribution's code, docs and history say.

Reading is imported at once; writing, checking and unpacking only when asked for, because they pull
in SQLite and a cold search needs none of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from pydocs_bundle.errors import BundleError, ExitCode, PydocsError, UsageError
from pydocs_bundle.kinds import Flag, Kind, ReferenceKind
from pydocs_bundle.manifest import Manifest
from pydocs_bundle.reader import Bundle
from pydocs_bundle.symbols import Record, Records
from pydocs_bundle.text import Text

if TYPE_CHECKING:
    from pydocs_bundle.inspection import inspect
    from pydocs_bundle.names import file_name, path_problem
    from pydocs_bundle.unpacking import unpack
    from pydocs_bundle.verification import verify
    from pydocs_bundle.writer import write_bundle

__all__ = [
    "Bundle",
    "BundleError",
    "ExitCode",
    "Flag",
    "Kind",
    "Manifest",
    "PydocsError",
    "Record",
    "Records",
    "ReferenceKind",
    "Text",
    "UsageError",
    "file_name",
    "inspect",
    "path_problem",
    "unpack",
    "verify",
    "write_bundle",
]

_HOMES = {
    "file_name": "names",
    "inspect": "inspection",
    "path_problem": "names",
    "unpack": "unpacking",
    "verify": "verification",
    "write_bundle": "writer",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = found
    return found
