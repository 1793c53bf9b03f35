"""Any model of sentence-transformers by name or folder; an extra, as it brings torch with it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final, Protocol, cast

from pydocs_builder.embedded.chosen import ChosenEncoder
from pydocs_bundle.errors import UsageError

__all__ = ["SentenceEncoder", "library_versions"]

_READ_BYTES: Final = 1 << 20


_LIBRARIES: Final = ("sentence-transformers", "tokenizers", "torch", "transformers")


def library_versions() -> dict[str, str]:
    """The versions that decide about the bits of vectors, of those libraries that are installed."""
    found = {}
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


class _Numbers(Protocol):
    def astype(self, kind: str) -> _Numbers: ...
    def tobytes(self) -> bytes: ...


class _Model(Protocol):
    """What is used of a `SentenceTransformer`."""

    def encode(
        self, sentences: list[str], *, normalize_embeddings: bool, show_progress_bar: bool
    ) -> _Numbers: ...
    def get_sentence_embedding_dimension(self) -> int | None: ...
    def save(self, path: str) -> None: ...


class SentenceEncoder:
    """A model, loaded from a folder or from the caches of its makers' library.

    Its vectors are what torch makes of the texts on this machine: another processor, or another
    version of torch, may round them otherwise.

    Args:
        place: a model's name or folder.

    Raises:
        UsageError: the library is not installed, or cannot load the model.
    """

    def __init__(self, place: str) -> None:
        try:
            library = import_module("sentence_transformers")
        except ImportError as error:
            raise UsageError(
                f"--encoder {place}: neither the default nor the file of an encoder's bundle, and "
                "for other models `pip install pydocs-builder[sentence-transformers]` is needed."
            ) from error
        try:
            self._model = cast("_Model", library.SentenceTransformer(place, device="cpu"))
        except (OSError, ValueError, RuntimeError) as error:
            said = str(error).partition("\n")[0].rstrip(".")
            raise UsageError(f"--encoder {place}: cannot be loaded ({said}).") from error
        self._place = place

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return self._model.get_sentence_embedding_dimension() or 0

    @property
    def chosen(self) -> ChosenEncoder:
        """How a build speaks of this model: its identity is that of its weights and settings."""
        name = Path(self._place).name or self._place
        return ChosenEncoder(name, self._identity(), self._place, is_bundle=False)

    def encode(self, texts: Sequence[str]) -> bytes:
        """A vector for each text, of length one."""
        numbers = self._model.encode(
            list(texts), normalize_embeddings=True, show_progress_bar=False
        )
        return numbers.astype("<f4").tobytes()

    def _identity(self) -> str:
        import tempfile  # noqa: PLC0415 - only a build with such a model needs it

        with tempfile.TemporaryDirectory(prefix="pydocs-") as folder:
            # A name says nothing about the files; what is saved is what was loaded.
            self._model.save(folder)
            digest = hashlib.sha256()
            for path in sorted(Path(folder).rglob("*")):
                if path.is_file() and path.suffix in {".safetensors", ".bin", ".json", ".txt"}:
                    digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
                    with path.open("rb") as file:
                        digest.update(hashlib.file_digest(file, "sha256").digest())
            return digest.hexdigest()
