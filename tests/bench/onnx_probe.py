"""ONNX Runtime on the graphs of `onnx_graph.py`; runs in an environment of its own.

onnx_probe.py open MODEL TOKENS     one text from a fresh process: CPU seconds and resident MiB
onnx_probe.py measure MODEL WANTED  texts a CPU second, vectors, and whether bits depend on company
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import numpy as np  # type: ignore[import-not-found]  # in an environment of its own
import onnxruntime as ort  # type: ignore[import-not-found]  # the same
from measure import high_water_mib

BATCH = 32
TOKENS_TIMED = 40_000


def session(model: str, threads: int = 1) -> ort.InferenceSession:
    """The model on so many threads."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def encode(model: ort.InferenceSession, texts: list[list[int]]) -> np.ndarray:
    """The vectors of texts that go through the model together, padded to the longest."""
    longest = max(map(len, texts))
    tokens = np.zeros((len(texts), longest), np.int64)
    mask = np.zeros_like(tokens)
    for row, text in enumerate(texts):
        tokens[row, : len(text)], mask[row, : len(text)] = text, 1
    (vectors,) = model.run(None, {"tokens": tokens, "mask": mask})
    found: np.ndarray = vectors
    return found


def speed(model: ort.InferenceSession, text: list[int], batch: int) -> float:
    """Texts a second of CPU."""
    rounds = max(1, TOKENS_TIMED // len(text) // batch)
    encode(model, [text] * batch)
    started = time.process_time()
    for _ in range(rounds):
        encode(model, [text] * batch)
    return rounds * batch / (time.process_time() - started)


def measure(place: str, wanted: dict[str, list[list[int]]]) -> dict[str, object]:
    """All figures of a model."""
    model = session(place)
    texts = wanted["texts"]
    alone = np.concatenate([encode(model, [text]) for text in texts])
    batches = [texts[at : at + BATCH] for at in range(0, len(texts), BATCH)]
    together = np.concatenate([encode(model, batch) for batch in batches])
    two = session(place, 2)
    threaded = np.concatenate([encode(two, [text]) for text in texts])
    return {
        "one": [speed(model, text, 1) for text in wanted["timed"]],
        "many": [speed(model, text, BATCH) for text in wanted["timed"]],
        "vectors": alone.tolist(),
        "other_in_company": int((alone != together).any(axis=1).sum()),
        "cosine_in_company": float((alone * together).sum(axis=1).min()),
        "other_with_two_threads": int((alone != threaded).any(axis=1).sum()),
    }


def main() -> None:
    """Prints what is asked for as JSON."""
    what, place, wanted = sys.argv[1:]
    said = json.loads(Path(wanted).read_text("utf-8"))
    if what == "open":
        encode(session(place), said["timed"][:1])
        print(json.dumps([time.process_time(), high_water_mib(os.getpid())]))
    else:
        print(json.dumps(measure(place, said)))


if __name__ == "__main__":
    main()
