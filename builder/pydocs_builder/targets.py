"""The target: one distribution or the project, and which of its files make its bundle."""

from __future__ import annotations

from dataclasses import dataclass

from pydocs_builder.embedded.chosen import ChosenEncoder
from pydocs_bundle.records import Requirement

__all__ = ["Checking", "Collection", "Inspection", "Target", "Task", "Viewed"]


@dataclass(frozen=True, slots=True)
class Collection:
    """What makes a target a documentation collection.

    Args:
        chunk_size: how many characters of one section are found and shown together.
        layers: each layer's name and what it holds.
        layer_of: the paths that are in a layer, each with its name.
    """

    chunk_size: int
    layers: tuple[tuple[str, str], ...] = ()
    layer_of: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Inspection:
    """How compiled modules are asked for their names.

    Args:
        modules: the paths of the modules without suffix, relative to the target's root.
        executable: the interpreter that they were compiled for.
        folders: where it finds them and what they import.
    """

    modules: tuple[str, ...]
    executable: str
    folders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Viewed:
    """One distribution, or the project, as the type checker sees it.

    Args:
        key: its normalised name; empty for the project.
        root: the folder that `parts` and `files` are relative to.
        source_roots: the prefixes below `root` from which module names count.
        parts: what it provides to import: packages, and files that are in none.
        sees: the keys of what it can import: what it requires, and what that requires.
        label: its version, with a digest of its files where the version does not tell them.
    """

    key: str
    root: str
    source_roots: tuple[str, ...]
    parts: tuple[str, ...]
    sees: tuple[str, ...]
    label: str


@dataclass(frozen=True, slots=True)
class Checking:
    """That exact edges are wanted, and what they depend on beside the target's own files.

    Args:
        key: whose view of the plan is the target's.
        version: that of the type checker; empty if it is not installed.
        seen: the key and label of each distribution that it sees.
    """

    key: str
    version: str = ""
    seen: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """What one bundle is made of, before a single file is read.

    Args:
        kind: `project`, `dependency` or `docs`.
        name: the name as the metadata spells it.
        version: the version as the metadata spells it.
        root: the folder that `files` are relative to; it never reaches the bundle.
        files: relative paths with `/`, sorted: sources, stubs, documents, licence files.
        modules: the top-level import names that the target provides.
        source_roots: the prefixes below `root` from which module names count: `""` or `src/`.
        summary: one line from the metadata.
        licence: the licence as the metadata has it, an SPDX expression where it is one.
        licence_files: the licence texts among `files`.
        readme: the long description, for targets that have no README among `files`.
        history: the commits of a project that give a reason, as one text.
        source: where the files come from, for the manifest: kind of identity and digest.
        notes: what was left out and why, a clause each.
        compiled: the compiled modules, as paths without a suffix.
        inspection: how to ask those of them that nothing describes, None to let them be.
        python: the version of the interpreter that runs it, as `3.12`; empty if unknown.
        collection: what makes it a documentation collection, None for everything else.
        checking: what its exact edges depend on, None to do without.
    """

    kind: str
    name: str
    version: str
    root: str
    files: tuple[str, ...]
    modules: tuple[str, ...]
    source_roots: tuple[str, ...] = ("",)
    summary: str = ""
    licence: str = ""
    licence_files: tuple[str, ...] = ()
    readme: str = ""
    history: str = ""
    source: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    compiled: tuple[str, ...] = ()
    inspection: Inspection | None = None
    python: str = ""
    collection: Collection | None = None
    checking: Checking | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """One bundle to build.

    Args:
        target: what it is made of.
        requirements: what the target requires. For the project with their fates; what a dependency
            requires has no fate, so that its bundle is the same whoever builds it.
        encoder: what makes its vectors, None for a bundle without.
        cache: the folder of vectors that are known, empty for none.
    """

    target: Target
    requirements: tuple[Requirement, ...]
    encoder: ChosenEncoder | None = None
    cache: str = ""
