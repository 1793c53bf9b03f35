"""What a query costs over many real distributions, beside semble and a merged FTS5 index.

The distributions of `distributions.txt` are installed into a folder and built; all three are asked
the same questions in the same run. Printed: CPU per query, cold and warm, and memory.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from corpora import HERE
from environments import environment, project
from measure import run, table
from sets import names

QUESTIONS = 60
COLD_RUNS = 5
JOINED = 6


def main() -> None:
    """Prepares, measures each in a process of its own, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cache", type=Path, help="folder for environments, kept between runs")
    parser.add_argument("data", type=Path, help="folder with the questions and semble's model")
    parser.add_argument("--sizes", default="40,300", help="how many distributions: %(default)s")
    parser.add_argument("--kept", action="store_true", help="measure the bundles that are there")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    asked = queries(options.data)
    if options.measure:
        what, place = options.measure
        print(json.dumps(MEASURED[what](place, asked, options)))
        return
    rows: list[dict[str, object]] = []
    for size in map(int, options.sizes.split(",")):
        site, bundles = corpus(options.cache.resolve(), size, is_kept=options.kept)
        for what in MEASURED:
            place = bundles if what.startswith("ours") else site
            python = sys.executable
            if what == "semble":
                python = str(environment(options.cache / "semble", HERE / "semble.txt"))
            command = [python, __file__, str(options.cache), str(options.data)]
            done = subprocess.run(
                [*command, "--measure", what, str(place)], check=True, capture_output=True
            )
            rows.append({"distributions": size, "what": what, **json.loads(done.stdout)})
    heading = tuple(rows[0])
    print(table([heading, *(tuple(row[key] for key in heading) for row in rows)]))
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n", "utf-8")


def queries(data: Path) -> list[str]:
    """Questions spread over the set, as people ask them."""
    cases = names(data / "questions" / "dev.jsonl")
    return [cases[index * len(cases) // QUESTIONS].query for index in range(QUESTIONS)]


def corpus(cache: Path, size: int, *, is_kept: bool = False) -> tuple[Path, Path]:
    """The folder that the first so many distributions are installed in, and their bundles."""
    pins = (HERE / "distributions.txt").read_text("utf-8").splitlines()
    pins = [line for line in pins if not line.startswith("#")][:size]
    wanted = cache / f"pins-{size}.txt"
    cache.mkdir(parents=True, exist_ok=True)
    wanted.write_text("\n".join(pins) + "\n", "utf-8")
    more = ("--no-deps", "--no-compile", "--only-binary", ":all:")
    python = environment(cache / f"installed-{size}", wanted, *more)
    bundles = cache / f"bundles-{size}"
    target = project(cache / f"project-{size}", wanted)
    command = [sys.executable, "-m", "pydocs_builder", str(target), "--out", str(bundles)]
    options = ["--python", str(python), "--no-exact", "--quiet"]
    if not is_kept:
        subprocess.run([*command, *options], check=False, stdout=subprocess.DEVNULL)
    (site,) = (cache / f"installed-{size}" / "lib").glob("python*/site-packages")
    return site, bundles


def measure_ours(preset: str, place: str, asked: Sequence[str], _: object) -> dict[str, object]:
    """`search_codebase` with a preset."""
    from pydocs_server.answered.search import search_codebase  # noqa: PLC0415 - not in semble's environment
    from pydocs_server.mounted.mount import mount  # noqa: PLC0415
    from pydocs_server.ranked.numbers import PRESETS  # noqa: PLC0415

    started = time.process_time()
    catalog = mount([place])
    catalog.ranking = PRESETS[preset]
    search_codebase(catalog, asked[0])
    first = time.process_time() - started
    figures = spread(partial(search_codebase, catalog), asked)
    environ = [sys.executable, "-m", "pydocs_server", "search", asked[1], "--bundle", place]
    cold = [
        run([*environ, "--config", preset], stdout=subprocess.DEVNULL).cpu_s
        for _ in range(COLD_RUNS)
    ]
    return figures | {
        "mount and first s": first,
        "cold command s": sorted(cold)[COLD_RUNS // 2],
        "peak MiB": peak_mib(),
    }


def measure_long(place: str, asked: Sequence[str], _: object) -> dict[str, object]:
    """The postings alone, asked for what six questions say together."""
    from pydocs_native import Postings  # noqa: PLC0415 - not in semble's environment
    from pydocs_server.mounted.mount import mount  # noqa: PLC0415
    from pydocs_server.ranked.numbers import RANKING  # noqa: PLC0415
    from pydocs_server.ranked.query import understand  # noqa: PLC0415
    from pydocs_server.ranked.rank import weights  # noqa: PLC0415

    started = time.process_time()
    catalog = mount([place])
    texts = [" ".join(asked[at : at + JOINED]) for at in range(len(asked) - JOINED)]
    known = {text: understand(catalog, text) for text in texts}
    first = time.process_time() - started
    sections = [bundle.postings for bundle in catalog.bundles]

    def ask(text: str) -> object:
        query = known[text]
        # A union of its own, which remembers no term.
        return Postings(sections).search(query.terms, weights(query), RANKING.least_candidates)

    return spread(ask, texts) | {
        "mount and first s": first,
        "cold command s": first,
        "peak MiB": peak_mib(),
    }


def measure_fts5(place: str, asked: Sequence[str], _: object) -> dict[str, object]:
    """One merged SQLite FTS5 index in memory, a row for each definition."""
    from plain_index import build_index, find  # noqa: PLC0415 - needs our parser

    started = time.process_time()
    index = build_index(Path(place))
    find(index, asked[0])
    first = time.process_time() - started
    return spread(partial(find, index), asked) | {
        "mount and first s": first,
        "cold command s": first,
        "peak MiB": peak_mib(),
    }


def measure_semble(
    place: str, asked: Sequence[str], options: argparse.Namespace
) -> dict[str, object]:
    """semble over the installed folder, with its model from a local folder."""
    from semble import SembleIndex  # type: ignore[import-not-found]  # noqa: PLC0415 - in its own environment

    started = time.process_time()
    index = SembleIndex.from_path(place, model_path=str(options.data / "semble" / "model"))
    index.search(asked[0])
    first = time.process_time() - started
    return spread(index.search, asked) | {
        "mount and first s": first,
        "cold command s": first,
        "peak MiB": peak_mib(),
    }


def spread(ask: Callable[[str], object], asked: Sequence[str]) -> dict[str, object]:
    """CPU milliseconds of each question asked for the first time, and once more."""
    figures: dict[str, object] = {}
    for label in ("", " again"):
        costs = []
        for query in asked[1:]:
            started = time.process_time()
            ask(query)
            costs.append((time.process_time() - started) * 1000)
        costs.sort()
        figures[f"p50 ms{label}"] = costs[len(costs) // 2]
        figures[f"p95 ms{label}"] = costs[int(len(costs) * 0.95)]
        figures[f"max ms{label}"] = costs[-1]
    return figures


def peak_mib() -> float:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


MEASURED: dict[str, Callable[..., dict[str, object]]] = {
    "ours, lexical": partial(measure_ours, "lexical"),
    "ours, hybrid": partial(measure_ours, "hybrid"),
    "ours, long queries, postings": measure_long,
    "merged FTS5": measure_fts5,
    "semble": measure_semble,
}


if __name__ == "__main__":
    main()
