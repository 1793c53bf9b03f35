"""From a target to all that its bundle says: the build of one bundle as one function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Final

from pydocs_builder.checked.edges import find_exact
from pydocs_builder.checked.reports import NO_REPORT, ReportPlace
from pydocs_builder.checked.tiers import merge_tiers
from pydocs_builder.decided.decision_entries import Document, decision_drafts, find_decisions
from pydocs_builder.decided.decisions import FoundDecision
from pydocs_builder.documented.documents import (
    document_names,
    is_document,
    read_document,
    section_entry,
)
from pydocs_builder.documented.notebooks import NotebookError
from pydocs_builder.extracted.aliases import (
    Aliases,
    find_aliases,
    is_private,
    public_names,
)
from pydocs_builder.extracted.arrange import Draft, arrange
from pydocs_builder.extracted.chunks import LONGEST_BODY, bodies
from pydocs_builder.extracted.constructors import constructor_drafts, find_constructors
from pydocs_builder.extracted.names import Names, bound_name
from pydocs_builder.extracted.newer_syntax import NEWEST_MINOR, needed_python
from pydocs_builder.extracted.reading import read_sources
from pydocs_builder.extracted.renames import follow_renames
from pydocs_builder.extracted.symbols import Definitions, Module, add_stubs, define, modules_of
from pydocs_builder.resolved.mentions import MentionIndex
from pydocs_builder.resolved.references import find_governed, find_mentions, find_references
from pydocs_builder.resolved.resolver import Resolver
from pydocs_builder.scored.scores import find_scores
from pydocs_builder.targets import Target
from pydocs_bundle.records import (
    BundleContent,
    Decision,
    Entry,
    Flag,
    Kind,
    Reference,
    ReferenceKind,
    Requirement,
    SourceFile,
)
from pydocs_native import parse_all

__all__ = ["build_content"]

_SHOWN_GHOSTS: Final = 5
_MOST_NOTES: Final = 200
# Where an entry's field stands: to make one anew costs a third of `_replace`.
_PUBLIC_NAME: Final = Entry._fields.index("public_name")
_PRIVATE: Final = Flag.PRIVATE.value
_BUILTINS: Final = "builtins"
_LEADING_OUT: Final = frozenset(
    {
        *(ReferenceKind.CALL, ReferenceKind.DECORATE, ReferenceKind.INHERIT),
        *(ReferenceKind.READ, ReferenceKind.WRITE),
    }
)


def build_content(
    target: Target, requirements: Sequence[Requirement] = (), report: ReportPlace = NO_REPORT
) -> tuple[BundleContent, tuple[str, ...]]:
    """What the bundle of a target says, and a clause for each thing that went wrong.

    Args:
        target: what the bundle is of.
        requirements: what it requires.
        report: what the type checker says of it.
    """
    files, notes = read_sources(target)
    modules = _parse(target, files, notes)
    definitions, names = _define(modules)
    resolver = Resolver(modules, definitions, names)
    aliases = find_aliases(names, _tests(definitions))
    notes += _ghosts(aliases, modules)
    drafts = _symbols(modules, definitions, aliases, resolver)
    notes += _cut(drafts, files)
    index = MentionIndex(names, definitions.drafts, files, resolver.lineage.order)
    documents = _documents(target, files, drafts, notes)
    decisions = find_decisions(files, documents, modules, definitions, index)
    first_decision = len(drafts)
    drafts += decision_drafts(target.name, decisions, files)
    drafts += _outside(modules, definitions, aliases)
    constructors = find_constructors(modules, definitions, names, resolver)
    drafts += constructor_drafts(constructors, drafts)
    entries, texts, places = arrange(drafts, files)
    references = find_references(modules, definitions, names, resolver, places)
    exact = find_exact(report, target.source_roots, modules, definitions, places)
    notes += exact.notes
    references = merge_tiers(references, exact)
    references += find_mentions(documents, index, places)
    references += find_governed(decisions, places[first_decision:])
    scores = find_scores(entries, references)
    if len(notes) > _MOST_NOTES:
        notes[_MOST_NOTES:] = [f"and {len(notes) - _MOST_NOTES} more of this kind"]
    content = BundleContent(
        kind=target.kind,
        name=target.name,
        version=target.version,
        files=tuple(files),
        entries=entries,
        texts=texts,
        references=tuple(references),
        decisions=_decided(decisions, places[first_decision:]),
        requirements=tuple(requirements),
        modules=target.modules,
        imports=_imports(modules, names, references),
        summary=target.summary,
        licence=target.licence,
        licence_files=target.licence_files,
        source=_source(target, files),
        notes=(*target.notes, *notes),
        scores=scores,
        resolved_with=_resolved_with(target),
    )
    return content, tuple(notes)


def _resolved_with(target: Target) -> tuple[tuple[str, str], ...]:
    """The distributions that the type checker sees, with their versions, if there is one."""
    checking = target.checking
    if checking is None or not checking.version:
        return ()
    # Behind the version of one in a project's folder stands a digest of its files.
    return tuple((name, label.partition(" ")[0]) for name, label in checking.seen if label)


def _minor(python: str) -> int:
    """The minor version of a Python 3; beyond all syntax where none is known."""
    major, _, rest = python.partition(".")
    minor = rest.partition(".")[0]
    return int(minor) if major == "3" and minor.isdecimal() else NEWEST_MINOR


def _source(target: Target, files: Sequence[SourceFile]) -> dict[str, str]:
    """Where the content is from, and which modules were imported for it."""
    source = dict(target.source)
    if target.inspection is not None:
        stubs = {f"{module}.pyi" for module in target.inspection.modules}
        if names := [file.module for file in files if file.path in stubs]:
            source["inspected"] = ", ".join(names)
    return source


def _parse(target: Target, files: Sequence[SourceFile], notes: list[str]) -> list[Module]:
    minor = _minor(target.python)
    # An installer has seen to it that a dependency suits the interpreter.
    is_searched = target.kind != "dependency"
    numbers = [number for number, file in enumerate(files) if file.module]
    # A NUL ends the text for many a parser; a blank in its place keeps every offset.
    parsed = parse_all([files[number].text.replace(b"\0", b" ") for number in numbers])
    for number, module in zip(numbers, parsed, strict=True):
        path, text = files[number].path, files[number].text
        if b"\0" in text:
            line = text.count(b"\n", 0, text.index(b"\0")) + 1
            notes.append(f"{path}:{line}: holds NUL bytes, which Python refuses; write it without")
        needed = None
        if minor < NEWEST_MINOR:
            needed = needed_python(text, module, minor, is_searched=is_searched)
        # A parser that knows no newer syntax stumbles right there.
        lines = {problem.line for problem in module.problems}
        if needed and (not lines or needed.line in lines):
            notes.append(
                f"{path}:{needed.line}: needs Python >= 3.{needed.minor}, and the target is"
                f" Python 3.{minor}; {'what can be read of it' if lines else 'all that it defines'}"
                " is there"
            )
        elif module.problems:
            line, message = module.problems[0]
            shown = "".join(each if each.isprintable() else repr(each)[1:-1] for each in message)
            notes.append(f"{path}:{line}: {shown}; what can be read of it is there")
    return modules_of(files, dict(zip(numbers, parsed, strict=True)))


def _define(modules: Sequence[Module]) -> tuple[Definitions, Names]:
    sources = [module for module in modules if not module.is_stub]
    stubs = modules[len(sources) :]
    names = Names()
    definitions = define(sources)
    names.bind(sources, definitions.drafts)
    if stubs:
        count = len(definitions.drafts)
        add_stubs(stubs, definitions, names.follow)
        names.bind(stubs, definitions.drafts, count)
    return follow_renames(modules, definitions, names), names


def _tests(definitions: Definitions) -> list[str]:
    return [
        draft.qualified_name
        for draft in definitions.drafts
        if draft.kind is Kind.MODULE and draft.flags & Flag.TEST
    ]


def _ghosts(aliases: Aliases, modules: Sequence[Module]) -> list[str]:
    paths = {module.name: module.path for module in reversed(modules)}
    notes = []
    for module, ghosts in groupby(aliases.ghosts, key=itemgetter(0)):
        names = [repr(name) for _, name in ghosts]
        more = f" and {len(names) - _SHOWN_GHOSTS} more" if len(names) > _SHOWN_GHOSTS else ""
        shown = ", ".join(names[:_SHOWN_GHOSTS])
        notes.append(f"{paths[module]}: __all__ names {shown}{more}; nothing visible defines them")
    return notes


def _cut(drafts: Sequence[Draft], files: Sequence[SourceFile]) -> list[str]:
    return [
        f"{files[entry.file].path}: of {entry.qualified_name} only the first"
        f" {LONGEST_BODY} bytes are searched; grep finds the rest"
        for entry, body, _, _ in drafts
        if body is not None and len(body) > LONGEST_BODY
    ]


def _symbols(
    modules: Sequence[Module], definitions: Definitions, aliases: Aliases, resolver: Resolver
) -> list[Draft]:
    """The symbols by the names that users know, with bases by their definition-site names."""
    drafts = definitions.drafts
    texts = bodies(modules, drafts)
    found: list[Draft] = []
    every = aliases.every
    # As `Entry(…)` and `Draft(…)`, which cost three times as much.
    new_entry: Callable[..., Entry] = tuple.__new__
    new_draft: Callable[..., Draft] = tuple.__new__
    for number, public_name in enumerate(public_names(drafts, aliases)):
        draft = drafts[number]
        name = draft.qualified_name
        fields = (
            *draft[:_PUBLIC_NAME],
            public_name,
            draft.parent,
            draft.flags | (_PRIVATE if is_private(public_name or name) else 0),
            resolver.bases(name) if draft.bases else (),
            tuple(sorted(every[name])) if name in every else (),
            draft.decorators,
        )
        entry = new_entry(Entry, fields)
        found.append(new_draft(Draft, (entry, texts.get(number), "", "")))
    return found


def _documents(
    target: Target, files: Sequence[SourceFile], drafts: list[Draft], notes: list[str]
) -> list[Document]:
    """The documents of a target; their sections are added to the drafts."""
    found: list[Document] = []
    for number, file in enumerate(files):
        if not is_document(file, target.licence_files):
            continue
        try:
            sections = read_document(file)
        except NotebookError as error:
            notes.append(f"{file.path}: {error}; only its text is there")
            continue
        first = len(drafts)
        names = document_names(target.name, file.path, sections)
        for name, section in zip(names, sections, strict=True):
            entry = section_entry(number, file.path, name, section)
            if section.parent >= 0:
                entry = entry._replace(parent=first + section.parent)
            drafts.append(
                Draft(entry, section.text, section.heading or section.title, section.title)
            )
        found.append(Document(number, file.path, file.text, sections, first))
    return found


def _decided(decisions: Sequence[FoundDecision], places: Sequence[int]) -> tuple[Decision, ...]:
    found = [
        Decision(
            place,
            decision.origin,
            decision.title,
            decision.quote,
            decision.status,
            decision.date,
            decision.governs,
            decision.label,
            decision.places,
            places[decision.successor] if decision.successor >= 0 else -1,
        )
        for decision, place in zip(decisions, places, strict=False)
    ]
    return tuple(sorted(found))


def _outside(modules: Sequence[Module], definitions: Definitions, aliases: Aliases) -> list[Draft]:
    """An entry for each name that leads to another distribution, where it is imported."""
    by_name = {module.name: module for module in reversed(modules)}
    found: list[Draft] = []
    for name, aliased in groupby(aliases.outside, key=attrgetter("module")):
        module = by_name[name]
        lines = _import_lines(module)
        for alias in aliased:
            line = lines.get(alias.local, lines.get("*", 1))
            start = module.starts[line - 1]
            entry = Entry(
                alias.name,
                Kind.ALIAS,
                module.file,
                start,
                start + len(module.text[start : module.starts[line]].rstrip()),
                line,
                line,
                parent=definitions.by_name[name],
                flags=_PRIVATE if is_private(alias.name) else 0,
                bases=(alias.target,),
            )
            found.append(Draft(entry))
    return found


def _import_lines(module: Module) -> dict[str, int]:
    """The line that imports each name of a module."""
    return {bound_name(item): item.line for item in module.parsed.imports if item.scope == -1}


def _imports(
    modules: Sequence[Module], names: Names, references: Sequence[Reference]
) -> tuple[str, ...]:
    """The top-level names that the target imports from elsewhere, or has edges into.

    A method of a class that only its dependency imports is called without an import of it.
    """
    found = {
        reference.target.partition(".")[0]
        for reference in references
        if reference.kind in _LEADING_OUT and not reference.reason
    }
    found -= {_BUILTINS}
    found |= {
        item.module.partition(".")[0]
        for module in modules
        for item in module.parsed.imports
        if not item.level
    }
    return tuple(sorted(name for name in found if name and not names.is_inside(name)))
