"""Small programs with their true edges: precision and recall by group and tier.

Each program of micro/ is built as a project and its edges are compared with those written by hand,
which a run of the program is held against first. Counted are calls, decorators, and reads and
writes of properties; `micro.py` says what counts as whose. An edge to a variable says what is
called by name, not by which function, and counts neither way.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from measure import table
from micro import CONSTRUCTORS, UNSEEN, Edge, Program, canonical, faults, programs, show

from pydocs_builder.checked.checker import Limits, find_checker
from pydocs_builder.checked.reports import ReportPlace, open_reports
from pydocs_builder.content import build_content
from pydocs_builder.resolved.lineage import linearised
from pydocs_builder.targets import Checking, Target, Viewed
from pydocs_bundle.records import BundleContent, Entry, Flag, Kind, Reference, ReferenceKind

# Exact edges replace syntactic ones at the same place, so the syntactic tier is built by itself.
TIERS = ("syntactic", "exact", "joined", "may")
CALLS = (ReferenceKind.CALL, ReferenceKind.DECORATE)


class Score(NamedTuple):
    """How many edges were true, found wrongly, and missed."""

    right: int = 0
    wrong: int = 0
    missing: int = 0

    def plus(self, other: Score) -> Score:
        """The sum of two."""
        return Score(*(mine + more for mine, more in zip(self, other, strict=True)))

    @property
    def precision(self) -> float:
        """The share of found edges that are true; 1 where none was found."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        """The share of true edges that were found."""
        return self.right / (self.right + self.missing) if self.right + self.missing else 1.0


def main() -> None:
    """Checks the edges, builds all programs, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=(), help="groups, or group/program")
    parser.add_argument("--tier", choices=TIERS, default="joined", help="which --show is about")
    parser.add_argument("--show", action="store_true", help="print wrong and missing edges")
    parser.add_argument("--json", type=Path, help="write figures and edges here too")
    options = parser.parse_args()
    found = [one for one in programs() if is_wanted(one, options.only)]
    if problems := list(faults(found)):
        sys.exit("\n".join(problems))
    print(f"{len(found)} programs; their runs make {sum(len(one.made) for one in found)} edges.")
    results = measured(found)
    groups = [*sorted({one.group for one in found} - {UNSEEN}), UNSEEN]
    scores = {
        group: {
            tier: total(
                scored(p, r[tier]) for p, r in zip(found, results, strict=True) if p.group == group
            )
            for tier in TIERS
        }
        for group in groups
    }
    seen = groups[:-1]
    scores["all"] = {tier: total(scores[group][tier] for group in seen) for tier in TIERS}
    scores[UNSEEN] = scores.pop(UNSEEN)
    rows: list[list[object]] = [
        ["group", "programs", "edges", *(f"{tier} {word}" for tier in TIERS for word in "PR")]
    ]
    for group, by_tier in scores.items():
        of = seen if group == "all" else [group]
        count = sum(one.group in of for one in found)
        edges_ = by_tier["joined"].right + by_tier["joined"].missing
        shares = [share for one in by_tier.values() for share in (one.precision, one.recall)]
        rows.append([group, count, edges_, *shares])
    print(table(rows))
    differences = [
        {
            "program": f"{one.group}/{one.name}",
            "tier": tier,
            "wrong": [show(edge) for edge in sorted(wrong(one, result[tier]))],
            "missing": [show(edge) for edge in sorted(missing(one, result[tier]))],
        }
        for one, result in zip(found, results, strict=True)
        for tier in TIERS
    ]
    if options.show:
        told(differences, options.tier)
    if options.json:
        figures_ = {
            group: {
                tier: {**one._asdict(), "precision": one.precision, "recall": one.recall}
                for tier, one in by_tier.items()
            }
            for group, by_tier in scores.items()
        }
        options.json.write_text(
            json.dumps({"groups": figures_, "differences": differences}, indent=1) + "\n", "utf-8"
        )


def is_wanted(one: Program, only: Sequence[str]) -> bool:
    """Whether a program is among those to look at."""
    return not only or one.group in only or f"{one.group}/{one.name}" in only


def measured(found: Sequence[Program]) -> list[dict[str, frozenset[Edge]]]:
    """The edges that each tier finds in each program; one run of the type checker for all."""
    with TemporaryDirectory() as name, ExitStack() as stack:
        targets = [written(one, Path(name) / str(at), str(at)) for at, one in enumerate(found)]
        views = [viewed(target) for target in targets]
        sized = [(target, 0) for target in targets]
        checker = find_checker()
        reports = stack.enter_context(open_reports(sized, views, checker, Limits(2), None))
        return [
            tiers(target, reports[view.key]) for target, view in zip(targets, views, strict=True)
        ]


