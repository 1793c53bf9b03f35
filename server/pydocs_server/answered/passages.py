"""`ask_docs`: the passages of documentation collections that answer a question, cited."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from pydocs_bundle.errors import UsageError
from pydocs_bundle.records import Kind
from pydocs_server.answered.docs_collections import chosen, identity
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.ranked.sections import Part, Section, find_sections
from pydocs_server.rendered.answer import Answer, NotFound
from pydocs_server.rendered.render import counted, fence, location, one_line, visible

__all__ = [
    "ALL_LAYERS",
    "DEFAULT_CHARACTERS",
    "LEAST_CHARACTERS",
    "MOST_CHARACTERS",
    "ask_docs",
]

ALL_LAYERS: Final = "all"
DEFAULT_CHARACTERS: Final = 8_000
LEAST_CHARACTERS: Final = 500
MOST_CHARACTERS: Final = 80_000
_GAP: Final = "…"
_LABEL: Final = re.compile(r"\.\. _[^\n]{1,200}:$")
_SHOWN: Final = 12
_LEAST_ROOM: Final = 200
_FRAME: Final = 24
_LONGEST_HEADING: Final = 160


class Passage(NamedTuple):
    """What is shown of a section: its text, the lines it is, and whether its end is left out."""

    section: Section
    text: str
    spans: tuple[tuple[int, int], ...]
    is_cut: bool


def ask_docs(
    catalog: Catalog,
    question: str,
    *,
    docs: str = "",
    layer: str = ALL_LAYERS,
    max_chars: int = DEFAULT_CHARACTERS,
) -> Answer:
    """The passages of documentation collections that answer a question, cited by file and lines.

    The parts of one section that were found stand together in file order, with `…` for what is
    between them. Passages fill the budget best first; the one that overflows is cut at a line end.

    Args:
        catalog: what is mounted.
        question: in words; nothing in it is syntax.
        docs: the id of one collection; empty: all.
        layer: only the files of this layer, whatever the case; `all`: every file.
        max_chars: how many characters the passages may have, 500 to 80,000.

    Raises:
        UsageError: the question is empty, or the budget out of range.
        NotFound: no such collection or layer is mounted.
    """
    if not question.strip():
        raise UsageError("The question is empty; ask in words.")
    if not LEAST_CHARACTERS <= max_chars <= MOST_CHARACTERS:
        raise UsageError(
            f"max_chars is {max_chars}; it must be between {LEAST_CHARACTERS} and "
            f"{MOST_CHARACTERS:,}."
        )
    asked = layer.strip().casefold() or ALL_LAYERS
    bundles = _with_layer(catalog, chosen(catalog, docs), asked)
    wanted = "" if asked == ALL_LAYERS else asked
    sections = find_sections(catalog, question, bundles, wanted)
    passages = _fitted(catalog, sections, max_chars)
    structured: dict[str, object] = {
        "question": one_line(question, 2_000),
        "docs": [identity(catalog, bundle) for bundle in bundles],
        "layer": visible(asked),
        "is_answered": bool(passages),
        "passages": [
            _passage_row(catalog, number, passage) for number, passage in enumerate(passages, 1)
        ],
        "left": len(sections) - len(passages),
    }
    if not passages:
        note = _none(catalog, question, bundles, asked)
        return Answer(note, structured | {"note": note})
    blocks = [_block(catalog, number, passage) for number, passage in enumerate(passages, 1)]
    blocks.append(_closing(len(sections) - len(passages), passages))
    return Answer("\n\n".join(blocks), structured)


def _with_layer(catalog: Catalog, bundles: Sequence[int], layer: str) -> list[int]:
    """Those of the collections that have a layer."""
    if layer == ALL_LAYERS:
        return list(bundles)
    having = [index for index in bundles if layer in catalog.bundles[index].manifest.layers]
    if not having:
        layers = {name for index in bundles for name in catalog.bundles[index].manifest.layers}
        raise NotFound(
            f"The layer {layer!r}",
            [ALL_LAYERS, *sorted(layers)][:_SHOWN],
            "ask again with one of these layers",
            "is in none of the collections asked",
        )
    return having


def _fitted(catalog: Catalog, sections: Iterable[Section], max_chars: int) -> list[Passage]:
    """The passages that the budget buys, best first; the last of them may be cut."""
    room = max_chars
    passages: list[Passage] = []
    for section in sections:
        text = _joined(section)
        frame = len(_label(catalog, section)) + len(section.parts[0].record.signature) + _FRAME
        if passages and room < min(len(text), _LEAST_ROOM) + frame:
            break
        passage = _cut(section, text, max(room - frame, _LEAST_ROOM))
        passages.append(passage)
        room -= len(passage.text) + frame
        if passage.is_cut:
            break
    return passages


def _joined(section: Section) -> str:
    """The parts that were found, in file order, with a mark for each gap."""
    pieces: list[str] = []
    for part, is_behind_gap in _with_gaps(section):
        is_next_cell = bool(pieces) and part.record.kind == Kind.CELL
        pieces.append(f"{_GAP}\n" if is_behind_gap else "\n" if is_next_cell else "")
        pieces.append(part.text if part.text.endswith("\n") else f"{part.text}\n")
    lines = "".join(pieces).split("\n")
    # At the end stand blank lines, and labels of what comes next in reStructuredText.
    while len(lines) > 1 and (not lines[-1].strip() or _LABEL.match(lines[-1])):
        lines.pop()
    return "\n".join(lines).rstrip("\r")


def _with_gaps(section: Section) -> Iterator[tuple[Part, bool]]:
    """The parts of a section, each with whether something is left out in front of it."""
    following = section.parts[0].record.id
    for part in section.parts:
        yield part, part.record.id != following
        following = part.record.id + 1


def _cut(section: Section, text: str, room: int) -> Passage:
    """As many whole lines as there is room for; of a line that alone is too long its beginning."""
    if len(text) <= room:
        return Passage(section, text, _spans(section, _count(text)), is_cut=False)
    end = text.rfind("\n", 0, room - len(_GAP))
    kept = (text[:end] if end > 0 else text[: room - len(_GAP)]).rstrip()
    return Passage(section, f"{kept}\n{_GAP}", _spans(section, _count(kept)), is_cut=True)


def _count(text: str) -> int:
    """How many lines a text has, ended as the lines of files are."""
    return len(text.encode(errors="replace").splitlines())


def _spans(section: Section, shown: int) -> tuple[tuple[int, int], ...]:
    """The lines of the file that the first so many lines of a passage are."""
    spans: list[tuple[int, int]] = []
    for part, is_behind_gap in _with_gaps(section):
        shown -= is_behind_gap
        if shown <= 0:
            break
        record = part.record
        # The lines of a notebook are not those of its cells.
        is_whole = shown >= _count(part.text) or record.kind == Kind.CELL
        last = record.end_line if is_whole else record.start_line + shown - 1
        first = spans.pop()[0] if spans and not is_behind_gap else record.start_line
        spans.append((first, last))
        shown -= _count(part.text)
    return tuple(spans)


def _label(catalog: Catalog, section: Section) -> str:
    manifest = catalog.bundles[section.bundle].manifest
    record = section.parts[0].record
    path = catalog.bundles[section.bundle].text.paths[record.file]
    return location(manifest.name, manifest.version, path, record.start_line)


def _block(catalog: Catalog, number: int, passage: Passage) -> str:
    """A passage for a reader: number, file, lines and headings, and the text, all fenced."""
    address = _label(catalog, passage.section).rpartition(":")[0]
    lines = ",".join(
        f"{first}-{last}" if last > first else f"{first}" for first, last in passage.spans
    )
    headings = one_line(passage.section.parts[0].record.signature, _LONGEST_HEADING)
    label = f"[{number}] {one_line(address, _LONGEST_HEADING)}:{lines} {headings}"
    return fence(passage.text, label, "text")


def _passage_row(catalog: Catalog, number: int, passage: Passage) -> dict[str, object]:
    bundle = catalog.bundles[passage.section.bundle]
    record = passage.section.parts[0].record
    return {
        "n": number,
        "docs": visible(bundle.manifest.name),
        "revision": visible(bundle.manifest.version),
        "path": visible(bundle.text.paths[record.file]),
        "heading": visible(record.signature),
        "layer": visible(bundle.text.layer(record.file)),
        "start_line": passage.spans[0][0],
        "end_line": passage.spans[-1][1],
        "spans": [list(span) for span in passage.spans],
        "address": _label(catalog, passage.section),
        "text": visible(passage.text),
        "is_cut": passage.is_cut,
        "score": round(passage.section.score, 4),
        "coverage": round(passage.section.coverage, 3),
    }


def _closing(left: int, passages: Sequence[Passage]) -> str:
    cut = passages[-1].is_cut
    more = f"{counted(left, 'more section')} did not fit" if left else ""
    if cut:
        more = f"{more}, and the last passage is cut" if more else "The last passage is cut"
    more = f"{more}: raise max_chars, or " if more else "For more around a passage: "
    return f'{more}read_file("<address>"). Answer from these passages, and cite them as [n].'


def _none(catalog: Catalog, question: str, bundles: Sequence[int], layer: str) -> str:
    """Plainly that nothing answers, where that was looked for, and what else to do."""
    asked = ", ".join(visible(catalog.label(index)) for index in bundles[:_SHOWN])
    within = f", layer {visible(layer)}" if layer != ALL_LAYERS else ""
    remedy = (
        'ask with layer="all"' if within else "use other words, or search_codebase(query) for all"
    )
    return (
        f"None: nothing in {asked}{within} answers {one_line(question, 200)!r}. "
        f"Do not answer it from these documents; {remedy}."
    )
