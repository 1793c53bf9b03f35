"""The content of a small project as text, so that a change of what is extracted can be read.

`PYDOCS_UPDATE_GOLDEN=1 pytest tests/golden/builder` writes it anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from pydocs_builder.content import build_content
from pydocs_builder.targets import Target
from pydocs_bundle.records import BundleContent, Flag

SAMPLE = Path(__file__).parents[2] / "inputs" / "sample"
GOLDEN = Path(__file__).parent / "sample.txt"


def test_content_of_the_sample_is_as_written() -> None:
    paths = sorted(
        path.relative_to(SAMPLE).as_posix() for path in SAMPLE.rglob("*") if path.is_file()
    )
    target = Target("project", "shop", "1.1", str(SAMPLE), tuple(paths), ("shop",))
    content, notes = build_content(target)
    text = "\n".join(dump(content)) + "\n"
    if os.environ.get("PYDOCS_UPDATE_GOLDEN"):
        GOLDEN.write_text(text, "utf-8")
    assert text == GOLDEN.read_text("utf-8")
    assert notes == content.notes
    assert build_content(target)[0] == content


def dump(content: BundleContent) -> Iterator[str]:
    yield f"{content.kind} {content.name} {content.version}"
    yield f"modules {', '.join(content.modules)}; imports {', '.join(content.imports)}"
    yield from (f"note {note}" for note in content.notes)
    yield "\n== files"
    yield from (f"{file.path} {file.encoding} {file.module}".rstrip() for file in content.files)
    yield "\n== entries"
    for number, one in enumerate(content.entries):
        place = f"{content.files[one.file].path}:{one.start_line}-{one.end_line}"
        yield f"{number} {one.kind.label} {one.qualified_name} [{place}] in {one.parent}"
        facts = {
            "public": one.public_name,
            "aliases": ", ".join(one.aliases),
            "signature": one.signature,
            "bases": ", ".join(one.bases),
            "decorators": ", ".join(one.decorators),
            "flags": ", ".join(flag.name or "" for flag in Flag if one.flags & flag),
            "summary": one.summary,
            "docstring": one.docstring,
        }
        yield from (f"    {name}: {value!r}" for name, value in facts.items() if value)
    yield "\n== texts"
    for number, text in enumerate(content.texts):
        yield f"{number} {text.name!r} under {text.heading!r}"
        yield from (f"    | {line}".rstrip() for line in text.body.splitlines())
    yield "\n== references"
    for edge in content.references:
        source = content.entries[edge.source].qualified_name
        place = f"{content.files[edge.file].path}:{edge.line}:{edge.column}"
        why = f" ({edge.reason})" if edge.reason else ""
        yield f"{edge.kind.name.lower()} {source} -> {edge.target}{why} [{place}]"
    yield "\n== decisions"
    for decision in content.decisions:
        yield f"{decision.entry} {decision.origin} {decision.title!r}"
        yield f"    {decision.status} {decision.date} governs {', '.join(decision.governs)}"
        yield from (f"    | {line}".rstrip() for line in decision.quote.splitlines())
