"""What the type checker sees: a folder for each distribution, with a configuration of its own.

Each distribution is linked, by the packages and files that it provides, into a folder that says
where it looks for imports. So what one imports is found by its own requirements, whoever is checked
along with it, and nothing else in an environment is seen.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Final

from pydocs_builder.targets import Viewed

__all__ = ["make_views", "view_path"]

_NOTHING: Final = "nothing.py"
# What means something in a pattern.
_SPECIAL: Final = frozenset("*?[]{}!\\")


def make_views(folder: Path, views: Sequence[Viewed], files: Mapping[str, Iterable[str]]) -> None:
    """Writes the folders that the checker is given, called by their numbers.

    Args:
        folder: where to.
        views: what is seen, each with all that it sees.
        files: for the key of each view that is to be checked, its files.
    """
    numbers = {view.key: number for number, view in enumerate(views)}
    roots = {view.key: _roots(view.source_roots) for view in views}
    for view in views:
        for part in view.parts:
            place = view_path(folder, numbers[view.key], view.source_roots, part)
            source = _below(Path(view.root).absolute(), part)
            if place is not None and source is not None:
                _link(source, place)
        search = [
            str(folder / str(numbers[key]) / str(root))
            for key in (view.key, *view.sees)
            if key in numbers
            for root in range(len(roots[key]))
        ]
        top = folder / str(numbers[view.key])
        wanted = [
            place.relative_to(top).as_posix()
            for path in files.get(view.key, ())
            if not _SPECIAL.intersection(path)
            and (place := view_path(folder, numbers[view.key], view.source_roots, path))
        ]
        top.mkdir(parents=True, exist_ok=True)
        lines = (
            f"search-path = {_listed(search)}",
            f"project-includes = {_listed(wanted or [_NOTHING])}",
        )
        (top / "pyrefly.toml").write_text("\n".join(lines) + "\n", "utf-8")


def view_path(folder: Path, number: int, source_roots: Sequence[str], path: str) -> Path | None:
    """Where a file of the n-th view stands; None for a path that leads elsewhere.

    What lies below a source root is in a folder of its own, from which module names count.
    """
    roots = _roots(source_roots)
    root = next(index for index, one in enumerate(roots) if path.startswith(one))
    return _below(folder / str(number) / str(root), path[len(roots[root]) :])


def _roots(source_roots: Iterable[str]) -> list[str]:
    """The longest first, and at last the root of everything."""
    return sorted({"", *source_roots}, key=lambda root: (-len(root), root))


def _below(folder: Path, path: str) -> Path | None:
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts or "\0" in path:
        return None
    return folder.joinpath(*parts)


def _link(source: Path, place: Path) -> None:
    if not source.exists() or place.exists():
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        place.symlink_to(source)
    except OSError:
        # Where no links can be made, copies do.
        if source.is_dir():
            shutil.copytree(source, place, ignore=shutil.ignore_patterns("*.so", "*.pyd", "*.pyc"))
        else:
            shutil.copyfile(source, place)


def _listed(texts: Sequence[str]) -> str:
    """A list of strings, which TOML writes as JSON does."""
    return json.dumps(texts, ensure_ascii=False)
