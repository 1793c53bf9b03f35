"""Stub-only distributions: their stubs go into the bundle of what they describe."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from packaging.utils import canonicalize_name

from pydocs_builder.extracted.modules import is_source, is_stub
from pydocs_builder.targets import Target, Task
from pydocs_bundle.records import Requirement

__all__ = ["merge_stubs", "tell_merged"]

_STUBS = "-stubs"


def merge_stubs(tasks: Sequence[Task]) -> tuple[list[Task], dict[str, str]]:
    """The tasks, with stubs in the bundles of what they describe, and where those of each went.

    A stub-only distribution has folders such as `yaml-stubs` and nothing else to import. What no
    other task provides keeps a bundle of its own, which answers for the import name.
    """
    merged: dict[str, str] = {}
    kept = {number: task for number, task in enumerate(tasks) if not _is_stub_only(task.target)}
    for number, task in enumerate(tasks):
        if number in kept:
            continue
        described = {
            _described(kept, top, task.target.root): top for top in _stub_folders(task.target)
        }
        if None in described or not described:
            kept[number] = task
            continue
        for other, top in described.items():
            if other is not None:
                kept[other] = _with_stubs(kept[other], task.target, top)
                merged[canonicalize_name(task.target.name)] = kept[other].target.name
    return [kept[number] for number in sorted(kept)], merged


def tell_merged(rows: Iterable[Requirement], merged: dict[str, str]) -> list[Requirement]:
    """The rows; those of merged distributions say whose bundle has their stubs."""
    told = []
    for row in rows:
        where = merged.get(canonicalize_name(row.name))
        said = f"its stubs are in the bundle of {where}"
        told.append(
            row._replace(detail="; ".join(filter(None, (row.detail, said)))) if where else row
        )
    return told


def _is_stub_only(target: Target) -> bool:
    sources = [path for path in target.files if is_source(path)]
    return bool(sources) and all(
        is_stub(path) and path.partition("/")[0].endswith(_STUBS) for path in sources
    )


def _stub_folders(target: Target) -> list[str]:
    tops = {path.partition("/")[0] for path in target.files if is_stub(path)}
    return sorted(top for top in tops if top.endswith(_STUBS))


def _described(tasks: dict[int, Task], folder: str, root: str) -> int | None:
    """The task whose target has the module that a folder of stubs describes, beside it."""
    module = folder.removesuffix(_STUBS)
    for number, task in sorted(tasks.items()):
        target = task.target
        is_beside = target.root == root and target.kind == "dependency"
        if is_beside and not _is_stub_only(target) and module in target.modules:
            return number
    return None


def _with_stubs(task: Task, stubs: Target, folder: str) -> Task:
    target = task.target
    added = {path for path in stubs.files if path.startswith(f"{folder}/")}
    label = f"{stubs.name} {stubs.version}"
    return replace(
        task,
        target=replace(
            target,
            files=tuple(sorted({*target.files, *added})),
            source=(*target.source, (f"stubs of {folder}", label)),
        ),
    )
