"""The vectors of one bundle, from the cache or from the encoder."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Final

from pydocs_builder.embedded.cache import VectorCache, text_key
from pydocs_builder.embedded.chosen import ChosenEncoder
from pydocs_builder.embedded.encoders import open_encoder
from pydocs_builder.embedded.texts import vector_texts
from pydocs_bundle.records import BundleContent
from pydocs_native import write_vectors

__all__ = ["embed"]

_TEXTS_AT_ONCE: Final = 64
_FLOAT_BYTES: Final = 4

Progress = Callable[[int, int], None]
"""Told how many texts more are to be embedded, and how many more are."""


def _silent(_wanted: int, _done: int) -> None:
    """Tells nobody."""


def embed(
    content: BundleContent,
    chosen: ChosenEncoder,
    cache: Path | None = None,
    progress: Progress = _silent,
) -> bytes:
    """The `TQ` section of a bundle's content.

    Args:
        content: what the bundle says.
        chosen: the encoder.
        cache: the folder of vectors that are known; what it holds changes no result.
        progress: told how far the work is.
    """
    encoder = open_encoder(chosen)
    wanted = list(vector_texts(content))
    keys = [text_key(chosen.identity, text) for _, text in wanted]
    texts = dict(zip(keys, (text for _, text in wanted), strict=True))
    size = encoder.dimensions * _FLOAT_BYTES
    store = VectorCache(cache) if cache is not None else None
    known = store.known(list(texts)) if store else {}
    vectors = {key: vector for key, vector in known.items() if len(vector) == size}
    # Texts of one length side by side: an encoder may fill up the shorter ones of a batch.
    missing = sorted(texts.keys() - vectors.keys(), key=lambda key: (len(texts[key]), key))
    progress(len(missing), 0)
    made: dict[bytes, bytes] = {}
    for at in range(0, len(missing), _TEXTS_AT_ONCE):
        some = missing[at : at + _TEXTS_AT_ONCE]
        encoded = encoder.encode([texts[key] for key in some])
        made |= {key: encoded[n * size : (n + 1) * size] for n, key in enumerate(some)}
        progress(0, len(some))
    if store:
        store.keep(made, vectors)
    vectors |= made
    entries = [content.entries[number] for number, _ in wanted]
    return write_vectors(
        b"".join(vectors[key] for key in keys),
        encoder.dimensions,
        struct.pack(f"<{len(wanted)}I", *(number for number, _ in wanted)),
        bytes(mark for entry in entries for mark in (entry.kind, entry.flags)),
        bytes.fromhex(chosen.identity),
    )
