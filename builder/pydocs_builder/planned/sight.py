"""What the type checker sees of each target: itself, what it requires, and what that requires.

Extras count where a requirement asks for them. So what is seen of a distribution at a version
depends on the versions of what it sees, and on nothing else that an environment holds or a build
is of.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from posixpath import dirname

from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

import pydocs_native
from pydocs_builder.config import ProjectConfig
from pydocs_builder.extracted.modules import is_source
from pydocs_builder.found.environment import Environment
from pydocs_builder.found.installed import project_folder
from pydocs_builder.planned.closure import applies
from pydocs_builder.planned.dependencies import NoSourcesError, dependency_target
from pydocs_builder.targets import Checking, Target, Task, Viewed

__all__ = ["Sight", "parts_of"]

_Asked = tuple[NormalizedName, str]


class Sight:
    """What there is to see in one environment; it owns what has been looked up.

    Args:
        tasks: the distributions whose files are known already.
        environment: where the others are.
        markers: the values of the environment's markers.
        settings: which files count.
    """

    def __init__(
        self,
        tasks: Iterable[Task],
        environment: Environment,
        markers: Mapping[str, str],
        settings: ProjectConfig,
    ) -> None:
        found = (task.target for task in tasks)
        self._targets = {canonicalize_name(target.name): target for target in found}
        self._absent: set[NormalizedName] = set()
        self._planned = tuple(sorted(self._targets))
        self._environment = environment
        self._markers = markers
        self._settings = settings
        self._needs: dict[_Asked, list[_Asked]] = {}
        self._views: dict[NormalizedName, Viewed] = {}
        self._project: list[Viewed] = []

    def beside(self, task: Task) -> Task:
        """The task of a dependency, with what its exact edges depend on."""
        name = canonicalize_name(task.target.name)
        seen = [self._view(one) for one in self._reached(name)]
        return _checked(task, self._view(name), seen)

    def project(self, task: Task) -> Task:
        """The task of a project, which sees each of its distributions."""
        seen = [self._view(name) for name in self._planned]
        keys = tuple(view.key for view in seen)
        view = _viewed("", task.target, keys, "")
        self._project.append(view)
        return _checked(task, view, seen)

    def views(self) -> tuple[Viewed, ...]:
        """All that has been looked at, by key."""
        return tuple(sorted((*self._project, *self._views.values()), key=lambda view: view.key))

    def _view(self, name: NormalizedName) -> Viewed:
        view = self._views.get(name)
        if view is None:
            target = self._targets[name]
            keys = tuple(self._key(one) for one in self._reached(name))
            label = (
                f"{target.version} {_digest(target)}" if self._is_folder(name) else target.version
            )
            view = self._views[name] = _viewed(self._key(name), target, keys, label)
        return view

    def _key(self, name: NormalizedName) -> str:
        return f"{name}=={self._targets[name].version}"

    def _reached(self, name: NormalizedName) -> list[NormalizedName]:
        """All that a distribution needs, and what that needs, as far as it is there, by name."""
        first = (name, "")
        waiting, known = [first], {first}
        while waiting:
            for one in self._needed(waiting.pop()):
                if one not in known and self._is_there(one[0]):
                    known.add(one)
                    waiting.append(one)
        return sorted({one for one, _ in known} - {name})

    def _needed(self, asked: _Asked) -> list[_Asked]:
        """What a distribution needs for an extra, or without any."""
        found = self._needs.get(asked)
        if found is None:
            name, extra = asked
            metadata = self._environment.metadata(name)
            requirements = metadata.requirements() if metadata else ()
            found = self._needs[asked] = [
                one
                for requirement in requirements
                if applies(requirement, (extra,), self._markers)
                for one in _asked(requirement)
            ]
        return found

    def _is_there(self, name: NormalizedName) -> bool:
        if name in self._targets:
            return True
        if name in self._absent:
            return False
        distribution = self._environment.distribution(name)
        metadata = self._environment.metadata(name)
        if distribution is not None and metadata is not None:
            try:
                self._targets[name] = dependency_target(distribution, metadata, self._settings)
            except NoSourcesError:
                pass
            else:
                return True
        self._absent.add(name)
        return False

    def _is_folder(self, name: NormalizedName) -> bool:
        """Whether it lies in a project's folder, where files change and the version does not."""
        distribution = self._environment.distribution(name)
        return distribution is not None and project_folder(distribution) is not None


def parts_of(files: Sequence[str], source_roots: Sequence[str]) -> tuple[str, ...]:
    """What a distribution provides to import: its packages, and its files that are in none.

    Args:
        files: its files, relative to its root.
        source_roots: the prefixes from which module names count.
    """
    sources = [path for path in files if is_source(path)]
    packages = {
        dirname(path) for path in sources if path.endswith(("/__init__.py", "/__init__.pyi"))
    }
    longest_first = sorted(source_roots, key=len, reverse=True)
    found: set[str] = set()
    for path in sources:
        root = next((root for root in longest_first if path.startswith(root)), "")
        parts = path[len(root) :].split("/")
        folders = (root + "/".join(parts[:count]) for count in range(1, len(parts)))
        found.add(next((one for one in folders if one in packages), path))
    return tuple(sorted(found))


def _asked(requirement: Requirement) -> list[_Asked]:
    name = canonicalize_name(requirement.name)
    return [(name, extra) for extra in ("", *sorted(map(canonicalize_name, requirement.extras)))]


def _viewed(key: str, target: Target, sees: tuple[str, ...], label: str) -> Viewed:
    parts = parts_of(target.files, target.source_roots)
    return Viewed(key, target.root, target.source_roots, parts, sees, label)


def _checked(task: Task, view: Viewed, seen: Iterable[Viewed]) -> Task:
    labels = tuple((one.key.partition("==")[0], one.label) for one in seen)
    return replace(task, target=replace(task.target, checking=Checking(view.key, seen=labels)))


def _digest(target: Target) -> str:
    sources = [path for path in target.files if is_source(path)]
    hashes = pydocs_native.hash_files(target.root, sources)
    return sha256(repr(list(zip(sources, hashes, strict=True))).encode()).hexdigest()
