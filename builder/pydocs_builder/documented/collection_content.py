"""From a documentation collection to all that its bundle says, one file at a time.

What the bundle that is there already says of a file counts as long as the file is the same: one
edited file is one file read by sections again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from pydocs_builder.documented.documents import document_names, read_document, section_entry
from pydocs_builder.documented.notebooks import NotebookError
from pydocs_builder.documented.parts import cut_sections
from pydocs_builder.extracted.arrange import Draft, arrange
from pydocs_builder.extracted.reading import is_readme, read_sources
from pydocs_builder.planned.fingerprint import builder_digest
from pydocs_builder.targets import Collection, Target
from pydocs_bundle.errors import BundleError
from pydocs_bundle.reader import Bundle
from pydocs_bundle.records import BundleContent, Entry, Kind, SourceFile
from pydocs_bundle.symbols import Record

__all__ = ["RECIPE", "Known", "build_collection", "read_known", "recipe"]

RECIPE: Final = "sections"
"""The member of a manifest's `builder` that holds how its files were read by sections."""


_JOINT: Final = " > "
_NUMBER: Final = re.compile(r" \(\d+\)$")


class Known(NamedTuple):
    """What a bundle says of one file: its text, and its drafts with parents among them."""

    text: bytes
    drafts: tuple[Draft, ...]


def build_collection(
    target: Target, collection: Collection, known: Mapping[str, Known]
) -> tuple[BundleContent, tuple[str, ...], int]:
    """What a collection's bundle says, a clause on each thing that went wrong, files read anew.

    Args:
        target: its files.
        collection: its layers, and how long a part of a section may be.
        known: what is known of files by their paths; it counts where the text is the same.
    """
    sources, notes = read_sources(target)
    layers = dict(collection.layer_of)
    files = [file._replace(module="", layer=layers.get(file.path, "")) for file in sources]
    drafts: list[Draft] = []
    anew = 0
    for number, file in enumerate(files):
        there = known.get(file.path)
        if there is not None and there.text == file.text:
            own = there.drafts
        else:
            anew += 1
            try:
                own = tuple(_read(target.name, file, collection.chunk_size))
            except NotebookError as error:
                notes.append(f"{file.path}: {error}; only its text is there")
                continue
        first = len(drafts)
        drafts += (_moved(draft, number, first) for draft in own)
    entries, texts, _ = arrange(drafts, files)
    content = BundleContent(
        kind=target.kind,
        name=target.name,
        version=target.version,
        files=tuple(files),
        entries=entries,
        texts=texts,
        summary=target.summary,
        source=dict(target.source),
        notes=(*target.notes, *notes),
        layers=collection.layers,
    )
    return content, tuple(notes), anew


def recipe(collection: Collection) -> str:
    """How files are read by sections: bundles that agree in it can take from each other."""
    parts = [builder_digest(), collection.chunk_size]
    return sha256(json.dumps(parts).encode()).hexdigest()[:16]


def read_known(path: Path, wanted: str) -> dict[str, Known]:
    """What the bundle at `path` says of its files; nothing if it is not there, whole and alike.

    Args:
        path: where a collection's bundle may be.
        wanted: the recipe that it must have been built by.
    """
    try:
        with Bundle.open(path, verify="all") as bundle:
            if bundle.manifest.builder.get(RECIPE) != wanted:
                return {}
            return dict(_known(bundle))
    except (BundleError, OSError):
        return {}


def _known(bundle: Bundle) -> Iterator[tuple[str, Known]]:
    by_file: dict[int, list[Record]] = {}
    for record in bundle.records:
        by_file.setdefault(record.file, []).append(record)
    for file, path in enumerate(bundle.text.paths):
        text = bundle.text.read(file)
        records = by_file.get(file, [])
        # Of a notebook a bundle does not say all that is searched: it is read again.
        is_known = all(record.kind == Kind.SECTION for record in records)
        if is_known and (records or not text.strip()):
            place = "readme" if is_readme(path) else path
            prefix = f"{bundle.manifest.name}#{place}:"
            yield path, Known(text, tuple(_drafts(text, records, prefix)))


def _drafts(text: bytes, records: Sequence[Record], prefix: str) -> Iterator[Draft]:
    for record in records:
        entry = Entry(
            record.qualified_name,
            Kind.SECTION,
            0,
            record.start,
            record.end,
            record.start_line,
            record.end_line,
            record.signature,
            record.summary,
            parent=record.parent - records[0].id if record.parent >= 0 else -1,
            flags=record.flags,
        )
        body = text[record.start : record.end]
        yield Draft(entry, body, record.signature, _title(record, prefix))


def _title(record: Record, prefix: str) -> str:
    """The title of a section: the end of its name, without the number that tells namesakes apart.

    The path of headings ends in the title, so it tells if a number is the title's own.
    """
    name = record.qualified_name.removeprefix(prefix)
    is_whole = f"{_JOINT}{record.signature}".endswith(f"{_JOINT}{name}")
    return name if is_whole else _NUMBER.sub("", name)


def _read(name: str, file: SourceFile, chunk_size: int) -> Iterator[Draft]:
    sections = cut_sections(read_document(file), chunk_size)
    names = document_names(name, file.path, sections)
    for own, section in zip(names, sections, strict=True):
        entry = section_entry(0, file.path, own, section)
        yield Draft(
            entry._replace(parent=section.parent),
            section.text,
            section.heading or section.title,
            section.title,
        )


def _moved(draft: Draft, file: int, first: int) -> Draft:
    """A draft of a file alone as one of many files."""
    entry = draft.entry
    parent = entry.parent + first if entry.parent >= 0 else -1
    return draft._replace(entry=entry._replace(file=file, parent=parent))
