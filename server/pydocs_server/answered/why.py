"""`get_why`: the decisions behind the code, each once, with its source and its own words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, cast

from pydocs_bundle.errors import UsageError
from pydocs_server.mounted import names
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.database import ask
from pydocs_server.mounted.names import Found
from pydocs_server.ranked.hits import Wanted, find_hits
from pydocs_server.ranked.kinds import kinds_of
from pydocs_server.ranked.query import Query, understand
from pydocs_server.ranked.relevance import relevant_hits, telling_terms
from pydocs_server.rendered.answer import DEFAULT_TOKENS, Answer, NotFound, assemble, cut_lines
from pydocs_server.rendered.render import counted, location, one_line, quote, visible

__all__ = ["MOST_TARGETS", "DecisionEntry", "get_why", "governing"]

MOST_TARGETS = 20
_MOST_FROM_QUERY = 12
_CANDIDATES = 60
_QUOTE_TOKENS = 120
_DEEP = 2
_OF_BEST = 0.35
# Who asks why wants a reason; a changelog tells what.
_WEIGHTS = {"adr": 2.0, "proposal": 2.0, "section": 2.0, "comment": 1.5, "commit": 1.5}
_ORIGINS = ("adr", "proposal", "section", "comment", "commit", "changelog")
_COLUMNS = (
    "decision.entry, decision.origin, decision.title, decision.quote, decision.status,"
    " decision.date, decision.label, decision.places, coalesce(decision.successor, -1)"
)
# What a status says of a decision that holds no longer, or never did.
_ENDED = re.compile(
    r"super[sc]ee?d|replaced|obsolete|deprecated|reject|withdrawn|deferred", re.IGNORECASE
)


class DecisionEntry(NamedTuple):
    """One decision of one bundle; `governs` is the name by which it was found to hold.

    `label` is what it is cited by, `places` counts where its words stand, `successor` is the entry
    of the decision that replaces it, or -1.
    """

    bundle: int
    entry: int
    origin: str
    title: str
    quote: str
    status: str
    date: str
    label: str
    places: int
    successor: int
    governs: str = ""

    @property
    def is_current(self) -> bool:
        """Whether nothing has replaced or ended it."""
        return self.successor < 0 and not _ENDED.search(self.status)


def get_why(
    catalog: Catalog, query: str = "", targets: Sequence[str] = (), *, project: str = ""
) -> Answer:
    """The decisions that answer a question, and the ones that govern some symbols.

    Args:
        catalog: what is mounted.
        query: a question in words.
        targets: dotted names whose decisions are wanted; with neither, the projects' own.
        project: one of several mounted projects; empty for all.
    """
    if len(targets) > MOST_TARGETS:
        raise UsageError(f"get_why takes at most {MOST_TARGETS} targets, not {len(targets)}.")
    within = catalog.select(project=project)
    governed, unknown = _of_targets(catalog, targets, within)
    understood = understand(catalog, query) if query.strip() else None
    if understood is not None:
        asked = _of_query(catalog, understood, within)
    else:
        asked = [] if targets else _of_projects(catalog, within)
    decisions = _current_first(catalog, _each_once(_by_question(governed, asked)))
    blocks = [_block(catalog, each) for each in decisions]
    says_something = understood is not None and bool(telling_terms(catalog, understood))
    head = _head(len(decisions), query, targets, says_something=says_something)
    notes = [visible(str(each)) for each in unknown]
    if not decisions:
        notes.append(_elsewhere(query, targets))
    text = assemble(
        "\n".join([head, *notes]),
        blocks,
        lambda left: f"{left} more: ask a narrower question, or read the files that these name.",
        tokens=DEFAULT_TOKENS - 40,
    )
    fitting = sum(1 for block in blocks if block in text)
    structured: dict[str, object] = {
        "decisions": [_structured(catalog, each) for each in decisions[:fitting]],
        "total": len(decisions),
        "left": len(decisions) - fitting,
    }
    if unknown:
        structured["unknown"] = [each.structured() for each in unknown]
    if not decisions:
        structured["next"] = notes[-1]
    return Answer(text, structured)


def governing(catalog: Catalog, found: Found) -> list[DecisionEntry]:
    """The decisions that govern a symbol, what contains it, or its file; the closest first."""
    bundle = catalog.bundles[found.bundle]
    name = found.record.qualified_name
    parts = name.split(".")
    # What is said of a whole package says little of one symbol deep in it.
    outermost = 1 if len(parts) > _DEEP else 0
    holders = [".".join(parts[:length]) for length in range(len(parts), outermost, -1)]
    holders.append(bundle.text.paths[found.record.file])
    marks = ", ".join("?" * len(holders))
    rows = ask(
        bundle,
        f"SELECT {_COLUMNS}, name.text FROM name"  # noqa: S608 - only placeholders are put in
        " JOIN governs ON governs.name = name.id"
        " JOIN decision ON decision.entry = governs.decision"
        f" WHERE name.text IN ({marks})",
        holders,
    )
    decisions = [DecisionEntry(found.bundle, *cast("_Row", row)) for row in rows]
    decisions.sort(key=lambda each: (holders.index(each.governs), _rank(each), each.entry))
    return _each_once(decisions)


_Row = tuple[int, str, str, str, str, str, str, int, int, str]


def _of_targets(
    catalog: Catalog, targets: Sequence[str], within: Sequence[int]
) -> tuple[list[DecisionEntry], list[NotFound]]:
    decisions: list[DecisionEntry] = []
    unknown: list[NotFound] = []
    for target in targets:
        try:
            found = names.require(catalog, target, within)
        except NotFound as error:
            unknown.append(error)
            continue
        for each in found:
            if each.record.qualified_name == found[0].record.qualified_name:
                decisions += governing(catalog, each)
    return decisions, unknown


def _of_query(catalog: Catalog, query: Query, within: Sequence[int]) -> list[DecisionEntry]:
    """The decisions that answer a question; what only shares a word with it is none of them."""
    wanted = Wanted(kinds_of("decision"), tuple(within), _CANDIDATES)
    hits = relevant_hits(catalog, query, find_hits(catalog, query, wanted))
    found = ((hit.score, _decision(catalog, hit.bundle, hit.record.id)) for hit in hits)
    weighed = [
        (score * _WEIGHTS.get(each.origin, 1.0), each) for score, each in found if each is not None
    ]
    weighed.sort(key=lambda one: -one[0])
    best = weighed[0][0] if weighed else 0.0
    return [each for score, each in weighed[:_MOST_FROM_QUERY] if score >= _OF_BEST * best]


def _elsewhere(query: str, targets: Sequence[str]) -> str:
    """Where else reasons stand, as calls to make."""
    words = query.split() or [target.rpartition(".")[2] for target in targets]
    asked = one_line(" ".join(words), 200).replace("\\", " ").replace('"', "'")
    comments = 'grep(pattern="(WHY|NOTE|HACK|DECISION):")'
    if not asked:
        return f"Look for comments: {comments}."
    documents = f'search_codebase(query="{asked}", kind="docs")'
    return f"Look in the documents: {documents}, or for comments: {comments}."


def _of_projects(catalog: Catalog, within: Sequence[int]) -> list[DecisionEntry]:
    """All decisions of the projects, the formal ones first."""
    decisions = [
        DecisionEntry(index, *cast("_Row", row))
        for index in within
        if catalog.is_project(index)
        for row in ask(catalog.bundles[index], f"SELECT {_COLUMNS}, '' FROM decision")  # noqa: S608
    ]
    return sorted(decisions, key=lambda each: (_rank(each), each.bundle, each.entry))


def _rank(each: DecisionEntry) -> int:
    """What was written down as a decision goes before what only tells of one."""
    return _ORIGINS.index(each.origin) if each.origin in _ORIGINS else len(_ORIGINS)


def _decision(catalog: Catalog, bundle: int, entry: int) -> DecisionEntry | None:
    rows = ask(
        catalog.bundles[bundle],
        f"SELECT {_COLUMNS}, '' FROM decision WHERE entry = ?",  # noqa: S608 - a constant
        [entry],
    )
    return DecisionEntry(bundle, *cast("_Row", rows[0])) if rows else None


def _by_question(
    governed: Sequence[DecisionEntry], asked: Sequence[DecisionEntry]
) -> list[DecisionEntry]:
    """What governs goes first, and among it what the question ranked high."""
    ranks = {(each.bundle, each.entry): rank for rank, each in enumerate(asked)}
    ordered = sorted(governed, key=lambda each: ranks.get((each.bundle, each.entry), len(ranks)))
    return [*ordered, *asked]


def _current_first(catalog: Catalog, decisions: Sequence[DecisionEntry]) -> list[DecisionEntry]:
    """What holds now before what was replaced, and what replaced it among the former."""
    everything = list(decisions)
    for each in decisions:
        if each.successor >= 0:
            later = _decision(catalog, each.bundle, each.successor)
            everything += [later] if later is not None else []
    return sorted(_each_once(everything), key=lambda each: not each.is_current)


def _each_once(decisions: Iterable[DecisionEntry]) -> list[DecisionEntry]:
    once: dict[tuple[int, int], DecisionEntry] = {}
    for each in decisions:
        once.setdefault((each.bundle, each.entry), each)
    return list(once.values())


def _head(count: int, query: str, targets: Sequence[str], *, says_something: bool) -> str:
    subject = []
    if query.strip():
        subject.append(f"on {one_line(query)!r}")
    if targets:
        verb = "governs" if count == 1 else "govern"
        subject.append(f"that {verb} {', '.join(one_line(each, 80) for each in targets[:5])}")
    what = " or ".join(subject) or "of the project"
    if count or not says_something:
        return f"{counted(count, 'decision')} {what}."
    return f"None: no recorded decision {what} speaks of most of its words."


def _block(catalog: Catalog, each: DecisionEntry) -> str:
    facts = [f"{each.origin} {one_line(each.label, 40)}".rstrip()]
    facts += [one_line(each.status, 80), one_line(each.date, 40)]
    if each.places > 1:
        facts.append(f"in {each.places} places")
    if each.governs:
        facts.append(f"governs {one_line(each.governs)}")
    shown = cut_lines(each.quote.strip(), _QUOTE_TOKENS)
    more = "\n> …" if shown.left or shown.text != each.quote.strip() else ""
    title = one_line(each.title, 120)
    is_said = title.rstrip("…") in " ".join(shown.text.split())
    said = quote(shown.text if is_said else f"{title}\n{shown.text}")
    later = _decision(catalog, each.bundle, each.successor) if each.successor >= 0 else None
    link = ""
    if later is not None:
        name = " ".join(filter(None, (one_line(later.label, 40), one_line(later.title, 120))))
        link = f"\nReplaced by {name}: {_place(catalog, later)}"
    return f"{_place(catalog, each)} ({', '.join(filter(None, facts))})\n{said}{more}{link}"


def _place(catalog: Catalog, each: DecisionEntry) -> str:
    bundle = catalog.bundles[each.bundle]
    record = bundle.records[each.entry]
    manifest = bundle.manifest
    return location(
        manifest.name, manifest.version, bundle.text.paths[record.file], record.start_line
    )


def _successor(catalog: Catalog, each: DecisionEntry) -> str:
    later = _decision(catalog, each.bundle, each.successor) if each.successor >= 0 else None
    return _place(catalog, later) if later is not None else ""


def _structured(catalog: Catalog, each: DecisionEntry) -> dict[str, object]:
    bundle = catalog.bundles[each.bundle]
    record = bundle.records[each.entry]
    return {
        "title": visible(each.title),
        "origin": visible(each.origin),
        "status": visible(each.status),
        "date": visible(each.date),
        "label": visible(each.label),
        "places": each.places,
        "is_current": each.is_current,
        "replaced_by": _successor(catalog, each),
        "quote": visible(each.quote[: _QUOTE_TOKENS * 4]),
        "governs": visible(each.governs),
        "qualified_name": visible(record.qualified_name),
        "package": visible(bundle.manifest.name),
        "version": visible(bundle.manifest.version),
        "path": visible(bundle.text.paths[record.file]),
        "start_line": record.start_line,
        "end_line": record.end_line,
        "address": _place(catalog, each),
    }
