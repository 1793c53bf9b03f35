"""What questions to the reference graph cost over 67 bundles, and over 300.

The packages of packages.txt are built and mounted, then with copies of them under other names, so
that 300 are: a copy imports what its original imports, so what calls a symbol is asked of all. Each
question is asked with no database inflated, and again in the same process.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from environments import HERE, environment, ours, project
from measure import run, table

from pydocs_bundle import Bundle
from pydocs_bundle.layout import write_layout
from pydocs_bundle.manifest import content_id, write_manifest
from pydocs_server.answered.call_graph import call_graph
from pydocs_server.answered.context import get_context
from pydocs_server.answered.references import get_references
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount
from pydocs_server.rendered.answer import Answer

MANY = 300
REPEATS = 3
HEADING = ("question", "bundles", "asked", "answers", "first ms", "again ms")
QUESTIONS: dict[str, Callable[[Catalog], Answer]] = {
    "callers requests.get": lambda c: get_references(c, "requests.get"),
    "callers click.command": lambda c: get_references(c, "click.command"),
    "callers markupsafe.Markup": lambda c: get_references(c, "markupsafe.Markup"),
    "callers packaging.version.Version": lambda c: get_references(c, "packaging.version.Version"),
    "callers sqlalchemy.Table": lambda c: get_references(c, "sqlalchemy.Table"),
    "callers pandas.DataFrame": lambda c: get_references(c, "pandas.DataFrame"),
    "impact requests.Session.request": lambda c: get_references(
        c, "requests.Session.request", "impact"
    ),
    "impact sqlalchemy.Table": lambda c: get_references(c, "sqlalchemy.Table", "impact"),
    "inherits click.Command": lambda c: get_references(c, "click.Command", "inherits"),
    "call graph requests.get": lambda c: call_graph(c, "requests.get"),
    "context of three": lambda c: get_context(
        c, ["requests.get", "requests.Session.request", "urllib3.Retry"]
    ),
}


def main() -> None:
    """Builds, copies, asks, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cache", type=Path, help="folder for environments, kept between runs")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    options = parser.parse_args()
    cache = options.cache.resolve()
    pins = HERE / "packages.txt"
    python = environment(cache / "union", pins, "--no-deps")
    wanted = project(cache / "union-project", pins)
    few, many = cache / "union-bundles", cache / "union-copies"
    command = [ours("pydocs-build"), wanted, "--out", few, "--python", python, "--quiet"]
    run(command, stdout=subprocess.DEVNULL)
    shutil.rmtree(many, ignore_errors=True)
    many.mkdir()
    copy(few, many)
    rows = []
    for folder in (few, many):
        rows += asked(folder)
    print(table([HEADING, *rows]))
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1), "utf-8")


def asked(folder: Path) -> list[tuple[object, ...]]:
    """The CPU of mounting a folder's bundles and of each question to them."""
    mounting = [cpu_ms(lambda: mount([str(folder)]).close()) for _ in range(REPEATS)]
    rows: list[tuple[object, ...]] = []
    for name, question in QUESTIONS.items():
        with TemporaryDirectory() as caches, mount([str(folder)]) as catalog:
            os.environ["XDG_CACHE_HOME"] = caches
            first = cpu_ms(partial(question, catalog))
            answers = question(catalog).structured
            again = statistics.median(cpu_ms(partial(question, catalog)) for _ in range(REPEATS))
            looked_in = answers.get("looked_in", [])
            total = answers.get("total", "")
            count = len(catalog.bundles)
            asked_of = len(looked_in) if isinstance(looked_in, list) and looked_in else ""
            rows.append((name, count, asked_of, total, round(first, 1), round(again, 1)))
    return [("mounting", rows[0][1], "", "", round(statistics.median(mounting), 1), ""), *rows]


def copy(few: Path, many: Path) -> None:
    """Makes 300 bundles: the originals, then copies that are called and provide something else."""
    originals = sorted(few.glob("*.pdx"))
    for number in range(MANY):
        turn, place = divmod(number, len(originals))
        with Bundle.open(originals[place]) as bundle:
            manifest = bundle.manifest
            if turn:
                manifest = manifest._replace(
                    name=f"{manifest.name}-{turn}",
                    kind="dependency",
                    modules=tuple(f"{module}_{turn}" for module in manifest.modules),
                    requirements=(),
                )
                manifest = manifest._replace(content_id=content_id(manifest))
            sections = [
                (
                    name,
                    each.codec,
                    each.raw_length,
                    bytes(bundle.view[each.offset :][: each.stored_length]),
                )
                for name, each in bundle.layout.sections.items()
            ]
            encoded = write_layout(
                sections, write_manifest(manifest), vectors=bundle.vectors is not None
            )
        (many / f"{manifest.name}-{manifest.version}.pdx").write_bytes(encoded)


def cpu_ms(act: Callable[[], object]) -> float:
    """The CPU that this process spends on something, in milliseconds."""
    started = time.process_time()
    act()
    return (time.process_time() - started) * 1e3


if __name__ == "__main__":
    main()
