"""Opening a bundle: mapped read-only, checked before anything in it is believed."""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Final, Literal, Self

from pydocs_bundle.docstrings import clean_docstring
from pydocs_bundle.errors import BundleError
from pydocs_bundle.frames import Framed, inflate
from pydocs_bundle.layout import CODEC_FRAMED, CODEC_RAW, CODEC_ZSTD, Layout, Section, read_layout
from pydocs_bundle.limits import Limits
from pydocs_bundle.manifest import parse_manifest
from pydocs_bundle.symbols import Records
from pydocs_bundle.text import Text
from pydocs_bundle.vectors import check_vectors

if TYPE_CHECKING:
    # Each would be imported by a cold search for nothing but an annotation.
    from pathlib import Path
    from types import TracebackType

    import apsw

__all__ = ["Bundle"]

# Each section this reader knows: its codec, and the most that its raw form may measure.
_KNOWN: Final = {
    "CHK": (CODEC_FRAMED, Limits.TEXT_BYTES),
    "DB": (CODEC_ZSTD, Limits.DATABASE_BYTES),
    "ENC": (CODEC_RAW, Limits.MODEL_BYTES),
    "PXI": (CODEC_RAW, Limits.FILE_BYTES),
    "TEXT": (CODEC_FRAMED, Limits.TEXT_BYTES),
    "TQ": (CODEC_RAW, Limits.FILE_BYTES),
}
_MANDATORY: Final = ("CHK", "DB", "PXI", "TEXT")
_SEARCHED: Final = ("CHK", "PXI")

# As much of the postings' own layout as it takes to hold them against the records.
_PXI_START: Final = struct.Struct("<II")
_PXI_VERSION: Final = 1
_PXI_HEADER_BYTES: Final = 56
_PXI_RECORD_BYTES: Final = 7


