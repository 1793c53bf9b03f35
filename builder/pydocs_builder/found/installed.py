"""The distributions of an environment, found by the names of their metadata folders."""

from __future__ import annotations

import csv
import json
import os
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from urllib.parse import unquote, urlsplit

from packaging.utils import NormalizedName, canonicalize_name
from packaging.version import InvalidVersion, Version

from pydocs_builder.found.metadata import Metadata, parse_metadata

__all__ = [
    "Distribution",
    "find_distributions",
    "origin_address",
    "project_folder",
    "read_dist_metadata",
]

_SUFFIXES = (".dist-info", ".egg-info", ".egg")
_SECTION = re.compile(r"^\[([^:\]]*):?([^\]]*)\]$")
_NO_SOURCES = re.compile(r"\.(?:pth|egg-link)$|\.(?:dist|egg)-info/|(?:^|/)__pycache__/|^\.\.")


@dataclass(frozen=True, slots=True)
class Distribution:
    """One installed distribution, by where its metadata is.

    Args:
        key: the normalised name.
        folder: the folder of the search path that it is in.
        metadata: the path of its metadata folder, or file, below `folder`.
        source: what it was fetched as, for the manifest; nothing for an installed one.
    """

    key: NormalizedName
    folder: str
    metadata: str
    source: tuple[tuple[str, str], ...] = ()


def find_distributions(folders: Iterable[str]) -> Mapping[NormalizedName, Distribution]:
    """The distributions of the folders: as on a search path, the first folder that has one wins.

    Folders that a `.pth` file adds count as well, as they do when Python starts; its lines of code
    do not run.
    """
    found: dict[NormalizedName, Distribution] = {}
    for folder in _with_added(folders):
        here: dict[NormalizedName, tuple[tuple[bool, Version], Distribution]] = {}
        for name in _names_in(folder):
            distribution = _distribution(folder, name)
            if distribution is None:
                continue
            rank = _rank(name)
            known = here.get(distribution.key)
            if known is None or rank > known[0]:
                here[distribution.key] = (rank, distribution)
        for key, (_, distribution) in here.items():
            found.setdefault(key, distribution)
    return found


def read_dist_metadata(distribution: Distribution) -> Metadata | None:
    """The metadata of a distribution; None where it cannot be read or has no name or version."""
    place = Path(distribution.folder, distribution.metadata)
    candidates = (place / "METADATA", place / "PKG-INFO", place)
    for path in candidates:
        try:
            metadata = parse_metadata(path.read_bytes())
        except OSError:
            continue
        if not metadata.name or not metadata.version:
            return None
        return metadata if metadata.requires else replace(metadata, requires=_egg_requires(place))
    return None


def project_folder(distribution: Distribution) -> str | None:
    """The folder of an editable distribution's project, or of unpacked sources; else None."""
    place = Path(distribution.folder, distribution.metadata)
    if distribution.metadata == "PKG-INFO":
        return distribution.folder
    direct = _direct_url(distribution)
    details = direct.get("dir_info")
    if isinstance(details, Mapping) and details.get("editable") is True:
        parts = urlsplit(str(direct.get("url", "")))
        return _path_of(parts.path) if parts.scheme == "file" else None
    # `setup.py develop` leaves its metadata in the project, beside the sources, without a record.
    is_develop = place.suffix == ".egg-info" and place.is_dir()
    if is_develop and not (place / "installed-files.txt").exists():
        return distribution.folder if _is_project(Path(distribution.folder)) else None
    return _folder_by_path_file(distribution)


def origin_address(distribution: Distribution) -> str:
    """The address that a distribution was installed from, empty if it came from an index."""
    return str(_direct_url(distribution).get("url", ""))


