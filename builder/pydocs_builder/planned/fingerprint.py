"""The fingerprint of a build task: equal ones give equal bundles, so one of them is enough."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import cache
from hashlib import sha256
from pathlib import Path

import pydocs_builder
import pydocs_bundle
import pydocs_native
from pydocs_builder.targets import Task

__all__ = ["builder_digest", "fingerprint", "identify"]

_SHORT = 12
_CODE = (".py", *((".so", ".pyd") if pydocs_native.IMPLEMENTATION == "rust" else ()))


def identify(task: Task) -> Task:
    """The task with the identity of its files as they are now; unreadable ones become notes."""
    target = task.target
    hashes = pydocs_native.hash_files(target.root, target.files)
    present = [
        (path, digest)
        for path, digest in zip(target.files, hashes, strict=True)
        if digest is not None
    ]
    unreadable = [path for path, digest in zip(target.files, hashes, strict=True) if digest is None]
    lines = (b"%016x %s\n" % (digest, os.fsencode(path)) for path, digest in present)
    tree = sha256(b"".join(lines)).hexdigest()
    known = replace(
        target,
        version=target.version or tree[:_SHORT],
        files=tuple(path for path, _ in present),
        licence_files=tuple(path for path in target.licence_files if path not in unreadable),
        source=(*target.source, ("tree", tree)),
        notes=(*target.notes, *(f"{path}: left out, it cannot be read" for path in unreadable)),
    )
    return replace(task, target=known)


def fingerprint(task: Task) -> str:
    """A digest over the builder, who the target is, and its files as `identify` found them."""
    stated = asdict(task.target)
    # The place says nothing about the content, and the files' names are in their digest.
    del stated["root"], stated["files"]
    if stated["inspection"] is not None:
        del stated["inspection"]["executable"], stated["inspection"]["folders"]
    encoder = task.encoder.identity if task.encoder is not None else ""
    parts = [builder_digest(), stated, task.requirements, encoder]
    return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


@cache
def builder_digest() -> str:
    """A digest over the code that builds: the Python code, and the native code where it is used."""
    digest = sha256(pydocs_native.IMPLEMENTATION.encode())
    for package in (pydocs_builder, pydocs_bundle, pydocs_native):
        root = Path(str(package.__file__)).parent
        files = (path for path in root.rglob("*") if path.name.endswith(_CODE))
        paths = sorted(path.relative_to(root).as_posix() for path in files)
        digest.update(repr(_hashed(str(root), paths)).encode())
    return digest.hexdigest()


def _hashed(root: str, paths: Sequence[str]) -> list[tuple[str, int | None]]:
    return list(zip(paths, pydocs_native.hash_files(root, paths), strict=True))
