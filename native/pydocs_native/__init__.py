"""The fast paths of pydocs: files, Python source, postings and patterns.

Everything here exists twice with the same results: in Rust (`_core`) and in Python (`_twins`).
`IMPLEMENTATION` says which one this process uses.
"""

from __future__ import annotations

try:
    from pydocs_native._core import (
        Encoder,
        Grep,
        Postings,
        RecordFrame,
        Vectors,
        analyze,
        hash_files,
        parse,
        parse_all,
        read_file,
        read_files,
        terms_in,
        walk,
        write_encoder,
        write_postings,
        write_vectors,
        xxh64,
    )

    IMPLEMENTATION = "rust"
except ModuleNotFoundError as error:
    # No binary for this platform is normal; a binary that cannot be loaded is not.
    if error.name != "pydocs_native._core":
        raise
    from pydocs_native._twins import (  # type: ignore[assignment]
        Encoder,
        Grep,
        Postings,
        RecordFrame,
        Vectors,
        analyze,
        hash_files,
        parse,
        parse_all,
        read_file,
        read_files,
        terms_in,
        walk,
        write_encoder,
        write_postings,
        write_vectors,
        xxh64,
    )

    IMPLEMENTATION = "python"

from pydocs_native.records import (
    Binding,
    Call,
    Import,
    Mark,
    ParsedModule,
    ParsedSymbol,
    Problem,
    WalkedFile,
)

__all__ = [
    "IMPLEMENTATION",
    "Binding",
    "Call",
    "Encoder",
    "Grep",
    "Import",
    "Mark",
    "ParsedModule",
    "ParsedSymbol",
    "Postings",
    "Problem",
    "RecordFrame",
    "Vectors",
    "WalkedFile",
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
