"""How many of an application's calls into its dependencies lead to a symbol of a mounted bundle.

Three applications are built with all they need, and each call that leaves one is looked up in the
union as an answer would look it up. Counted are call sites, decorators among them; what nothing
mounted has is counted by reason, calls of builtins and the standard library apart.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import cast

from built import HERE
from environments import environment, project
from measure import table

from pydocs_bundle.errors import ExitCode
from pydocs_bundle.records import ReferenceKind
from pydocs_server.mounted.edges import Graph
from pydocs_server.mounted.mount import mount

PINS = HERE / "applications.txt"
APPLICATIONS = ("datasette", "httpie", "sqlite-utils")
QUESTION = """
SELECT name.text, reason.text, name.id FROM reference JOIN name ON name.id = target
LEFT JOIN reason ON reason.id = reference.reason WHERE kind IN (?, ?)
"""
RESOLVED = "resolved"
NO_BUNDLE = "no mounted bundle has the import"
NO_NAME = "the bundle has no such name"


def main() -> None:
    """Builds all three with what they need, and prints a table and the reasons."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cache", type=Path, help="folder for environments, kept between runs")
    parser.add_argument("--show", action="store_true", help="print the names that nothing has")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    options = parser.parse_args()
    cache = options.cache.resolve()
    python = environment(cache / "crossing", PINS)
    bundles = cache / "crossing-bundles"
    wanted = project(cache / "crossing-project", PINS)
    command: list[str | Path] = [sys.executable, "-m", "pydocs_builder", wanted, "--out", bundles]
    done = subprocess.run([*command, "--python", python, "-q"], check=False)
    if done.returncode not in (ExitCode.OK, ExitCode.PARTIAL):
        sys.exit("The bundles cannot be built; pydocs-build says why above.")
    results: dict[str, dict[str, int]] = {}
    with mount([str(bundles)]) as catalog:
        graph = Graph(catalog)
        for name in APPLICATIONS:
            counted, missed = crossing(graph, catalog.package(name)[0])
            results[name] = dict(counted)
            if options.show:
                for target, count in missed.most_common():
                    print(f"{name}: {target} ({count})")
    report(results)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n", "utf-8")


def crossing(graph: Graph, bundle: int) -> tuple[Counter[str], Counter[str]]:
    """What the calls of one bundle lead to, and the names that lead nowhere."""
    catalog = graph.catalog
    own = set(catalog.bundles[bundle].manifest.modules)
    counted: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    kinds = [int(ReferenceKind.CALL), int(ReferenceKind.DECORATE)]
    for row in graph.rows(bundle, QUESTION, kinds):
        target, reason, _ = cast("tuple[str, str | None, int]", row)
        head = target.partition(".")[0]
        if reason is not None:
            counted[f"unresolved: {reason}"] += 1
        elif head in own:
            counted["inside"] += 1
        elif head == "builtins" or head in sys.stdlib_module_names:
            counted["standard library"] += 1
        elif graph.resolve(target, bundle):
            counted[RESOLVED] += 1
        else:
            counted[NO_NAME if catalog.providers(head) else NO_BUNDLE] += 1
            missed[target] += 1
    return counted, missed


def report(results: dict[str, dict[str, int]]) -> None:
    """Prints the shares, then the reasons by application."""
    rows: list[list[object]] = [["application", "calls out", "resolved", "share", "unresolved"]]
    for name, counted in results.items():
        out = sum(counted.get(one, 0) for one in (RESOLVED, NO_NAME, NO_BUNDLE))
        share = counted.get(RESOLVED, 0) / out if out else 1.0
        unresolved = sum(count for word, count in counted.items() if word.startswith("unresolved"))
        rows.append([name, out, counted.get(RESOLVED, 0), share, unresolved])
    print(table(rows))
    for name, counted in results.items():
        print(f"\n{name}")
        for word, count in sorted(counted.items(), key=lambda one: (-one[1], one[0])):
            print(f"  {count:6} {word}")


if __name__ == "__main__":
    main()