class Bundle:
    """One mapped bundle; a context manager that unmaps it.

    `postings` is the `PXI` section for `pydocs_native.Postings`, `records` the `CHK` section,
    `text` the `TEXT` section, `vectors` the `TQ` section where there is one, `model` the `ENC`
    section of an encoder. Nothing is inflated, and no vectors are hashed, before it is asked for. A
    bundle must not be overwritten in place while it is mapped: replace it by renaming another file
    over it, as the builder does.

    Use `Bundle.open`.
    """

    def __init__(self, path: Path, mapped: mmap.mmap) -> None:
        self.path = path
        self._mapped = mapped
        self._view = memoryview(mapped)
        self._name = str(path)
        self._layout = read_layout(self._view, self._name)
        self.manifest = parse_manifest(self._layout.manifest, self._name)
        self.content_id = self.manifest.content_id
        self._check_sections()
        self._check_hashes(_SEARCHED)
        self.postings = self._stored("PXI")
        self.records = Records(self._stored("CHK"), self._section("CHK").raw_length, self._name)
        self._check_counts()

    @classmethod
    def open(cls, path: Path, verify: Literal["search", "all"] = "search") -> Self:
        """The bundle at `path`, mapped and checked.

        Args:
            path: a `.pdx` file.
            verify: `search` checks header, manifest and the sections that a search believes; the
                others are checked when they are first used. `all` checks every section's hash.

        Raises:
            BundleError: the file is not a bundle that this reader accepts; it says why.
            OSError: the file cannot be read.
        """
        with path.open("rb") as file:
            size = file.seek(0, 2)
            if not size:
                raise BundleError(str(path), "the file is empty", "build or download it again")
            mapped = mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ)
        bundle = cls(path, mapped)
        if verify == "all":
            bundle._check_hashes(tuple(bundle._layout.sections))
        return bundle

    @property
    def layout(self) -> Layout:
        """The section table, for those who check or show the file itself."""
        return self._layout

    @property
    def view(self) -> memoryview:
        """The whole file."""
        return self._view

    def _section(self, name: str) -> Section:
        return self._layout.sections[name]

    def _stored(self, name: str) -> memoryview:
        section = self._section(name)
        return self._view[section.offset : section.offset + section.stored_length]

    def _check_sections(self) -> None:
        sections = self._layout.sections
        for name in _MANDATORY:
            if name not in sections:
                raise BundleError(self._name, f"it has no section {name}")
        if ("ENC" in sections) != (self.manifest.kind == "encoder"):
            raise BundleError(
                self._name, f"it is of kind {self.manifest.kind}, and section ENC does not fit that"
            )
        for name, section in sections.items():
            if name not in _KNOWN:
                if section.must_be_known:
                    raise BundleError(
                        self._name, f"it needs section {name}, unknown here", "update pydocs-server"
                    )
                continue
            codec, most = _KNOWN[name]
            if section.codec != codec:
                raise BundleError(
                    self._name,
                    f"section {name} is stored by codec {section.codec}",
                    "update pydocs-server",
                )
            if section.raw_length > most:
                raise BundleError(self._name, f"section {name} declares {section.raw_length} bytes")
            if codec == CODEC_RAW and section.raw_length != section.stored_length:
                raise BundleError(self._name, f"section {name} has two different lengths")

    def _check_hashes(self, names: tuple[str, ...]) -> None:
        for name in names:
            if sha256(self._stored(name)).digest() != self._section(name).digest:
                raise BundleError(self._name, f"section {name} does not match its hash")

    def _check_counts(self) -> None:
        counts, records = self.manifest.counts, self.records
        declared = (counts.get("entries"), counts.get("texts"), counts.get("files"))
        if declared != (len(records), records.docs, records.files):
            raise BundleError(self._name, "its manifest and section CHK disagree in their counts")
        if len(self.postings) < _PXI_HEADER_BYTES + records.docs * _PXI_RECORD_BYTES:
            raise BundleError(self._name, "section PXI is too short for its documents")
        version, documents = _PXI_START.unpack_from(self.postings)
        if version != _PXI_VERSION:
            raise BundleError(
                self._name, f"section PXI has version {version}", "update pydocs-server"
            )
        if documents != records.docs:
            raise BundleError(self._name, "sections PXI and CHK disagree in their counts")

    def postings_marks(self, document: int) -> tuple[int, int]:
        """The kind and the flags that the `PXI` section notes for a document."""
        end = _PXI_HEADER_BYTES + (document + 1) * _PXI_RECORD_BYTES
        return self.postings[end - 2], self.postings[end - 1]

    @cached_property
    def text(self) -> Text:
        """The files, checked when first asked for."""
        text = Text(self._stored("TEXT"), self._section("TEXT").raw_length, self._name)
        if len(text) != self.records.files:
            raise BundleError(self._name, "sections TEXT and CHK disagree in their counts")
        return text

    @cached_property
    def model(self) -> memoryview:
        """The `ENC` section of an encoder for `pydocs_native.Encoder`, checked when asked for.

        Raises:
            KeyError: this is no encoder.
        """
        self._check_hashes(("ENC",))
        return self._stored("ENC")

    @cached_property
    def vectors(self) -> memoryview | None:
        """The vectors for `pydocs_native.Vectors`, if there are any, checked when first asked for.

        Raises:
            BundleError: they do not match their hash, or what the manifest says of them.
        """
        if "TQ" not in self._layout.sections:
            return None
        self._check_hashes(("TQ",))
        section = self._stored("TQ")
        check_vectors(section, self.manifest.encoder, self.records.docs, self._name)
        return section

    def source(self, index: int) -> bytes:
        """The text of an entry, from its start to its end."""
        record = self.records[index]
        return self.text.slice(record.file, record.start, record.end)

    def docstring(self, index: int) -> str:
        """The cleaned docstring of an entry, empty if it has none."""
        record = self.records[index]
        if record.docstring_text or record.docstring_start == record.docstring_end:
            return record.docstring_text
        span = self.text.slice(record.file, record.docstring_start, record.docstring_end)
        return clean_docstring(span.decode(errors="replace"))

    def raw_section(self, name: str) -> Iterator[bytes | memoryview]:
        """The raw form of a section in pieces: what the hash in the manifest covers."""
        section, stored = self._section(name), self._stored(name)
        if section.codec == CODEC_RAW:
            yield stored
        elif section.codec == CODEC_ZSTD:
            yield inflate(stored, section.raw_length, self._name, f"section {name}")
        elif section.codec == CODEC_FRAMED:
            framed = Framed(stored, section.raw_length, self._name, name, keep=1)
            framed.check_table()
            yield from framed.raw()
        else:
            raise BundleError(
                self._name, f"section {name} has codec {section.codec}", "update pydocs-server"
            )

    def database_image(self) -> bytes:
        """The `DB` section as the bytes of a SQLite database, checked by its hash."""
        self._check_hashes(("DB",))
        raw = inflate(self._stored("DB"), self._section("DB").raw_length, self._name, "section DB")
        if sha256(raw).hexdigest() != self.manifest.sections.get("DB"):
            raise BundleError(self._name, "section DB does not match the hash in the manifest")
        return raw

    def database(self, cache: Path | None = None) -> apsw.Connection:
        """A new read-only connection to the `DB` section; the caller closes it.

        Args:
            cache: a folder to keep the inflated database in, under its hash; without one, or if it
                cannot be written, the database stays in memory.
        """
        from pydocs_bundle.connection import (  # noqa: PLC0415 # a cold search never needs SQLite
            open_cached,
            open_in_memory,
        )

        if cache is None:
            return open_in_memory(self.database_image(), self._name)
        digest = self.manifest.sections.get("DB", "")
        return open_cached(self.database_image, digest, cache, self._name)

    def close(self) -> None:
        """Unmap the file, or leave that to the last one who still holds a part of it."""
        self.__dict__.pop("text", None)
        model = self.__dict__.pop("model", None)
        del self.records
        vectors = self.__dict__.pop("vectors", None)
        for view in (self.postings, vectors, model, self._view):
            if view is not None:
                with suppress(BufferError):
                    view.release()
        with suppress(BufferError):
            self._mapped.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
