"""The plan: which bundles a project gets, and the fate of everything it requires."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from packaging.requirements import Requirement as Parsed
from packaging.utils import NormalizedName, canonicalize_name

from pydocs_builder.closure import close
from pydocs_builder.config import BuildConfig, ProjectConfig, read_project_config
from pydocs_builder.declared import Declared, Wanted
from pydocs_builder.environment import Environment
from pydocs_builder.fates import settle_needs, settle_own, settle_unreadable
from pydocs_builder.interpreter import find_interpreter
from pydocs_builder.locks import Lock
from pydocs_builder.manifests import Manifests, is_manifest, read_manifests
from pydocs_builder.pins import choose_pins
from pydocs_builder.project import Identity, identify_project, project_target
from pydocs_builder.pyproject import names, table_at
from pydocs_builder.selection import is_taken
from pydocs_builder.targets import Task
from pydocs_builder.tree import Tree, read_tree
from pydocs_bundle.errors import UsageError
from pydocs_bundle.records import Requirement

__all__ = ["Plan", "make_plan"]


@dataclass(frozen=True, slots=True)
class Plan:
    """All that one run has to do, before it does any of it.

    Args:
        project: the project's own bundle.
        dependencies: the bundles of what it depends on, sorted by name.
        requirements: every requirement; `built` is the fate of those that have a bundle to come.
        environment: the environment looked into, as talk calls it.
        notes: what the manifests and the environment leave open, a clause each.
    """

    project: Task
    dependencies: tuple[Task, ...]
    requirements: tuple[Requirement, ...]
    environment: str
    notes: tuple[str, ...]


def make_plan(config: BuildConfig) -> Plan:
    """The plan for a project's folder; `UsageError` if there is nothing to plan for."""
    if not config.project.is_dir():
        what = "is no folder" if config.project.exists() else "does not exist"
        raise UsageError(f"{config.project}: {what}; give the folder of a project.")
    settings = _settings(config.project)
    interpreter = find_interpreter(config.project, config.python)
    environment = Environment(interpreter.folders)
    tree = read_tree(
        config.project, settings.exclude, lambda path: is_taken(path, settings) or is_manifest(path)
    )
    manifests = read_manifests(tree)
    identity = identify_project(tree, manifests, settings, environment)
    declared = _recognised(_with_dynamic(manifests, identity, tree), environment)
    own = _own_names(identity, declared, manifests.locks)
    pins, pin_notes = choose_pins(
        chain(*(lock.pins for lock in manifests.locks), declared.pins), interpreter.markers
    )
    closure = close(
        [one for one in declared.wanted if one.key not in own],
        interpreter.markers,
        lambda key: () if key in own else _needs_of(key, environment, manifests.locks),
        is_direct_only=config.is_direct_only,
    )
    tasks, rows = settle_needs(closure, environment, pins, settings)
    rows += settle_own(one for one in declared.wanted if one.key in own)
    rows += settle_unreadable(declared.unreadable)
    requirements = tuple(sorted(set(rows), key=lambda row: (canonicalize_name(row.name), row)))
    return Plan(
        project=Task(project_target(tree, manifests, settings, identity, "project"), requirements),
        dependencies=tasks,
        requirements=requirements,
        environment=interpreter.label,
        notes=tuple(dict.fromkeys((*declared.notes, *pin_notes))),
    )


def _settings(project: Path) -> ProjectConfig:
    """The project's configuration; a manifest that cannot be parsed is reported with the others."""
    try:
        table = tomllib.loads((project / "pyproject.toml").read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return ProjectConfig()
    return read_project_config(table)


def _own_names(
    identity: Identity, declared: Declared, locks: Iterable[Lock]
) -> frozenset[NormalizedName]:
    """The distributions that the project itself provides; they are no dependencies."""
    named = (canonicalize_name(identity.name), *declared.provided)
    return frozenset(chain(named, *(lock.provided for lock in locks)))


def _needs_of(
    key: NormalizedName, environment: Environment, locks: Iterable[Lock]
) -> Iterable[Parsed]:
    """What a distribution requires: by its metadata, or by a lock if it is not installed."""
    if (metadata := environment.metadata(key)) is not None:
        return metadata.requirements()
    return chain(*(lock.needs.get(key, ()) for lock in locks))


def _with_dynamic(manifests: Manifests, identity: Identity, tree: Tree) -> Declared:
    """What the manifests declare, with what only code could tell taken from built metadata."""
    declared = manifests.declared
    table = manifests.pyprojects.get("pyproject.toml", {})
    dynamic = names(table_at(table, "project").get("dynamic"))
    sources = table_at(table, "tool", "setuptools", "dynamic")
    is_open = "dependencies" in dynamic and "dependencies" not in sources
    setup_cfg = manifests.setup_cfgs.get("setup.cfg")
    is_stated = bool(table_at(table, "project")) or (setup_cfg and setup_cfg.install)
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
            wanted.append(Wanted(Parsed(found.key), one.group, one.origin))
    return replace(declared, wanted=tuple(wanted), unreadable=tuple(unreadable))
