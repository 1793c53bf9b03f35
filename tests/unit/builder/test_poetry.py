"""What Poetry's tables declare."""

from __future__ import annotations

import tomllib

import pytest

from pydocs_builder.wanted.declared import Declared
from pydocs_builder.wanted.poetry import read_poetry
from pydocs_builder.wanted.poetry_versions import as_marker, as_specifier


def read(text: str) -> Declared:
    return read_poetry("pyproject.toml", tomllib.loads(text))


def wanted(declared: Declared) -> dict[str, str]:
    return {str(one.requirement): one.group for one in declared.wanted}


@pytest.mark.parametrize(
    ("constraint", "specifier"),
    [
        ("^1.2.3", "<2,>=1.2.3"),
        ("^1", "<2,>=1"),
        ("^0.2.3", "<0.3,>=0.2.3"),
        ("^0.0.3", "<0.0.4,>=0.0.3"),
        ("^0.0", "<0.1,>=0.0"),
        ("^0", "<1,>=0"),
        ("^1.2.3b1", "<2,>=1.2.3b1"),
        ("~1.2.3", "<1.3,>=1.2.3"),
        ("~1.2", "<1.3,>=1.2"),
        ("~1", "<2,>=1"),
        ("~=1.2", "~=1.2"),
        ("1.2.3", "==1.2.3"),
        ("= 1.2.3", "==1.2.3"),
        ("1.2.*", "==1.2.*"),
        ("*", ""),
        ("", ""),
        (">=1.2,<2", "<2,>=1.2"),
        (">= 1.2, < 2", "<2,>=1.2"),
        (">=1.2 <2", "<2,>=1.2"),
        ("^1.2,!=1.5", "!=1.5,<2,>=1.2"),
        ("!=1.5.*", "!=1.5.*"),
    ],
)
def test_a_constraint_is_a_specifier(constraint: str, specifier: str) -> None:
    assert as_specifier(constraint) == specifier


@pytest.mark.parametrize("constraint", ["^1.0 || ^2.0", "latest", "^x", "1.0 ~ 2.0 -"])
def test_what_no_specifier_can_state_is_an_error(constraint: str) -> None:
    with pytest.raises(ValueError, match=r"constraint|alternatives"):
        as_specifier(constraint)


@pytest.mark.parametrize(
    ("constraint", "marker"),
    [
        ("^3.8", 'python_version < "4" and python_version >= "3.8"'),
        ("<3.12", 'python_version < "3.12"'),
        (">=3.8.1", 'python_full_version >= "3.8.1"'),
        ("*", ""),
        ("2.7.* || >=3.5", '(python_version == "2.7") or (python_version >= "3.5")'),
    ],
)
def test_a_constraint_on_python_is_a_marker(constraint: str, marker: str) -> None:
    assert as_marker(constraint) == marker


def test_dependencies_groups_and_extras_are_told_apart() -> None:
    found = read(
        '[tool.poetry]\nname = "me"\n[tool.poetry.dependencies]\npython = "^3.8"\nalpha = "^1.2"\n'
        'Beta = { version = "*", optional = true }\ngamma = { version = "1", optional = true }\n'
        '[tool.poetry.extras]\nfast = ["beta"]\n'
        '[tool.poetry.dev-dependencies]\ndelta = "*"\n'
        '[tool.poetry.group.docs.dependencies]\nepsilon = "~2"\n'
    )
    assert wanted(found) == {
        "alpha<2,>=1.2": "",
        "Beta": "extra fast",
        "gamma==1": "optional",
        "delta": "group dev",
        "epsilon<3,>=2": "group docs",
    }
    assert found.provided == ("me",)


def test_tables_tell_extras_markers_and_addresses() -> None:
    found = read(
        "[tool.poetry.dependencies]\n"
        'a = { version = "^1", extras = ["y", "x"], markers = "sys_platform == \'win32\'" }\n'
        'b = { git = "https://example.org/b.git", tag = "v1" }\n'
        'c = { url = "https://example.org/c-1-py3-none-any.whl" }\n'
        'd = { path = "../d", develop = true }\n'
        'e = [{ version = "1", python = "<3.9" }, { version = "2", python = ">=3.9" }]\n'
        'f = { version = "*", platform = "darwin" }\n'
    )
    assert list(wanted(found)) == [
        'a[x,y]<2,>=1; sys_platform == "win32"',
        "b @ git+https://example.org/b.git@v1",
        "c @ https://example.org/c-1-py3-none-any.whl",
        "d",
        'e==1; python_version < "3.9"',
        'e==2; python_version >= "3.9"',
        'f; sys_platform == "darwin"',
    ]
    assert found.unreadable == ()


def test_a_version_that_cannot_be_stated_is_said_and_the_name_still_wanted() -> None:
    found = read('[tool.poetry.dependencies]\nalpha = "^1 || ^2"\nbeta = 3\n')
    assert wanted(found) == {"alpha": ""}
    assert [(one.text, one.origin) for one in found.unreadable] == [
        ("alpha", "pyproject.toml [tool.poetry.dependencies] alpha"),
        ("beta = 3", "pyproject.toml [tool.poetry.dependencies] beta"),
    ]


def test_without_a_table_nothing_is_declared() -> None:
    assert read("") == Declared()
