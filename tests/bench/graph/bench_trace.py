"""Which calls real programs make, and how many of them the graph of their bundles has.

A workload of workloads/ uses each package while its calls are traced in a child process: what an
expression calls (explicit), and what the interpreter or C code calls for it (implicit). Counted
are distinct places and callees that mounted bundles have. A call is found if an edge on its line
leads to the callee, to the class it constructs, or to what a wrapper wraps; *with overrides* also
if the callee overrides where an edge leads. A predicted site *ran elsewhere* if edges begin just
there and none of them leads to what was called.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, cast

from built import HERE, PACKAGES, build, installed
from measure import table

from pydocs_bundle.records import Kind, ReferenceKind
from pydocs_server.mounted.edges import Edge, Graph, Symbol
from pydocs_server.mounted.mount import mount
from pydocs_server.mounted.overrides import may_run

Call = tuple[str, int, int, list[str]]
Implicit = tuple[str, int, str, str]

KINDS = [int(kind) for kind in ReferenceKind if kind.name in ("CALL", "DECORATE", "READ", "WRITE")]
SHOWN = 40


class Traced(NamedTuple):
    """The calls that one workload made."""

    explicit: list[Call]
    implicit: list[Implicit]


class Counts(NamedTuple):
    """What was found of the calls of one workload."""

    explicit: int
    explicit_found: int
    explicit_may: int
    implicit: int
    implicit_found: int
    implicit_may: int
    sites: int
    elsewhere: int
    elsewhere_may: int


class Predicted:
    """The edges of one bundle by place, with what they lead to.

    Args:
        graph: the graph over everything mounted.
        bundle: the number of the bundle.
    """

    def __init__(self, graph: Graph, bundle: int) -> None:
        self.graph = graph
        self.bundle = bundle
        self._may: dict[Edge, frozenset[Symbol]] = {}

    @cached_property
    def by_line(self) -> Mapping[tuple[str, int], list[Edge]]:
        """The resolved edges of each line."""
        paths = self.graph.catalog.bundles[self.bundle].text.paths
        question = (
            'SELECT source, kind, name.text, file, line, "column", tier FROM reference'  # noqa: S608 # our own numbers
            " JOIN name ON name.id = target WHERE reason IS NULL"
            f" AND kind IN ({', '.join(map(str, KINDS))})"
        )
        found: dict[tuple[str, int], list[Edge]] = defaultdict(list)
        for row in self.graph.rows(self.bundle, question):
            source, kind, target, file, line, column, tier = cast(
                "tuple[int, int, str, int, int, int, str]", row
            )
            symbol = Symbol(self.bundle, source)
            edge = Edge(symbol, ReferenceKind(kind), target, file, line, column, tier, "")
            found[paths[file], line].append(edge)
        return found

    def certain(self, edges: Iterable[Edge]) -> set[Symbol]:
        """What edges lead to."""
        return {one for edge in edges for one in self.graph.resolve(edge.target, self.bundle)}

    def may(self, edges: Iterable[Edge]) -> set[Symbol]:
        """What overrides where edges lead to."""
        found: set[Symbol] = set()
        for edge in edges:
            if edge not in self._may:
                self._may[edge] = frozenset(
                    Symbol(one.bundle, one.record.id)
                    for symbol in self.graph.resolve(edge.target, self.bundle)
                    for one in may_run(self.graph, edge, self.graph.found(symbol))
                )
            found |= self._may[edge]
        return found

    def meant(self, names: Iterable[str]) -> set[Symbol]:
        """The symbols of traced names."""
        return {one for name in names for one in self.graph.resolve(name, self.bundle)}


def main() -> None:
    """Traces all workloads and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cache", type=Path, help="folder for environments, kept between runs")
    parser.add_argument("--only", nargs="*", default=list(PACKAGES), help="packages to trace")
    parser.add_argument("--build", nargs="*", default=[], help="options for pydocs-build")
    parser.add_argument(
        "--show", action="store_true", help="print what was missed or went elsewhere"
    )
    parser.add_argument("--json", type=Path, help="write figures and missed calls here too")
    options = parser.parse_args()
    cache = options.cache.resolve()
    python = installed(cache)
    words = [f"--{word}" for word in options.build]
    results: dict[str, Counts] = {}
    told: dict[str, list[str]] = {}
    with mount([str(build(cache, python, *words))]) as catalog:
        for name in options.only:
            bundle = catalog.package(PACKAGES[name])[0]
            predicted = Predicted(Graph(catalog), bundle)
            told[name] = []
            results[name] = compare(predicted, traced(python, name), told[name])
    report(results)
    if options.show:
        for name, lines in told.items():
            print(f"\n{name}:", *sorted(lines), sep="\n")
    if options.json:
        figures = {name: {**one._asdict(), "missed": told[name]} for name, one in results.items()}
        options.json.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")


