"""All decisions of a target as entries, with what each governs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pydocs_builder.decided.changelogs import changelog_entries
from pydocs_builder.decided.commits import commit_decisions
from pydocs_builder.decided.decision_records import decision_record, is_decision_record
from pydocs_builder.decided.decisions import FoundDecision, comment, governed, merge, why_sections
from pydocs_builder.decided.docstring_reasons import docstring_reasons
from pydocs_builder.decided.history import COMMITS_PATH
from pydocs_builder.decided.proposals import is_proposal, proposal
from pydocs_builder.decided.successors import link_successors
from pydocs_builder.documented.documents import Section
from pydocs_builder.extracted.arrange import Draft
from pydocs_builder.extracted.symbols import Definitions, Module
from pydocs_builder.resolved.mentions import MentionIndex
from pydocs_bundle.records import Entry, Kind, SourceFile

__all__ = ["Document", "decision_drafts", "find_decisions"]


class Document(NamedTuple):
    """A document of a target: its file, its sections, and the draft of the first of them."""

    file: int
    path: str
    text: bytes
    sections: list[Section]
    first: int


def find_decisions(
    files: Sequence[SourceFile],
    documents: Sequence[Document],
    modules: Sequence[Module],
    definitions: Definitions,
    index: MentionIndex,
) -> list[FoundDecision]:
    """Every decision once: records, proposals, changelogs, sections, comments, then commits."""
    records: list[FoundDecision] = []
    entries: list[FoundDecision] = []
    reasons: list[FoundDecision] = []
    for document in documents:
        file, path, text, sections, first = document
        if is_decision_record(path, sections):
            decision = decision_record(file, path, text, sections)
            governs = governed(text, index)
            records.append(decision._replace(governs=governs, parent=first))
            continue
        if is_proposal(path, sections):
            decision = proposal(file, path, text, sections)
            governs = governed(text, index)
            records.append(decision._replace(governs=governs, parent=first))
        changes = changelog_entries(file, path, text, sections)
        told = {number for _, number in changes}
        entries += _placed(changes, document, index)
        reasons += _placed(
            [
                (found, number)
                for found, number in why_sections(file, sections)
                if number not in told
            ],
            document,
            index,
        )
    comments = _comments(modules, definitions, index)
    noted = _noted(modules, definitions, index)
    found = merge([*records, *entries, *reasons, *comments, *noted, *_commits(files, index)])
    return link_successors(found, [file.path for file in files])


def decision_drafts(
    distribution: str, decisions: Sequence[FoundDecision], files: Sequence[SourceFile]
) -> list[Draft]:
    """A draft for each decision, named by its place."""
    taken: dict[str, int] = {}
    drafts = []
    for decision in decisions:
        name = f"{distribution}#decision:{files[decision.file].path}:{decision.line}"
        count = taken[name] = taken.get(name, 0) + 1
        entry = Entry(
            name if count == 1 else f"{name} ({count})",
            Kind.DECISION,
            decision.file,
            decision.start,
            decision.end,
            decision.line,
            decision.end_line,
            summary=decision.title,
            parent=decision.parent,
        )
        # What a record decides is found by its context too, of which the quote has nothing.
        is_whole = decision.origin in {"adr", "proposal"}
        text = files[decision.file].text if is_whole else decision.quote.encode()
        drafts.append(Draft(entry, text, decision.heading, decision.title))
    return drafts


def _placed(
    found: Sequence[tuple[FoundDecision, int]], document: Document, index: MentionIndex
) -> list[FoundDecision]:
    return [
        decision._replace(
            governs=governed(decision.quote.encode(), index), parent=document.first + number
        )
        for decision, number in found
    ]


def _commits(files: Sequence[SourceFile], index: MentionIndex) -> list[FoundDecision]:
    found = []
    for number, file in enumerate(files):
        if file.path == COMMITS_PATH:
            paths = {each.path for each in files}
            for decision, touched in commit_decisions(number, file.text):
                kept = [path for path in touched if path in paths]
                governs = governed(decision.quote.encode(), index, kept)
                found.append(decision._replace(governs=governs))
    return found


def _noted(
    modules: Sequence[Module], definitions: Definitions, index: MentionIndex
) -> list[FoundDecision]:
    """The reasons in docstrings: they govern the symbol that they document."""
    found = []
    for decision, draft in docstring_reasons(modules, definitions):
        around = definitions.drafts[draft].qualified_name
        governs = governed(decision.quote.encode(), index, [around])
        found.append(decision._replace(governs=governs, parent=draft))
    return found


def _comments(
    modules: Sequence[Module], definitions: Definitions, index: MentionIndex
) -> list[FoundDecision]:
    found = []
    for number, module in enumerate(modules):
        for mark in module.parsed.marks:
            draft = definitions.owners[number][mark.scope]
            decision = comment(
                mark.word,
                module.text,
                module.file,
                (mark.start, mark.end),
                (mark.line, mark.end_line),
            )
            if decision is not None:
                around = definitions.drafts[draft].qualified_name
                governs = governed(decision.quote.encode(), index, [around])
                found.append(decision._replace(governs=governs, parent=draft))
    return sorted(found, key=lambda decision: (decision.file, decision.start))
