"""What `grep` costs over a folder of bundles, by the kind of pattern.

Beside it: inflating all text and doing nothing with it, which no search without an index of its own
goes below. Each figure is the least of several runs; time depends on how busy the cores are.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from measure import table

from pydocs_server.answered.grep import grep
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount

PATTERNS: tuple[tuple[str, str, bool], ...] = (
    ("no match", "zzzqqqzzz", False),
    ("rare word", "AsyncClient", False),
    ("frequent word", "import", False),
    ("alternatives", "get_event_loop|new_event_loop", False),
    ("class and word", r"[A-Z]\w+Error\b", False),
    ("either case", "asyncclient", True),
    ("no certain text", r"\b\d{4}-\d\d-\d\d\b", False),
    ("backtracking", r"(?<!_)parse_header\(", False),
)


def main() -> None:
    """Searches, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bundles", type=Path, help="the folder with the bundles")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", type=Path, help="write the figures here too")
    options = parser.parse_args()
    figures: dict[str, dict[str, object]] = {}
    with mount([str(options.bundles)]) as catalog:
        texts = [bundle.text for bundle in catalog.bundles]
        files = sum(map(len, texts))
        size = sum(text.size(file) for text in texts for file in range(len(text)))
        figures["inflating alone"] = {
            "pattern": "",
            "lines": 0,
            **least(options.runs, lambda: inflate(catalog)),
        }
        for kind, pattern, ignore_case in PATTERNS:
            lines = grep(catalog, pattern, ignore_case=ignore_case).structured["total"]
            cost = least(options.runs, partial(grep, catalog, pattern, ignore_case=ignore_case))
            figures[kind] = {"pattern": pattern, "lines": lines, **cost}
        print(f"{len(texts)} bundles, {files:,} files, {size / 1e6:,.1f} MB of text\n")
    head = ("kind", "pattern", "lines", "CPU s", "wall s")
    print(table([head, *((kind, *map(str, row.values())) for kind, row in figures.items())]))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


def inflate(catalog: Catalog) -> None:
    """Inflates every frame of text once."""
    for bundle in catalog.bundles:
        for _ in bundle.raw_section("TEXT"):
            pass


def least(runs: int, work: Callable[[], object]) -> dict[str, float]:
    """The least CPU and wall seconds of some runs."""
    costs = []
    for _ in range(runs):
        cpu, wall = time.process_time(), time.perf_counter()
        work()
        costs.append((time.process_time() - cpu, time.perf_counter() - wall))
    return {
        "CPU s": round(min(cpu for cpu, _ in costs), 3),
        "wall s": round(min(wall for _, wall in costs), 3),
    }


if __name__ == "__main__":
    main()
