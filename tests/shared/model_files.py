"""The files of a model as its makers write them."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping

_WIDTHS = {"F32": 4, "F16": 2, "BF16": 2}


def safetensors(tensors: Mapping[str, bytes], dtype: str = "F32") -> bytes:
    """A safetensors file of tensors whose numbers are of one kind."""
    listed: dict[str, object] = {"__metadata__": {"format": "pt"}}
    end = 0
    for name, content in tensors.items():
        span = [end, end := end + len(content)]
        shape = [len(content) // _WIDTHS[dtype]]
        listed[name] = {"dtype": dtype, "shape": shape, "data_offsets": span}
    head = json.dumps(listed).encode()
    return struct.pack("<Q", len(head)) + head + b"".join(tensors.values())
