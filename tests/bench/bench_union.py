"""Ranks over the union of real packages, beside one merged FTS5 index of the same tokens.

The packages of packages.txt are built, mounted and asked 200 questions: people's questions, first
lines of docstrings, and identifiers. Ten results must equal the merged index's, whatever it costs.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from environments import HERE, environment, ours, project
from measure import folder_bytes, run, table
from merged import MergedIndex

from pydocs_builder.config import BuildConfig
from pydocs_builder.content import build_content
from pydocs_builder.planned.plan import make_plan
from pydocs_bundle.records import IndexText
from pydocs_native import analyze
from pydocs_server.answered.search import search_codebase
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount
from pydocs_server.mounted.spelling import normalised
from pydocs_server.ranked.query import understand
from pydocs_server.ranked.rank import RANKING, weights

QUERIES = 200
COLD_RUNS = 9
NO_FIELD_B = (0, 0, 0)  # with this and b = 0.75, our scores are those of FTS5
REPEATS = 3
LONG = 5


def main() -> None:
    """Builds, mounts, compares, and prints tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cache", type=Path, help="folder for environments, kept between runs")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    options = parser.parse_args()
    cache = options.cache.resolve()

    pins = HERE / "packages.txt"
    python = environment(cache / "union", pins, "--no-deps")
    wanted = project(cache / "union-project", pins)
    bundles = cache / "union-bundles"
    command = [ours("pydocs-build"), wanted, "--out", bundles, "--python", python, "--quiet"]
    built = run(command, stdout=subprocess.DEVNULL)
    mounting = [cpu_ms(lambda: mount([str(bundles)]).postings) for _ in range(COLD_RUNS)]
    with mount([str(bundles)]) as catalog:
        queries = questions(catalog)
        merged = MergedIndex(indexed(catalog, wanted, python))
        equal, difference = compare(catalog, merged, queries)
        costs = measure(catalog, merged, queries)
        documents = sum(catalog.postings.document_counts())
        count = len(catalog.bundles)
    cold = [
        run([ours("pydocs-mcp"), "search", query, "--bundle", bundles], stdout=subprocess.DEVNULL)
        for query in queries[:COLD_RUNS]
    ]

    result = {
        "packages": count,
        "documents": documents,
        "bundles_mb": folder_bytes(bundles, "*.pdx") / 1e6,
        "build_cpu_s": built.cpu_s,
        "queries": len(queries),
        "equal_lists": equal,
        "largest_score_difference": difference,
        "mount_ms": statistics.median(mounting),
        "cold_search_cpu_s": statistics.median(usage.cpu_s for usage in cold),
        "cold_search_wall_s": statistics.median(usage.wall_s for usage in cold),
        "cold_search_mib": statistics.median(usage.largest_mib for usage in cold),
        "cpu_ms": costs,
    }
    print(
        table([("", "value"), *((key, value) for key, value in result.items() if key != "cpu_ms")])
    )
    print()
    heading = ("CPU ms per query", "p50", "p95", "max")
    print(table([heading, *((name, *row.values()) for name, row in costs.items())]))
    if options.json:
        options.json.write_text(json.dumps(result, indent=2) + "\n", "utf-8")
    sys.exit(0 if equal == len(queries) else 1)


def questions(catalog: Catalog) -> list[str]:
    """A third each of questions, docstring lines and identifiers, spread over what is mounted."""
    asked = (HERE / "questions.txt").read_text("utf-8").splitlines()
    records = [
        bundle.records[number]
        for bundle in catalog.bundles
        for number in range(0, bundle.records.docs, max(1, bundle.records.docs // 20))
    ]
    lines = sorted({r.summary for r in records if len(r.summary.split()) > 3})
    names = sorted({r.qualified_name for r in records if "#" not in r.qualified_name})
    rest = QUERIES - len(asked)
    return asked + spread(lines, rest // 2) + spread(names, rest - rest // 2)


def spread(values: Sequence[str], count: int) -> list[str]:
    """So many of the values, evenly."""
    return [values[index * len(values) // count] for index in range(count)]


def indexed(catalog: Catalog, wanted: Path, python: Path) -> list[tuple[IndexText, ...]]:
    """What the builder gave the postings of each bundle, in the order of the catalog."""
    plan = make_plan(BuildConfig(wanted, wanted, str(python)))
    tasks = [plan.project, *plan.dependencies]
    targets = [task.target for task in tasks if task is not None]
    by_pin = {(normalised(target.name), target.version): target for target in targets}
    pins = [(normalised(b.manifest.name), b.manifest.version) for b in catalog.bundles]
    return [build_content(by_pin[pin])[0].texts for pin in pins]


def compare(catalog: Catalog, merged: MergedIndex, queries: Sequence[str]) -> tuple[int, float]:
    """How many lists of ten are equal, and the largest difference of two scores."""
    equal = 0
    difference = 0.0
    for text in queries:
        query = understand(catalog, text)
        fields = weights(query, RANKING)
        found = catalog.postings.search(query.terms, fields, 40, b=0.75, field_b=NO_FIELD_B)
        # Scores that differ by rounding alone count as tied, on both sides alike.
        ours_ = sorted(found, key=lambda hit: (-round(hit[0], 9), hit[1:]))[:10]
        theirs = merged.best(query.terms, fields)
        equal += [hit[1:] for hit in ours_] == [row for _, row in theirs]
        for (score, *_), (other, _) in zip(ours_, theirs, strict=False):
            difference = max(difference, abs(score - other))
    return equal, difference


def measure(
    catalog: Catalog, merged: MergedIndex, queries: Sequence[str]
) -> dict[str, dict[str, float]]:
    """CPU per query: our postings, the whole answer, and merged FTS5 for the same ten."""
    understood = [understand(catalog, text) for text in queries]
    asked = [(query.terms, weights(query, RANKING)) for query in understood]
    words = [
        tuple(dict.fromkeys(analyze(" ".join(queries[start : start + LONG]))))
        for start in range(0, len(queries), LONG)
    ]
    long = [(terms, RANKING.sentence_weights) for terms in words]
    return {
        "postings": spread_of([best(partial(catalog.postings.search, *a, 10)) for a in asked]),
        f"postings, {LONG} queries as one": spread_of(
            [best(partial(catalog.postings.search, *a, 10)) for a in long]
        ),
        "merged FTS5": spread_of([best(partial(merged.search, *a)) for a in asked]),
        "whole answer": spread_of([best(partial(search_codebase, catalog, q)) for q in queries]),
    }


def best(act: Callable[[], object]) -> float:
    """The least CPU of a few runs, in milliseconds: the rest is the machine's other work."""
    return min(cpu_ms(act) for _ in range(REPEATS))


def cpu_ms(act: Callable[[], object]) -> float:
    """CPU milliseconds of one call, all threads."""
    started = time.process_time_ns()
    act()
    return (time.process_time_ns() - started) / 1e6


def spread_of(values: Sequence[float]) -> dict[str, float]:
    """Median, 95th percentile and maximum."""
    ordered = sorted(values)
    return {
        "p50": statistics.median(ordered),
        "p95": ordered[int(len(ordered) * 0.95)],
        "max": ordered[-1],
    }


if __name__ == "__main__":
    main()
