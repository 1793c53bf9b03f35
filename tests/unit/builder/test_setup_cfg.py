"""What a setup.cfg declares."""

from __future__ import annotations

import pytest

from pydocs_builder.wanted.declared import Declared
from pydocs_builder.wanted.setup_cfg import parse_setup_cfg, read_setup_cfg

TEXT = """\
[metadata]
name = old-style
version = 1.5
[options]
package_dir =
    = lib
install_requires =
    alpha>=1
    beta; python_version < "3"
[options.extras_require]
fast = gamma
files = file: more.txt
"""


def read_files(files: tuple[str, ...], group: str) -> Declared:
    return Declared(notes=(*files, group))


def test_requirements_and_extras_are_read() -> None:
    found = read_setup_cfg("setup.cfg", parse_setup_cfg(TEXT), read_files)
    assert {(one.requirement.name, one.group) for one in found.wanted} == {
        ("alpha", ""),
        ("beta", ""),
        ("gamma", "extra fast"),
    }
    assert found.provided == ("old-style",)
    assert found.notes == ("more.txt", "extra files")


def test_name_version_and_source_folder_are_read() -> None:
    config = parse_setup_cfg(TEXT)
    assert (config.name, config.version, config.source_folders) == ("old-style", "1.5", ("lib",))


def test_a_percent_sign_is_only_a_percent_sign() -> None:
    assert parse_setup_cfg("[metadata]\nname = a%b\n").name == "a%b"


def test_a_file_that_is_no_configuration_is_an_error() -> None:
    with pytest.raises(ValueError, match="no section headers"):
        parse_setup_cfg("name = a\n")


def test_comments_and_several_on_one_line_are_read_as_setuptools_does() -> None:
    text = "[options]\ninstall_requires =\n  a # why\n  # b\n  c\ntests_require = d; e>=1\n"
    found = read_setup_cfg("setup.cfg", parse_setup_cfg(text), read_files)
    assert {(str(one.requirement), one.group) for one in found.wanted} == {
        ("a", ""),
        ("c", ""),
        ("d", "group tests"),
        ("e>=1", "group tests"),
    }
    assert found.unreadable == ()
