"""Where fetched distributions are kept, each in a folder named by what decides on its files."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from packaging.utils import NormalizedName

from pydocs_builder.found.installed import Distribution
from pydocs_bundle.caches import user_caches

__all__ = ["cache_folder", "keep", "known", "temporary"]

_STAMP = "pydocs.json"


def cache_folder() -> Path:
    """Where fetched distributions are kept; a temporary folder where nothing can be written."""
    try:
        folder = user_caches() / "distributions"
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK | os.X_OK):
            return folder
    except (OSError, RuntimeError):
        pass
    return Path(tempfile.mkdtemp(prefix="pydocs-distributions-"))


def known(place: Path, key: NormalizedName) -> Distribution | None:
    """The distribution that a folder of the cache holds; None if it is not there, or not whole."""
    try:
        stated = json.loads((place / _STAMP).read_text("utf-8"))
        source = tuple((str(name), str(value)) for name, value in stated["source"])
        return Distribution(key, str(place), str(stated["metadata"]), source)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep(
    place: Path, target: Path, key: NormalizedName, metadata: str,
    source: tuple[tuple[str, str], ...],
) -> Distribution:  # fmt: skip
    """Moves an unpacked distribution to its place in the cache; who comes second uses the first."""
    stamp = {"metadata": metadata, "source": source}
    (place / _STAMP).write_text(json.dumps(stamp), "utf-8")
    try:
        place.rename(target)
    except OSError:
        if not (target / _STAMP).is_file():
            raise
    return Distribution(key, str(target), metadata, source)


@contextmanager
def temporary(cache: Path) -> Iterator[Path]:
    """Gives a folder beside the kept ones, gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix=".partial-", dir=cache))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
