"""What is mounted: the bundles in one order, their postings, and which of them a call is about."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from functools import cached_property
from typing import Final

from pydocs_bundle import Bundle
from pydocs_bundle.errors import UsageError
from pydocs_native import Postings
from pydocs_server.mounted.meaning import LOADING, MountedMeaning, Semantics, semantics_of
from pydocs_server.mounted.spelling import (
    has_version,
    normalised,
    taken_apart,
    version_key,
    without_conditions,
)
from pydocs_server.ranked.numbers import RANKING, Ranking
from pydocs_server.rendered.answer import NotFound

__all__ = ["SCOPES", "Catalog"]

SCOPES: Final = ("project", "deps", "all")
_SHOWN_NAMES: Final = 12


class Catalog:
    """The bundles that are mounted, in an order that no command line changes.

    It owns them: closing the catalog closes them. A bundle is known by its index in `bundles`,
    which is also its section number in `postings`.

    Args:
        bundles: open bundles, no two with the same name and version.
        warnings: what was skipped while mounting, a sentence each.
        encoder: the bundle of the encoder that turns queries into vectors, if one is mounted.
        ranking: the numbers that searches rank by.
    """

    def __init__(
        self,
        bundles: Iterable[Bundle],
        warnings: Sequence[str] = (),
        encoder: Bundle | None = None,
        ranking: Ranking = RANKING,
    ) -> None:
        self.bundles: tuple[Bundle, ...] = tuple(sorted(bundles, key=_order))
        self.warnings: tuple[str, ...] = tuple(warnings)
        self.ranking = ranking
        self._seen: dict[int, dict[str, str]] = {}
        self.encoder = encoder
        self.ordinary: dict[tuple[str, tuple[int, ...]], bool] = {}
        """Which names of packages others say in their prose, as far as it was asked."""

    @property
    def semantics(self) -> Semantics:
        """How far the bundles can be searched by meaning now; no vectors are read for this.

        While the model is loaded beside the calls, not at all: no answer waits for it. Nor where it
        turned out to be damaged.
        """
        whole = self._semantics
        if whole.meaning is None:
            return whole
        reason = LOADING if whole.meaning.is_loading else whole.meaning.damage
        return Semantics(None, tuple(range(len(self.bundles))), reason) if reason else whole

    def ready(self) -> Semantics:
        """The same once the model is read, which may turn out to be damaged."""
        found = self.semantics
        if found.meaning is not None and not found.meaning.is_sound():
            found = self.semantics
        return found

    @property
    def meaning(self) -> MountedMeaning | None:
        """The bundles' vectors and what made them, loaded or not."""
        return self._semantics.meaning

    @cached_property
    def _semantics(self) -> Semantics:
        return semantics_of(self.bundles, self.encoder)

    @cached_property
    def postings(self) -> Postings:
        """The union of all postings, checked when first asked for.

        Raises:
            ValueError: a section does not hold together.
        """
        return Postings([bundle.postings for bundle in self.bundles])

    def label(self, bundle: int) -> str:
        """`name@version` of a bundle, as addresses begin."""
        manifest = self.bundles[bundle].manifest
        return f"{manifest.name}@{manifest.version}"

    def package(self, text: str) -> list[int]:
        """The bundles that a spelling means, newest version first; all versions if none is named.

        A distribution's name goes before an import name; `google.protobuf` counts as `google`
        where nothing has that whole name.

        Raises:
            NotFound: no such package or version is mounted.
        """
        name, version = taken_apart(text)
        named = self.spelled(name)
        if not named:
            raise self._no_package(text, name)
        if not version:
            return named
        exact = [index for index in named if self.bundles[index].manifest.version == version]
        chosen = exact or [
            index for index in named if has_version(self.bundles[index].manifest.version, version)
        ]
        if not chosen:
            there = ", ".join(self.label(index) for index in named)
            raise NotFound(
                f"{name} {version}",
                call=f"use a mounted version, or build a bundle of {name}=={version}",
                problem=f"is not mounted, only {there}",
            )
        return chosen

    def spelled(self, name: str) -> list[int]:
        """The bundles that a name means, newest version first; empty where it means none."""
        wanted = normalised(name)
        named = self._distributions.get(wanted) or self._imports.get(wanted)
        if not named:
            named = self._imports.get(normalised(name.partition(".")[0]))
        return list(named or ())

    def providers(self, module: str) -> list[int]:
        """The bundles that provide a top-level import name, newest version first."""
        return list(self._imports.get(normalised(module), ()))

    def meant_by(self, bundle: int, module: str) -> list[int]:
        """The other bundles that one means by a top-level import name, newest version first.

        Of a distribution that is mounted in the version it was built with, that version alone.
        """
        providers = [index for index in self.providers(module) if index != bundle]
        seen = self.versions_seen(bundle)
        if not seen or len(providers) == 1:
            return providers
        manifests = [self.bundles[index].manifest for index in providers]
        names = [normalised(manifest.name) for manifest in manifests]
        is_seen = [
            seen.get(name) == manifest.version
            for name, manifest in zip(names, manifests, strict=True)
        ]
        as_seen = {name for name, is_it in zip(names, is_seen, strict=True) if is_it}
        return [
            index
            for index, name, is_it in zip(providers, names, is_seen, strict=True)
            if is_it or name not in as_seen
        ]

    def versions_seen(self, bundle: int) -> dict[str, str]:
        """The versions of other distributions that a bundle was built with, by normalised name."""
        known = self._seen.get(bundle)
        if known is None:
            manifest = self.bundles[bundle].manifest
            found = {each.name: each.version for each in manifest.requirements if each.version}
            found |= manifest.resolved_with
            known = self._seen[bundle] = {normalised(name): found[name] for name in found}
        return known

    def select(self, package: str = "", scope: str = "all", project: str = "") -> list[int]:
        """The bundles that a call is about, by package, scope and project, in catalog order.

        `project` as a scope never holds a dependency, `deps` never a project's own code, neither of
        them a documentation collection. A named project leaves the other mounted projects out.

        Raises:
            NotFound: no such package, version or project is mounted.
            UsageError: no such scope.
        """
        if scope not in SCOPES:
            raise UsageError(f"There is no scope {scope!r}; use one of {', '.join(SCOPES)}.")
        chosen = self.package(package) if package.strip() else range(len(self.bundles))
        projects = self._projects(project)
        return sorted(
            index
            for index in chosen
            if (
                index in projects and scope != "deps"
                if self.is_project(index)
                else scope == "all" or (scope == "deps" and not self.is_collection(index))
            )
        )

    def is_project(self, bundle: int) -> bool:
        """Whether a bundle holds a project's own code."""
        return self.bundles[bundle].manifest.kind == "project"

    def is_collection(self, bundle: int) -> bool:
        """Whether a bundle is a documentation collection."""
        return self.bundles[bundle].manifest.kind == "docs"

    def is_repeated(self, bundle: int, file: int, among: Container[int]) -> bool:
        """Whether a collection's file is one of a project among some bundles, word for word.

        A project's own documents are in its bundle, and may be a collection as well.
        """
        if not self.is_collection(bundle):
            return False
        own = self.bundles[bundle].text
        for index in self._projects(""):
            text = self.bundles[index].text
            same = text.index(own.paths[file]) if index in among else None
            if same is not None and text.size(same) == own.size(file):
                return text.read(same) == own.read(file)
        return False

    def is_newest(self, bundle: int) -> bool:
        """Whether no later version of the same distribution is mounted."""
        return self._distributions[normalised(self.bundles[bundle].manifest.name)][0] == bundle

    def close(self) -> None:
        """Closes every bundle."""
        # The postings look into the bundles' mappings and have to let go of them first.
        self.__dict__.pop("postings", None)
        semantics = self.__dict__.pop("_semantics", None)
        if semantics is not None and semantics.meaning is not None:
            semantics.meaning.close()
        for bundle in self.bundles:
            bundle.close()
        if self.encoder is not None:
            self.encoder.close()

    def __enter__(self) -> Catalog:  # noqa: PYI034 - nothing derives from it
        """Gives the catalog itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Closes every bundle."""
        self.close()

    @cached_property
    def _distributions(self) -> dict[str, list[int]]:
        names: dict[str, list[int]] = {}
        for index, bundle in enumerate(self.bundles):
            names.setdefault(normalised(bundle.manifest.name), []).append(index)
        return {name: self._newest_first(indexes) for name, indexes in names.items()}

    @cached_property
    def _imports(self) -> dict[str, list[int]]:
        names: dict[str, list[int]] = {}
        for index, bundle in enumerate(self.bundles):
            for module in sorted({normalised(module) for module in bundle.manifest.modules}):
                names.setdefault(module, []).append(index)
        return {name: self._newest_first(indexes) for name, indexes in names.items()}

    def _newest_first(self, indexes: Iterable[int]) -> list[int]:
        def key(index: int) -> tuple[bool, tuple[tuple[int, str], ...]]:
            # A collection may be called like a distribution, and a revision is no version.
            version = version_key(self.bundles[index].manifest.version)
            return (not self.is_collection(index), version)

        return sorted(indexes, key=key, reverse=True)

    def _projects(self, project: str) -> set[int]:
        projects = [index for index in range(len(self.bundles)) if self.is_project(index)]
        if not project.strip():
            return set(projects)
        wanted = normalised(project.strip())
        chosen = {i for i in projects if normalised(self.bundles[i].manifest.name) == wanted}
        if not chosen:
            raise NotFound(
                f"The project {project.strip()!r}",
                closest=[self.bundles[index].manifest.name for index in projects],
                call="leave `project` empty to ask about everything mounted",
            )
        return chosen

    def _no_package(self, text: str, name: str) -> NotFound:
        from difflib import get_close_matches  # noqa: PLC0415 - only a miss pays for it

        bare = without_conditions(name)
        if bare != name and (there := self.spelled(bare)):
            return NotFound(
                f"The package {text.strip()!r}",
                [self.label(index) for index in there],
                call=f"use {bare}, or {bare}=={self.bundles[there[0]].manifest.version}",
                problem="names no single version",
            )
        spellings = {*self._distributions, *self._imports}
        near = get_close_matches(normalised(name), sorted(spellings), n=5, cutoff=0.6)
        shown = sorted({self.bundles[self.spelled(spelled)[0]].manifest.name for spelled in near})
        if not shown and len(self._distributions) <= _SHOWN_NAMES:
            shown = [bundle.manifest.name for bundle in self.bundles]
        return NotFound(
            f"The package {text.strip()!r}",
            closest=list(dict.fromkeys(shown)),
            call="get_overview() lists every mounted package",
        )


def _order(bundle: Bundle) -> tuple[str, str, str]:
    return (normalised(bundle.manifest.name), bundle.manifest.version, bundle.content_id)
