"""All that a project wants: what its manifests state, and what only its metadata can tell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain

from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

from pydocs_builder.found.environment import Environment
from pydocs_builder.pinned.locks import Lock
from pydocs_builder.planned.project import Identity
from pydocs_builder.planned.tree import Tree
from pydocs_builder.wanted.declared import Declared, Wanted
from pydocs_builder.wanted.manifests import Manifests
from pydocs_builder.wanted.pyproject import has_own_table, names, table_at

__all__ = ["complete", "own_names"]


def complete(
    manifests: Manifests, identity: Identity, tree: Tree, environment: Environment
) -> Declared:
    """What the manifests declare, completed from metadata and from what is installed."""
    return _recognised(_with_dynamic(manifests, identity, tree), environment)


def own_names(
    identity: Identity, declared: Declared, locks: Iterable[Lock]
) -> frozenset[NormalizedName]:
    """The distributions that the project itself provides; they are no dependencies."""
    named = (canonicalize_name(identity.name), *declared.provided)
    return frozenset(chain(named, *(lock.provided for lock in locks)))


def _with_dynamic(manifests: Manifests, identity: Identity, tree: Tree) -> Declared:
    """What the manifests declare, with what only code could tell taken from built metadata."""
    declared = manifests.declared
    table = manifests.pyprojects.get("pyproject.toml", {})
    dynamic = names(table_at(table, "project").get("dynamic"))
    sources = table_at(table, "tool", "setuptools", "dynamic")
    is_open = (
        "dependencies" in dynamic and "dependencies" not in sources and not has_own_table(table)
    )
    setup_cfg = manifests.setup_cfgs.get("setup.cfg")
    is_stated = (
        bool(table_at(table, "project"))
        or bool(table_at(table, "tool", "poetry", "dependencies"))
        or bool(table_at(table, "tool", "flit", "metadata"))
        or bool(setup_cfg and setup_cfg.install)
    )
    is_code = not is_stated and (tree.root / "setup.py").is_file()
    if not is_open and not is_code:
        return declared
    if identity.metadata is None:
        note = "setup.py does not run here; install the project to have its requirements known"
        return replace(declared, notes=(*declared.notes, *((note,) if is_code else ())))
    origin = f"the metadata of {identity.name}"
    built = tuple(
        Wanted(one, f"an extra in {origin}" if "extra" in str(one.marker or "") else "", origin)
        for one in identity.metadata.requirements()
    )
    note = f"dependencies are those in {origin}, as it was installed or built"
    return replace(declared, wanted=(*declared.wanted, *built), notes=(*declared.notes, note))


def _recognised(declared: Declared, environment: Environment) -> Declared:
    """Addresses that tell no name, by what is installed from them."""
    wanted, unreadable = list(declared.wanted), []
    for one in declared.unreadable:
        found = environment.installed_from(one.text) if "://" in one.text else None
        if found is None:
            unreadable.append(one)
        else:
            wanted.append(Wanted(Requirement(found.key), one.group, one.origin))
    return replace(declared, wanted=tuple(wanted), unreadable=tuple(unreadable))
