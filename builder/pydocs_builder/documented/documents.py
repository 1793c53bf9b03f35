"""Documents as sections and cells: each with its heading, the path of headings, and its lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from pydocs_builder.decided.history import COMMITS_PATH
from pydocs_builder.documented.headings import (
    Heading,
    front_matter,
    front_matter_title,
    markdown_headings,
    restructured_headings,
)
from pydocs_builder.documented.notebooks import Cell, NotebookError, notebook_cells
from pydocs_builder.extracted.docstrings import summarise
from pydocs_builder.extracted.reading import is_readme
from pydocs_builder.extracted.symbols import flags_of_path, line_starts
from pydocs_bundle.records import Entry, Kind, SourceFile

__all__ = ["Section", "document_names", "is_document", "read_document", "section_entry"]

_MARKDOWN: Final = (".md", ".markdown", ".mdx", ".qmd")
_RESTRUCTURED: Final = (".rst", ".rest", ".txt")
_NOTEBOOK: Final = ".ipynb"
_BARE: Final = ("authors", "changelog", "changes", "contributing", "history", "news", "readme")
# Texts that nobody looks for when asking how something works.
_UNTOLD: Final = ("license", "licence", "copying", "notice", "requirements", "constraints")
_UNTOLD_NAMES: Final = frozenset(
    {"cmakelists.txt", "entry_points.txt", "robots.txt", "sources.txt", "top_level.txt"}
)
_JOINT: Final = " > "
_RULES: Final = "=-~^\"'*+#`:.<>_"
_MARKUP: Final = ("```", "~~~", ".. ", "<", "|", "![", "[![")
_ATX: Final = re.compile(r"#{1,6}(?:\s|$)")
_SUMMARISED: Final = 2_000
_LONGEST_PART: Final = 120
"""Of a text without headings, how many lines make a section."""


class Section(NamedTuple):
    """A part of a document.

    `title` is its heading, `path` the titles above it and its own; `start` and `end` are bytes,
    lines count from 1; `parent` is an index into the sections of the same document, or -1; `text`
    is what is searched; `kind` is `SECTION` or `CELL`.
    """

    title: str
    path: tuple[str, ...]
    level: int
    start: int
    end: int
    start_line: int
    end_line: int
    parent: int
    text: bytes
    kind: Kind = Kind.SECTION

    @property
    def heading(self) -> str:
        """The path of titles as one line."""
        return _JOINT.join(self.path)


def is_document(file: SourceFile, licence_files: Sequence[str] = ()) -> bool:
    """Whether a file is read by sections: no source, no licence, no list of requirements."""
    name = file.path.rpartition("/")[2].lower()
    if (
        file.module
        or file.path == COMMITS_PATH
        or file.path in licence_files
        or name in _UNTOLD_NAMES
    ):
        return False
    if name.startswith(_UNTOLD):
        return False
    return name.endswith((*_MARKDOWN, *_RESTRUCTURED, _NOTEBOOK)) or name in _BARE


def read_document(file: SourceFile) -> list[Section]:
    """The sections of a document, or the cells of a notebook; every line is in one section.

    Raises:
        NotebookError: a notebook cannot be read.
    """
    path = file.path.lower()
    if path.endswith(_NOTEBOOK):
        return _read_cells(file)
    starts = line_starts(file.text)
    lines = [
        file.text[start:end].decode(errors="replace").rstrip("\r\n")
        for start, end in pairwise(starts)
    ]
    if not any(line.strip() for line in lines):
        return []
    stem = file.path.rpartition("/")[2].partition(".")[0]
    if path.endswith(_MARKDOWN):
        headings = markdown_headings(lines)
        skipped = front_matter(lines)
        stem = front_matter_title(lines) or stem
    else:
        headings = restructured_headings(lines)
        skipped = 0
    # What stands above the first heading is a section of its own, if there is anything.
    first = headings[0].line if headings else len(lines)
    if any(line.strip() for line in lines[skipped:first]):
        headings = [*_parts(lines, skipped, first, stem), *headings]
    elif not headings:
        headings = [Heading(0, 1, stem)]
    return list(_sections(file.text, starts, headings))


def document_names(distribution: str, path: str, sections: Sequence[Section]) -> list[str]:
    """The qualified names of a document's sections, each once."""
    place = "readme" if is_readme(path) else path
    prefix = f"{distribution}#{place}:"
    counts: dict[str, int] = {}
    taken = {section.title for section in sections}
    names = []
    for section in sections:
        title = section.title
        count = counts[title] = counts.get(title, 0) + 1
        numbered = title if count == 1 else f"{title} ({count})"
        while count > 1 and numbered in taken:
            count = counts[title] = count + 1
            numbered = f"{title} ({count})"
        taken.add(numbered)
        names.append(prefix + numbered)
    return names


