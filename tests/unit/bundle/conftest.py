"""One content that uses every part of the format, and the bundle that says it."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import pytest

from pydocs_bundle import write_bundle
from pydocs_bundle.kinds import Kind, ReferenceKind
from pydocs_bundle.records import (
    BundleContent,
    Decision,
    Entry,
    IndexText,
    Reference,
    Requirement,
    Score,
    SourceFile,
)
from pydocs_native import write_vectors

NOTES = "# Schön\n\nAlles über die Küche.\n".encode()
KITCHEN = b'''\
"""A kitchen.

It cooks.
"""


class Cook:
    """Cooks."""

    def boil(self, water: int = 1) -> int:
        r"""Boils

            deeply \\d indented,
        and back.
        """
        # WHY: cold water does not boil.
        return boil(water)

    def fry(self) -> None:
        "Fries\\tin oil."


LIMIT = 3
'''


@pytest.fixture
def content() -> BundleContent:
    """A module, its classes and methods, a document, and everything said of them."""
    return BundleContent(
        kind="project",
        name="Kitchen",
        version="1.0+local",
        files=(
            SourceFile("docs/notes.md", NOTES, "iso-8859-1"),
            SourceFile("kitchen/__init__.py", KITCHEN, "utf-8-sig", "kitchen"),
        ),
        entries=(
            Entry("Kitchen#docs/notes.md:Schön", Kind.SECTION, 0, 0, len(NOTES), 1, 3),
            _entry("kitchen", Kind.MODULE, KITCHEN)._replace(docstring="A kitchen.\n\nIt cooks."),
            _entry("kitchen.Cook", Kind.CLASS, b"class Cook")._replace(
                docstring="Cooks.",
                parent=1,
                public_name="Cook",
                aliases=("chef.Cook",),
                bases=("human.Being",),
            ),
            _entry("kitchen.Cook.boil", Kind.METHOD, b"def boil")._replace(
                signature="(self, water: int = 1) -> int",
                summary="Boils",
                docstring="Boils\n\n    deeply \\d indented,\nand back.",
                parent=2,
                decorators=("functools.cache",),
            ),
            _entry("kitchen.Cook.fry", Kind.METHOD, b"def fry")._replace(
                docstring="Fries\tin oil.", parent=2, flags=1
            ),
            _entry("Kitchen#decision:kitchen/__init__.py:16", Kind.DECISION, b"# WHY"),
            _entry("kitchen.LIMIT", Kind.ATTRIBUTE, b"LIMIT = 3")._replace(parent=1),
        ),
        texts=tuple(IndexText(word, "", "", "", "", "", "") for word in "abcdef"),
        references=(
            Reference(ReferenceKind.INHERIT, 2, "human.Being", 1, 7, 11, "exact"),
            Reference(ReferenceKind.CALL, 3, "boil", 1, 16, 15, reason="no such name in scope"),
            Reference(ReferenceKind.CALL, 3, "kitchen.Cook.boil", 1, 16, 15),
        ),
        decisions=(
            Decision(5, "comment", "Cold water", "cold water does not boil", "", "", ("kitchen",)),
        ),
        requirements=(
            Requirement("water", ">=1", "built", "2.0"),
            Requirement("fire", "", "", detail="sys_platform != 'win32'"),
        ),
        modules=("kitchen",),
        imports=("human",),
        summary="Cooks.",
        licence="MIT",
        source={"tree": "abc"},
        notes=("one note",),
        scores=(Score(1, 0, 0, 1), Score(2, 0, 35, 1), Score(3, 2, 120, 1)),
    )


def _entry(name: str, kind: Kind, head: bytes) -> Entry:
    """An entry from where `head` stands in the kitchen's text to the end of its paragraph."""
    start = KITCHEN.index(head)
    end = len(KITCHEN) if head == KITCHEN else KITCHEN.find(b"\n\n\n", start)
    end = end if end >= 0 else len(KITCHEN)
    first, last = (KITCHEN.count(b"\n", 0, place) + 1 for place in (start, end))
    return Entry(name, kind, 1, start, end, first, last)


ENCODER = {"name": "tiny", "identity": sha256(b"tiny").hexdigest(), "dimensions": "2"}


def vectors_of(content: BundleContent, numbers: Sequence[int]) -> bytes:
    """A `TQ` section with a vector of some of the documents."""
    entries = [content.entries[number] for number in numbers]
    return write_vectors(
        b"".join(struct.pack("<ff", 1.0, number) for number in numbers),
        2,
        b"".join(struct.pack("<I", number) for number in numbers),
        bytes(mark for entry in entries for mark in (entry.kind, entry.flags)),
        bytes.fromhex(ENCODER["identity"]),
    )


@pytest.fixture
def with_vectors(tmp_path: Path, content: BundleContent) -> Path:
    """The bundle of `content` with vectors of its first four documents."""
    path = tmp_path / "vectors.pdx"
    vectors = vectors_of(content, range(4))
    write_bundle(path, content, builder={}, vectors=vectors, encoder=ENCODER)
    return path


@pytest.fixture
def written(tmp_path: Path, content: BundleContent) -> Path:
    """The bundle of `content`."""
    path = tmp_path / "kitchen.pdx"
    write_bundle(path, content, builder={"pydocs-builder": "0.1.0"})
    return path
