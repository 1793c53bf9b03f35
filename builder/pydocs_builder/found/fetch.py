"""Getting what is not installed: through pip's own download, unpacked and never run."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import InvalidWheelFilename, NormalizedName, parse_wheel_filename

from pydocs_builder.config import ProjectConfig
from pydocs_builder.found.fetched import cache_folder, keep, known, temporary
from pydocs_builder.found.installed import Distribution
from pydocs_builder.found.pip import Pip, download
from pydocs_builder.found.wheels import UnsafeWheelError, unpack_wheel
from pydocs_builder.planned.selection import is_licence_file, is_taken

__all__ = ["Fetched", "Fetching", "Order", "fetch_all"]

_PARALLEL = 4
_BATCH = 8
_HASH = re.compile(r"sha(?:256|384|512):[0-9a-f]+")
_VCS = re.compile(r"^(?:git|hg|svn|bzr)\+")
# No blank, which would begin an option, and no variable, which pip would put in.
_ADDRESS = re.compile(r"(?:https?|file)://[^\s${}]+")
_UNREACHABLE = ("Retrying (Retry(", "connection-failed", "NewConnectionError")
_LONGEST_REASON = 300
# How pip begins the line that says what is wrong, older and newer.
_MARKS = ("ERROR: ", "\N{MULTIPLICATION SIGN} ")
_WHEEL_OPTIONS = ("--only-binary=:all:",)
# pip keeps the sources that it could not build.
_SOURCE_OPTIONS = ("--no-binary=:all:", "--no-build-isolation", "--no-clean")


class Order(NamedTuple):
    """One distribution to get.

    Args:
        key: its normalised name.
        specifier: what its version must be.
        is_exact: whether that is one version.
        hashes: the digests that its file may have, none if nothing says.
        address: where its file is, empty for the index.
    """

    key: NormalizedName
    specifier: str
    is_exact: bool = False
    hashes: tuple[str, ...] = ()
    address: str = ""

    @property
    def line(self) -> str:
        """The line of a requirements file."""
        stated = f"{self.key} @ {self.address}" if self.address else f"{self.key}{self.specifier}"
        return " ".join([stated, *(f"--hash={one}" for one in self.hashes)])


class Fetched(NamedTuple):
    """What became of an order: the distribution, or why there is none.

    `is_refused` says that there was a file and it was not taken.
    """

    distribution: Distribution | None
    problem: str = ""
    is_refused: bool = False


@dataclass(frozen=True, slots=True)
class Fetching:
    """How to fetch.

    Args:
        pip: what downloads.
        options: pip's words for another platform or Python than this one.
        settings: which files are worth unpacking.
        tell: told of each distribution that is there, or is not.
    """

    pip: Pip
    options: tuple[str, ...]
    settings: ProjectConfig
    tell: Callable[[str], None]


def fetch_all(orders: Sequence[Order], how: Fetching) -> Mapping[NormalizedName, Fetched]:
    """What became of each order; those fetched before come from the cache."""
    cache = cache_folder()
    found: dict[NormalizedName, Fetched] = {}
    waiting = []
    for order in (_clean(order) for order in orders):
        earlier = known(cache / _name(order, how), order.key) if order.is_exact else None
        if earlier is not None:
            found[order.key] = Fetched(earlier)
        elif problem := _objection(order):
            found[order.key] = Fetched(None, problem)
        else:
            waiting.append(order)
    with ThreadPoolExecutor(_PARALLEL) as pool:
        for part in pool.map(lambda batch: _wheels(batch, cache, how), _batches(waiting)):
            found.update(part)
    return found


def _objection(order: Order) -> str:
    """Why pip must not be asked for an order, empty if it may: locks are others' words, too."""
    if _VCS.match(order.address):
        return "it comes from version control; install it into the environment"
    if order.address and not _ADDRESS.fullmatch(order.address):
        return f"it comes from {order.address[:_LONGEST_REASON]!r}, which is not fetched"
    try:
        SpecifierSet(order.specifier)
    except InvalidSpecifier:
        return f"{order.specifier[:_LONGEST_REASON]!r} is no version"
    return ""


def _clean(order: Order) -> Order:
    """An order with the digests that pip accepts, without doubles."""
    hashes = (one.lower() for one in order.hashes)
    return order._replace(hashes=tuple(dict.fromkeys(filter(_HASH.fullmatch, hashes))))


