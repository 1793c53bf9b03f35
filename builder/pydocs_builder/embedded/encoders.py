"""What turns texts into vectors: the encoder of a bundle, or any model of sentence-transformers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

from pydocs_builder.embedded.chosen import ChosenEncoder
from pydocs_bundle.reader import Bundle
from pydocs_native import Encoder

__all__ = ["TextEncoder", "open_encoder"]


class TextEncoder(Protocol):
    """Turns texts into vectors."""

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""

    def encode(self, texts: Sequence[str]) -> bytes:
        """A vector for each text: 32-bit floats, little-endian, one vector behind the other."""


@cache
def open_encoder(chosen: ChosenEncoder) -> TextEncoder:
    """The encoder, loaded once in each process that uses it.

    Raises:
        BundleError: its bundle is damaged.
        UsageError: sentence-transformers is not there, or does not know the model.
    """
    if chosen.is_bundle:
        return Encoder(Bundle.open(Path(chosen.place)).model)
    from pydocs_builder.embedded.sentence_transformers import (  # noqa: PLC0415 - loads torch
        open_sentence_encoder,
    )

    return open_sentence_encoder(chosen.place)
