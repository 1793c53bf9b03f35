"""The mounted files and their addresses: `package@version/path`, and the shorter ways to say it.

A path that a caller gives is only ever compared with the paths that bundles hold; none is opened.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.spelling import normalised, taken_apart, version_key
from pydocs_server.rendered.answer import NotFound
from pydocs_server.rendered.render import location, one_line, visible

__all__ = ["MountedFile", "closest_files", "files_below", "find_file", "mounted_files"]

CLOSEST = 5
_MOST_NAMES_COMPARED = 5_000
_LINE_SUFFIX = re.compile(r"(.+):(\d{1,9})(?:-\d{1,9})?")


class MountedFile(NamedTuple):
    """One file of one bundle: indexes of both, its path in the bundle, and who it belongs to."""

    bundle: int
    file: int
    path: str
    package: str
    version: str

    @property
    def address(self) -> str:
        """What `read_file` takes for exactly this file."""
        return location(self.package, self.version, self.path)

    def row(self) -> dict[str, object]:
        """The file for a program."""
        return {
            "path": visible(self.path),
            "package": visible(self.package),
            "version": visible(self.version),
            "address": self.address,
        }


def mounted_files(catalog: Catalog, scope: str = "all", within: str = "") -> list[MountedFile]:
    """The files of a scope, below an address; projects first, then by name, newest version first.

    Args:
        catalog: what is mounted.
        scope: `all`, `project` or `deps`.
        within: a package, with a version or not, a folder or file of it, or a bare folder or file;
            empty for everything.

    Raises:
        NotFound: nothing mounted has that address.
    """
    return files_below(catalog, scope, within)[0]


def files_below(
    catalog: Catalog, scope: str = "all", within: str = ""
) -> tuple[list[MountedFile], int]:
    """The same, and how many characters of their paths are the folder's that was asked for."""
    chosen = set(catalog.select(scope=scope))
    if not within:
        found = [each for index in _in_order(catalog, chosen) for each in _files(catalog, index)]
        return _once(catalog, found), 0
    below, start = _below(catalog, within)
    found = _once(catalog, [each for each in below if each.bundle in chosen])
    if not found:
        raise _no_such_file(catalog, within, "is no file or folder of what is mounted")
    return found, start


def find_file(catalog: Catalog, address: str) -> tuple[MountedFile, int]:
    """The one file that an address means, and the line it names (`path:12`), 0 without.

    Raises:
        NotFound: no mounted file, or more than one, has that address.
    """
    wanted, line = address, 0
    found = _once(catalog, _named(catalog, wanted))
    if not found and (suffixed := _LINE_SUFFIX.fullmatch(address)):
        wanted, line = suffixed[1], int(suffixed[2])
        found = _once(catalog, _named(catalog, wanted))
    if len(found) == 1:
        return found[0], line
    if found:
        choices = [each.address for each in found[:CLOSEST]]
        raise NotFound(
            one_line(address),
            closest=choices,
            call=f'read_file(file_path="{choices[0]}")',
            problem=f"could be any of {len(found)} mounted files",
        )
    raise _no_such_file(catalog, wanted, "is no file of what is mounted")


def closest_files(catalog: Catalog, address: str, most: int = CLOSEST) -> list[MountedFile]:
    """The mounted files whose addresses are most like the one given, best first."""
    wanted = address[-300:].replace("\\", "/").rstrip("/").lower().split("/")
    files = mounted_files(catalog)
    by_name: dict[str, list[MountedFile]] = {}
    for each in files:
        by_name.setdefault(each.path.rpartition("/")[2].lower(), []).append(each)
    names = [wanted[-1]] if wanted[-1] in by_name else _close_names(wanted[-1], by_name)

    def distance(each: MountedFile) -> tuple[int, int, int]:
        there = each.address.lower().split("/")
        shared = len(set(there) & set(wanted))
        return names.index(there[-1]), -shared, len(there)

    return sorted((each for name in names for each in by_name[name]), key=distance)[:most]


def _once(catalog: Catalog, files: Sequence[MountedFile]) -> list[MountedFile]:
    """The files without those of a collection that a project among them has as well."""
    among = {each.bundle for each in files}
    return [each for each in files if not catalog.is_repeated(each.bundle, each.file, among)]


def _close_names(name: str, names: Iterable[str]) -> list[str]:
    near = [each for each in names if abs(len(each) - len(name)) <= 1 + len(name) // 4]
    return difflib.get_close_matches(name, near[:_MOST_NAMES_COMPARED], n=CLOSEST, cutoff=0.6)


def _in_order(catalog: Catalog, chosen: Iterable[int]) -> list[int]:
    """Projects first, then by name, the newest version first."""
    versions = sorted(
        chosen, key=lambda each: version_key(catalog.bundles[each].manifest.version), reverse=True
    )
    return sorted(
        versions,
        key=lambda each: (
            not catalog.is_project(each),
            normalised(catalog.bundles[each].manifest.name),
        ),
    )


def _files(catalog: Catalog, index: int) -> list[MountedFile]:
    bundle = catalog.bundles[index]
    name, version = bundle.manifest.name, bundle.manifest.version
    return [
        MountedFile(index, file, path, name, version) for file, path in enumerate(bundle.text.paths)
    ]


def _file(catalog: Catalog, index: int, path: str) -> MountedFile | None:
    bundle = catalog.bundles[index]
    file = bundle.text.index(path)
    if file is None:
        return None
    return MountedFile(index, file, path, bundle.manifest.name, bundle.manifest.version)


def _readings(catalog: Catalog, address: str) -> list[tuple[list[int], str]]:
    """The ways to read an address: bundles, and the path in them."""
    wanted = address.removeprefix("./").rstrip("/")
    head, _, rest = wanted.partition("/")
    readings = []
    owners = _owners(catalog, head)
    if owners:
        readings.append((_in_order(catalog, owners), rest))
    readings.append((_in_order(catalog, range(len(catalog.bundles))), wanted))
    return readings


def _owners(catalog: Catalog, head: str) -> list[int]:
    """The bundles that the first part of an address names: `package`, `@version` or `==version`."""
    if not catalog.spelled(taken_apart(head).name):
        return []
    return catalog.package(head)


def _named(catalog: Catalog, address: str) -> list[MountedFile]:
    """The files that an address can mean; the first reading that gives any decides."""
    for owners, path in _readings(catalog, address):
        found = [each for index in owners if (each := _file(catalog, index, path)) is not None]
        if found:
            return found
    return []


def _below(catalog: Catalog, address: str) -> tuple[list[MountedFile], int]:
    for owners, path in _readings(catalog, address):
        exact = [each for index in owners if path and (each := _file(catalog, index, path))]
        if exact:
            return exact, path.rfind("/") + 1
        prefix = f"{path}/" if path else ""
        found = [
            each
            for index in owners
            for each in _files(catalog, index)
            if each.path.startswith(prefix)
        ]
        if found:
            return found, len(prefix)
    return [], 0


def _no_such_file(catalog: Catalog, address: str, problem: str) -> NotFound:
    closest = [each.address for each in closest_files(catalog, address)]
    if closest:
        call = f'read_file(file_path="{closest[0]}")'
    else:
        call = 'glob(pattern="**/*.py") lists what there is'
    return NotFound(
        one_line(address) or "An empty path", closest=closest, call=call, problem=problem
    )