def traced(python: Path, package: str) -> Traced:
    """The calls that the workload of a package makes."""
    command = [str(python), str(HERE / "trace_child.py"), f"use_{package}", package]
    # Compiled twins of Python modules cannot be traced.
    env = {**os.environ, "DISABLE_SQLALCHEMY_CEXT_RUNTIME": "1", "PYTHONHASHSEED": "0"}
    env.pop("PYTHONPATH", None)
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"The workload of {package} failed: {done.stderr[-800:]}")
    calls = json.loads(done.stdout)
    return Traced(
        [cast("Call", tuple(one)) for one in calls["explicit"]],
        [cast("Implicit", tuple(one)) for one in calls["implicit"]],
    )


def compare(predicted: Predicted, calls: Traced, told: list[str]) -> Counts:
    """The counts of one package; `told` gets a line of text for each call that was missed."""
    counted: Counter[str] = Counter()
    called: dict[tuple[str, int, int], set[Symbol]] = defaultdict(set)
    for path, line, column, names in calls.explicit:
        meant = predicted.meant(names)
        if not meant:
            continue
        called[path, line, column] |= meant
        note(predicted, counted, "explicit", (path, line), meant, (" ".join(names), told))
    for path, line, _, callee in calls.implicit:
        if meant := predicted.meant([callee]):
            note(predicted, counted, "implicit", (path, line), meant, (callee, told))
    for (path, line, column), meant in called.items():
        edges = [one for one in predicted.by_line.get((path, line), ()) if one.column == column]
        # An edge to an attribute says by which name something is called, not what.
        graph = predicted.graph
        reached = {
            one for one in predicted.certain(edges) if graph.record(one).kind != Kind.ATTRIBUTE
        }
        if not reached:
            continue
        counted["sites"] += 1
        if reached.isdisjoint(meant):
            counted["elsewhere"] += 1
            is_override = not predicted.may(edges).isdisjoint(meant)
            counted["elsewhere_may"] += not is_override
            if not is_override:
                shown = " ".join(sorted({edge.target for edge in edges}))
                told.append(f"elsewhere {path}:{line}: predicted {shown}")
    return Counts(*(counted[name] for name in Counts._fields))


def note(
    predicted: Predicted,
    counted: Counter[str],
    sort: str,
    place: tuple[str, int],
    meant: set[Symbol],
    said: tuple[str, list[str]],
) -> None:
    """Counts one call."""
    edges = predicted.by_line.get(place, ())
    is_found = not predicted.certain(edges).isdisjoint(meant)
    is_may = is_found or not predicted.may(edges).isdisjoint(meant)
    counted[sort] += 1
    counted[f"{sort}_found"] += is_found
    counted[f"{sort}_may"] += is_may
    if not is_may:
        name, told = said
        told.append(f"{sort} {place[0]}:{place[1]}: {name}")


def report(results: Mapping[str, Counts]) -> None:
    """Prints the shares."""
    rows: list[Sequence[object]] = [
        (
            *("package", "calls", "recall", "with overrides"),
            *("explicit", "recall", "with overrides"),
            *("sites", "elsewhere", "with overrides"),
        )
    ]
    for name, one in results.items():
        every = one.explicit + one.implicit
        rows.append(
            (
                *(name, every, share(one.explicit_found + one.implicit_found, every)),
                share(one.explicit_may + one.implicit_may, every),
                *(one.explicit, share(one.explicit_found, one.explicit)),
                share(one.explicit_may, one.explicit),
                *(one.sites, share(one.elsewhere, one.sites)),
                share(one.elsewhere_may, one.sites),
            )
        )
    print(table(rows))


def share(part: int, whole: int) -> float:
    """A part of a whole; 1 of nothing."""
    return part / whole if whole else 1.0


if __name__ == "__main__":
    main()
