"""Any model of sentence-transformers by name or folder; an extra, as it brings torch with it."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final, Protocol, cast

from pydocs_builder.embedded.chosen import ChosenEncoder
from pydocs_bundle.errors import UsageError

__all__ = ["SentenceEncoder", "cached_folder", "library_versions", "open_sentence_encoder"]

_LIBRARIES: Final = ("sentence-transformers", "tokenizers", "torch", "transformers")
# One thread each: sums that are shared among threads may be rounded otherwise, processes work
# beside each other anyway, and a process with other threads could not be forked.
_ONE_THREAD: Final = {
    "MKL_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
}
# Where a model was loaded from, and by which versions, is no part of it.
_NOT_OF_THE_MODEL: Final = ("_name_or_path", "name_or_path", "transformers_version", "__version__")
_FLOAT_BYTES: Final = 4


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
        self,
        sentences: list[str],
        /,
        *,
        batch_size: int,
        normalize_embeddings: bool,
        show_progress_bar: bool,
    ) -> _Numbers: ...
    def save(self, path: str, /, *, create_model_card: bool) -> None: ...


class SentenceEncoder:
    """A model, loaded from a folder or from the caches of its makers' library.

    Its vectors are what torch makes of each text alone in one thread, so they depend neither on
    other texts nor on processes. Another processor, or another version of torch, may round them
    otherwise.

    Args:
        place: a model's name or folder.

    Raises:
        UsageError: the library is not installed, or cannot load the model.
    """

    def __init__(self, place: str) -> None:
        os.environ.update(_ONE_THREAD)
        try:
            torch = import_module("torch")
            library = import_module("sentence_transformers")
        except ImportError as error:
            raise UsageError(
                f"--encoder {place}: neither the default, nor the file of an encoder's bundle, nor "
                "a folder that `pydocs-build encoder --from` could pack; for other models "
                "`pip install pydocs-builder[sentence-transformers]` is needed."
            ) from error
        torch.set_num_threads(1)
        try:
            self._model = cast("_Model", library.SentenceTransformer(place, device="cpu"))
        except (AttributeError, KeyError, OSError, RuntimeError, TypeError, ValueError) as error:
            said = str(error).partition("\n")[0].rstrip(".")
            raise UsageError(f"--encoder {place}: cannot be loaded ({said}).") from error
        self._place = place

    @cached_property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return len(self.encode(["x"])) // _FLOAT_BYTES

    @cached_property
    def chosen(self) -> ChosenEncoder:
        """How a build speaks of this model: its identity is that of all that makes its vectors."""
        name = Path(self._place).name or self._place
        return ChosenEncoder(name, self._identity(), self._place, is_bundle=False)

    def encode(self, texts: Sequence[str]) -> bytes:
        """A vector for each text, of length one."""
        numbers = self._model.encode(
            list(texts), batch_size=1, normalize_embeddings=True, show_progress_bar=False
        )
        return numbers.astype("<f4").tobytes()

    def _identity(self) -> str:
        import tempfile  # noqa: PLC0415 - only a build with such a model needs it

        digest = hashlib.sha256(json.dumps(library_versions(), sort_keys=True).encode())
        with tempfile.TemporaryDirectory(prefix="pydocs-") as folder:
            # A name says nothing about the files; what is saved is what was loaded.
            self._model.save(folder, create_model_card=False)
            for path in sorted(Path(folder).rglob("*")):
                if path.is_file() and path.suffix != ".md":
                    digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
                    digest.update(_file_digest(path))
        return digest.hexdigest()


@cache
def open_sentence_encoder(place: str) -> SentenceEncoder:
    """The model, loaded once: processes that are forked later have it as well."""
    return SentenceEncoder(place)


def cached_folder(name: str) -> Path | None:
    """The folder of a model in the cache of the hub that names it; None if there is none."""
    try:
        hub = import_module("huggingface_hub")
    except ImportError:
        return None
    for repository in (name, f"sentence-transformers/{name}"):
        try:
            return Path(hub.snapshot_download(repository, local_files_only=True))
        except (OSError, ValueError):
            continue
    return None


def _file_digest(path: Path) -> bytes:
    """A digest of what a file says of a model."""
    if path.suffix == ".json":
        said = json.loads(path.read_text("utf-8"))
        if isinstance(said, dict):
            said = {key: value for key, value in said.items() if key not in _NOT_OF_THE_MODEL}
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).digest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
