"""The sets of questions, each case with what is right, and the part it belongs to.

Every set has a part that is tuned on and one that is kept: never looked at while numbers are
chosen, so that what is only fitted to the first shows in the second.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import NamedTuple

__all__ = ["FileCase", "NameCase", "NobodyCase", "Target", "codes", "files", "names", "nobodys"]

_TUNED = "tuned"
_KEPT = "kept"


class NameCase(NamedTuple):
    """A question that symbols or sections answer, by their qualified names."""

    query: str
    package: str
    part: str
    answers: tuple[str, ...]
    classes: tuple[str, ...]


class Target(NamedTuple):
    """A file that answers, and the lines where only some of it does."""

    path: str
    first: int = 0
    last: int = 0


class FileCase(NamedTuple):
    """A question that files answer."""

    query: str
    part: str
    targets: tuple[Target, ...]


class NobodyCase(NamedTuple):
    """A query that no package answers: about something else, noise, or what is not mounted."""

    query: str
    about: str
    part: str


def names(path: Path) -> list[NameCase]:
    """Questions with accepted names, one JSON object a line."""
    cases = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return [
        NameCase(
            each["query"],
            each["package"],
            each.get("part") or _part(each["id"]),
            tuple(each["answers"]),
            tuple(each.get("classes", ())),
        )
        for each in cases
    ]


def files(path: Path) -> list[FileCase]:
    """Queries of one repository with the files that answer them."""
    cases = json.loads(path.read_text("utf-8"))
    return [
        FileCase(
            each["query"],
            _part(path.stem + each["query"]),
            tuple(_target(one) for one in [*each["relevant"], *each["secondary"]]),
        )
        for each in cases
    ]


def codes(path: Path) -> list[FileCase]:
    """Web queries, each with the number of the one function that answers it, as its file."""
    queries = json.loads(path.read_text("utf-8"))["q"]
    return [FileCase(query, _part(query), (Target(f"c{number}.py"),)) for query, number in queries]


def nobodys(path: Path) -> list[NobodyCase]:
    """Queries that nothing answers, one JSON object a line."""
    cases = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return [NobodyCase(each["query"], each["about"], _part(each["query"])) for each in cases]


def _target(written: str | dict[str, str | int]) -> Target:
    if isinstance(written, str):
        return Target(written)
    first, last = int(written.get("start_line", 0)), int(written.get("end_line", 0))
    return Target(str(written["path"]), first, last)


def _part(name: str) -> str:
    """Half of the cases, whatever their order: by a checksum."""
    return _TUNED if zlib.crc32(name.encode()) & 1 else _KEPT