def section_entry(file: int, path: str, name: str, section: Section) -> Entry:
    """The entry of a section; its signature is the path of headings."""
    return Entry(
        name,
        section.kind,
        file,
        section.start,
        section.end,
        section.start_line,
        section.end_line,
        section.heading,
        _summary(section),
        "",
        "",
        section.parent,
        flags_of_path(path),
    )


def _summary(section: Section) -> str:
    """The first sentence below the heading; nothing where code or markup comes first."""
    told: list[str] = []
    lines = section.text[:_SUMMARISED].decode(errors="ignore").splitlines()
    for line in lines[front_matter(lines) if section.start == 0 else 0 :]:
        bare = line.strip()
        is_heading = bare == section.title or not bare.strip(_RULES) or _ATX.match(bare)
        if told and not bare:
            break
        if bare and (told or not is_heading):
            told.append(bare)
    if not told or told[0].startswith(_MARKUP):
        return ""
    return summarise("\n".join([told[0].lstrip("#>*+- "), *told[1:]]))


def _parts(lines: Sequence[str], start: int, end: int, title: str) -> Iterator[Heading]:
    """Headings for text that has none, cut at blank lines where it is long."""
    begin = start
    yield Heading(begin, 1, title)
    for number in range(start, end):
        if number - begin >= _LONGEST_PART and not lines[number].strip():
            begin = number
            yield Heading(begin, 1, title)


def _sections(text: bytes, starts: Sequence[int], headings: Sequence[Heading]) -> Iterator[Section]:
    above: list[tuple[Heading, int]] = []
    for number, heading in enumerate(headings):
        # Blank lines and front matter above the first heading are its own.
        first = heading.line if number else 0
        after = headings[number + 1].line if number + 1 < len(headings) else len(starts) - 1
        while above and above[-1][0].level >= heading.level:
            above.pop()
        parent = above[-1][1] if above else -1
        title = heading.title or "Untitled"
        above.append((heading._replace(title=title), number))
        yield Section(
            title,
            tuple(ancestor.title for ancestor, _ in above),
            heading.level,
            starts[first],
            starts[after],
            first + 1,
            max(after, first + 1),
            parent,
            text[starts[first] : starts[after]],
        )


def _read_cells(file: SourceFile) -> list[Section]:
    text = file.text.decode(errors="replace")
    sections: list[Section] = []
    above: list[Heading] = []
    offset, line = 0, 1
    position = 0
    for number, cell in enumerate(notebook_cells(text), start=1):
        before = text[position : cell.start].encode()
        within = text[cell.start : cell.end].encode()
        offset, line = offset + len(before), line + before.count(b"\n")
        titles = _cell_headings(cell)
        for heading in titles:
            above = [higher for higher in above if higher.level < heading.level] + [heading]
        sections.append(
            Section(
                titles[0].title if titles else f"cell {number}",
                tuple(heading.title for heading in above),
                0,
                offset,
                offset + len(within),
                line,
                line + within.count(b"\n"),
                -1,
                cell.source.encode(),
                Kind.CELL,
            )
        )
        offset, line = offset + len(within), line + within.count(b"\n")
        position = cell.end
    if not sections:
        raise NotebookError("it has no cells")
    return sections


def _cell_headings(cell: Cell) -> list[Heading]:
    if cell.kind == "heading":
        title = " ".join(cell.source.split())[:_LONGEST_PART]
        return [Heading(0, cell.level, title or "Untitled")]
    return markdown_headings(cell.source.splitlines()) if cell.kind == "markdown" else []
