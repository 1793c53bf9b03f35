"""The plan: which bundles a project gets, and the fate of everything it requires."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from operator import itemgetter
from pathlib import Path

from packaging.utils import canonicalize_name

from pydocs_builder.checked.checker import Checker, find_checker
from pydocs_builder.config import BuildConfig, ProjectConfig, read_settings
from pydocs_builder.found.environment import Environment
from pydocs_builder.found.fetch import Fetching, fetch_all
from pydocs_builder.found.foreign import pip_options, retarget
from pydocs_builder.found.inspection import undescribed, untold
from pydocs_builder.found.interpreter import Interpreter, find_interpreter
from pydocs_builder.found.pip import find_pip
from pydocs_builder.found.stdlib import stdlib_target
from pydocs_builder.outcomes import Outcome
from pydocs_builder.pinned.pins import choose_pins
from pydocs_builder.planned.closure import applies
from pydocs_builder.planned.fates import settle_needs, settle_own, settle_unreadable
from pydocs_builder.planned.obtain import Fetch, Question, obtain
from pydocs_builder.planned.project import identify_project, project_target
from pydocs_builder.planned.selection import is_taken
from pydocs_builder.planned.sight import Sight
from pydocs_builder.planned.stub_only import merge_stubs, tell_merged
from pydocs_builder.planned.tree import read_tree
from pydocs_builder.targets import Inspection, Task, Viewed
from pydocs_builder.wanted.declared import Pin, Unreadable, Wanted, exact_version, want
from pydocs_builder.wanted.manifests import is_manifest, read_manifests
from pydocs_builder.wanted.wants import complete, own_names
from pydocs_bundle.errors import UsageError
from pydocs_bundle.names import name_problem
from pydocs_bundle.records import Requirement

__all__ = ["Plan", "make_plan"]

_COMMAND_LINE = "the command line"


@dataclass(frozen=True, slots=True)
class Plan:
    """All that one run has to do, before it does any of it.

    Args:
        project: the project's own bundle, None where only single distributions are built.
        dependencies: the other bundles, sorted by name: what the project depends on, what was asked
            for by name, the standard library.
        requirements: every requirement; `built` is the fate of those that have a bundle to come.
        environment: the environment looked into, as talk calls it.
        notes: what the manifests and the environment leave open, a clause each.
        time_limit: how many seconds one target may take.
        collections: the bundles of the documentation collections, sorted by id.
        unread: what became of the collections that cannot be read.
        views: what the type checker sees of the targets and of what they depend on.
        checker: the type checker, None if it is not to be asked or not there.
        scratch: a folder for the time of the build, None for the system's.
    """

    project: Task | None
    dependencies: tuple[Task, ...]
    requirements: tuple[Requirement, ...]
    environment: str
    notes: tuple[str, ...]
    time_limit: int = ProjectConfig().time_limit
    collections: tuple[Task, ...] = ()
    unread: tuple[Outcome, ...] = ()
    views: tuple[Viewed, ...] = ()
    checker: Checker | None = None
    scratch: Path | None = None


@dataclass(frozen=True, slots=True)
class _Context:
    """What every part of a plan looks at."""

    config: BuildConfig
    settings: ProjectConfig
    interpreter: Interpreter
    environment: Environment
    fetch: Fetch | None
    checker: Checker | None


def make_plan(
    config: BuildConfig, scratch: Path | None = None, tell: Callable[[str], None] = lambda _: None
) -> Plan:
    """The plan for what is asked for; `UsageError` if there is nothing to plan for.

    Args:
        config: what is asked for.
        scratch: a folder for the time of the build, that the standard library is gathered in.
        tell: told of each distribution that is fetched.
    """
    if config.project is not None and not config.project.is_dir():
        what = "is no folder" if config.project.exists() else "does not exist"
        raise UsageError(f"{config.project}: {what}; give the folder of a project.")
    if (config.platforms or config.python_version) and not config.is_fetching:
        raise UsageError("--platform and --python-version say what is fetched; give --fetch, too.")
    settings = read_settings(config)
    interpreter = find_interpreter(config.project, config.python)
    fetch = None
    if config.is_fetching:
        options = pip_options(interpreter, config.platforms, config.python_version)
        how = Fetching(find_pip(interpreter.folders), options, settings, tell)
        fetch = partial(fetch_all, how=how)
    context = _Context(
        config,
        settings,
        retarget(interpreter, config.platforms, config.python_version),
        Environment(interpreter.folders),
        fetch,
        find_checker() if config.is_exact else None,
    )
    parts = [_plan_project(context)] if config.project is not None else []
    parts += [_plan_packages(context)] if config.packages else []
    if config.is_stdlib and scratch is not None:
        task = Task(stdlib_target(interpreter, settings, scratch), ())
        parts.append(Plan(None, (task,), (), interpreter.label, ()))
    tasks: dict[tuple[str, str], Task] = {}
    for task in chain(*(part.dependencies for part in parts)):
        tasks.setdefault((canonicalize_name(task.target.name), task.target.version), task)
    ordered = [task for _, task in sorted(tasks.items(), key=itemgetter(0))]
    dependencies, merged = merge_stubs(ordered)
    rows = set(tell_merged(chain(*(part.requirements for part in parts)), merged))
    collections, unread = _collections(context, scratch)
    run_by = partial(_run_by, context=context)
    project = next((part.project for part in parts if part.project is not None), None)
    if project is not None:
        told = tuple(tell_merged(project.requirements, merged))
        project = replace(run_by(project), requirements=told)
    return Plan(
        project=project,
        dependencies=tuple(run_by(task) for task in dependencies),
        requirements=tuple(sorted(rows, key=lambda row: (canonicalize_name(row.name), row))),
        environment=interpreter.label,
        notes=tuple(dict.fromkeys(chain(*(part.notes for part in parts)))),
        time_limit=settings.time_limit,
        collections=collections,
        unread=unread,
        views=tuple({view.key: view for part in parts for view in part.views}.values()),
        checker=context.checker,
        scratch=scratch,
    )


def _run_by(task: Task, context: _Context) -> Task:
    """The task, with what the interpreter that its sources are for has to do with them."""
    interpreter = context.interpreter
    target = replace(task.target, python=interpreter.markers["python_version"])
    if target.checking is not None and context.checker is not None:
        checking = replace(target.checking, version=context.checker.version)
        target = replace(target, checking=checking)
    modules = undescribed(target)
    if modules and context.config.is_inspecting and interpreter.executable:
        folders = tuple(dict.fromkeys((target.root, *interpreter.folders)))
        how = Inspection(modules, interpreter.executable, folders)
        return replace(task, target=replace(target, inspection=how))
    return replace(task, target=replace(target, notes=(*target.notes, *untold(target))))


def _plan_project(context: _Context) -> Plan:
    """A project and what it depends on."""
    config, settings, environment = context.config, context.settings, context.environment
    tree = read_tree(
        config.project or Path(),
        settings.exclude,
        lambda path: is_taken(path, settings) or is_manifest(path),
    )
    manifests = read_manifests(tree)
    identity = identify_project(tree, manifests, settings, environment)
    for what, text in (("name", identity.name), ("version", identity.version)):
        if problem := name_problem(text):
            raise UsageError(
                f"{config.project}: the project's {what} {text!r} {problem}; "
                f"give another {what} in [tool.pydocs]."
            )
    declared = complete(manifests, identity, tree, environment)
    own = own_names(identity, declared, manifests.locks)
    markers = context.interpreter.markers
    pins, pin_notes = choose_pins(manifests.pins, markers)
    question = Question(
        wanted=tuple(one for one in declared.wanted if one.key not in own),
        limits=tuple(one for one in declared.limits if applies(one.requirement, (), markers)),
        own=own,
        pins=pins,
        locks=manifests.locks,
        markers=markers,
        is_direct_only=config.is_direct_only,
    )
    obtained = obtain(question, environment, context.fetch)
    tasks, rows = settle_needs(obtained, pins, settings, question.limits)
    rows += settle_own(one for one in declared.wanted if one.key in own)
    rows += settle_unreadable(declared.unreadable)
    requirements = tuple(sorted(set(rows), key=lambda row: (canonicalize_name(row.name), row)))
    project = Task(project_target(tree, manifests, settings, identity, "project"), requirements)
    views: tuple[Viewed, ...] = ()
    if config.is_exact:
        sight = Sight(tasks, obtained.environment, markers, settings)
        project, tasks = sight.project(project), tuple(map(sight.beside, tasks))
        views = sight.views()
    return Plan(
        project=project,
        dependencies=tasks,
        requirements=requirements,
        environment=context.interpreter.label,
        notes=(*declared.notes, *pin_notes),
        views=views,
    )


def _collections(
    context: _Context, scratch: Path | None
) -> tuple[tuple[Task, ...], tuple[Outcome, ...]]:
    """The documentation collections, their sources relative to the project or to their file."""
    declared = context.settings.docs
    if not declared or scratch is None:
        return (), ()
    from pydocs_builder.planned.docs_targets import read_collections  # noqa: PLC0415 - few have any

    file = context.config.settings_file
    base = context.config.project or (file.parent if file else Path())
    return read_collections(declared, base, scratch)


def _plan_packages(context: _Context) -> Plan:
    """Single distributions, without what they depend on."""
    tasks: list[Task] = []
    rows: list[Requirement] = []
    views: list[Viewed] = []
    for text in context.config.packages:
        wanted = _package(text)
        version = exact_version(wanted.requirement)
        pins = {wanted.key: Pin(wanted.key, version, "", "")} if version else {}
        question = Question(
            (wanted,), (), frozenset(), pins, (), context.interpreter.markers, is_direct_only=True
        )
        found = obtain(question, context.environment, context.fetch)
        new_tasks, new_rows = settle_needs(found, pins, context.settings)
        if context.config.is_exact:
            markers, settings = context.interpreter.markers, context.settings
            sight = Sight(new_tasks, found.environment, markers, settings)
            new_tasks = tuple(map(sight.beside, new_tasks))
            views += sight.views()
        tasks += new_tasks
        rows += new_rows
    return Plan(None, tuple(tasks), tuple(rows), context.interpreter.label, (), views=tuple(views))


def _package(text: str) -> Wanted:
    """The distribution that a word of the command line names, `NAME==VERSION` or `NAME@VERSION`."""
    name, at, version = text.partition("@")
    if at and "/" not in version and ":" not in version:
        text = f"{name.strip()}=={version.strip()}"
    stated = want(text, "", _COMMAND_LINE)
    if isinstance(stated, Unreadable):
        raise UsageError(
            f"{text}: neither a folder nor a distribution ({stated.reason}); "
            "give a project's folder or NAME==VERSION."
        )
    return stated