def written(one: Program, folder: Path, key: str) -> Target:
    """A program as a target, its files written into a folder."""
    for path, text in one.files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    files = tuple(sorted(one.files))
    tops = tuple(sorted({path.partition("/")[0].removesuffix(".py") for path in files}))
    checking = Checking(key)
    return Target(
        "project", "program", "1", str(folder), files, tops, python="3.11", checking=checking
    )


def viewed(target: Target) -> Viewed:
    """A program as the type checker sees it."""
    assert target.checking is not None
    parts = tuple(sorted({path.partition("/")[0] for path in target.files}))
    return Viewed(target.checking.key, target.root, ("",), parts, (), "")


def tiers(target: Target, report: ReportPlace) -> dict[str, frozenset[Edge]]:
    """The edges that each tier finds in one program."""
    alone, joined = build_content(target)[0], build_content(target, (), report)[0]
    exact = [reference for reference in joined.references if reference.tier == "exact"]
    found = {
        "syntactic": frozenset(edges(alone, alone.references)),
        "exact": frozenset(edges(joined, exact)),
        "joined": frozenset(edges(joined, joined.references)),
    }
    return found | {"may": found["joined"] | may(joined, found["joined"])}


def may(content: BundleContent, found: frozenset[Edge]) -> frozenset[Edge]:
    """The same calls to what overrides their callees."""
    below: dict[str, set[str]] = {}
    for one in content.references:
        if one.kind is ReferenceKind.OVERRIDE:
            below.setdefault(one.target, set()).add(content.entries[one.source].qualified_name)
    more = {(caller, over) for caller, callee in found for over in below.get(callee, ())}
    return frozenset(more | may(content, frozenset(more))) if more - found else frozenset(more)


def edges(content: BundleContent, references: Iterable[Reference]) -> Iterator[Edge]:
    """The resolved calls among the references of a content, as the files of micro/ have them."""
    entries = content.entries
    constructors = constructors_of(content)
    kinds = {entry.qualified_name: entry.kind for entry in reversed(entries)}
    for one in references:
        if one.reason or not is_call(one, kinds):
            continue
        source = entries[one.source]
        # A property is defined by each of its functions in turn.
        is_above = one.line < source.start_line + len(source.decorators)
        is_above = is_above or source.kind is Kind.PROPERTY
        if one.kind is ReferenceKind.DECORATE and is_above and source.parent >= 0:
            # A bundle has the edge at what is decorated; what runs is the code around it.
            source = entries[source.parent]
        target = one.target
        if (made := target.removesuffix(".__init__")) != target and made in constructors:
            target = made
        for name in constructors.get(target, (target,)):
            yield source.qualified_name, canonical(name)


def is_call(one: Reference, kinds: Mapping[str, Kind]) -> bool:
    """Whether an edge says that a function or class is called."""
    kind = kinds.get(one.target)
    if one.kind.name in ("READ", "WRITE"):
        return kind is Kind.PROPERTY
    return one.kind in CALLS and kind not in (Kind.ATTRIBUTE, Kind.MODULE)


def constructors_of(content: BundleContent) -> dict[str, list[str]]:
    """For each class what a call of it calls: the constructors that the program defines, or it."""
    entries = {entry.qualified_name: entry for entry in content.entries}
    written = {name for name, entry in entries.items() if not entry.flags & Flag.GENERATED}
    found: dict[str, list[str]] = {}
    for name, entry in entries.items():
        if entry.kind is Kind.CLASS:
            made = [
                next(
                    (
                        f"{base}.{last}"
                        for base in order(name, entries)
                        if f"{base}.{last}" in written
                    ),
                    "",
                )
                for last in CONSTRUCTORS
            ]
            found[name] = list(filter(None, made)) or [name]
    return found


def order(name: str, entries: Mapping[str, Entry]) -> list[str]:
    """The method resolution order of a class of the program."""
    bases = entries[name].bases if name in entries else ()
    return [name, *linearised([*(order(base, entries) for base in bases), list(bases)])]


def wrong(one: Program, found: frozenset[Edge]) -> frozenset[Edge]:
    """The edges that are not true."""
    return found - one.made - one.possible - one.open


def missing(one: Program, found: frozenset[Edge]) -> frozenset[Edge]:
    """The true edges that were not found."""
    return (one.made | one.possible) - found


def scored(one: Program, found: frozenset[Edge]) -> Score:
    """The counts of one program."""
    right = (one.made | one.possible) & found
    return Score(len(right), len(wrong(one, found)), len(missing(one, found)))


def total(scores: Iterable[Score]) -> Score:
    """The sum of all."""
    result = Score()
    for score in scores:
        result = result.plus(score)
    return result


def told(differences: Sequence[Mapping[str, object]], tier: str) -> None:
    """Prints what one tier found wrongly and missed."""
    for one in differences:
        if one["tier"] == tier:
            for word in ("wrong", "missing"):
                edges_ = one[word]
                for edge in edges_ if isinstance(edges_, list) else []:
                    print(f"{word:8}{one['program']}: {edge}")


if __name__ == "__main__":
    main()
