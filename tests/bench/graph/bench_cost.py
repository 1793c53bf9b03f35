"""What the graph costs: CPU and memory of building it, and its bytes, beside a bare type check.

For each package: `pydocs-build` of it alone with and without the exact tier, each from nothing in
one worker, and `pyrefly check` of the same files, with the runs of the median CPU. The bytes of the
edges are what a database without them is smaller by, as it is and packed as the bundle packs it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import apsw
from built import PACKAGES, PINS, installed
from environments import project
from measure import Usage, run, table

from pydocs_bundle.frames import DEFAULT_LEVEL, compress
from pydocs_bundle.reader import Bundle

TYPE_ERRORS = 1
HEADING = (
    *("package", "files", "pyrefly CPU s", "exact CPU s", "none CPU s", "exact / pyrefly"),
    *("pyrefly MiB", "exact MiB", "none MiB", "edges", "edges MB", "packed MB"),
)


def main() -> None:
    """Measures all packages and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cache", type=Path, help="folder for environments, kept between runs")
    parser.add_argument("--runs", type=int, default=3, help="the run with the median CPU counts")
    parser.add_argument("--only", nargs="*", default=list(PACKAGES), help="packages to measure")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    options = parser.parse_args()
    cache = options.cache.resolve()
    python = installed(cache)
    results = {name: measured(cache, python, name, options.runs) for name in options.only}
    print(table([HEADING, *((name, *row.values()) for name, row in results.items())]))
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n", "utf-8")


def measured(cache: Path, python: Path, name: str, runs: int) -> dict[str, float]:
    """The figures of one package."""
    pin = next(line for line in PINS.read_text().splitlines() if line.startswith(PACKAGES[name]))
    pins = cache / f"{name}.txt"
    pins.write_text(f"{pin}\n", "utf-8")
    wanted = project(cache / f"cost-{name}", pins)
    folder = next(python.parents[1].glob("lib/python*/site-packages")) / name
    check = median([checked(folder, python) for _ in range(runs)])
    bundles = cache / "cost-bundles"
    exact = median([built(wanted, python, bundles) for _ in range(runs)])
    edges, raw, packed = edge_bytes(next(bundles.glob(f"{PACKAGES[name]}-*.pdx")))
    without = median([built(wanted, python, bundles, "--no-exact") for _ in range(runs)])
    return {
        "files": len(list(folder.rglob("*.py"))),
        "pyrefly_cpu_s": check.cpu_s,
        "exact_cpu_s": exact.cpu_s,
        "without_cpu_s": without.cpu_s,
        "ratio": exact.cpu_s / check.cpu_s,
        "pyrefly_mib": check.tree_mib,
        "exact_mib": exact.tree_mib,
        "without_mib": without.tree_mib,
        "edges": edges,
        "mb": raw / 1e6,
        "mb_packed": packed / 1e6,
    }


def checked(folder: Path, python: Path) -> Usage:
    """A bare check of one package's files, one thread, as a build worker has."""
    command: list[str | Path] = [Path(sys.executable).parent / "pyrefly", "check", folder]
    command += ["--python-interpreter-path", python, "--preset", "default", "--threads", "1"]
    command += ["--check-unannotated-defs=true", "--infer-return-types=checked"]
    command += ["--disable-project-excludes-heuristics=true", "--summary", "none"]
    # Ours would be on its search path.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    usage = run(command, cwd=folder.parent, env=env, stdout=subprocess.DEVNULL)
    if usage.status not in (0, TYPE_ERRORS):
        sys.exit(f"pyrefly failed with status {usage.status}.")
    return usage


def built(wanted: Path, python: Path, bundles: Path, *more: str) -> Usage:
    """One build from nothing, in one worker."""
    shutil.rmtree(bundles, ignore_errors=True)
    command: list[str | Path] = [sys.executable, "-m", "pydocs_builder", wanted, "--out", bundles]
    command += ["--python", python, "--direct-only", "--jobs", "1", "-q", *more]
    usage = run(command, stdout=subprocess.DEVNULL)
    if usage.status:
        sys.exit(f"pydocs-build failed with status {usage.status}.")
    return usage


def edge_bytes(path: Path) -> tuple[int, int, int]:
    """How many edges a bundle has, and by how many bytes they make its database larger."""
    with Bundle.open(path) as bundle:
        whole = bundle.database_image()
    connection = apsw.Connection(":memory:")
    try:
        connection.deserialize("main", whole)
        (count,) = next(connection.execute("SELECT count(*) FROM reference"))
        connection.execute("DELETE FROM reference")
        # Names stand there for edges alone but for those of other tables.
        connection.execute(
            "DELETE FROM name WHERE id NOT IN (SELECT name FROM alias UNION SELECT name FROM base"
            " UNION SELECT name FROM decorator UNION SELECT name FROM governs)"
        )
        connection.execute("VACUUM")
        rest = connection.serialize("main")
    finally:
        connection.close()
    sizes = [len(compress(one, DEFAULT_LEVEL)) for one in (whole, rest)]
    assert isinstance(count, int)
    return count, len(whole) - len(rest), sizes[0] - sizes[1]


def median(usages: Sequence[Usage]) -> Usage:
    """The run whose CPU is in the middle."""
    return sorted(usages, key=lambda usage: usage.cpu_s)[len(usages) // 2]


if __name__ == "__main__":
    main()
