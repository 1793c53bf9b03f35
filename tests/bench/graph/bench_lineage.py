"""Bases and method resolution orders of every class of five packages, beside the interpreter's.

Each is compared as far as mounted bundles define the classes in it, as bench_api.py does for public
classes. A class that is made at run time and has no definition is counted apart, and
so is a typed dictionary, which forgets its bases.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

from bench_api import Row, Tally, base_records, compare_chain, first, share
from built import HERE, PACKAGES, build, installed
from measure import table

from pydocs_bundle.records import Kind
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount
from pydocs_server.mounted.names import mro

MEASURES = ("bases", "mro")


def main() -> None:
    """Compares all packages and prints a table, then the differences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cache", type=Path, help="folder for environments, kept between runs")
    parser.add_argument("--json", type=Path, help="write figures and differences here too")
    options = parser.parse_args()
    cache = options.cache.resolve()
    python = installed(cache)
    with mount([str(build(cache, python))]) as catalog:
        tallies = {name: compare(catalog, classes(python, name)) for name in PACKAGES}
    untold = ("not found", "made at run time", "forgotten")
    rows: list[list[object]] = [["package", *MEASURES, *untold]]
    for name, tally in tallies.items():
        shares = [share(tally, measure) for measure in MEASURES]
        forgotten = tally.untold["bases: forgotten"]
        rows.append([name, *shares, *(tally.untold[one] for one in untold[:2]), forgotten])
    print(table(rows))
    for tally in tallies.values():
        for one in tally.differences:
            print(f"{one.measure} {one.name}: {one.ours}, and to Python {one.theirs}")
    if options.json:
        figures = {
            name: {
                "compared": dict(tally.compared),
                "equal": dict(tally.equal),
                "not_compared": dict(tally.untold),
                "differences": [one._asdict() for one in tally.differences],
            }
            for name, tally in tallies.items()
        }
        options.json.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")


def classes(python: Path, package: str) -> list[Row]:
    """What the interpreter says of the classes of a package."""
    done = subprocess.run(
        [str(python), str(HERE / "lineage_probe.py"), package],
        env={**os.environ, "PYTHONPATH": str(HERE.parent)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{package} cannot be examined: {done.stderr[-400:]}")
    found: list[Row] = json.loads(done.stdout)
    return found


def compare(catalog: Catalog, rows: list[Row]) -> Tally:
    """The chains of one package's classes against the catalog's."""
    tally = Tally(Counter(), Counter(), Counter(), [])
    for row in rows:
        found = first(catalog, str(row["name"]))
        if found is None or found.record.kind != Kind.CLASS:
            tally.untold["made at run time" if row["is_made"] else "not found"] += 1
            continue
        chains = (list(base_records(catalog, found)), mro(catalog, found)[1:])
        for measure, chain in zip(MEASURES, chains, strict=True):
            compare_chain(catalog, measure, row, chain, tally)
    return tally


if __name__ == "__main__":
    main()