def _batches(orders: Sequence[Order]) -> Iterator[list[Order]]:
    """Orders for one run of pip each: it wants hashes of all or of none."""
    for is_hashed in (True, False):
        alike = [one for one in orders if bool(one.hashes) is is_hashed]
        size = max(1, min(_BATCH, -(-len(alike) // _PARALLEL)))
        for start in range(0, len(alike), size):
            yield alike[start : start + size]


def _wheels(orders: list[Order], cache: Path, how: Fetching) -> dict[NormalizedName, Fetched]:
    """Download wheels; if that fails for one of several, each half is tried by itself."""
    if len(orders) == 1 and _is_source(orders[0]):
        return {orders[0].key: _source(orders[0], cache, how, "")}
    with temporary(cache) as folder:
        lines = "".join(f"{order.line}\n" for order in orders)
        said = download(how.pip, lines, [*_WHEEL_OPTIONS, *how.options], folder)
        if not said:
            return {order.key: _unpacked(order, folder, cache, how) for order in orders}
    if _is_unreachable(said):
        return {order.key: _failed(order, said, how) for order in orders}
    if len(orders) > 1:
        middle = len(orders) // 2
        halves = (orders[:middle], orders[middle:])
        return {key: one for half in halves for key, one in _wheels(half, cache, how).items()}
    (order,) = orders
    if _is_no_match(said):
        return {order.key: _source(order, cache, how, said)}
    return {order.key: _failed(order, said, how)}


def _unpacked(order: Order, folder: Path, cache: Path, how: Fetching) -> Fetched:
    """The distribution of a downloaded wheel, unpacked into the cache."""
    wheel = next((path for path in sorted(folder.glob("*.whl")) if _key(path) == order.key), None)
    if wheel is None:
        return _failed(order, "pip downloaded no wheel of this name", how)
    with wheel.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    place = folder / f"{order.key}-unpacked"
    place.mkdir()
    try:
        metadata = unpack_wheel(wheel, place, lambda path: _is_readable(path, how.settings))
    except UnsafeWheelError as error:
        how.tell(f"{order.key}: refused, {error}")
        return Fetched(None, f"{wheel.name} is refused: {error}", is_refused=True)
    source = (("wheel", wheel.name), ("sha256", digest))
    how.tell(f"fetched {wheel.name}")
    name = _name(order, how) if order.is_exact else digest
    return Fetched(keep(place, cache / name, order.key, metadata, source))


def _source(order: Order, cache: Path, how: Fetching, said: str) -> Fetched:
    """The distribution of a source archive; pip unpacks it and then cannot build it."""
    with temporary(cache) as folder:
        # The platform options belong to wheels.
        told = download(how.pip, f"{order.line}\n", _SOURCE_OPTIONS, folder)
        unpacked = [path.parent for path in folder.glob("pip-download-*/*/PKG-INFO")]
        if len(unpacked) == 1:
            how.tell(f"fetched the sources of {order.key}{order.specifier}")
            name = _name(order, how) if order.is_exact else folder.name
            source = (("sdist", unpacked[0].name.rpartition("_")[0]),)
            return Fetched(keep(unpacked[0], cache / name, order.key, "PKG-INFO", source))
    return _failed(order, said if _is_no_match(told) and said else told, how)


def _failed(order: Order, said: str, how: Fetching) -> Fetched:
    """Why an order was not filled, in the words of pip that tell it."""
    how.tell(f"{order.key}{order.specifier}: not fetched")
    if "DO NOT MATCH THE HASHES" in said or "hashes are required" in said:
        problem = "the file that the index has does not have a hash that the lock states"
        return Fetched(None, problem, is_refused=True)
    if _is_unreachable(said):
        return Fetched(None, f"{'its address' if order.address else 'the index'} cannot be reached")
    if _is_no_match(said):
        return Fetched(None, "the index has no such version")
    told = [
        line.removeprefix(mark)
        for line in said.splitlines()
        for mark in _MARKS
        if line.startswith(mark)
    ]
    reason = (told or said.splitlines())[-1].strip()
    return Fetched(None, f"pip: {reason[:_LONGEST_REASON]}")


def _is_no_match(said: str) -> bool:
    return "No matching distribution found" in said


def _is_unreachable(said: str) -> bool:
    return any(word in said for word in _UNREACHABLE)


def _is_source(order: Order) -> bool:
    return bool(order.address) and not order.address.partition("#")[0].endswith(".whl")


def _is_readable(path: str, settings: ProjectConfig) -> bool:
    folder, _, name = path.rpartition("/")
    if folder.endswith(".dist-info") and name in {"METADATA", "top_level.txt"}:
        return True
    return is_taken(path, settings) or is_licence_file(path)


def _key(path: Path) -> str:
    try:
        return parse_wheel_filename(path.name)[0]
    except InvalidWheelFilename:
        return ""


def _name(order: Order, how: Fetching) -> str:
    """The name of an order's folder in the cache: everything that decides which files it gets."""
    parts = [order, how.options, how.settings.suffixes, sys.version_info[:2], sys.platform]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
