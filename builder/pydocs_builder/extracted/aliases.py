"""Under which names a symbol can be imported, and which of them its users know it by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pydocs_builder.extracted.names import Names, Namespace
from pydocs_bundle.records import Entry, Kind

__all__ = ["Aliases", "OutsideAlias", "find_aliases", "is_private", "public_names"]


class OutsideAlias(NamedTuple):
    """A name of the target that leads to another distribution."""

    name: str
    target: str
    module: str
    local: str


class Aliases(NamedTuple):
    """All aliases by definition-site name, those meant for users, and what leads outside.

    `ghosts` are the names that an `__all__` promises and nothing defines, with their module.
    """

    every: dict[str, list[str]]
    exported: dict[str, list[str]]
    outside: list[OutsideAlias]
    ghosts: list[tuple[str, str]]


def find_aliases(names: Names, skipped: Iterable[str] = ()) -> Aliases:
    """The aliases that the modules of a target make, in the order of the modules' names.

    Args:
        names: the names of the target.
        skipped: modules whose imports are nobody's interface, such as tests.
    """
    found = Aliases({}, {}, [], [])
    for module in sorted(names.namespaces.keys() - set(skipped)):
        space = names.namespaces[module]
        exports = set(space.exports or space.listed)
        for local in sorted({*names.visible(module), *exports}):
            _add(found, names, space, local, is_listed=local in exports)
    for alias, target in names.renamed_members:
        found.every.setdefault(target, []).append(alias)
    return found


def public_names(drafts: Sequence[Entry], aliases: Aliases) -> list[str]:
    """For each draft the shortest name that its users import it by; ties go by the alphabet."""
    chosen: list[str] = []
    for draft in drafts:
        name = draft.qualified_name
        owner = drafts[draft.parent] if draft.parent >= 0 else None
        if owner is None or owner.kind is Kind.MODULE:
            chosen.append(_public_name(name, aliases))
        else:
            known = chosen[draft.parent]
            chosen.append(known + name[len(owner.qualified_name) :] if known else "")
    return chosen


def is_private(name: str) -> bool:
    """Whether a part of a dotted name begins with an underscore, and is no dunder."""
    if "._" not in name and not name.startswith("_"):
        return False
    return any(
        part.startswith("_") and not (part.startswith("__") and part.endswith("__"))
        for part in name.split(".")
    )


def _public_name(name: str, aliases: Aliases) -> str:
    is_hidden = is_private(name)
    candidates = [alias for alias in aliases.exported.get(name, ()) if not is_private(alias)]
    if not candidates:
        if not is_hidden:
            return ""
        candidates = [alias for alias in aliases.every.get(name, ()) if not is_private(alias)]
    elif not is_hidden:
        candidates.append(name)
    last = name.rpartition(".")[2]
    best = min(candidates, key=lambda alias: _brevity(alias, last), default=name)
    return "" if best == name else best


def _brevity(name: str, last: str) -> tuple[int, bool, int, str]:
    # Among equals the one that keeps the definition's own name is the one people know.
    return name.count("."), not name.endswith(last), len(name), name


def _add(found: Aliases, names: Names, space: Namespace, local: str, *, is_listed: bool) -> None:
    alias = f"{space.name}.{local}"
    target = names.follow(space.name, local)
    if target == alias:
        return
    if not target:
        is_special = local.startswith("__") and local.endswith("__")
        # A star import of another distribution may well bring it.
        is_starred = any(origin not in names.namespaces for origin in space.stars)
        if is_listed and not is_special and not is_starred:
            found.ghosts.append((space.name, local))
        return
    is_hidden = local.startswith("_")
    is_promised = is_listed or local in space.reexports
    is_typing = local in space.typing_imports and local not in space.imports
    if is_typing and not is_promised and not space.is_lazy:
        return
    # Without `__all__` a package's users take what its `__init__` imports.
    is_exported = is_promised or (space.exports is None and space.is_package and not is_hidden)
    kind = names.kinds.get(target)
    if kind is None:
        is_named = bool(space.imports.get(local, ("", ""))[1])
        if is_promised or (is_exported and is_named):
            found.outside.append(OutsideAlias(alias, target, space.name, local))
        return
    if is_exported:
        found.exported.setdefault(target, []).append(alias)
    elif local in space.renamed:
        pass
    elif is_hidden or kind is Kind.MODULE or not _is_offered(space, local):
        return
    found.every.setdefault(target, []).append(alias)


def _is_offered(space: Namespace, local: str) -> bool:
    """Whether a name may be taken from here: what a module with `__all__` imports is its own."""
    if space.is_package or space.exports is None:
        return True
    return local not in space.imports and local not in space.typing_imports
