"""`get_overview`: what is mounted, or what one package is and offers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from pydocs_bundle import Manifest, Record
from pydocs_bundle.records import Kind
from pydocs_server.answered.docs_collections import contents
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.spelling import normalised
from pydocs_server.rendered.answer import DEFAULT_TOKENS, Answer, assemble, count_tokens, cut_lines
from pydocs_server.rendered.api import api_name, declaration, is_failure, public_api, submodules
from pydocs_server.rendered.render import counted, fence, location, one_line, sealed, visible
from pydocs_server.rendered.rows import brief_row

__all__ = ["get_overview"]

_PICTURE: Final = re.compile(
    r"\s*(?:</?(?:p|div|img|a|br|h\d|picture|source|strong)\b|!\[|\[!\[|\.\. image::|\.\. \||"
    r"\.\. _|:(?:target|alt|align|height|width|scale):|\[[^\]]+\]:\s)"
)
_README_TOKENS: Final = 400
_MOST_API: Final = 80
_MOST_SORTED: Final = 1_000
_MOST_MODULES: Final = 24
_MOST_TOLD: Final = 40
_MOST_NAMES: Final = 60
_SHOWN_COUNTS: Final = (
    ("files", "file"),
    ("entries", "entry"),
    ("references", "reference"),
    ("decisions", "decision"),
)


def get_overview(catalog: Catalog, package: str = "", *, project: str = "") -> Answer:
    """Every mounted package in a line, or one package: summary, licence, modules, API, README.

    Args:
        catalog: what is mounted.
        package: in any spelling, with `==version` if need be; empty for all.
        project: one of several mounted projects.

    Raises:
        NotFound: no such package, version or project is mounted.
    """
    if package.strip():
        bundles = catalog.package(package)
        if catalog.is_collection(bundles[0]):
            return _collection(catalog, bundles[0], bundles[1:])
        return _one(catalog, bundles[0], bundles[1:])
    return _all(catalog, catalog.select(project=project))


def _collection(catalog: Catalog, index: int, others: Iterable[int]) -> Answer:
    """A documentation collection: its table of contents in place of an API."""
    answer = contents(catalog, index)
    structured = _identity(catalog, index) | {
        "licence": "",
        "counts": dict(catalog.bundles[index].manifest.counts),
        "content_id": catalog.bundles[index].content_id,
        "other_versions": [catalog.bundles[other].manifest.version for other in others],
    }
    return Answer(answer.text, structured | answer.structured)


def _all(catalog: Catalog, bundles: list[int]) -> Answer:
    projects = [index for index in bundles if catalog.is_project(index)]
    collections = [index for index in bundles if catalog.is_collection(index)]
    others = [index for index in bundles if index not in {*projects, *collections}]
    counts = f"{counted(len(projects), 'project')}, {counted(len(others), 'package')}"
    if collections:
        counts += f", {counted(len(collections), 'documentation collection')}"
    others += collections
    head = f"{len(bundles)} mounted: {counts}."
    lines = [_line(catalog, index) for index in (*projects, *others)]
    if sum(map(count_tokens, lines)) > DEFAULT_TOKENS - 200:
        lines = [visible(catalog.label(index)) for index in (*projects, *others)]
    body = assemble("", lines, lambda left: f"… {left} more", DEFAULT_TOKENS - 150, separator="\n")
    parts = [head, sealed(body), *[one_line(f"warning: {text}") for text in catalog.warnings[:5]]]
    parts.append("get_overview(package) tells about one; search_codebase(query) searches all.")
    rows = [_identity(catalog, index) for index in (*projects, *others)]
    return Answer(
        "\n".join(parts), {"packages": rows, "warnings": list(map(visible, catalog.warnings))}
    )


def _line(catalog: Catalog, index: int) -> str:
    manifest = catalog.bundles[index].manifest
    kind = manifest.kind + " " if manifest.kind in {"project", "docs"} else ""
    modules = [m for m in manifest.modules if normalised(m) != normalised(manifest.name)]
    modules = [module for module in modules if not module.startswith("_")]
    is_named = normalised(manifest.name) in map(normalised, manifest.modules)
    word = "also import" if is_named else "import"
    imported = f" ({word} {', '.join(modules[:3])})" if modules else ""
    summary = f": {manifest.summary}" if manifest.summary else ""
    return one_line(f"{kind}{manifest.name} {manifest.version}{imported}{summary}", 140)


def _identity(catalog: Catalog, index: int) -> dict[str, object]:
    manifest = catalog.bundles[index].manifest
    return {
        "package": visible(manifest.name),
        "version": visible(manifest.version),
        "kind": manifest.kind,
        "summary": one_line(manifest.summary),
        "modules": [visible(module) for module in _importable(manifest)[:_MOST_MODULES]],
    }


def _one(catalog: Catalog, index: int, other_versions: Iterable[int]) -> Answer:
    manifest = catalog.bundles[index].manifest
    versions = [catalog.bundles[other].manifest.version for other in other_versions]
    importable = _importable(manifest)
    modules = _main_first(submodules(catalog, index), importable)
    owners: Sequence[str] = importable
    offered = public_api(catalog, index, owners)
    if not offered:
        # An application's package is often empty: what it has is in its modules.
        owners = [module for module in modules if _is_public(module)][:_MOST_MODULES]
        offered = public_api(catalog, index, owners)
    offered = _most_used_first(offered, owners)
    readme = _readme(catalog, index, min(_README_TOKENS, DEFAULT_TOKENS // 3))
    head = _head(catalog, index, versions, modules)
    lines = _api_lines(offered[:_MOST_SORTED], owners)
    room = DEFAULT_TOKENS - count_tokens("\n".join([head, *readme])) - 40
    parts = [head]
    owner = visible(importable[0]) if importable else ""
    if lines:
        body = assemble(
            f"public API of {owner} ({len(offered)}):",
            lines,
            lambda left: f'… {left} more lines: get_symbol("{owner}", depth="tree")',
            room,
            separator="\n",
        )
        parts.append(sealed(body))
    parts += readme
    structured = _identity(catalog, index) | {
        "licence": visible(manifest.licence),
        "counts": dict(manifest.counts),
        "content_id": catalog.bundles[index].content_id,
        "other_versions": versions,
        "api": [brief_row(record, api_name(record, owners)) for record in offered[:_MOST_API]],
        "api_count": len(offered),
        "module_names": [visible(module) for module in modules[:_MOST_API]],
        "readme": "\n".join(readme),
        "notes": [visible(note) for note in manifest.notes],
    }
    return Answer("\n".join(parts), structured)


def _head(catalog: Catalog, index: int, versions: list[str], modules: list[str]) -> str:
    manifest = catalog.bundles[index].manifest
    kind = "project" if catalog.is_project(index) else manifest.kind
    licence = f", {manifest.licence}" if manifest.licence else ""
    counts = ", ".join(
        f"{manifest.counts[many]} {one if manifest.counts[many] == 1 else many}"
        for many, one in _SHOWN_COUNTS
        if manifest.counts.get(many)
    )
    lines = [one_line(f"{manifest.name} {manifest.version}, {kind}{licence}", 300)]
    if manifest.summary:
        lines.append(one_line(manifest.summary, 300))
    imported = ", ".join(_importable(manifest)) or "nothing"
    lines.append(one_line(f"import: {imported}; {counts}", 300))
    if versions:
        lines.append(one_line(f"also mounted: {', '.join(versions)}", 300))
    public = [module for module in modules if _is_public(module)]
    if len(public) > 1:
        more = f", … {len(public) - _MOST_MODULES} more" if len(public) > _MOST_MODULES else ""
        lines.append(one_line(f"modules: {', '.join(public[:_MOST_MODULES])}", 900) + more)
    return "\n".join(lines)


def _main_first(modules: Iterable[str], importable: Sequence[str]) -> list[str]:
    """The modules that people import first, and packages before what is in them."""
    places = {module: place for place, module in enumerate(importable)}

    def key(module: str) -> tuple[bool, int, int, str]:
        top = module.partition(".")[0]
        return (top not in places, module.count("."), places.get(top, 0), module)

    return sorted(modules, key=key)


def _most_used_first(offered: Iterable[Record], owners: Sequence[str]) -> list[Record]:
    """What leads to most within classes, functions, exceptions and values, else in their order."""
    groups = ("class", "function", "exception", "value")
    return sorted(
        offered,
        key=lambda one: (groups.index(_group(one, api_name(one, owners))), -one.popularity),
    )


def _is_public(module: str) -> bool:
    return "._" not in f".{module}"


def _api_lines(offered: Sequence[Record], modules: Sequence[str]) -> list[str]:
    """Functions with signatures, classes with what they are, and the rest by name alone."""
    owner = modules[0] if modules else ""
    groups: dict[str, list[tuple[str, Record]]] = {}
    for record in offered:
        name = api_name(record, modules)
        short = name.removeprefix(f"{owner}.")
        groups.setdefault(_group(record, name), []).append((short, record))
    lines: list[str] = []
    for word in ("function", "class", "exception", "value"):
        members = groups.get(word, [])
        told = [one for one in members if _is_told(word, one[1])][:_MOST_TOLD]
        lines += [_told(name, record) for name, record in told]
        names = [name for name, record in members if (name, record) not in told]
        if names:
            left = len(names) - _MOST_NAMES
            more = f", … {left} more" if left > 0 else ""
            other = "other " if told else ""
            plural = f"{word}es" if word == "class" else f"{word}s"
            lines.append(f"{other}{plural}: {visible(', '.join(names[:_MOST_NAMES]))}{more}")
    return lines


def _importable(manifest: Manifest) -> list[str]:
    """The modules that people import, the one called like the distribution first."""
    public = [module for module in manifest.modules if not module.startswith("_")]
    own = normalised(manifest.name)

    def rank(module: str) -> tuple[bool, bool, int, str]:
        name = normalised(module)
        return (name != own, not name.startswith(own), len(module), module)

    return sorted(public or manifest.modules, key=rank)


def _group(record: Record, name: str) -> str:
    if record.kind == Kind.CLASS:
        return "exception" if is_failure(name) else "class"
    return "function" if record.kind == Kind.FUNCTION else "value"


def _is_told(word: str, record: Record) -> bool:
    return word == "function" or (word == "class" and bool(record.summary))


def _told(name: str, record: Record) -> str:
    if record.kind == Kind.CLASS:
        return one_line(f"class {name}: {record.summary}", 110)
    summary = f"  # {one_line(record.summary, 60)}" if record.summary else ""
    return f"{declaration(record, name, 90)}{summary}"


def _readme(catalog: Catalog, index: int, tokens: int) -> list[str]:
    """The beginning of the README, fenced, and where it goes on; nothing if there is none.

    Badges and pictures, which most READMEs begin with, tell an assistant nothing.
    """
    bundle = catalog.bundles[index]
    names = [path for path in bundle.text.paths if path.lower().startswith("readme")]
    file = bundle.text.index(min(names, key=lambda path: (len(path), path))) if names else None
    if file is None:
        return []
    lines = bundle.text.read(file).decode("utf-8", "replace").split("\n")
    telling: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        is_blank = not line.strip()
        if not _PICTURE.match(line) and not (is_blank and (not telling or not telling[-1][1])):
            telling.append((number, line.rstrip()))
    shown = cut_lines("\n".join(line for _, line in telling), tokens)
    if not shown.text.strip():
        return []
    manifest = bundle.manifest
    where = location(manifest.name, manifest.version, bundle.text.paths[file])
    parts = [fence(shown.text, f"{where}:{telling[0][0]}", "text")]
    if shown.left:
        parts.append(f'more: read_file("{where}", offset={telling[shown.shown][0]})')
    return parts
