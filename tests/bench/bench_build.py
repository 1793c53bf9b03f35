"""Builds httpx 0.28.1 and all it pins, beside the same work by pydocs-mcp 0.8.1 of the index.

Vectors are off on both sides. The peer has no switch for that: it gets its own ingestion pipeline
without the embedding stage, a remote embedder that is therefore never asked, and static mode with
one worker (with more, its workers lock one another out of their database).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import zstandard
from environments import HERE, environment, ours, project
from measure import Usage, folder_bytes, run, table

PEER = "pydocs-mcp==0.8.1"
PEER_CONFIG = """\
extraction:
  ingestion:
    pipeline_path: ingestion.yaml
embedding:
  provider: openai
  model_name: text-embedding-3-small
  dim: 1536
  dependency_policy: none
"""


def main() -> None:
    """Measures both sides and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cache", type=Path, help="folder for environments, kept between runs")
    parser.add_argument("--runs", type=int, default=3, help="the run with the median CPU counts")
    parser.add_argument("--without-peer", action="store_true")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    options = parser.parse_args()
    cache = options.cache.resolve()
    pins = HERE / "httpx.txt"
    wanted = project(cache / "httpx-project", pins)

    python = environment(cache / "httpx", pins)
    bundles = cache / "httpx-bundles"
    jobs = [("ours", build_ours, (wanted, python, bundles, str(os.cpu_count())))]
    jobs += [("ours, one worker", build_ours, (wanted, python, bundles, "1"))]
    results: dict[str, dict[str, float]] = {}
    for name, job, arguments in jobs:
        usage = median([job(*arguments) for _ in range(options.runs)])
        results[name] = figures(
            usage, folder_bytes(bundles, "*.pdx"), folder_bytes(bundles, "*.pdx")
        )
    if not options.without_peer:
        peer = environment(cache / "peer", pins, PEER)
        usage = median([build_peer(peer, wanted, cache) for _ in range(options.runs)])
        database = next((cache / "peer-cache").glob("*.db")).read_bytes()
        packed = len(zstandard.ZstdCompressor(level=19).compress(database))
        results[PEER] = figures(usage, len(database), packed)

    heading = ("", "CPU s", "wall s", "largest process MiB", "all processes MiB", "MB", "MB packed")
    print(table([heading, *((name, *row.values()) for name, row in results.items())]))
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n", "utf-8")


def build_ours(wanted: Path, python: Path, bundles: Path, workers: str) -> Usage:
    """One build from nothing."""
    shutil.rmtree(bundles, ignore_errors=True)
    command: list[str | Path] = [
        ours("pydocs-build"),
        wanted,
        "--out",
        bundles,
        "--python",
        python,
        "--jobs",
        workers,
        "--no-vectors",
    ]
    return checked(run([*command, "--quiet"], stdout=subprocess.DEVNULL))


def build_peer(python: Path, wanted: Path, cache: Path) -> Usage:
    """One index run of the peer from nothing, without vectors."""
    config = cache / "peer-config"
    config.mkdir(exist_ok=True)
    (config / "config.yaml").write_text(PEER_CONFIG, "utf-8")
    shipped = next(
        python.parents[1].glob("lib/*/site-packages/pydocs_mcp/pipelines/ingestion.yaml")
    )
    stages = shipped.read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in stages if "embed_chunks" not in line]
    (config / "ingestion.yaml").write_text("".join(kept), "utf-8")
    shutil.rmtree(cache / "peer-cache", ignore_errors=True)
    command: list[str | Path] = [
        python.parent / "pydocs-mcp",
        "--config",
        config / "config.yaml",
        "index",
        wanted,
    ]
    command += ["--cache-dir", cache / "peer-cache", "--no-inspect", "--force", "--workers", "1"]
    env = {**os.environ, "OPENAI_API_KEY": "never-used", "HF_HUB_OFFLINE": "1"}
    return checked(run(command, env=env, stdout=subprocess.DEVNULL))


def median(usages: list[Usage]) -> Usage:
    """The run whose CPU is in the middle."""
    return sorted(usages, key=lambda usage: usage.cpu_s)[len(usages) // 2]


def checked(usage: Usage) -> Usage:
    """The same, if the command ended well."""
    if usage.status:
        sys.exit(f"The command failed with status {usage.status}.")
    return usage


def figures(usage: Usage, size: int, packed: int) -> dict[str, float]:
    """What the table and the JSON show of one side."""
    return {
        "cpu_s": usage.cpu_s,
        "wall_s": usage.wall_s,
        "largest_mib": usage.largest_mib,
        "tree_mib": usage.tree_mib,
        "mb": size / 1e6,
        "mb_packed": packed / 1e6,
    }


if __name__ == "__main__":
    main()
