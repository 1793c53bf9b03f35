"""What the tables of uv, PDM, Hatch and Flit, a Pipfile and a conda environment declare."""

from __future__ import annotations

import tomllib

import pytest

from pydocs_builder.wanted.conda import is_conda_environment, read_conda
from pydocs_builder.wanted.declared import Declared
from pydocs_builder.wanted.pipfile import read_pipfile
from pydocs_builder.wanted.tool_tables import read_tool_tables


def read_files(files: tuple[str, ...], group: str) -> Declared:
    return Declared(notes=tuple(f"{group}:{file}" for file in files))


def read(text: str) -> Declared:
    return read_tool_tables("pyproject.toml", tomllib.loads(text), read_files)


def wanted(declared: Declared) -> dict[str, str]:
    return {str(one.requirement): one.group for one in declared.wanted}


def test_groups_of_pdm_may_name_editable_ones() -> None:
    found = read(
        "[tool.pdm.dev-dependencies]\n"
        'test = ["alpha>=1", "-e file:///${PROJECT_ROOT}/sub#egg=sub"]\n'
        '[tool.pdm.resolution.overrides]\nbeta = "1.0"\ngamma = ">=2"\n'
    )
    assert wanted(found) == {"alpha>=1": "group test", "sub": "group test"}
    assert [str(one.requirement) for one in found.limits] == ["beta==1.0", "gamma>=2"]


def test_constraints_of_uv_limit_and_want_nothing() -> None:
    found = read('[tool.uv]\ndev-dependencies = ["d"]\nconstraint-dependencies = ["a<2", "1 2"]\n')
    assert wanted(found) == {"d": "group dev"}
    assert [str(one.requirement) for one in found.limits] == ["a<2"]
    assert "'1 2' is no constraint" in found.notes[0]


def test_environments_and_files_of_hatch_are_read() -> None:
    found = read(
        '[tool.hatch.envs.docs]\ndependencies = ["a"]\nextra-dependencies = ["b"]\n'
        '[tool.hatch.metadata.hooks.requirements_txt]\nfiles = ["r.txt"]\n'
        '[tool.hatch.metadata.hooks.requirements_txt.optional-dependencies]\nx = ["x.txt"]\n'
    )
    assert wanted(found) == {"a": "environment docs", "b": "environment docs"}
    assert found.notes == (":r.txt", "extra x:x.txt")


def test_the_older_table_of_flit_is_read() -> None:
    found = read(
        '[tool.flit.metadata]\nmodule = "me"\nrequires = ["a"]\n'
        '[tool.flit.metadata.requires-extra]\nx = ["b"]\n'
    )
    assert wanted(found) == {"a": "", "b": "extra x"}
    assert found.provided == ("me",)


def test_a_list_of_another_shape_is_said() -> None:
    found = read('[tool.uv]\ndev-dependencies = "a"\n[tool.hatch.envs.x]\ndependencies = [1]\n')
    assert [one.reason for one in found.unreadable] == ["not a list", "not a string"]


def test_a_pipfile_has_versions_tables_and_categories() -> None:
    text = """
[[source]]
url = "https://index.example/simple"
[packages]
a = "*"
b = "==1.0"
c = { version = ">=1", extras = ["x"], sys_platform = "== 'win32'" }
d = { git = "https://example.org/d.git", ref = "abc" }
e = { path = ".", editable = true }
f = 1
[dev-packages]
g = { version = "2.0" }
[docs]
h = "*"
[requires]
python_version = "3.11"
"""
    found = read_pipfile("Pipfile", tomllib.loads(text))
    assert wanted(found) == {
        "a": "",
        "b==1.0": "",
        'c[x]>=1; sys_platform == "win32"': "",
        "d @ git+https://example.org/d.git@abc": "",
        "e": "",
        "g==2.0": "group dev",
        "h": "group docs",
    }
    assert [one.text for one in found.unreadable] == ["f = 1"]


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("environment.yml", True),
        ("environment-dev.yaml", True),
        ("ci/py311_environment.yml", True),
        ("conda-env.yml", True),
        ("mkdocs.yml", False),
        ("environments.yml", False),
    ],
)
def test_conda_environments_are_known_by_their_names(path: str, *, is_one: bool) -> None:
    assert is_conda_environment(path) is is_one


def test_the_pip_part_of_a_conda_environment_is_lines_and_the_rest_is_noted() -> None:
    text = b"""
name: x
dependencies:
  - python=3.11
  - conda-forge::numpy>=1.20
  - pip
  - pip:
      - alpha==1.0
      - -r more.txt
"""
    lines, declared = read_conda("environment.yml", text)
    assert lines == "alpha==1.0\n-r more.txt"
    assert declared.notes == (
        "environment.yml: numpy are conda packages; only what its pip part lists counts",
    )


@pytest.mark.parametrize("text", [b"", b"a: 1", b"- x", b"dependencies: x", b"dependencies: [1]"])
def test_yaml_of_another_shape_declares_nothing(text: bytes) -> None:
    assert read_conda("environment.yml", text) == ("", Declared())


@pytest.mark.parametrize(
    "text", [b"a: [", b"{{ template }}\n  x", b"\xff\xfe", b"a: &a [*a", b"\t"]
)
def test_what_is_no_yaml_is_an_error_and_no_crash(text: bytes) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        read_conda("environment.yml", text)


def test_yaml_cannot_make_objects_or_grow() -> None:
    bomb = b"a: &a [x,x,x,x,x,x,x,x,x]\n" + b"".join(
        b"%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n" % (b, b, *([b - 1] * 8))
        for b in range(ord("b"), ord("z"))
    )
    assert read_conda("environment.yml", bomb)[0] == ""
    with pytest.raises(ValueError, match=r"\w"):
        read_conda("environment.yml", b"dependencies: !!python/object/apply:os.system [ls]")
