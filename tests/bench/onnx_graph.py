"""The default encoder as an ONNX graph, from its weights; runs in an environment of its own.

Attention is ONNX Runtime's own operator, which is what its tools make of an exported graph; the
rest it fuses when it opens the file.
"""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path

import numpy as np  # type: ignore[import-not-found]  # in an environment of its own
import onnx  # type: ignore[import-not-found]  # the same
from onnx import helper, numpy_helper
from onnxruntime.quantization import (  # type: ignore[import-not-found]  # the same
    QuantType,
    quantize_dynamic,
)

LAYERS, HEADS, EPSILON = 6, 12, 1e-12
OWN = "com.microsoft"


def main() -> None:
    """Writes `fp32.onnx` and `int8.onnx` into a folder: onnx_graph.py WEIGHTS FOLDER."""
    weights, folder = map(Path, sys.argv[1:])
    onnx.save(graph(tensors(weights.read_bytes())), folder / "fp32.onnx")
    quantize_dynamic(
        folder / "fp32.onnx",
        folder / "int8.onnx",
        weight_type=QuantType.QInt8,
        per_channel=True,
        extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
    )


def tensors(content: bytes) -> dict[str, np.ndarray]:
    """The tensors of a safetensors file."""
    (length,) = struct.unpack_from("<Q", content)
    found = {}
    for name, entry in json.loads(content[8 : 8 + length]).items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = (8 + length + at for at in entry["data_offsets"])
            found[name] = np.frombuffer(content[start:end], "<f4").reshape(entry["shape"])
    return found


class Graph:
    """Nodes and numbers as they are added."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.numbers: list[onnx.TensorProto] = []

    def number(self, name: str, values: np.ndarray) -> str:
        """Adds numbers; gives their name."""
        self.numbers.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(self, kind: str, inputs: list[str], output: str, **settings: object) -> str:
        """Adds a node; gives its output."""
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, **settings))
        return output


def graph(weights: dict[str, np.ndarray]) -> onnx.ModelProto:
    """Tokens and their mask to one vector of unit length a text."""
    made = Graph()

    def own(name: str, *, is_turned: bool = False) -> str:
        return made.number(name, weights[name].T if is_turned else weights[name])

    def norm(rows: str, name: str) -> str:
        parts = [rows, own(f"{name}.weight"), own(f"{name}.bias")]
        return made.node("LayerNormalization", parts, f"{name}.out", axis=-1, epsilon=EPSILON)

    def linear(rows: str, name: str) -> str:
        turned = own(f"{name}.weight", is_turned=True)
        product = made.node("MatMul", [rows, turned], f"{name}.product")
        return made.node("Add", [product, own(f"{name}.bias")], f"{name}.out")

    words = made.node("Gather", [own("embeddings.word_embeddings.weight"), "tokens"], "words")
    # Of all places as many as there are tokens; token type 0 is added to each.
    kind = weights["embeddings.token_type_embeddings.weight"][0]
    places = weights["embeddings.position_embeddings.weight"] + kind
    made.node("Shape", ["tokens"], "length", start=1, end=2)
    bounds = [made.number("zero", np.array([0])), "length", made.number("first", np.array([0]))]
    made.node("Slice", [made.number("places", places), *bounds], "taken")
    rows = norm(made.node("Add", [words, "taken"], "embedded"), "embeddings.LayerNorm")
    made.node("Cast", ["mask"], "mask32", to=onnx.TensorProto.INT32)
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        asked = [f"{name}.attention.self.{part}" for part in ("query", "key", "value")]
        matrix = np.concatenate([weights[f"{part}.weight"].T for part in asked], axis=1)
        biases = np.concatenate([weights[f"{part}.bias"] for part in asked])
        parts = [rows, made.number(f"{name}.asked", matrix), made.number(f"{name}.added", biases)]
        settings = {"domain": OWN, "num_heads": HEADS}
        taken = made.node("Attention", [*parts, "mask32"], f"{name}.taken", **settings)
        taken = linear(taken, f"{name}.attention.output.dense")
        rows = made.node("Add", [rows, taken], f"{name}.middle")
        rows = norm(rows, f"{name}.attention.output.LayerNorm")
        wide = linear(rows, f"{name}.intermediate.dense")
        wide = made.node("Gelu", [wide], f"{name}.wide", domain=OWN)
        down = linear(wide, f"{name}.output.dense")
        rows = norm(made.node("Add", [rows, down], f"{name}.both"), f"{name}.output.LayerNorm")
    made.node("Cast", ["mask"], "weights", to=onnx.TensorProto.FLOAT)
    made.node("Unsqueeze", ["weights", made.number("last", np.array([2]))], "weighing")
    made.node("Mul", [rows, "weighing"], "weighed")
    axis = made.number("tokens_axis", np.array([1]))
    # The mean differs from the sum by a factor that the unit length takes away.
    made.node("ReduceSum", ["weighed", axis], "summed", keepdims=0)
    made.node("LpNormalization", ["summed"], "vectors", axis=-1, p=2)
    inputs = [
        helper.make_tensor_value_info(name, onnx.TensorProto.INT64, ["texts", "length"])
        for name in ("tokens", "mask")
    ]
    output = helper.make_tensor_value_info("vectors", onnx.TensorProto.FLOAT, ["texts", 384])
    written = helper.make_graph(made.nodes, "encoder", inputs, [output], made.numbers)
    versions = [helper.make_opsetid("", 17), helper.make_opsetid(OWN, 1)]
    return helper.make_model(written, opset_imports=versions, ir_version=10)


if __name__ == "__main__":
    main()
