"""Documentation collections: which are mounted, what each holds, and how to renew them."""

from __future__ import annotations

from collections import Counter
from typing import Final

from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.spelling import normalised, taken_apart
from pydocs_server.rendered.answer import DEFAULT_TOKENS, Answer, NotFound, assemble
from pydocs_server.rendered.render import counted, one_line, sealed, visible

__all__ = ["chosen", "contents", "identity", "list_docs", "reindex"]

_SHOWN: Final = 12
_HOW: Final = "declare one in [tool.pydocs.docs.<id>] and build it with pydocs-build"


def list_docs(catalog: Catalog) -> Answer:
    """Every mounted documentation collection: what it holds, its layers, revision and counts."""
    rows = [_row(catalog, bundle) for bundle in _collections(catalog)]
    if not rows:
        note = f"None: no documentation collection is mounted; {_HOW}."
        return Answer(note, {"docs": [], "note": note})
    lines: list[str] = []
    for row in rows:
        lines += _lines(row)
    head = f"{counted(len(rows), 'documentation collection')}."
    tail = 'ask_docs(question, docs="<id>", layer="<layer>") gives passages; both may be left out.'
    body = assemble("", lines, lambda left: f"… {left} more", DEFAULT_TOKENS - 100, separator="\n")
    return Answer("\n".join([head, sealed(body), tail]), {"docs": rows})


def contents(catalog: Catalog, bundle: int) -> Answer:
    """One collection: what it holds, its layers, and its documents by path and title."""
    row = _row(catalog, bundle)
    one = catalog.bundles[bundle]
    titles: dict[int, str] = {}
    stems = [path.rpartition("/")[2].partition(".")[0] for path in one.text.paths]
    for number in range(one.records.docs):
        record = one.records[number]
        title = record.signature.partition(" > ")[0]
        # What stands above the first heading is called like the file.
        if titles.get(record.file, stems[record.file]) == stems[record.file]:
            titles[record.file] = title
    documents: list[dict[str, object]] = [
        {"path": visible(path), "title": visible(titles.get(file, ""))}
        for file, path in enumerate(one.text.paths)
    ]
    lines = [one_line(f"{each['path']}: {each['title']}", 160) for each in documents]
    ask = f'ask_docs(question, docs="{row["id"]}") gives passages.'

    def left(unshown: int) -> str:
        return f'… {unshown} more documents: glob(pattern="**", path="{row["id"]}")'

    body = assemble("\n".join(_lines(row)), lines, left, DEFAULT_TOKENS - 60, separator="\n")
    return Answer(f"{sealed(body)}\n{ask}", row | {"documents": documents})


def reindex(catalog: Catalog, *, docs: str = "") -> Answer:
    """What to do where a collection is out of date: bundles are read, never changed.

    Args:
        catalog: what is mounted.
        docs: the id of one collection; empty: all.

    Raises:
        NotFound: no such collection is mounted.
    """
    rows = [identity(catalog, bundle) for bundle in chosen(catalog, docs)]
    mounted = ", ".join(f"{row['id']} @ {row['revision']}" for row in rows)
    note = (
        f"Nothing was changed: bundles are read-only. Mounted: {one_line(mounted, 400)}. To bring "
        "them up to date, run pydocs-build PROJECT --out DIR where the collections are declared, "
        "and start the server again; what did not change is reused."
    )
    return Answer(note, {"docs": rows, "is_changed": False, "note": note})


def chosen(catalog: Catalog, docs: str) -> list[int]:
    """The collections that an id means, with a revision behind `@` or not."""
    every = _collections(catalog)
    if not every:
        raise NotFound(
            "No documentation collection",
            call=f'search_codebase(query="…", kind="docs") has what packages say; or {_HOW}',
            problem="is mounted",
        )
    name, revision = taken_apart(docs)
    if not name:
        return every
    found = [
        index
        for index in every
        if normalised(catalog.bundles[index].manifest.name) == normalised(name)
        and catalog.bundles[index].manifest.version.startswith(revision)
    ]
    if not found:
        names = list(dict.fromkeys(catalog.bundles[index].manifest.name for index in every))
        raise NotFound(
            f"The collection {docs.strip()!r}", names[:_SHOWN], "list_docs() lists every collection"
        )
    return found


def _collections(catalog: Catalog) -> list[int]:
    return [index for index in range(len(catalog.bundles)) if catalog.is_collection(index)]


def _row(catalog: Catalog, bundle: int) -> dict[str, object]:
    """A collection for a program."""
    one = catalog.bundles[bundle]
    counts = Counter(one.text.layer(file) for file in range(len(one.text)))
    layers: list[dict[str, object]] = [
        {"name": visible(name), "description": visible(said), "files": counts[name]}
        for name, said in one.manifest.layers.items()
    ]
    return identity(catalog, bundle) | {
        "description": visible(one.manifest.summary),
        "files": one.manifest.counts.get("files", 0),
        "parts": one.manifest.counts.get("texts", 0),
        "layers": layers,
    }


def identity(catalog: Catalog, bundle: int) -> dict[str, object]:
    """Which collection a bundle is, at which revision, and where that came from."""
    manifest = catalog.bundles[bundle].manifest
    stated = {name: visible(manifest.source.get(name, "")) for name in ("ref", "repository")}
    commit = visible(manifest.source.get("commit", ""))
    return {
        "id": visible(manifest.name),
        "revision": visible(manifest.version),
        **{name: value for name, value in (("commit", commit), *stated.items()) if value},
    }


def _lines(row: dict[str, object]) -> list[str]:
    said = f": {row['description']}" if row["description"] else ""
    ref = f" ({row['ref']})" if row.get("ref") else ""
    counts = f"{_counted(row['files'], 'file')}, {_counted(row['parts'], 'part')}"
    lines = [one_line(f"{row['id']} @ {row['revision']}{ref}, {counts}{said}", 300)]
    layers = row["layers"]
    for layer in layers if isinstance(layers, list) else ():
        said = f": {layer['description']}" if layer["description"] else ""
        lines.append(
            "  " + one_line(f"layer {layer['name']}, {_counted(layer['files'], 'file')}{said}", 200)
        )
    return lines


def _counted(number: object, noun: str) -> str:
    return counted(number, noun) if isinstance(number, int) else noun
