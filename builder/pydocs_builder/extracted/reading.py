"""The files of a target as text, sorted, and what was wrong with any of them."""

from __future__ import annotations

import os
import re
from typing import Final, NamedTuple

from pydocs_builder.decided.history import COMMITS_PATH
from pydocs_builder.extracted.decode import decode_document, decode_source
from pydocs_builder.extracted.modules import is_source, module_name
from pydocs_builder.found.inspection import inspect_modules
from pydocs_builder.targets import Target
from pydocs_bundle.records import SourceFile
from pydocs_native import read_files

__all__ = ["LARGEST_FILE", "Sources", "is_readme", "read_sources"]

LARGEST_FILE: Final = 8 * 1024 * 1024
"""How large a file may be; what is larger is data."""

_RESTRUCTURED: Final = re.compile(rb"^(?:\.\. \S|([=\-~^\"'*+#`])\1{3,}[ \t]*$)", re.MULTILINE)
_MARKDOWN: Final = re.compile(rb"^(?:#{1,6} |```|~~~)|\]\(", re.MULTILINE)


class Sources(NamedTuple):
    """The files, by path, and a clause for each that could not be read as it is."""

    files: list[SourceFile]
    notes: list[str]


def read_sources(target: Target) -> Sources:
    """Every file of a target, decoded; what cannot be read is a note and no file."""
    notes: list[str] = []
    files: list[SourceFile] = []
    wanted = [path for path in target.files if not _is_metadata(path)]
    if target.history and COMMITS_PATH in wanted:
        wanted.remove(COMMITS_PATH)
        notes.append(f"{COMMITS_PATH}: left out, the history stands in its place; rename it")
    for path, raw in zip(wanted, read_files(target.root, wanted, LARGEST_FILE), strict=True):
        shown = _shown(path)
        if isinstance(raw, str):
            notes.append(f"{shown}: {raw}; it is left out")
            continue
        is_python = is_source(path)
        decoded = decode_source(raw) if is_python else decode_document(raw)
        if not is_python and b"\0" in decoded.text:
            notes.append(f"{shown}: it is no text (it holds NUL bytes); it is left out")
            continue
        if decoded.problem:
            notes.append(f"{shown}: {decoded.problem}")
        module = module_name(shown, target.source_roots) if is_python else ""
        files.append(SourceFile(shown, decoded.text, decoded.encoding, module, decoded.is_lossy))
    if target.readme.strip() and not any(is_readme(file.path) for file in files):
        text = target.readme.encode(errors="replace")
        files.append(SourceFile(_readme_name(text), text))
    if target.history:
        files.append(SourceFile(COMMITS_PATH, target.history.encode(errors="replace")))
    if target.inspection is not None:
        inspected = inspect_modules(target.inspection)
        files += inspected.files
        notes += inspected.notes
    files.sort(key=lambda file: file.path.encode())
    return Sources(files, notes)


def is_readme(path: str) -> bool:
    """Whether a path is that of the README at the top."""
    return "/" not in path and path.partition(".")[0].lower() == "readme"


def _is_metadata(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    return name == "METADATA" and folder.endswith(".dist-info")


def _shown(path: str) -> str:
    """The path as text: bytes that are no UTF-8 are escaped."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return os.fsencode(path).decode(errors="backslashreplace")
    return path


def _readme_name(text: bytes) -> str:
    is_restructured = _RESTRUCTURED.search(text) and not _MARKDOWN.search(text)
    return "README.rst" if is_restructured else "README.md"
