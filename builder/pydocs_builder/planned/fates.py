"""The fate of each requirement, as far as it is known before anything is built."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from packaging.specifiers import SpecifierSet
from packaging.utils import NormalizedName

from pydocs_builder.config import ProjectConfig
from pydocs_builder.fate_lines import UNSATISFIED
from pydocs_builder.found.metadata import Metadata
from pydocs_builder.outcomes import BUILT, FAILED, NOT_FOUND, NOT_INSTALLED, UNSUITED
from pydocs_builder.pinned.lock_files import is_lock
from pydocs_builder.pinned.pins import is_pinned_version
from pydocs_builder.planned.closure import Need
from pydocs_builder.planned.dependencies import NoSourcesError, dependency_target
from pydocs_builder.planned.obtain import Obtained
from pydocs_builder.targets import Task
from pydocs_builder.wanted.declared import Pin, Unreadable, Wanted
from pydocs_bundle.names import name_problem
from pydocs_bundle.records import Requirement

__all__ = ["settle_needs", "settle_own", "settle_unreadable"]

_PROVIDED = "part of this project"


def settle_needs(
    obtained: Obtained,
    pins: Mapping[NormalizedName, Pin],
    settings: ProjectConfig,
    limits: Iterable[Wanted] = (),
) -> tuple[tuple[Task, ...], list[Requirement]]:
    """The tasks for what is there at the right version, and a row for everything.

    What is not there is `not found` if the project cannot do without it, else `not installed`. What
    is there against the constraints (`limits`) is told.
    """
    bounds: dict[NormalizedName, set[str]] = {}
    for one in limits:
        bounds.setdefault(one.key, set()).add(str(one.requirement.specifier))
    tasks: list[Task] = []
    rows: list[Requirement] = []
    for key, need in obtained.closure.needs.items():
        metadata = obtained.environment.metadata(key)
        pin = pins.get(key)
        if (problem := _absence(key, obtained, pin)) is not None:
            absent = NOT_FOUND if need.is_core else NOT_INSTALLED
            fetched = obtained.fetched.get(key)
            fate = FAILED if fetched is not None and fetched.is_refused else absent
            rows.append(_row(need, fate, pin.version if pin is not None else "", problem))
            continue
        distribution = obtained.environment.distribution(key)
        if distribution is None or metadata is None:
            rows.append(_row(need, FAILED, "", "its metadata cannot be read; install it again"))
            continue
        try:
            target = dependency_target(distribution, metadata, settings)
        except NoSourcesError as error:
            rows.append(_row(need, FAILED, metadata.version, str(error)))
            continue
        if unsuitable := _unsuitable(target.name, target.version):
            rows.append(_row(need, FAILED, "", unsuitable))
            continue
        tasks.append(Task(target, _declared_by(metadata)))
        rows.append(
            _row(
                need,
                BUILT,
                metadata.version,
                _unsatisfied(need.specifiers | bounds.get(key, set()), metadata.version),
                metadata.name,
            )
        )
    rows += [
        Requirement(one.name, one.specifier, UNSUITED, detail=one.marker)
        for one in obtained.closure.unsuited
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


def _absence(key: NormalizedName, obtained: Obtained, pin: Pin | None) -> str | None:
    """Why a distribution is not there in the version that counts; None if it is."""
    metadata = obtained.environment.metadata(key)
    fetched = obtained.fetched.get(key)
    unfetched = fetched.problem if fetched is not None else ""
    if obtained.environment.distribution(key) is None:
        where = f"pinned in {pin.origin}; " if pin is not None and pin.origin else ""
        return where + (unfetched or "the environment does not have it")
    if pin is None or metadata is None or is_pinned_version(pin, metadata.version):
        return None
    said = f"the environment has {metadata.version}"
    said = f"{pin.origin} pins {pin.version}, {said}" if pin.origin else said
    return f"{said}; {unfetched}" if unfetched else said


def _unsuitable(name: str, version: str) -> str:
    """Why no bundle can be called so, empty if it can."""
    for what, text in (("name", name), ("version", version)):
        if problem := name_problem(text):
            return f"its {what} {text!r} {problem}, so no bundle can have it"
    return ""


def _row(need: Need, fate: str, version: str, problem: str, name: str = "") -> Requirement:
    """A row; what only a dependency asks for says which one."""
    specifier = ", ".join(sorted(filter(None, need.specifiers)))
    is_told = need.is_direct or is_lock(need.origins[0])
    by = ("",) if is_told else (f"required by {need.origins[0]}",)
    detail = "; ".join(filter(None, (problem, *by)))
    return Requirement(name or need.name, specifier, fate, version, detail)


def _unsatisfied(specifiers: Iterable[str], version: str) -> str:
    """What the project asks for and the environment does not give, empty if it does."""
    for specifier in sorted(specifiers):
        is_version = bool(specifier) and not specifier.startswith("@")
        if is_version and not SpecifierSet(specifier).contains(version, prereleases=True):
            return f"{UNSATISFIED} {specifier}"
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
