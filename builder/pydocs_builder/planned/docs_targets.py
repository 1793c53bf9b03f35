"""Documentation collections as targets: a folder as it is, or a repository at a revision."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from pathspec import GitIgnoreSpec

from pydocs_builder.config import ProjectConfig
from pydocs_builder.documented.documents import is_document
from pydocs_builder.outcomes import FAILED, Outcome
from pydocs_builder.planned.docs_config import DocsConfig
from pydocs_builder.planned.git_export import export
from pydocs_builder.planned.selection import storable
from pydocs_builder.planned.tree import read_tree
from pydocs_builder.targets import Collection, Target, Task
from pydocs_bundle.errors import PydocsError, UsageError
from pydocs_bundle.records import SourceFile

__all__ = ["KIND", "read_collections"]

KIND = "docs"
"""The kind of the bundles that collections become."""

_SHORT_COMMIT = 12
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|[\w.-]+@[\w.-]+:")
_PUBLIC_ADDRESS = re.compile(r"(?:https?|ssh|git)://|[\w.-]+@[\w.-]+:")
_USER = re.compile(r"(?<=://)[^/@\s]+@")


def read_collections(
    declared: Sequence[DocsConfig], base: Path, scratch: Path
) -> tuple[tuple[Task, ...], tuple[Outcome, ...]]:
    """The tasks of declared collections, and what became of those that cannot be read.

    Args:
        declared: the collections.
        base: what their sources are relative to.
        scratch: a folder for what has to be fetched, there until everything is built.
    """
    tasks: list[Task] = []
    failed: list[Outcome] = []
    for one in declared:
        place = scratch / f"docs-{one.id}"
        place.mkdir()
        try:
            tasks.append(Task(_target(one, base, place), ()))
        except (PydocsError, OSError) as error:
            failed.append(Outcome(KIND, one.id, "", FAILED, detail=str(error).rstrip(".")))
    return tuple(tasks), tuple(failed)


def _target(docs: DocsConfig, base: Path, place: Path) -> Target:
    is_wanted = _wanted(docs)
    if not _is_repository(docs, base):
        return _folder_target(docs, base, is_wanted)
    is_address = _ADDRESS.match(docs.source)
    address = docs.source if is_address else str((base / docs.source).resolve())
    found = export(address, docs.ref, place, is_wanted, docs.max_file_bytes)
    source = {"commit": found.commit, "ref": docs.ref, "repository": _public(docs.source)}
    target = _made(docs, place / "files", "", found.files, found.notes)
    return replace(
        target,
        version=found.commit[:_SHORT_COMMIT],
        source=tuple((key, value) for key, value in source.items() if value),
    )


def _folder_target(docs: DocsConfig, base: Path, is_wanted: Callable[[str], bool]) -> Target:
    """A folder as it is; its version is that of its content, which only hashing tells."""
    folder, within = (base / docs.source).resolve(), base.resolve()
    if not folder.is_dir():
        raise UsageError(f"{docs.source} is no folder; give one, or the address of a repository")
    if folder.is_relative_to(within):
        # From the project down, so that its own ignore files count as well.
        root, prefix = within, _below(folder, within)
        looked, above = within, prefix
    else:
        root = next((one for one in (folder, *folder.parents) if (one / ".git").exists()), folder)
        prefix = _below(folder, root)
        looked, above = folder, ""
    tree = read_tree(
        looked,
        (),
        lambda path: path.startswith(above) and is_wanted(path.removeprefix(above)),
        outputs=frozenset(),  # a chapter may be called `build`; output is what git ignores
    )
    paths = ((prefix + file.path.removeprefix(above), file.size) for file in tree.files)
    files, notes = storable(paths, ProjectConfig(max_file_bytes=docs.max_file_bytes))
    return _made(docs, root, prefix, files, (*tree.notes, *notes))


def _made(
    docs: DocsConfig, root: Path, prefix: str, files: tuple[str, ...], notes: tuple[str, ...]
) -> Target:
    if not files:
        raise UsageError(f"{docs.source} has no documents that count; look at include and exclude")
    specs = [(layer.name, GitIgnoreSpec.from_lines(layer.include)) for layer in docs.layers]
    layer_of = []
    for path in files:
        below = path.removeprefix(prefix)
        layer_of += [(path, name) for name, spec in specs if spec.match_file(below)][:1]
    return Target(
        kind=KIND,
        name=docs.id,
        version="",
        root=str(root),
        files=files,
        modules=(),
        source_roots=(),
        summary=docs.description,
        notes=notes,
        collection=Collection(
            docs.chunk_size,
            tuple((layer.name, layer.description) for layer in docs.layers),
            tuple(layer_of),
        ),
    )


def _wanted(docs: DocsConfig) -> Callable[[str], bool]:
    """Whether a path below the source counts."""
    included = GitIgnoreSpec.from_lines(docs.include)
    excluded = GitIgnoreSpec.from_lines(docs.exclude)

    def is_wanted(path: str) -> bool:
        if docs.include:
            return included.match_file(path) and not excluded.match_file(path)
        return is_document(SourceFile(path, b"")) and not excluded.match_file(path)

    return is_wanted


def _is_repository(docs: DocsConfig, base: Path) -> bool:
    """Whether git is to be asked: for an address, a ref, or a repository without a work tree."""
    if docs.ref or _ADDRESS.match(docs.source):
        return True
    folder = base / docs.source
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir()


def _public(source: str) -> str:
    """The address as others may see it; a path of this machine is nobody's business."""
    return _USER.sub("", source) if _PUBLIC_ADDRESS.match(source) else ""


def _below(folder: Path, root: Path) -> str:
    return "" if folder == root else f"{folder.relative_to(root).as_posix()}/"
