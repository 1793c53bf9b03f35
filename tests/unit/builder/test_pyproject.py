"""What a pyproject.toml declares."""

from __future__ import annotations

import tomllib

from pydocs_builder.wanted.declared import Declared
from pydocs_builder.wanted.pyproject import read_pyproject


def read(text: str) -> Declared:
    def read_files(files: tuple[str, ...], group: str) -> Declared:
        return Declared(notes=tuple(f"{file} for {group or 'all'}" for file in files))

    return read_pyproject("pyproject.toml", tomllib.loads(text), read_files)


def wanted(declared: Declared) -> set[tuple[str, str]]:
    return {(str(one.requirement), one.group) for one in declared.wanted}


def test_dependencies_are_core_and_extras_are_groups() -> None:
    found = read("""
        [project]
        name = "My.Project"
        dependencies = ["alpha>=1"]
        [project.optional-dependencies]
        fast = ["beta"]
    """)
    assert wanted(found) == {("alpha>=1", ""), ("beta", "extra fast")}
    assert found.provided == ("my-project",)


def test_every_dependency_group_counts() -> None:
    found = read("""
        [dependency-groups]
        all = [{include-group = "Test"}, "alpha"]
        test = ["beta"]
    """)
    assert wanted(found) == {("alpha", "group all"), ("beta", "group test")}
    assert found.notes == ()


def test_an_included_group_that_is_not_there_is_noted() -> None:
    found = read('[dependency-groups]\nall = [{include-group = "none"}]')
    assert "none, which is no group" in found.notes[0]


def test_groups_that_include_each_other_are_noted_and_read_once() -> None:
    found = read("""
        [dependency-groups]
        a = [{include-group = "b"}, "alpha"]
        b = [{include-group = "a"}, "beta"]
    """)
    assert wanted(found) == {("alpha", "group a"), ("beta", "group b")}
    assert "a, b" in found.notes[0]


def test_dynamic_fields_are_read_from_the_files_that_setuptools_names() -> None:
    found = read("""
        [project]
        dynamic = ["dependencies", "optional-dependencies"]
        [tool.setuptools.dynamic]
        dependencies = {file = ["a.txt", "b.txt"]}
        optional-dependencies.dev = {file = "c.txt"}
    """)
    assert found.notes == ("a.txt for all", "b.txt for all", "c.txt for extra dev")


def test_a_dynamic_field_without_source_is_noted() -> None:
    found = read('[project]\ndynamic = ["dependencies", "version"]')
    assert len(found.notes) == 1
    assert "dynamic" in found.notes[0]


def test_what_is_no_requirement_is_kept() -> None:
    found = read('[project]\ndependencies = ["alpha", "beta=>1", 3]')
    assert wanted(found) == {("alpha", "")}
    assert [one.text for one in found.unreadable] == ["beta=>1", "3"]


def test_dependencies_that_are_no_list_are_kept_as_unreadable() -> None:
    assert len(read('[project]\ndependencies = "alpha"').unreadable) == 1
