"""The documentation collections that a project declares in `[tool.pydocs.docs]`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from pydocs_builder.wanted.pyproject import Table, names, table_at
from pydocs_bundle.errors import UsageError

__all__ = ["ALL_LAYERS", "DocsConfig", "Layer", "read_docs_config"]

ALL_LAYERS: Final = "all"
"""What a question asks for that no layer bounds; no layer can have this name."""

_ID: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?")
_RUNS: Final = re.compile(r"[-_.]+")
_OPTIONS: Final = ("chunk-size", "description", "exclude", "include", "layers", "ref", "source")
_LAYER_OPTIONS: Final = ("description", "include")
_CHUNK: Final = 1_500
_LEAST_CHUNK: Final = 200
_LARGEST_CHUNK: Final = 20_000


class Layer(NamedTuple):
    """A part of a collection: the files that match one of its patterns and no earlier layer's."""

    name: str
    description: str
    include: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DocsConfig:
    """One `[tool.pydocs.docs.<id>]` table. Patterns are as in a `.gitignore`, from the source down.

    Args:
        id: what the collection is called.
        source: a folder, below the project or not, or the address of a git repository.
        ref: the branch, tag or commit of a git repository; empty for its default branch.
        description: what the collection holds.
        include: the files that count; without any, every document does.
        exclude: those that do not.
        layers: its layers, in the order in which they claim files.
        chunk_size: how many characters of one section are found and shown together.
        max_file_bytes: files over this size are left out, and noted.
    """

    id: str
    source: str
    ref: str = ""
    description: str = ""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    layers: tuple[Layer, ...] = ()
    chunk_size: int = _CHUNK
    max_file_bytes: int = 2_000_000


def read_docs_config(
    stated: object, place: str, max_file_bytes: int = 2_000_000
) -> tuple[DocsConfig, ...]:
    """The collections of a `docs` table, sorted by id; `UsageError` names what is wrong in it.

    Args:
        stated: the value of the key.
        place: the table that it stands in, as messages call it: `pyproject.toml: [tool.pydocs]`.
        max_file_bytes: the project's limit, which is theirs too.
    """
    within = place.removesuffix("]")
    if not isinstance(stated, dict):
        raise UsageError(f"{within}.docs] must hold a table for each collection.")
    found: dict[str, DocsConfig] = {}
    for key in sorted(stated):
        where = f"{within}.docs.{key}]"
        if not _ID.fullmatch(key):
            raise UsageError(f"{where} {key!r} is no id; use letters, digits and . _ - within.")
        same = found.get(_normalised(key))
        if same is not None:
            raise UsageError(f"{where} and {same.id!r} are one name; rename one of them.")
        found[_normalised(key)] = _collection(key, stated[key], where, max_file_bytes)
    return tuple(found.values())


def _collection(key: str, stated: object, where: str, max_file_bytes: int) -> DocsConfig:
    table = _table(stated, _OPTIONS, where)
    source = _string(table, "source", where)
    if not source:
        raise UsageError(f"{where} has no source; give a folder or the address of a repository.")
    return DocsConfig(
        id=key,
        source=source,
        ref=_string(table, "ref", where),
        description=_string(table, "description", where),
        include=_patterns(table, "include", where),
        exclude=_patterns(table, "exclude", where),
        layers=_layers(table, where),
        chunk_size=_chunk_size(table, where),
        max_file_bytes=max_file_bytes,
    )


def _layers(table: Table, where: str) -> tuple[Layer, ...]:
    """The layers in the order in which the file has them, names in lower case."""
    stated = table.get("layers", {})
    if not isinstance(stated, dict):
        raise UsageError(f"{where} layers must hold a table for each layer.")
    layers: dict[str, Layer] = {}
    for key, value in stated.items():
        name = key.strip().casefold()
        place = f"{where} layers.{key}"
        if not name.isprintable() or not name:
            raise UsageError(f"{place}: a layer's name is printable and not empty.")
        if name == ALL_LAYERS:
            raise UsageError(f"{place}: {ALL_LAYERS!r} means every layer; use another name.")
        if name in layers:
            raise UsageError(f"{place}: there is a layer {name!r} already; rename one of them.")
        layer = _table(value, _LAYER_OPTIONS, place)
        include = _patterns(layer, "include", place)
        if not include:
            raise UsageError(f"{place}: has no include; say which files it holds.")
        layers[name] = Layer(name, _string(layer, "description", place), include)
    return tuple(layers.values())


def _table(stated: object, options: tuple[str, ...], where: str) -> Table:
    if not isinstance(stated, dict):
        raise UsageError(f"{where} must be a table.")
    for key in stated:
        if key not in options:
            raise UsageError(f"{where} has no option {key!r}; it knows {', '.join(options)}.")
    return table_at({"": stated}, "")


def _string(table: Table, key: str, where: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str) or not value.isprintable():
        raise UsageError(f"{where} {key} must be a string on one line.")
    return value.strip()


def _patterns(table: Table, key: str, where: str) -> tuple[str, ...]:
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - slow, and few projects have collections

    value = table.get(key, [])
    if not isinstance(value, list) or len(names(value)) != len(value):
        raise UsageError(f"{where} {key} must be a list of strings.")
    try:
        GitIgnoreSpec.from_lines(names(value))
    except ValueError as error:
        raise UsageError(f"{where} {key}: {error}.") from error
    return names(value)


def _chunk_size(table: Table, where: str) -> int:
    value = table.get("chunk-size", _CHUNK)
    if isinstance(value, int) and _LEAST_CHUNK <= value <= _LARGEST_CHUNK:
        return value
    raise UsageError(
        f"{where} chunk-size must be a number from {_LEAST_CHUNK} to {_LARGEST_CHUNK}."
    )


def _normalised(key: str) -> str:
    return _RUNS.sub("-", key).lower()
