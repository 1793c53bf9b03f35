"""All decisions of a target as entries, with what each governs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pydocs_builder.arrange import Draft
from pydocs_builder.changelogs import changelog_entries
from pydocs_builder.decision_records import decision_record, is_decision_record
from pydocs_builder.decisions import FoundDecision, comment, governed, merge, why_sections
from pydocs_builder.documents import Section
from pydocs_builder.mentions import MentionIndex
from pydocs_builder.symbols import Definitions, Module
from pydocs_bundle.records import Entry, Kind

__all__ = ["Document", "decision_drafts", "find_decisions"]


class Document(NamedTuple):
    """A document of a target: its file, its sections, and the draft of the first of them."""

    file: int
    path: str
    text: bytes
    sections: list[Section]
    first: int


def find_decisions(
    documents: Sequence[Document],
    modules: Sequence[Module],
    definitions: Definitions,
    index: MentionIndex,
) -> list[FoundDecision]:
    """Every decision once, records first, then changelogs, sections and comments."""
    records: list[FoundDecision] = []
    entries: list[FoundDecision] = []
    reasons: list[FoundDecision] = []
    for document in documents:
        file, path, text, sections, first = document
        if is_decision_record(path, sections):
            decision = decision_record(file, text, sections)
            governs = governed(text, index)
            records.append(decision._replace(governs=governs, parent=first))
            continue
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
    return merge([*records, *entries, *reasons, *_comments(modules, definitions, index)])


def decision_drafts(
    distribution: str, decisions: Sequence[FoundDecision], paths: Sequence[str]
) -> list[Draft]:
    """A draft for each decision, named by its place."""
    taken: dict[str, int] = {}
    drafts = []
    for decision in decisions:
        name = f"{distribution}#decision:{paths[decision.file]}:{decision.line}"
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
        drafts.append(Draft(entry, decision.quote.encode(), decision.heading, decision.title))
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
