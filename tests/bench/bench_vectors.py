"""Search by vectors beside `turbovec` and `faiss-cpu`: recall of the true ten, and CPU for a query.

Wants numpy, faiss-cpu and turbovec beside the product, and a folder with `vectors.npy` and
`queries.npy`, 32-bit floats of unit length, a vector a row: the rows of the union are drawn from
the vectors, mixed and shaken, so that a union can be larger than what was embedded.
"""

# ruff: noqa: ANN401 - numpy is no requirement of the tests, so its arrays have no type here

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from pydocs_native import Vectors, write_vectors

WANTED = 10


def main() -> None:
    """Measures, and prints one line a method."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--bundles", type=int, default=100)
    parser.add_argument("--rows", type=int, default=2000, help="vectors of each bundle")
    parser.add_argument("--real", action="store_true", help="the vectors as they are, one bundle")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    np: Any = import_module("numpy")
    vectors = np.load(given.folder / "vectors.npy")
    queries = np.load(given.folder / "queries.npy")[: given.queries]
    if not given.real:
        vectors = enlarged(np, vectors, given.bundles * given.rows)
    rows = len(vectors) if given.real else given.rows
    truth = [set(np.argsort(-(vectors @ query), kind="stable")[:WANTED]) for query in queries]
    searches: dict[str, Callable[[Any], list[int]]] = {"pydocs": ours(np, vectors, rows)}
    searches |= peers(vectors)
    figures = {}
    for name, search in searches.items():
        search(queries[0])
        began = time.process_time()
        found = [search(query) for query in queries]
        cpu_ms = (time.process_time() - began) / len(queries) * 1000
        hits = sum(len(truth[at] & set(one)) for at, one in enumerate(found))
        figures[name] = {"recall": hits / WANTED / len(queries), "cpu_ms": cpu_ms}
        print(f"{name:24} recall@10 {figures[name]['recall']:.4f}  {cpu_ms:.3f} ms CPU a query")
    if given.json:
        given.json.write_text(json.dumps({"vectors": len(vectors), "methods": figures}, indent=1))


def enlarged(np: Any, vectors: Any, count: int) -> Any:
    """As many vectors, each a mean of two that were drawn, shaken a little."""
    chance = np.random.default_rng(4)
    one, other = (vectors[chance.integers(0, len(vectors), count)] for _ in range(2))
    noise = chance.normal(size=one.shape).astype("float32") * 0.02
    mixed = one + 0.35 * other + noise
    return (mixed / np.linalg.norm(mixed, axis=1, keepdims=True)).astype("float32")


def ours(np: Any, vectors: Any, rows: int) -> Callable[[Any], list[int]]:
    """Our search over bundles of so many rows."""
    sections = []
    for at in range(0, len(vectors), rows):
        some = vectors[at : at + rows]
        records = np.arange(len(some), dtype="<u4").tobytes()
        marks = b"\3\0" * len(some)
        sections.append(write_vectors(some.tobytes(), some.shape[1], records, marks, bytes(32)))
    union = Vectors(sections)
    print(f"{sum(map(len, sections)) / len(vectors):.0f} bytes a vector")
    return lambda query: [
        section * rows + record for _, section, record in union.search(query.tobytes(), WANTED)
    ]


def peers(vectors: Any) -> dict[str, Callable[[Any], list[int]]]:
    """The searches of others over the same vectors, each on one thread."""
    faiss: Any = import_module("faiss")
    faiss.omp_set_num_threads(1)
    found: dict[str, Callable[[Any], list[int]]] = {}
    for name in ("Flat", "SQ4", "PQ192x4fs"):
        index = faiss.index_factory(vectors.shape[1], name, faiss.METRIC_INNER_PRODUCT)
        index.train(vectors)
        index.add(vectors)
        found[f"faiss {name}"] = nearest(index)
    turbo: Any = import_module("turbovec").TurboQuantIndex(vectors.shape[1], 4)
    turbo.add(vectors)
    found["turbovec 4 bits"] = nearest(turbo)
    return found


def nearest(index: Any) -> Callable[[Any], list[int]]:
    """What an index of others finds: their search gives scores and rows."""
    return lambda query: [int(row) for row in index.search(query[None], WANTED)[1][0]]


if __name__ == "__main__":
    main()
