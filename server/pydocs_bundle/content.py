"""What a content must be before it is worth writing: whole, and of one mind with itself."""

from __future__ import annotations

from collections.abc import Iterator

from pydocs_bundle.manifest import KINDS
from pydocs_bundle.names import name_problem, paths_problem
from pydocs_bundle.records import BundleContent
from pydocs_bundle.schema import TIERS

__all__ = ["content_problem"]


def content_problem(content: BundleContent) -> str:
    """What contradicts itself in `content`, as a clause; empty if nothing does."""
    return next(_problems(content), "")


def _problems(content: BundleContent) -> Iterator[str]:
    if content.kind not in KINDS:
        yield f"the kind {content.kind!r} is none of {', '.join(KINDS)}"
    if problem := name_problem(content.name) or name_problem(content.version):
        yield f"the name or version {problem}"
    if problem := paths_problem([file.path for file in content.files]):
        yield problem
    if len(content.texts) > len(content.entries):
        yield f"it has {len(content.texts)} texts for {len(content.entries)} entries"
    yield from _file_problems(content)
    yield from _entry_problems(content)
    yield from _edge_problems(content)


def _file_problems(content: BundleContent) -> Iterator[str]:
    layers = {name for name, _ in content.layers}
    for file in content.files:
        try:
            file.text.decode()
        except UnicodeDecodeError:
            yield f"the text of {file.path!r} is not UTF-8"
        if file.layer and file.layer not in layers:
            yield f"{file.path!r} is in the layer {file.layer!r}, which is not there"


def _entry_problems(content: BundleContent) -> Iterator[str]:
    sizes = [len(file.text) for file in content.files]
    count = len(content.entries)
    for number, entry in enumerate(content.entries):
        if not entry.qualified_name:
            yield f"entry {number} has no name"
        if not 0 <= entry.file < len(sizes):
            yield f"entry {entry.qualified_name!r} is in no file"
        elif not 0 <= entry.start <= entry.end <= sizes[entry.file]:
            yield f"entry {entry.qualified_name!r} reaches over the end of its file"
        if not -1 <= entry.parent < count or entry.parent == number:
            yield f"entry {entry.qualified_name!r} has no such parent"


def _edge_problems(content: BundleContent) -> Iterator[str]:
    count, files = len(content.entries), len(content.files)
    for edge in content.references:
        if not (0 <= edge.source < count and 0 <= edge.file < files and edge.target):
            yield f"a reference to {edge.target!r} has no source, no file or no target"
        if edge.tier not in TIERS:
            yield f"the tier {edge.tier!r} is none of {', '.join(TIERS)}"
    if [score.entry for score in content.scores] != sorted({s.entry for s in content.scores}):
        yield "its scores are not in the order of their entries"
    for score in content.scores:
        if not 0 <= score.entry < count or min(score) < 0 or not any(score[1:]):
            yield f"the score {score} has no entry, or says nothing"
    decided = {decision.entry for decision in content.decisions}
    for decision in content.decisions:
        if not 0 <= decision.entry < count:
            yield f"the decision {decision.title!r} is no entry"
        if decision.successor >= 0 and decision.successor not in decided:
            yield f"what replaces the decision {decision.title!r} is no decision"