def _folder_by_path_file(distribution: Distribution) -> str | None:
    """The project that a path file leads to, where the installer put nothing else in its place."""
    record = Path(distribution.folder, distribution.metadata, "RECORD")
    try:
        paths = [row[0] for row in csv.reader(record.read_text("utf-8").splitlines()) if row]
    except (OSError, ValueError, csv.Error):
        return None
    path_files = [path for path in paths if path.endswith(".pth") and "/" not in path]
    if not path_files or any(not _NO_SOURCES.search(path) for path in paths):
        return None
    for name in path_files:
        for folder in _added_by(distribution.folder, name):
            above = (Path(folder), Path(folder).parent)
            return str(next(filter(_is_project, above), above[0]))
    return None


def _egg_requires(place: Path) -> tuple[str, ...]:
    """The requirements in `requires.txt`, where metadata of before 2.1 keeps them."""
    try:
        lines = (place / "requires.txt").read_text("utf-8", "replace").splitlines()
    except OSError:
        return ()
    found, condition = [], ""
    for line in filter(None, map(str.strip, lines)):
        if (section := _SECTION.match(line)) is not None:
            extra, marker = section.groups()
            parts = [f"({marker})"] if marker else []
            parts += [f'extra == "{extra}"'] if extra else []
            condition = " and ".join(parts)
        else:
            found.append(f"{line} ; {condition}" if condition else line)
    return tuple(found)


def _direct_url(distribution: Distribution) -> Mapping[str, object]:
    path = Path(distribution.folder, distribution.metadata, "direct_url.json")
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _path_of(url_path: str) -> str:
    if sys.platform == "win32":
        from urllib.request import url2pathname  # noqa: PLC0415 - drags in the network stack

        return url2pathname(url_path)
    return unquote(url_path)


def _is_project(folder: Path) -> bool:
    return any((folder / name).is_file() for name in ("pyproject.toml", "setup.py", "setup.cfg"))


def _with_added(folders: Iterable[str]) -> list[str]:
    """The folders, each followed by those that its `.pth` files add."""
    found: dict[str, str] = {}
    for folder in folders:
        added = [folder]
        for name in _names_in(folder):
            if name.endswith(".pth"):
                added += _added_by(folder, name)
        for one in added:
            found.setdefault(os.path.realpath(one), one)
    return list(found.values())


def _added_by(folder: str, name: str) -> list[str]:
    try:
        lines = Path(folder, name).read_text("utf-8", "replace").splitlines()
    except OSError:
        return []
    stated = (line.strip() for line in lines)
    paths = (
        Path(folder, line)
        for line in stated
        if line and not line.startswith(("#", "import ", "import\t")) and "\0" not in line
    )
    return [str(path) for path in paths if path.is_dir()]


def _names_in(folder: str) -> list[str]:
    try:
        # Names are all that is needed of what may be thousands of them.
        return sorted(os.listdir(folder))  # noqa: PTH208
    except OSError:
        return []


def _distribution(folder: str, name: str) -> Distribution | None:
    """The distribution whose metadata is called `name`; pip leaves broken ones behind a tilde."""
    stem, suffix = PurePath(name).stem, PurePath(name).suffix.lower()
    if suffix not in _SUFFIXES or name.startswith("~"):
        return None
    metadata = name
    if suffix == ".egg":
        folder, metadata = str(Path(folder, name)), "EGG-INFO"
        if not Path(folder, metadata).is_dir():
            return None
    # `foo_bar-1.0.dist-info`, `foo_bar-1.0-py3.11.egg-info`, `foo_bar.egg-info`.
    stated = stem.rsplit("-", 1)[0] if suffix == ".dist-info" else stem.split("-", 1)[0]
    return Distribution(canonicalize_name(stated), folder, metadata)


def _rank(name: str) -> tuple[bool, Version]:
    """Which of two metadata folders of one distribution counts: the newer format, then version."""
    stem, suffix = PurePath(name).stem, PurePath(name).suffix.lower()
    parts = stem.rsplit("-", 1) if suffix == ".dist-info" else stem.split("-")
    try:
        version = Version(parts[1]) if len(parts) > 1 else Version("0")
    except InvalidVersion:
        version = Version("0")
    return suffix == ".dist-info", version
