"""From a question to the sections of documentation collections that answer it, best first.

The statistics are those of the collections that are asked, whatever else is mounted. A section
counts only if it holds enough of what the question is about, so that a question which is not
answered gets none.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from pydocs_bundle import Record
from pydocs_bundle.records import Flag, Kind
from pydocs_native import Postings, analyze
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.ranked.kinds import kind_mask
from pydocs_server.ranked.questions import Word, words_of

__all__ = ["FINDING", "Finding", "Part", "Section", "find_sections", "part_text"]


class Finding(NamedTuple):
    """The numbers of finding sections; weights are in the order of the postings' fields.

    `enough` is the share of a question, weighed by how much each word tells, that a section has to
    hold. A word counts whole in the headings or the path, `often` in a text that has it twice or
    more, `once` in one that has it once: to mention is not to answer. Beyond the `least` of them,
    sections are left out whose score is below the share `beside_best` of the best one's, and parts
    below `part_beside_best` of the best of their section. The others are factors.
    """

    weights: tuple[float, ...] = (4.0, 0.0, 0.0, 0.0, 1.0, 0.5, 2.0)
    enough: float = 0.44
    often: float = 0.8
    once: float = 0.6
    least: int = 3
    beside_best: float = 0.4
    part_beside_best: float = 0.5
    changelog: float = 0.6
    test: float = 0.5
    candidates: int = 60


FINDING: Final = Finding()
"""The numbers in use."""

_KINDS: Final = kind_mask(frozenset({int(Kind.SECTION), int(Kind.CELL)}))
_CHANGELOG: Final = re.compile(
    r"(?:^|[/_-])(?:change-?logs?|changes|history|news|release[-_ ]?notes|releases|what-?s-?new)\b",
    re.IGNORECASE,
)
_HISTORY: Final = re.compile(
    r"\b(?:change-?log|deprecat|release|since|upgrad|version|when)|\bnew in\b|\d\.\d", re.IGNORECASE
)
_LONGEST: Final = 200_000
_RULE: Final = re.compile(r"\W*")
_MARK: Final = re.compile(
    r"\s*(?:#{1,6}\s|\.\. _[^:]+:\s*$|\.\. (?:currentmodule|module|py:module)::)"
)


class Part(NamedTuple):
    """A part of a section as it stands in the bundle, with its text."""

    record: Record
    text: str


class Section(NamedTuple):
    """A section that was found: those of its parts that were, in file order.

    `coverage` is the share of the question that it holds.
    """

    bundle: int
    parts: tuple[Part, ...]
    score: float
    coverage: float


class _Scored(NamedTuple):
    part: Part
    score: float
    held: tuple[float, ...]


class _Asked(NamedTuple):
    words: list[Word]
    total: float
    is_history: bool
    numbers: Finding


def find_sections(
    catalog: Catalog,
    question: str,
    bundles: Sequence[int],
    layer: str = "",
    numbers: Finding = FINDING,
) -> list[Section]:
    """The sections that answer a question, best first; none if none does.

    Args:
        catalog: what is mounted.
        question: in words.
        bundles: the collections that are asked.
        layer: only files in this layer; empty: all.
        numbers: the numbers of finding.
    """
    postings = Postings([catalog.bundles[bundle].postings for bundle in bundles])
    documents = sum(postings.document_counts())
    words = words_of(question, postings, documents)
    total = sum(word.weight for word in words)
    heavy = [word for word in words if not word.is_light] or words
    terms = list(dict.fromkeys(term for word in heavy for term in word.terms))
    if not terms or not total:
        return []
    limit = documents if layer else numbers.candidates
    asked = _Asked(words, total, bool(_HISTORY.search(question)), numbers)
    found: dict[tuple[int, int, str], list[_Scored]] = {}
    count = 0
    for score, section, document in postings.search(terms, numbers.weights, limit, kinds=_KINDS):
        bundle = bundles[section]
        record = catalog.bundles[bundle].records[document]
        if layer and catalog.bundles[bundle].text.layer(record.file) != layer:
            continue
        scored = _scored(catalog, bundle, record, score, asked)
        if scored is not None:
            own = (bundle, *_own_section(catalog, bundle, record))
            found.setdefault(own, []).append(scored)
            count += 1
        if count == numbers.candidates:
            break
    sections = [_section(own[0], scored, total, numbers) for own, scored in found.items()]
    sections.sort(key=lambda one: (-one.score, one.bundle, one.parts[0].record.id))
    enough = [one for one in sections if one.coverage >= numbers.enough]
    near = [
        one
        for place, one in enumerate(enough)
        if place < numbers.least or one.score >= enough[0].score * numbers.beside_best
    ]
    # Documents of several versions lie side by side, and say most things in the same words.
    once: dict[tuple[str, ...], Section] = {}
    for one in near:
        once.setdefault(tuple(part.text for part in one.parts), one)
    return list(once.values())


def part_text(catalog: Catalog, bundle: int, record: Record) -> str:
    """The text of a part: the lines of a file, or the source of a notebook's cell."""
    # Builders cut sections; a bundle of another origin may hold one without end.
    end = min(record.end, record.start + _LONGEST)
    span = catalog.bundles[bundle].text.slice(record.file, record.start, end)
    text = span.decode("utf-8", "replace")
    if record.kind != Kind.CELL:
        return text
    try:
        cell = json.loads(text)
    except (ValueError, RecursionError):
        return text
    source = cell.get("source", cell.get("input", "")) if isinstance(cell, dict) else ""
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))


