"""The fate of each requirement, as far as it is known before anything is built."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from packaging.specifiers import SpecifierSet
from packaging.utils import NormalizedName

from pydocs_builder.closure import Closure, Need
from pydocs_builder.config import ProjectConfig
from pydocs_builder.declared import Pin, Unreadable, Wanted
from pydocs_builder.dependencies import NoSourcesError, dependency_target
from pydocs_builder.environment import Environment
from pydocs_builder.metadata import Metadata
from pydocs_builder.outcomes import BUILT, FAILED, NOT_FOUND, NOT_INSTALLED, UNSUITED
from pydocs_builder.pins import is_pinned_version
from pydocs_builder.targets import Task
from pydocs_bundle.records import Requirement

__all__ = ["settle_needs", "settle_own", "settle_unreadable"]

_PROVIDED = "part of this project"


def settle_needs(
    closure: Closure,
    environment: Environment,
    pins: Mapping[NormalizedName, Pin],
    settings: ProjectConfig,
) -> tuple[tuple[Task, ...], list[Requirement]]:
    """The tasks for what is there at the right version, and a row for everything.

    What is not there is `not found` if the project cannot do without it, else `not installed`.
    """
    tasks: list[Task] = []
    rows: list[Requirement] = []
    for key, need in closure.needs.items():
        metadata = environment.metadata(key)
        pin = pins.get(key)
        absent = NOT_INSTALLED if not need.is_core else NOT_FOUND
        distribution = environment.distribution(key)
        if distribution is None:
            version = pin.version if pin is not None else ""
            rows.append(_row(need, absent, version, "the environment does not have it"))
        elif metadata is None:
            rows.append(_row(need, FAILED, "", "its metadata cannot be read; install it again"))
        elif pin is not None and not is_pinned_version(pin, metadata.version):
            detail = f"{pin.origin} has {pin.version}, the environment {metadata.version}"
            rows.append(_row(need, absent, pin.version, detail))
        else:
            try:
                target = dependency_target(distribution, metadata, settings)
            except NoSourcesError as error:
                rows.append(_row(need, FAILED, metadata.version, str(error)))
                continue
            tasks.append(Task(target, _declared_by(metadata)))
            problem = _unsatisfied(need, metadata.version)
            rows.append(_row(need, BUILT, metadata.version, problem, metadata.name))
    rows += [
        Requirement(one.name, one.specifier, UNSUITED, detail=one.marker)
        for one in closure.unsuited
    ]
    return tuple(tasks), rows


def settle_own(wanted: Iterable[Wanted]) -> list[Requirement]:
    """Rows for what the project provides itself: it is in the project's bundle."""
    return [
        Requirement(one.requirement.name, str(one.requirement.specifier), BUILT, detail=_PROVIDED)
        for one in wanted
    ]


def settle_unreadable(unreadable: Iterable[Unreadable]) -> list[Requirement]:
    """Rows for what stands where a requirement should; only a group's may be left open."""
    return [
        Requirement(
            one.text,
            "",
            NOT_INSTALLED if one.group and one.text != one.origin else FAILED,
            detail=one.reason if one.text == one.origin else f"{one.origin}: {one.reason}",
        )
        for one in unreadable
    ]


def _row(need: Need, fate: str, version: str, problem: str, name: str = "") -> Requirement:
    """A row; what only a dependency asks for says which one."""
    specifier = ", ".join(sorted(filter(None, need.specifiers)))
    by = ("",) if need.is_direct else (f"required by {need.origins[0]}",)
    detail = "; ".join(filter(None, (problem, *by)))
    return Requirement(name or need.name, specifier, fate, version, detail)


def _unsatisfied(need: Need, version: str) -> str:
    """What the project asks for and the environment does not give, empty if it does."""
    for specifier in sorted(need.specifiers):
        is_version = bool(specifier) and not specifier.startswith("@")
        if is_version and not SpecifierSet(specifier).contains(version, prereleases=True):
            return f"the environment's version is not {specifier}"
    return ""


def _declared_by(metadata: Metadata) -> tuple[Requirement, ...]:
    return tuple(
        Requirement(
            one.name,
            f"@ {one.url}" if one.url else str(one.specifier),
            "",
            detail=str(one.marker or ""),
        )
        for one in metadata.requirements()
    )
