"""What can be opened by address: package overviews, symbols and files, each at a version.

A resource is `pydocs://package/NAME@VERSION`, `pydocs://symbol/NAME@VERSION/dotted.name` or
`pydocs://file/NAME@VERSION/path`. Lists come in pages; a cursor says by itself what the page before
ended with, so any replica can give the next.
"""

from __future__ import annotations

import base64
import binascii
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple
from urllib.parse import quote, unquote

from pydocs_bundle.errors import PydocsError
from pydocs_bundle.records import Flag
from pydocs_server.answered.overview import get_overview
from pydocs_server.answered.symbol import get_symbol
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.files import find_file
from pydocs_server.mounted.nearest import shown_name
from pydocs_server.rendered.answer import NotFound
from pydocs_server.rendered.render import one_line, visible

__all__ = [
    "TEMPLATES",
    "Completed",
    "CursorError",
    "Page",
    "Resource",
    "Template",
    "complete",
    "listed",
    "read",
]

PAGE: Final = 100
"""Resources on one page, and values in one completion."""

_SCHEME: Final = "pydocs://"
_LONGEST_FILE: Final = 1_000_000
_MARKDOWN: Final = "text/markdown"
_TYPES: Final = {
    ".py": "text/x-python",
    ".pyi": "text/x-python",
    ".md": _MARKDOWN,
    ".rst": "text/x-rst",
    ".toml": "application/toml",
    ".json": "application/json",
    ".ipynb": "application/json",
}


class CursorError(PydocsError):
    """A cursor that no page has given."""

    def __init__(self) -> None:
        super().__init__("This cursor is none that a list has given; begin without one.")


class Resource(NamedTuple):
    """One resource as a list names it."""

    uri: str
    name: str
    description: str


class Page(NamedTuple):
    """A part of a list, and the cursor of the next one, empty on the last."""

    resources: list[Resource]
    cursor: str


class Template(NamedTuple):
    """A family of resources, with the variables that can be completed."""

    uri: str
    name: str
    title: str
    description: str


class Completed(NamedTuple):
    """The first values that a beginning can become, and how many there are."""

    values: list[str]
    total: int


TEMPLATES: Final = (
    Template(
        "pydocs://package/{package}",
        "package",
        "Package overview",
        "What a package is and offers; package is name@version, or a name for the newest.",
    ),
    Template(
        "pydocs://symbol/{package}/{name}",
        "symbol",
        "Symbol",
        "Signature, documentation and members of a dotted name in a package.",
    ),
    Template(
        "pydocs://file/{package}/{+path}",
        "file",
        "File",
        "A file of a package as it is.",
    ),
)
"""The templates, in the order in which they are listed."""


def listed(catalog: Catalog, cursor: str = "") -> Page:
    """A page of the mounted packages' overviews, by name and version.

    Raises:
        CursorError: the cursor is none of ours.
    """
    labels = sorted({catalog.label(index) for index in range(len(catalog.bundles))})
    start = bisect_right(labels, _after(cursor)) if cursor else 0
    summaries = {
        catalog.label(index): bundle.manifest.summary
        for index, bundle in enumerate(catalog.bundles)
    }
    shown = labels[start : start + PAGE]
    resources = [
        Resource(f"{_SCHEME}package/{_quoted(label)}", visible(label), one_line(summaries[label]))
        for label in shown
    ]
    is_last = start + PAGE >= len(labels)
    return Page(resources, "" if is_last else _cursor(shown[-1]))


def read(catalog: Catalog, uri: str) -> tuple[str, str]:
    """The text of a resource and its media type.

    Raises:
        NotFound: nothing mounted has that address.
    """
    kind, _, rest = uri.removeprefix(_SCHEME).partition("/")
    package, _, name = rest.partition("/")
    package, name = unquote(package), unquote(name)
    if not uri.startswith(_SCHEME) or kind not in _READ or not package or "\0" in uri:
        shapes = ", ".join(template.uri for template in TEMPLATES)
        raise NotFound(one_line(uri), problem="is no resource; they are", call=shapes)
    return _READ[kind](catalog, package, name)


def complete(
    catalog: Catalog, argument: str, beginning: str, known: Mapping[str, str] = MappingProxyType({})
) -> Completed:
    """What the value of a template's variable can become.

    Args:
        catalog: what is mounted.
        argument: `package`, `name` or `path`.
        beginning: what the user has typed of it.
        known: the variables that have a value already; names and paths want a `package`.
    """
    if argument == "package":
        labels = {visible(catalog.label(index)) for index in range(len(catalog.bundles))}
        return _completed(labels, beginning)
    package = known.get("package", "")
    try:
        bundles = catalog.package(package) if package else []
    except PydocsError:
        bundles = []
    if not bundles:
        return Completed([], 0)
    bundle = catalog.bundles[bundles[0]]
    if argument == "path":
        return _completed(map(visible, bundle.text.paths), beginning)
    if argument == "name":
        names = (
            visible(shown_name(record))
            for record in bundle.records
            if not record.flags & Flag.TEST and "#" not in record.qualified_name
        )
        return _completed(names, beginning)
    return Completed([], 0)


def _completed(values: Iterable[str], beginning: str) -> Completed:
    """Values that begin so before those whose last part does, the shorter ones first."""
    wanted = beginning.strip().casefold()
    fitting: dict[str, tuple[bool, bool, int, str]] = {}
    for value in values:
        folded = value.casefold()
        last = folded.rpartition("/")[2].rpartition(".")[2]
        if folded.startswith(wanted) or last.startswith(wanted):
            fitting[value] = ("._" in f".{value}", not folded.startswith(wanted), len(value), value)
    best = sorted(fitting, key=lambda value: fitting[value])
    return Completed(best[:PAGE], len(best))


def _package(catalog: Catalog, package: str, name: str) -> tuple[str, str]:
    if name:
        raise NotFound(one_line(f"{package}/{name}"), call=f"read pydocs://package/{package}")
    return get_overview(catalog, package).text, _MARKDOWN


def _symbol(catalog: Catalog, package: str, name: str) -> tuple[str, str]:
    catalog.package(package)
    return get_symbol(catalog, f"{package}/{name}").text, _MARKDOWN


def _file(catalog: Catalog, package: str, path: str) -> tuple[str, str]:
    bundles = set(catalog.package(package))
    file, _ = find_file(catalog, f"{package}/{path}")
    if file.bundle not in bundles:
        raise NotFound(one_line(f"{package}/{path}"), call=f"complete path in {package}")
    text = catalog.bundles[file.bundle].text.read(file.file)
    if len(text) > _LONGEST_FILE:
        raise NotFound(
            one_line(file.address),
            problem=f"has {len(text):,} bytes, more than a resource gives",
            call=f'read_file(file_path="{file.address}", limit=1000)',
        )
    suffix = f".{file.path.rpartition('.')[2]}"
    return visible(text.decode("utf-8", "replace")), _TYPES.get(suffix, "text/plain")


_READ: Final[Mapping[str, Callable[[Catalog, str, str], tuple[str, str]]]] = {
    "package": _package,
    "symbol": _symbol,
    "file": _file,
}


def _quoted(label: str) -> str:
    return quote(label, safe="@!+._-~")


def _cursor(last: str) -> str:
    return base64.urlsafe_b64encode(last.encode()).decode().rstrip("=")


def _after(cursor: str) -> str:
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        return base64.b64decode(padded, altchars=b"-_", validate=True).decode()
    except (ValueError, binascii.Error) as error:
        raise CursorError from error
