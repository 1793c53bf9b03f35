"""The Rust extension: what the binary returns is checked against this file at run time."""

from collections.abc import Mapping, Sequence
from typing import final

from pydocs_native.records import ParsedModule, WalkedFile

__all__ = [
    "Encoder",
    "Grep",
    "Postings",
    "RecordFrame",
    "Vectors",
    "analyze",
    "hash_files",
    "parse",
    "parse_all",
    "read_file",
    "read_files",
    "terms_in",
    "walk",
    "write_encoder",
    "write_postings",
    "write_vectors",
    "xxh64",
]

def walk(
    root: str, excluded: Sequence[str] = ...
) -> tuple[list[WalkedFile], list[tuple[str, str]]]: ...
def parse(text: bytes) -> ParsedModule: ...
def parse_all(texts: Sequence[bytes]) -> list[ParsedModule]: ...
def xxh64(data: bytes) -> int: ...
def hash_files(root: str, paths: Sequence[str]) -> list[int | None]: ...
def read_file(path: str, max_bytes: int) -> bytes: ...
def read_files(root: str, paths: Sequence[str], max_bytes: int) -> list[bytes | str]: ...
def analyze(text: str) -> list[str]: ...
def terms_in(texts: Sequence[str], terms: Sequence[str]) -> list[int]: ...
def write_postings(
    texts: Sequence[tuple[str, str, str, str, str, str, str]], kinds: bytes, flags: bytes
) -> bytes: ...
def write_encoder(
    tensors: Mapping[str, bytes | memoryview],
    pieces: Sequence[str],
    *,
    layers: int,
    heads: int,
    positions: int,
    special: tuple[int, int, int, int, int],
    word_characters: int = 100,
    epsilon: float = 1e-12,
    is_first: bool = False,
) -> bytes: ...

@final
class Encoder:
    def __new__(cls, model: bytes | memoryview) -> Encoder: ...
    @property
    def dimensions(self) -> int: ...
    def tokenize(self, text: str) -> list[int]: ...
    def encode(self, texts: Sequence[str]) -> bytes: ...

@final
class Postings:
    def __new__(cls, sections: Sequence[bytes | memoryview]) -> Postings: ...
    def document_counts(self) -> list[int]: ...
    def frequencies(self, terms: Sequence[str]) -> list[int]: ...
    def section_frequencies(self, terms: Sequence[str]) -> list[list[int]]: ...
    def search(
        self,
        terms: Sequence[str],
        weights: Sequence[float],
        limit: int,
        *,
        sections: Sequence[int] | None = None,
        kinds: int = ...,
        flags_excluded: int = 0,
        k1: float = 1.2,
        b: float = 0.0,
        field_b: Sequence[float] = ...,
    ) -> list[tuple[float, int, int]]: ...

@final
class RecordFrame:
    def __new__(
        cls, raw: bytes, count: int, *, first: int, entries: int, files: int
    ) -> RecordFrame: ...
    def record(
        self, line: int
    ) -> tuple[
        int,
        str,
        str,
        int,
        int,
        str,
        str,
        int,
        int,
        int,
        int,
        int,
        int,
        tuple[str, ...],
        tuple[str, ...],
        tuple[int, ...],
        int,
        int,
        str,
        int,
    ]: ...

def write_vectors(
    vectors: bytes | memoryview, dimensions: int, records: bytes, marks: bytes, encoder: bytes
) -> bytes: ...

@final
class Vectors:
    def __new__(cls, sections: Sequence[bytes | memoryview | None]) -> Vectors: ...
    def row_counts(self) -> list[int]: ...
    def rows(self, section: int) -> list[tuple[int, int, int]]: ...
    def search(
        self,
        query: bytes,
        limit: int,
        *,
        sections: Sequence[int] | None = None,
        kinds: int = ...,
        flags_excluded: int = 0,
    ) -> list[tuple[float, int, int]]: ...
    def scores(self, query: bytes, rows: Sequence[tuple[int, int]]) -> list[float | None]: ...

@final
class Grep:
    def __new__(
        cls,
        pattern: str,
        *,
        ignore_case: bool = False,
        multiline: bool = False,
        deadline_ms: int = 2000,
    ) -> Grep: ...
    def lines(
        self,
        pieces: Sequence[bytes],
        spans: Sequence[tuple[int, int]],
        most: int,
        allowed_ms: int,
    ) -> tuple[list[tuple[int, int, list[int]]], int, bool]: ...
    def search(self, texts: Sequence[bytes], limit: int) -> list[tuple[int, int, int]]: ...
