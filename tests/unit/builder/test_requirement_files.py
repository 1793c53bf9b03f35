"""Requirements files together: includes, constraints, cycles, gaps."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pydocs_builder.wanted.declared import Declared
from pydocs_builder.wanted.requirement_files import (
    group_of,
    is_requirements_file,
    read_requirement_files,
)


def read(
    files: Mapping[str, str], *starts: str, names: Mapping[str, str] | None = None
) -> Declared:
    def read_bytes(path: str) -> bytes:
        if path not in files:
            raise FileNotFoundError(2, "No such file or directory", path)
        return files[path].encode()

    paths = [(path, group_of(path)) for path in starts or tuple(files)]
    return read_requirement_files(paths, read_bytes, lambda folder: (names or {}).get(folder, ""))


def wanted(declared: Declared) -> dict[str, str]:
    return {str(one.requirement): one.group for one in declared.wanted}


@pytest.mark.parametrize(
    "path",
    ["requirements.txt", "requirements-dev.txt", "dev-requirements.txt", "requirements_test.in",
     "a/requirements.in", "requirements/base.txt", "requirements/dev.in", "Requirements.txt"],
)  # fmt: skip
def test_files_called_like_one_are_requirements_files(path: str) -> None:
    assert is_requirements_file(path)


@pytest.mark.parametrize(
    "path",
    ["notes.txt", "constraints.txt", "requirements/constraints.txt", "requirements.md", "x.in"],
)
def test_other_files_are_none(path: str) -> None:
    assert not is_requirements_file(path)


@pytest.mark.parametrize(
    ("path", "group"),
    [
        ("requirements.txt", ""),
        ("requirements/base.txt", ""),
        ("requirements-prod.txt", ""),
        ("requirements-dev.txt", "requirements-dev.txt"),
        ("requirements/docs.txt", "requirements/docs.txt"),
    ],
)
def test_a_file_that_not_every_user_needs_is_a_group(path: str, group: str) -> None:
    assert group_of(path) == group


def test_an_include_is_relative_to_the_file_that_has_it() -> None:
    files = {
        "a/requirements.txt": "-r ../b/more.txt",
        "b/more.txt": "-r deep/x.txt",
        "b/deep/x.txt": "beta",
    }
    assert wanted(read(files, "a/requirements.txt")) == {"beta": ""}


def test_a_file_that_two_files_include_is_read_once_and_is_no_cycle() -> None:
    files = {
        "requirements.txt": "-r base.txt\nalpha",
        "requirements-dev.txt": "-r base.txt\nbeta",
        "base.txt": "gamma",
    }
    found = read(files, "requirements-dev.txt", "requirements.txt")
    assert wanted(found) == {"gamma": "", "alpha": "", "beta": "requirements-dev.txt"}
    assert found.notes == ()


def test_a_file_that_includes_itself_is_read_once() -> None:
    found = read({"requirements.txt": "-r requirements.txt\nalpha"})
    assert wanted(found) == {"alpha": ""}
    assert len(found.notes) == 1


def test_a_constraint_pins_and_makes_nothing_a_dependency() -> None:
    found = read({"requirements.txt": "-c limits.txt\nalpha", "limits.txt": "alpha==1\nbeta==2"})
    assert wanted(found) == {"alpha": ""}
    assert {pin.key: pin.version for pin in found.pins} == {"alpha": "1", "beta": "2"}


def test_what_a_constraints_file_includes_constrains_too() -> None:
    files = {"requirements.txt": "-c a.txt\nalpha", "a.txt": "-r b.txt", "b.txt": "beta==2"}
    found = read(files, "requirements.txt")
    assert wanted(found) == {"alpha": ""}
    assert [pin.key for pin in found.pins] == ["beta"]


def test_only_an_exact_version_is_a_pin() -> None:
    found = read({"requirements.txt": "a==1\nb>=2\nc==3.*\nd===4\ne==5,!=6"})
    assert {pin.key: pin.version for pin in found.pins} == {"a": "1", "d": "4"}


def test_a_line_that_is_no_requirement_is_kept_with_its_place() -> None:
    (one,) = read({"requirements.txt": "alpha\nbeta=>1\n"}).unreadable
    assert (one.text, one.origin) == ("beta=>1", "requirements.txt:2")


def test_an_address_tells_its_name_or_is_kept() -> None:
    found = read({
        "requirements.txt": "git+https://example.org/a.git@main#egg=alpha[fast]\n"
        "https://example.org/beta-1.5-py3-none-any.whl\n"
        "-e git+https://example.org/c.git\n"
        "./wheels/delta-2.0-py3-none-any.whl\n"
    })  # fmt: skip
    assert wanted(found) == {"alpha[fast]": "", "beta==1.5": "", "delta==2.0": ""}
    assert [one.text for one in found.unreadable] == ["git+https://example.org/c.git"]


def test_a_folder_stands_for_the_distribution_that_it_builds() -> None:
    files = {"requirements.txt": "-e .[test]\n./sub\n-e file:other\n./nameless"}
    found = read(files, names={".": "root", "sub": "sub-dist", "other": "other-dist"})
    assert wanted(found) == {"root[test]": "", "sub-dist": "", "other-dist": ""}
    assert [one.text for one in found.unreadable] == ["./nameless"]


def test_a_remote_include_is_noted_and_not_fetched() -> None:
    found = read({"requirements.txt": "-r https://example.org/more.txt"})
    assert "not fetched" in found.notes[0]


def test_an_absolute_path_to_a_file_of_the_project_is_that_file() -> None:
    files = {
        "requirements.txt": "-r /work/p/more.txt\n-r file:///work/p/last.txt\n-r more.txt\nalpha",
        "more.txt": "-r /work/p/requirements.txt\nbeta",
        "last.txt": "-r ../p/./more.txt\n-r ../common/all.txt\ngamma",
        "../common/all.txt": "-r /work/p/more.txt\ndelta==1",
    }

    def read_bytes(path: str) -> bytes:
        return files[path].encode()

    found = read_requirement_files([("requirements.txt", "")], read_bytes, str, "/work/p")
    assert sorted(wanted(found)) == ["alpha", "beta", "delta==1", "gamma"]
    assert [pin.origin for pin in found.pins] == ["../common/all.txt:2"]
    assert "requirements.txt → more.txt → requirements.txt" in found.notes[0]


def test_what_would_have_to_be_fetched_is_noted() -> None:
    found = read(
        {"requirements.txt": "-c https://example.org/c.txt\n-r http://example.org/r.txt\na"}
    )
    assert found.notes == (
        "requirements.txt:1: https://example.org/c.txt is not fetched",
        "requirements.txt:2: http://example.org/r.txt is not fetched",
    )


def test_constraints_limit_and_what_is_none_is_noted() -> None:
    constraints = {"c.txt": "A<2\nb==1\n-r d.txt\n./x\n", "d.txt": "e"}
    found = read({"requirements.txt": "-c c.txt\na", **constraints})
    assert [str(one.requirement) for one in found.limits] == ["A<2", "b==1", "e"]
    assert wanted(found) == {"a": ""}
    assert "'./x' is no constraint" in found.notes[0]


def test_the_address_of_a_wheel_is_kept_with_its_pin() -> None:
    address = "https://example.org/alpha-1.0-py3-none-any.whl"
    (pin,) = read({"requirements.txt": f"{address} ; python_version > '3'"}).pins
    assert (pin.key, pin.version, pin.address) == ("alpha", "1.0", address)
    assert pin.marker == 'python_version > "3"'


def test_hashes_stay_with_their_pin() -> None:
    text = "alpha==1 \\\n --hash=sha256:aa \\\n --hash sha512:bb --hash=md5:cc\n"
    (pin,) = read({"requirements.txt": text}).pins
    assert pin.hashes == ("sha256:aa", "sha512:bb")
