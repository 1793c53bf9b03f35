"""Our encoder beside ONNX Runtime on the same weights: speed, exactness, start, memory, size.

ONNX Runtime runs in an environment of its own (`onnx.txt`), on a graph written from the weights, in
32 bits and with its dynamic quantisation to 8; the tokens it is given are ours.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from array import array
from importlib.util import find_spec
from operator import mul, ne
from pathlib import Path
from typing import Any

from environments import HERE, environment, ours
from measure import folder_bytes, table

from pydocs_builder.encoder.published import DEFAULT
from pydocs_builder.encoder.weights import find_weights
from pydocs_bundle import Bundle
from pydocs_native import Encoder

REFERENCE = HERE.parent / "inputs" / "encoder-reference" / "reference.json"
TOKENS = (16, 48, 128, 256)
TOKENS_TIMED = 40_000
BATCH = 32
ROUNDS, OPENINGS = 3, 5
BUNDLE = "all-MiniLM-L6-v2-encoder.pdx"
NAMES = {"ours": "ours", "fp32": "ONNX Runtime, 32 bits", "int8": "ONNX Runtime, 8 bits"}
OPEN_OURS = """
import json, os, sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from measure import high_water_mib
from pydocs_bundle import Bundle
from pydocs_native import Encoder
Encoder(Bundle.open(Path(sys.argv[1])).model).encode(["time " * 14])
print(json.dumps([time.process_time(), high_water_mib(os.getpid())]))
"""


def main() -> None:
    """Measures all in turn, some rounds, and prints the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cache", type=Path, help="folder for the environment and the models")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    options = parser.parse_args()
    home = options.cache.resolve() / "onnx"
    python = prepare(home)
    items = json.loads(REFERENCE.read_text("utf-8"))["items"]
    texts = [item["text"] for item in items]
    timed = [" ".join(["time"] * (tokens - 2)) for tokens in TOKENS]
    with Bundle.open(home / BUNDLE) as opened:
        encoder = Encoder(bytes(opened.model))
    wanted = home / "wanted.json"
    tokens = {"texts": [*map(encoder.tokenize, texts)], "timed": [*map(encoder.tokenize, timed)]}
    wanted.write_text(json.dumps(tokens), "utf-8")

    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in NAMES}
    openings: dict[str, list[list[float]]] = {name: [] for name in NAMES}
    for _ in range(ROUNDS):
        for name in NAMES:
            command = [python, HERE / "onnx_probe.py", "measure", home / f"{name}.onnx", wanted]
            is_ours = name == "ours"
            runs[name].append(measured(encoder, timed, texts) if is_ours else said(command))
    for _ in range(OPENINGS):
        for name in NAMES:
            command = [python, HERE / "onnx_probe.py", "open", home / f"{name}.onnx", wanted]
            if name == "ours":
                command = [sys.executable, "-c", OPEN_OURS, home / BUNDLE, HERE]
            openings[name].append(said(command))
    sizes = installed(python, home)
    report(runs, openings, sizes, [item["vector"] for item in items])
    if options.json:
        for run in (run for each in runs.values() for run in each):
            del run["vectors"]
        figures = {"runs": runs, "openings": openings, "sizes": sizes}
        options.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


def prepare(home: Path) -> Path:
    """The environment and the models, made once; gives the environment's Python."""
    home.mkdir(parents=True, exist_ok=True)
    python = environment(home / "environment", HERE / "onnx.txt")
    if not (home / BUNDLE).is_file():
        subprocess.run([ours("pydocs-build"), "encoder", "--out", home], check=True)
    if not (home / "int8.onnx").is_file():
        weights = home / "model.safetensors"
        weights.write_bytes(find_weights(DEFAULT, None, print).weights)
        subprocess.run([python, HERE / "onnx_graph.py", weights, home], check=True)
    return python


