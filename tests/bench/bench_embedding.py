"""What vectors cost: of httpx with its eleven dependencies, of a package's next version, of a text.

The encoder is packed once into the cache; every build begins with an empty cache of vectors, but
for the second one of a package, which begins with those of the first.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from environments import HERE, environment, ours, project
from measure import Usage, high_water_mib, run, table

from pydocs_bundle import Bundle
from pydocs_native import Encoder

ENCODER = "all-MiniLM-L6-v2-encoder.pdx"
# What only the extras of httpx bring.
EXTRAS = ("brotli", "h2", "hpack", "hyperframe", "socksio", "zstandard")
VERSIONS = (("rich", "13.9.4", "14.1.0"), ("flask", "3.0.3", "3.1.2"))
TOKENS = (16, 48, 128, 256)
TOKENS_TIMED = 40_000


def main() -> None:
    """Measures all three and prints a table of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cache", type=Path, help="folder for environments, kept between runs")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    options = parser.parse_args()
    cache = options.cache.resolve()
    home = cache / "embedding"
    home.mkdir(parents=True, exist_ok=True)
    encoder = home / ENCODER
    if not encoder.is_file():
        subprocess.run([ours("pydocs-build"), "encoder", "--out", home], check=True)

    pins = home / "pins.txt"
    lines = (HERE / "httpx.txt").read_text("utf-8").splitlines(keepends=True)
    pins.write_text("".join(line for line in lines if line.partition("==")[0] not in EXTRAS))
    wanted = project(home / "project", pins)
    python = environment(home / "environment", pins)
    rows: list[tuple[object, ...]] = []
    for name, more in (
        ("httpx and 11, no exact edges", ["--no-exact"]),
        ("the same without vectors", ["--no-exact", "--no-vectors"]),
        ("with exact edges", []),
        ("the same without vectors", ["--no-vectors"]),
    ):
        texts, usage = built(home, encoder, [str(wanted), "--python", str(python), *more])
        rows.append((name, texts, usage.cpu_s, usage.wall_s, usage.largest_mib))
    for name, first, second in VERSIONS:
        for version in (first, second):
            words = [f"{name}=={version}", "--fetch", "--no-exact"]
            texts, usage = built(home, encoder, words, is_empty=version == first)
            rows.append((f"{name} {version}", texts, usage.cpu_s, usage.wall_s, usage.largest_mib))
    print(table([("build", "texts embedded", "CPU s", "wall s", "largest MiB"), *rows]))

    opened = [open_seconds(encoder) for _ in range(9)]
    speeds = [(tokens, *speed(encoder, tokens)) for tokens in TOKENS]
    print(f"\nOpened in {sorted(opened)[4] * 1e3:.1f} ms of CPU.")
    print(table([("tokens", "texts a CPU s", "one alone, ms"), *speeds]))
    print(
        f"\nLargest resident: {high_water_mib(os.getpid()):.0f} MiB, {len(TOKENS)} lengths encoded."
    )
    if options.json:
        figures = {"builds": rows, "open_s": opened, "speeds": speeds}
        options.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


def built(
    home: Path, encoder: Path, words: list[str], *, is_empty: bool = True
) -> tuple[int, Usage]:
    """One build from nothing; gives how many texts were embedded, and the cost."""
    kept, out = home / "vectors", home / "bundles"
    shutil.rmtree(out, ignore_errors=True)
    if is_empty:
        shutil.rmtree(kept, ignore_errors=True)
    known = texts_in(kept)
    named = [] if "--no-vectors" in words else ["--encoder", str(encoder)]
    command: list[str | Path] = [
        ours("pydocs-build"),
        *words,
        *named,
        "--out",
        out,
        "--cache",
        kept,
        "--quiet",
    ]
    usage = run(command, stdout=subprocess.DEVNULL)
    if usage.status:
        sys.exit(f"{' '.join(words)}: the build ended with status {usage.status}.")
    return texts_in(kept) - known, usage


def texts_in(kept: Path) -> int:
    """How many vectors a cache holds."""
    file = next(kept.glob("vectors-*.sqlite"), None)
    if file is None:
        return 0
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute("SELECT count(*) FROM vector").fetchone()[0])


def open_seconds(encoder: Path) -> float:
    """CPU from the file to an encoder that is ready."""
    started = time.process_time()
    with Bundle.open(encoder) as bundle:
        Encoder(bundle.model)
    return time.process_time() - started


def speed(encoder: Path, tokens: int) -> tuple[float, float]:
    """Texts per second of CPU, many at once, and the milliseconds of one alone."""
    with Bundle.open(encoder) as bundle:
        model = Encoder(bundle.model)
        text = " ".join(["time"] * (tokens - 2))
        texts = [text] * (TOKENS_TIMED // tokens)
        started = time.process_time()
        model.encode(texts)
        many = len(texts) / (time.process_time() - started)
        started = time.process_time()
        for _ in range(20):
            model.encode([text])
        return many, (time.process_time() - started) / 20 * 1e3


if __name__ == "__main__":
    main()
