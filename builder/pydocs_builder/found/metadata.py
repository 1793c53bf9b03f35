"""The metadata of a distribution: what `METADATA` and `PKG-INFO` files say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from packaging.requirements import InvalidRequirement, Requirement

__all__ = ["Metadata", "parse_metadata"]

# A licence field longer than this is the licence's text, not its name.
_LONGEST_LICENCE_NAME = 100
_CLASSIFIER = "License :: "
_INDENT = " " * 8


@dataclass(frozen=True, slots=True)
class Metadata:
    """The fields of a metadata file that a build takes."""

    name: str
    version: str
    summary: str
    licence: str
    licence_files: tuple[str, ...]
    requires: tuple[str, ...]
    readme: str
    readme_type: str

    def requirements(self) -> Iterator[Requirement]:
        """The requirements, parsed; what is none in the metadata of others cannot be helped."""
        for text in self.requires:
            try:
                yield Requirement(text)
            except InvalidRequirement:
                continue


def parse_metadata(raw: bytes) -> Metadata:
    """The fields of a metadata file; those it lacks are empty."""
    text = raw.decode("utf-8", "replace").lstrip("\ufeff").replace("\r\n", "\n")
    head, _, body = text.partition("\n\n")
    fields: dict[str, list[str]] = {}
    values: list[str] = []
    for line in head.split("\n"):
        if line[:1] in {" ", "\t"} and values:
            # Continuations are indented by eight blanks, or eight with a bar before 2.1.
            stripped = line.removeprefix(_INDENT) if line.startswith(_INDENT) else line.strip()
            values[-1] += "\n" + stripped.removeprefix("|")
        elif ":" in line:
            key, _, value = line.partition(":")
            values = fields.setdefault(key.strip().lower(), [])
            values.append(value.strip())

    def first(key: str) -> str:
        value = fields.get(key, [""])[0]
        return "" if value == "UNKNOWN" else value

    return Metadata(
        name=first("name"),
        version=first("version"),
        summary=first("summary").partition("\n")[0],
        licence=_licence(first("license-expression"), first("license"), fields),
        licence_files=tuple(sorted(fields.get("license-file", ()))),
        requires=tuple(fields.get("requires-dist", ())),
        readme=body if body.strip() else first("description"),
        readme_type=first("description-content-type").partition(";")[0].strip().lower(),
    )


def _licence(expression: str, licence: str, fields: dict[str, list[str]]) -> str:
    """The expression, else the name, else what the classifiers say."""
    if expression:
        return expression
    if licence and "\n" not in licence and len(licence) <= _LONGEST_LICENCE_NAME:
        return licence
    named = [
        value.rpartition(" :: ")[2]
        for value in fields.get("classifier", ())
        if value.startswith(_CLASSIFIER) and value != "License :: OSI Approved"
    ]
    return ", ".join(named)
