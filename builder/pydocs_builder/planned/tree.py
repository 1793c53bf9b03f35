"""The files of a project folder: what a build looks at, and what it leaves aside."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from pydocs_native import WalkedFile, walk

__all__ = ["PRUNED", "Tree", "read_tree"]

PRUNED: Final = frozenset(
    {
        *(".git", ".hg", ".svn", ".bzr", ".jj"),
        *(".venv", ".tox", ".nox", ".direnv", "node_modules", "__pypackages__", ".eggs"),
        *("__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", ".cache"),
        *(".import_linter_cache", ".ipynb_checkpoints", ".pytype", ".pyre", ".idea", ".vscode"),
    }
)
"""Folders that are never entered, wherever they are."""

# Output of build tools, unless a package has this name.
_OUTPUTS = frozenset({"build", "dist"})
_IGNORE = ".gitignore"


@dataclass(frozen=True, slots=True)
class Tree:
    """The files of a folder that count, sorted, and what could not be looked at.

    Args:
        root: the folder.
        files: regular files, links aside.
        notes: what was unreadable, a clause each, and how many links were left out.
    """

    root: Path
    files: tuple[WalkedFile, ...]
    notes: tuple[str, ...] = ()


def read_tree(
    root: Path,
    exclude: Iterable[str],
    is_wanted: Callable[[str], bool],
    outputs: frozenset[str] = _OUTPUTS,
) -> Tree:
    """The files below `root` that `is_wanted` and nothing excludes.

    Version control, caches, environments, build output and what the folder's own `.gitignore` files
    name are left aside.
    """
    found, problems = walk(os.fspath(root), sorted(PRUNED))
    everything = [file.path for file in found]
    aside = _folders_aside(everything, outputs)
    ignore_files = [path for path in everything if PurePosixPath(path).name == _IGNORE]
    candidates = [
        file for file in found if is_wanted(file.path) and not _is_below(file.path, aside)
    ]
    is_ignored = _ignorer(root, ignore_files, tuple(exclude))
    files = tuple(file for file in candidates if not is_ignored(file.path))
    links = [path for path in _links(root, aside) if is_wanted(path) and not is_ignored(path)]
    notes = [f"{path or '.'}: {said}" for path, said in problems]
    return Tree(root, files, (*notes, *_links_note(links)))


def _links(root: Path, aside: frozenset[str]) -> list[str]:
    """The symbolic links below `root`, sorted, but for those in folders that are left aside."""
    found: list[str] = []
    pending = [""]
    while pending:
        below = pending.pop()
        try:
            with os.scandir(root / below) as entries:
                for entry in entries:
                    path = f"{below}{entry.name}"
                    is_aside = entry.name in PRUNED or path in aside
                    if entry.is_symlink():
                        found.append(path)
                    elif entry.is_dir(follow_symlinks=False) and not is_aside:
                        pending.append(f"{path}/")
        except OSError:
            continue  # What cannot be read has its note already.
    return sorted(found)


def _links_note(links: Sequence[str]) -> tuple[str, ...]:
    if not links:
        return ()
    are = "a link is" if len(links) == 1 else f"{len(links)} links are"
    return (f"{repr(links[0])[1:-1]}: {are} left out, as links are not followed",)


def _folders_aside(paths: Iterable[str], outputs: frozenset[str]) -> frozenset[str]:
    """Environments, metadata folders and build output among the folders of `paths`."""
    folders: set[str] = set()
    packages: set[str] = set()
    aside: set[str] = set()
    for path in paths:
        folder, _, name = path.rpartition("/")
        folders.add(folder)
        if name == "pyvenv.cfg" and folder:
            aside.add(folder)
        elif name in {"__init__.py", "__init__.pyi"}:
            packages.add(folder)
    for folder in folders:
        parts = folder.split("/")
        for depth, part in enumerate(parts, 1):
            prefix = "/".join(parts[:depth])
            is_output = part in outputs and prefix not in packages
            if is_output or part.endswith((".egg-info", ".dist-info")):
                aside.add(prefix)
            if part.endswith(".dist-info") and depth > 1:
                # Whatever lies beside installed metadata is installed too.
                aside.add("/".join(parts[: depth - 1]))
    return frozenset(aside)


def _is_below(path: str, folders: frozenset[str]) -> bool:
    position = path.find("/")
    while position >= 0:
        if path[:position] in folders:
            return True
        position = path.find("/", position + 1)
    return False


def _ignorer(
    root: Path, ignore_files: list[str], exclude: tuple[str, ...]
) -> Callable[[str], bool]:
    """Whether a path is excluded: by configuration, or by the last `.gitignore` that names it."""
    if not ignore_files and not exclude:
        return lambda _: False
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - slow, and often not needed

    excluded = GitIgnoreSpec.from_lines(exclude)
    specs = []
    for path in ignore_files:
        try:
            lines = (root / path).read_text("utf-8", "replace").splitlines()
        except OSError:
            continue
        specs.append((path.removesuffix(_IGNORE), GitIgnoreSpec.from_lines(lines)))

    def is_ignored(path: str) -> bool:
        if excluded.match_file(path):
            return True
        verdict = False
        for folder, spec in specs:
            if path.startswith(folder):
                found = spec.check_file(path[len(folder) :]).include
                verdict = verdict if found is None else found
        return verdict

    return is_ignored
