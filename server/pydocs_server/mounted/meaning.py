"""Search by meaning over what is mounted: the encoder for questions, and the bundles' vectors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from threading import Lock
from typing import Final, NamedTuple

from pydocs_bundle import Bundle
from pydocs_bundle.errors import BundleError
from pydocs_native import Encoder, Vectors

__all__ = ["LOADING", "MountedMeaning", "Semantics", "semantics_of"]

_QUESTIONS_KEPT: Final = 16

LOADING: Final = "the encoder is still being loaded"
"""Why a search does without meaning that comes before the model is there."""


class MountedMeaning:
    """The vectors of mounted bundles, and the encoder that made them.

    Nothing is read before the first question, or `load`.

    Args:
        encoder: the encoder's bundle.
        bundles: those that are mounted; None in the place of one that has no vectors of it.
    """

    def __init__(self, encoder: Bundle, bundles: Sequence[Bundle | None]) -> None:
        self._encoder = encoder
        self._bundles = tuple(bundles)
        self._lock = Lock()
        self._loaded: tuple[Encoder, Vectors] | None = None
        self._vector = lru_cache(_QUESTIONS_KEPT)(self._encoded)
        self.problems: tuple[str, ...] = ()
        """What was wrong with vectors that are left out, once they are loaded."""
        self.is_loading = False
        """Whether a thread is at `load`, so that whoever asks now would wait for it."""
        self.damage = ""
        """Why the model cannot be used, a clause, once that is known."""

    def load(self) -> None:
        """Checks and maps the model and all vectors, unless that is done.

        Raises:
            BundleError: the model is damaged.
        """
        self._parts()

    def is_sound(self) -> bool:
        """Whether the model can be used; it is loaded for this, and `damage` says why not."""
        try:
            self._parts()
        except BundleError:
            return False
        return True

    def nearest(
        self, text: str, limit: int, sections: Sequence[int] | None = None
    ) -> list[tuple[float, int, int]]:
        """The cosines, bundles and records of the entries nearest to a text, the nearest first."""
        _, vectors = self._parts()
        return vectors.search(self._vector(text), limit, sections=sections)

    def cosines(self, text: str, places: Sequence[tuple[int, int]]) -> list[float | None]:
        """The cosine of each entry, by bundle and record; None for one without a vector."""
        _, vectors = self._parts()
        return vectors.scores(self._vector(text), places)

    def close(self) -> None:
        """Lets go of the bundles' mappings; a later question maps them again."""
        with self._lock:
            self._loaded = None

    def _encoded(self, text: str) -> bytes:
        encoder, _ = self._parts()
        return encoder.encode([text])

    def _parts(self) -> tuple[Encoder, Vectors]:
        with self._lock:
            if self._loaded is None:
                try:
                    encoder = Encoder(self._encoder.model)
                except ValueError as error:
                    self.damage = f"the encoder's model is damaged ({error})"
                    problem = f"its model is damaged: {error}"
                    raise BundleError(str(self._encoder.path), problem) from error
                except BundleError:
                    self.damage = "the encoder's bundle is damaged"
                    raise
                self._loaded = encoder, self._sound_vectors()
            return self._loaded

    def _sound_vectors(self) -> Vectors:
        """All vectors but the damaged ones."""
        sections: list[memoryview | None] = []
        problems = []
        for bundle in self._bundles:
            section = None
            if bundle is not None:
                try:
                    section = bundle.vectors
                    Vectors([section])
                except (BundleError, ValueError) as error:
                    problems.append(f"{bundle.path.name}: {str(error).rstrip('.')}")
                    section = None
            sections.append(section)
        self.problems = tuple(problems)
        return Vectors(sections)


class Semantics(NamedTuple):
    """How far what is mounted can be searched by meaning.

    `by_words` are the bundles that are searched by their words alone, and `reason` says why, a
    clause; empty where there are none.
    """

    meaning: MountedMeaning | None
    by_words: tuple[int, ...] = ()
    reason: str = ""


def semantics_of(bundles: Sequence[Bundle], encoder: Bundle | None) -> Semantics:
    """What can be searched by meaning with an encoder; manifests tell, and nothing else is read."""
    everything = tuple(range(len(bundles)))
    stated = [bundle.manifest.encoder for bundle in bundles]
    names = sorted({one["name"] for one in stated if one.get("name")})
    if encoder is None:
        if not names:
            return Semantics(None, everything, "no bundle has vectors")
        made_by = ", ".join(names)
        return Semantics(None, everything, f"no encoder is mounted, and {made_by} made the vectors")
    own = encoder.manifest.encoder
    fitting = [one.get("identity") == own.get("identity") for one in stated]
    if not any(fitting):
        others = f"vectors of {', '.join(names)}" if names else "no vectors"
        reason = f"the mounted encoder is {own.get('name')}, and the bundles have {others}"
        return Semantics(None, everything, reason)
    chosen = [b if fits else None for b, fits in zip(bundles, fitting, strict=True)]
    left = tuple(index for index in everything if not fitting[index])
    meaning = MountedMeaning(encoder, chosen)
    reason = f"they have no vectors of {own.get('name')}" if left else ""
    return Semantics(meaning, left, reason)
