"""`get_overview`: what is mounted, or what one package is and offers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pydocs_bundle import Record
from pydocs_bundle.records import Kind
from pydocs_server.answer import DEFAULT_TOKENS, Answer, assemble, count_tokens, cut_lines
from pydocs_server.api import api_name, declaration, public_api, submodules
from pydocs_server.catalog import Catalog
from pydocs_server.render import counted, fence, location, one_line, sealed, visible
from pydocs_server.rows import row
from pydocs_server.spelling import normalised

__all__ = ["get_overview"]

_README_TOKENS: Final = 500
_MOST_API: Final = 200
_MOST_MODULES: Final = 24
_SHOWN_COUNTS: Final = ("files", "entries", "references", "decisions")


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
        return _one(catalog, bundles[0], bundles[1:])
    return _all(catalog, catalog.select(project=project))


def _all(catalog: Catalog, bundles: list[int]) -> Answer:
    projects = [index for index in bundles if catalog.is_project(index)]
    others = [index for index in bundles if not catalog.is_project(index)]
    counts = f"{counted(len(projects), 'project')}, {counted(len(others), 'package')}"
    head = f"{len(bundles)} mounted: {counts}."
    lines = [_line(catalog, index) for index in (*projects, *others)]
    if sum(map(count_tokens, lines)) > DEFAULT_TOKENS - 200:
        lines = [visible(catalog.label(index)) for index in (*projects, *others)]
    body = assemble("", lines, lambda left: f"… {left} more", DEFAULT_TOKENS - 150, separator="\n")
    parts = [head, sealed(body), *[one_line(f"warning: {text}") for text in catalog.warnings[:5]]]
    parts.append("get_overview(package) tells about one; search_codebase(query) searches all.")
    rows: list[dict[str, object]] = [_identity(catalog, index) for index in (*projects, *others)]
    return Answer(
        "\n".join(parts), {"packages": rows, "warnings": list(map(visible, catalog.warnings))}
    )


def _line(catalog: Catalog, index: int) -> str:
    manifest = catalog.bundles[index].manifest
    kind = "project " if catalog.is_project(index) else ""
    modules = [m for m in manifest.modules if normalised(m) != normalised(manifest.name)]
    imported = f" (import {', '.join(modules[:3])})" if modules else ""
    summary = f": {manifest.summary}" if manifest.summary else ""
    return one_line(f"{kind}{manifest.name} {manifest.version}{imported}{summary}", 140)


def _identity(catalog: Catalog, index: int) -> dict[str, object]:
    manifest = catalog.bundles[index].manifest
    return {
        "package": visible(manifest.name),
        "version": visible(manifest.version),
        "kind": manifest.kind,
        "summary": visible(manifest.summary),
        "licence": visible(manifest.licence),
        "modules": [visible(module) for module in manifest.modules],
        "counts": dict(manifest.counts),
        "content_id": catalog.bundles[index].content_id,
    }


def _one(catalog: Catalog, index: int, other_versions: Iterable[int]) -> Answer:
    manifest = catalog.bundles[index].manifest
    versions = [catalog.bundles[other].manifest.version for other in other_versions]
    modules = submodules(catalog, index)
    offered = public_api(catalog, index, manifest.modules)
    readme, address = _readme(catalog, index)
    head = _head(catalog, index, versions, modules)
    lines = [_api_line(record, manifest.modules) for record in offered[:_MOST_API]]
    room = DEFAULT_TOKENS - count_tokens(head) - 100
    shown = cut_lines(readme, min(_README_TOKENS, room // 3)) if readme else None
    if shown:
        room -= count_tokens(shown.text) + 40
    parts = [head]
    if lines:
        body = assemble(
            f"public API ({len(offered)}):",
            lines,
            lambda left: f'… {left} more: get_symbol("{manifest.modules[0]}", depth="tree")',
            room,
            separator="\n",
        )
        parts.append(sealed(body))
    if shown:
        parts.append(fence(shown.text, address, "text"))
        if shown.left:
            file = address.rpartition(":")[0]
            parts.append(f'more: read_file("{file}", offset={shown.shown + 1})')
    structured = _identity(catalog, index) | {
        "other_versions": versions,
        "api": [row(catalog, index, record) for record in offered[:_MOST_API]],
        "api_count": len(offered),
        "module_names": [visible(record.qualified_name) for record in modules],
        "readme": visible(shown.text) if shown else "",
        "notes": [visible(note) for note in manifest.notes],
    }
    return Answer("\n".join(parts), structured)


def _head(catalog: Catalog, index: int, versions: list[str], modules: list[Record]) -> str:
    manifest = catalog.bundles[index].manifest
    kind = "project" if catalog.is_project(index) else manifest.kind
    licence = f", {manifest.licence}" if manifest.licence else ""
    counts = ", ".join(
        f"{manifest.counts[name]} {name}" for name in _SHOWN_COUNTS if manifest.counts.get(name)
    )
    lines = [one_line(f"{manifest.name} {manifest.version}, {kind}{licence}", 300)]
    if manifest.summary:
        lines.append(one_line(manifest.summary, 300))
    imported = ", ".join(manifest.modules) or "nothing"
    lines.append(one_line(f"import: {imported}; {counts}", 300))
    if versions:
        lines.append(one_line(f"also mounted: {', '.join(versions)}", 300))
    public = [m.qualified_name for m in modules if "._" not in f".{m.qualified_name}"]
    if len(public) > 1:
        more = f", … {len(public) - _MOST_MODULES} more" if len(public) > _MOST_MODULES else ""
        lines.append(one_line(f"modules: {', '.join(public[:_MOST_MODULES])}", 900) + more)
    return "\n".join(lines)


def _api_line(record: Record, modules: Iterable[str]) -> str:
    name = api_name(record, modules)
    summary = f"  # {one_line(record.summary, 80)}" if record.summary else ""
    signature = declaration(record, name, 110) if record.kind != Kind.CLASS else f"class {name}"
    return f"{one_line(signature, 110)}{summary}"


def _readme(catalog: Catalog, index: int) -> tuple[str, str]:
    """The text of the README with its address, empty where the bundle has none."""
    bundle = catalog.bundles[index]
    manifest = bundle.manifest
    names = [path for path in bundle.text.paths if path.lower().startswith("readme")]
    if not names:
        return "", ""
    file = bundle.text.index(min(names, key=lambda path: (len(path), path)))
    if file is None:
        return "", ""
    text = bundle.text.read(file).decode("utf-8", "replace")
    path = bundle.text.paths[file]
    return text.strip("\n"), location(manifest.name, manifest.version, path, 1)
