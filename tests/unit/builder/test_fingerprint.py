"""When two build tasks are the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from pydocs_builder.planned.fingerprint import builder_digest, fingerprint, identify
from pydocs_builder.targets import Target, Task
from pydocs_bundle.records import Requirement

Write = Callable[[Path, Mapping[str, str]], Path]
FILES = {"a.py": "x = 1\n", "b.py": "y = 2\n"}


def task(root: Path) -> Task:
    target = Target("project", "p", "1", str(root), tuple(sorted(FILES)), ("a", "b"))
    return Task(target, (Requirement("alpha", "", "built", "1"),))


def test_the_place_of_the_files_does_not_count(tmp_path: Path, write_files: Write) -> None:
    one, other = write_files(tmp_path / "1", FILES), write_files(tmp_path / "2", FILES)
    assert fingerprint(identify(task(one))) == fingerprint(identify(task(other)))


@pytest.mark.parametrize(
    "changed",
    [{"a.py": "x = 2\n"}, {"a.py": FILES["b.py"], "b.py": FILES["a.py"]}],
)
def test_what_is_in_the_files_counts(
    tmp_path: Path, write_files: Write, changed: Mapping[str, str]
) -> None:
    root = write_files(tmp_path, FILES)
    before = fingerprint(identify(task(root)))
    write_files(root, changed)
    assert fingerprint(identify(task(root))) != before


@pytest.mark.parametrize("change", [{"version": "2"}, {"summary": "s"}, {"modules": ("a",)}])
def test_who_the_target_is_counts(
    tmp_path: Path, write_files: Write, change: Mapping[str, object]
) -> None:
    known = identify(task(write_files(tmp_path, FILES)))
    other = replace(known, target=replace(known.target, **change))  # type: ignore[arg-type]
    assert fingerprint(other) != fingerprint(known)


def test_what_became_of_a_requirement_counts(tmp_path: Path, write_files: Write) -> None:
    known = identify(task(write_files(tmp_path, FILES)))
    failed = tuple(row._replace(fate="failed") for row in known.requirements)
    assert fingerprint(replace(known, requirements=failed)) != fingerprint(known)


def test_a_file_that_cannot_be_read_is_left_out_and_noted(
    tmp_path: Path, write_files: Write
) -> None:
    root = write_files(tmp_path, FILES)
    (root / "a.py").unlink()
    target = identify(task(root)).target
    assert target.files == ("b.py",)
    assert target.notes == ("a.py: left out, it cannot be read",)


def test_another_native_part_gives_another_builder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = builder_digest()
    package = tmp_path / "pydocs_native"
    package.mkdir()
    (package / "_core.abi3.so").write_bytes(b"one")
    monkeypatch.setattr("pydocs_builder.planned.fingerprint._CODE", (".py", ".so"))
    monkeypatch.setattr("pydocs_native.__file__", str(package / "__init__.py"))
    builder_digest.cache_clear()
    first = builder_digest()
    (package / "_core.abi3.so").write_bytes(b"two")
    builder_digest.cache_clear()
    second = builder_digest()
    builder_digest.cache_clear()
    assert len({before, first, second}) == 3