def _own_section(catalog: Catalog, bundle: int, record: Record) -> tuple[int, str]:
    """What the parts of one section have in common: its first part, or the cells' headings."""
    if record.kind == Kind.CELL:
        return (record.file, f"cells: {record.signature}")
    if record.parent >= 0:
        parent = catalog.bundles[bundle].records[record.parent]
        if parent.signature == record.signature and parent.file == record.file:
            return (parent.id, "")
    return (record.id, "")


def _section(bundle: int, scored: Sequence[_Scored], total: float, numbers: Finding) -> Section:
    """A section of those of its parts that say nearly as much as the best of them."""
    best = max(scored, key=lambda one: one.score)
    least = best.score * numbers.part_beside_best
    kept = sorted((one for one in scored if one.score >= least), key=lambda one: one.part.record.id)
    # What one part does not hold of the question, another one may.
    held = sum(map(max, zip(*(one.held for one in kept), strict=True)))
    return Section(bundle, tuple(one.part for one in kept), best.score, held / total)


def _scored(
    catalog: Catalog, bundle: int, record: Record, score: float, asked: _Asked
) -> _Scored | None:
    """A part with what it is worth; None if there is nothing to read below its heading."""
    text = part_text(catalog, bundle, record)
    part = Part(record, text)
    if not _has_body(part):
        return None
    path = catalog.bundles[bundle].text.paths[record.file]
    headings = frozenset(analyze(f"{path.replace('/', ' ')} {record.signature}"))
    held = _held(asked, headings, Counter(analyze(text)))
    factor = sum(held) / asked.total
    if record.flags & Flag.TEST:
        factor *= asked.numbers.test
    if not asked.is_history and _CHANGELOG.search(path):
        factor *= asked.numbers.changelog
    return _Scored(part, score * factor, held)


def _held(asked: _Asked, headings: frozenset[str], text: Mapping[str, int]) -> tuple[float, ...]:
    """How much of each word of the question a part holds."""
    numbers = asked.numbers
    held: list[float] = []
    for word in asked.words:
        count = sum(text.get(term, 0) for term in word.terms)
        share = numbers.often if count > 1 else numbers.once if count else 0.0
        held.append(word.weight * (share if headings.isdisjoint(word.terms) else 1.0))
    return tuple(held)


def _has_body(part: Part) -> bool:
    """Whether there is anything below the heading: who reads only a title learns nothing."""
    title = part.record.signature.rpartition(" > ")[2]
    return any(
        not _RULE.fullmatch(line) and not _MARK.match(line) and line.strip() != title
        for line in part.text.split("\n")
    )
