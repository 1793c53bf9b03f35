"""The manifest: who a bundle is, in canonical JSON.

Long lists belong in `DB`: three hundred manifests are parsed whenever a server starts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Final, NamedTuple, TypeVar

from pydocs_bundle.errors import BundleError
from pydocs_bundle.names import name_problem
from pydocs_bundle.records import Requirement

__all__ = ["KINDS", "Manifest", "canonical_json", "content_id", "parse_manifest", "write_manifest"]

KINDS: Final = ("dependency", "docs", "encoder", "project", "stdlib")

_DIGEST_CHARS: Final = 64
_IDENTITY: Final = (
    *("imports", "kind", "licence", "licence_files", "modules", "name", "summary", "version"),
)
_OPTIONAL: Final = ("layers", "requirements")
_UNSIGNED: Final = ("encoder", "resolved_with")
_NOTHING: Final[Mapping[str, str]] = {}


class Manifest(NamedTuple):
    """What a bundle says about itself.

    `counts` has `decisions`, `entries`, `files`, `references`, `requirements`, `text_bytes` and
    `texts`. `sections` maps a section's id to the SHA-256 of its raw form, `dump` is the SHA-256
    of what the rows of `DB` say (other versions of SQLite store them in other bytes). `source` is
    where the content came from, `builder` what wrote it, `fingerprint` what it was made of; none
    of these three, nor `resolved_with` nor `encoder`, is part of `content_id`. `layers` are those
    of a documentation collection, each with what it holds; other bundles have no such member.
    `requirements` are those with a fate, which a project's have; what a dependency declares stands
    in `DB`. `resolved_with` maps the distributions whose sources the edges were resolved with to
    their versions. `encoder` says which encoder this is, or which one made the vectors: `name`,
    `identity` (the SHA-256 of its section), `dimensions`, and more where it is the encoder itself.
    """

    kind: str
    name: str
    version: str
    content_id: str
    summary: str
    licence: str
    licence_files: tuple[str, ...]
    modules: tuple[str, ...]
    imports: tuple[str, ...]
    source: Mapping[str, str]
    counts: Mapping[str, int]
    notes: tuple[str, ...]
    builder: Mapping[str, str]
    fingerprint: str
    sections: Mapping[str, str]
    dump: str
    layers: Mapping[str, str] = _NOTHING
    requirements: tuple[Requirement, ...] = ()
    resolved_with: Mapping[str, str] = _NOTHING
    encoder: Mapping[str, str] = _NOTHING


def canonical_json(value: object) -> bytes:
    """JSON with sorted keys, no blanks, and characters beyond ASCII as they are."""
    text = json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )
    return text.encode()


def write_manifest(manifest: Manifest) -> bytes:
    """The bytes that stand in the file."""
    members: dict[str, object] = manifest._asdict()
    for name in (*_OPTIONAL, *_UNSIGNED):
        del members[name]
    unsigned = {name: dict(getattr(manifest, name)) for name in _UNSIGNED}
    members |= {name: said for name, said in unsigned.items() if said}
    return canonical_json(members | _optional(manifest))


def content_id(manifest: Manifest) -> str:
    """The SHA-256 of what the bundle says: the same for any compression, builder and SQLite."""
    said: dict[str, object] = {name: getattr(manifest, name) for name in _IDENTITY}
    said |= _optional(manifest)
    digests = {name: manifest.sections.get(name, "") for name in ("CHK", "PXI", "TEXT")}
    if "ENC" in manifest.sections:
        digests["ENC"] = manifest.sections["ENC"]
    return sha256(canonical_json(said | {"sections": digests | {"DB": manifest.dump}})).hexdigest()


def _optional(manifest: Manifest) -> dict[str, object]:
    """The members that are there only if they say something."""
    members = {"layers": dict(manifest.layers), "requirements": list(manifest.requirements)}
    return {name: members[name] for name in _OPTIONAL if members[name]}


_Value = TypeVar("_Value", str, int)


def parse_manifest(raw: bytes, path: str) -> Manifest:
    """The manifest in `raw`, every field of its type.

    Raises:
        BundleError: it is not canonical JSON, lacks a field, or names another content than its own.
    """
    try:
        parsed = json.loads(raw)
        is_canonical = canonical_json(parsed) == raw
    except (ValueError, RecursionError) as error:
        raise BundleError(path, "its manifest is not canonical JSON") from error
    if not isinstance(parsed, dict) or not is_canonical:
        raise BundleError(path, "its manifest is not canonical JSON")
    fields = _Fields(parsed, path)
    manifest = Manifest(
        kind=fields.text("kind"),
        name=fields.text("name"),
        version=fields.text("version"),
        content_id=fields.digest("content_id"),
        summary=fields.text("summary"),
        licence=fields.text("licence"),
        licence_files=fields.texts("licence_files"),
        modules=fields.texts("modules"),
        imports=fields.texts("imports"),
        source=fields.mapping("source", str),
        counts=fields.mapping("counts", int),
        notes=fields.texts("notes"),
        builder=fields.mapping("builder", str),
        fingerprint=fields.text("fingerprint"),
        sections=fields.mapping("sections", str),
        dump=fields.digest("dump"),
        layers=fields.noted("layers"),
        requirements=fields.requirements() if "requirements" in parsed else (),
        resolved_with=fields.noted("resolved_with"),
        encoder=fields.noted("encoder"),
    )
    if manifest.kind not in KINDS:
        raise BundleError(path, f"its kind is {manifest.kind!r}", "update pydocs-server")
    if problem := name_problem(manifest.name) or name_problem(manifest.version):
        raise BundleError(path, f"its name or version {problem}")
    if manifest.content_id != content_id(manifest):
        raise BundleError(path, "its manifest names another content than its own")
    return manifest


class _Fields:
    """The members of a parsed object, given only if they have the type that is asked for."""

    def __init__(self, parsed: dict[str, object], path: str) -> None:
        self._parsed = parsed
        self._path = path

    def _wrong(self, name: str) -> BundleError:
        return BundleError(self._path, f"its manifest has no valid field {name!r}")

    def text(self, name: str) -> str:
        value = self._parsed.get(name)
        if not isinstance(value, str):
            raise self._wrong(name)
        return value

    def digest(self, name: str) -> str:
        value = self.text(name)
        if len(value) != _DIGEST_CHARS or not set(value) <= set("0123456789abcdef"):
            raise self._wrong(name)
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._parsed.get(name)
        if not isinstance(value, list) or not set(map(type, value)) <= {str}:
            raise self._wrong(name)
        return tuple(value)

    def mapping(self, name: str, of: type[_Value]) -> dict[str, _Value]:
        value = self._parsed.get(name)
        if not isinstance(value, dict) or not set(map(type, value.values())) <= {of}:
            raise self._wrong(name)
        return value

    def noted(self, name: str) -> Mapping[str, str]:
        return self.mapping(name, str) if name in self._parsed else _NOTHING

    def requirements(self) -> tuple[Requirement, ...]:
        rows = self._parsed.get("requirements")
        if not isinstance(rows, list) or not all(map(_is_requirement, rows)):
            raise self._wrong("requirements")
        return tuple(Requirement(*row) for row in rows)


def _is_requirement(row: object) -> bool:
    """Whether a row has a text for each field, and a fate."""
    if not isinstance(row, list) or len(row) != len(Requirement._fields):
        return False
    return set(map(type, row)) == {str} and bool(Requirement(*row).fate)
