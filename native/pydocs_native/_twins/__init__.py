"""The same functions in Python: what tests hold the Rust code to, and what runs without it."""

from __future__ import annotations

from pydocs_native._twins.analyze import analyze, terms_in
from pydocs_native._twins.encoder import Encoder
from pydocs_native._twins.encoding.write import write_encoder
from pydocs_native._twins.grep import Grep
from pydocs_native._twins.hash import hash_files, xxh64
from pydocs_native._twins.parse import parse, parse_all
from pydocs_native._twins.postings import Postings
from pydocs_native._twins.postings_write import write_postings
from pydocs_native._twins.read import read_file, read_files
from pydocs_native._twins.record_frame import RecordFrame
from pydocs_native._twins.vectors import Vectors
from pydocs_native._twins.vectors_code import write_vectors
from pydocs_native._twins.walk import walk

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