def report(
    runs: dict[str, list[dict[str, Any]]],
    openings: dict[str, list[list[float]]],
    sizes: dict[str, tuple[float, float]],
    reference: list[list[float]],
) -> None:
    """Prints a table of speeds for each way, and one of all else."""
    for way, how in (("one", "one alone"), ("many", f"{BATCH} together")):
        heading = (f"texts a CPU s, {how}", *(f"{count} tokens" for count in TOKENS))
        print(table([heading, *((NAMES[name], *medians(runs[name], way)) for name in NAMES)]), "\n")
    rows: list[tuple[object, ...]] = []
    for name, (first, *_) in runs.items():
        pairs = zip(first["vectors"], reference, strict=True)
        near = [sum(map(mul, *pair)) for pair in pairs]
        company = [first[f"{key}_in_company"] for key in ("other", "cosine")]
        used = [statistics.median(column) for column in zip(*openings[name], strict=True)]
        figures = (min(near), statistics.fmean(near), *company, first["other_with_two_threads"])
        cells = [f"{n:.4f}" if isinstance(n, float) else n for n in (*figures, *used)]
        rows.append((NAMES[name], *cells, *(f"{size:.1f}" for size in sizes[name])))
    heading = (
        *("", "cosine, least", "mean", "other in company", "their cosine", "with 2 threads"),
        *("first text, CPU s", "MiB", "library MB", "model MB"),
    )
    print(table([heading, *rows]))


def said(command: list[Any]) -> Any:  # noqa: ANN401 - as JSON has it
    """What a command prints, as JSON."""
    done = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def medians(runs: list[dict[str, Any]], way: str) -> list[float]:
    """The median of each length over all rounds."""
    return [statistics.median(speeds) for speeds in zip(*(run[way] for run in runs), strict=True)]


def installed(python: Path, home: Path) -> dict[str, tuple[float, float]]:
    """Megabytes of what has to be installed to run a model, and of the model."""
    site = python.parent.parent / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    # What writes graphs is left out, as who runs one needs no such thing.
    parts = ("onnxruntime", "numpy", "numpy.libs", "google", "flatbuffers", "packaging")
    library = sum(folder_bytes(site / "site-packages" / part, "**/*") for part in parts) / 1e6
    spec = find_spec("pydocs_native")
    sizes = {name: (library, megabytes(home / f"{name}.onnx")) for name in ("fp32", "int8")}
    own = folder_bytes(Path(str(spec and spec.origin)).parent, "**/*") / 1e6
    return {"ours": (own, megabytes(home / BUNDLE)), **sizes}


def megabytes(path: Path) -> float:
    """The size of a file."""
    return path.stat().st_size / 1e6


def measured(encoder: Encoder, timed: list[str], texts: list[str]) -> dict[str, Any]:
    """What `onnx_probe.py` says of the others, of ours."""
    alone = vectors(encoder, texts, 1)
    together = vectors(encoder, texts, len(texts))
    usable = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(usable)})
    lonely = vectors(encoder, texts, len(texts))
    os.sched_setaffinity(0, usable)
    lengths = [*zip(TOKENS, timed, strict=True)]
    return {
        "one": [speed(encoder, text, tokens, 1) for tokens, text in lengths],
        "many": [speed(encoder, text, tokens, BATCH) for tokens, text in lengths],
        "vectors": [vector.tolist() for vector in alone],
        "other_in_company": sum(map(ne, alone, together)),
        "cosine_in_company": min(sum(map(mul, *p)) for p in zip(alone, together, strict=True)),
        "other_with_two_threads": sum(map(ne, together, lonely)),
    }


def vectors(encoder: Encoder, texts: list[str], batch: int) -> list[array[float]]:
    """The vectors of texts, so many in a call."""
    size = encoder.dimensions
    calls = (encoder.encode(texts[at : at + batch]) for at in range(0, len(texts), batch))
    numbers = array("f", b"".join(calls))
    return [numbers[at : at + size] for at in range(0, len(numbers), size)]


def speed(encoder: Encoder, text: str, tokens: int, batch: int) -> float:
    """Texts a second of CPU."""
    rounds = max(1, TOKENS_TIMED // tokens // batch)
    encoder.encode([text] * batch)
    started = time.process_time()
    for _ in range(rounds):
        encoder.encode([text] * batch)
    return rounds * batch / (time.process_time() - started)


if __name__ == "__main__":
    main()
