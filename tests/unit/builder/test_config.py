"""The options of `[tool.pydocs]`."""

from __future__ import annotations

import tomllib

import pytest

from pydocs_builder.config import ProjectConfig, read_project_config
from pydocs_bundle.errors import UsageError


def read(text: str) -> ProjectConfig:
    return read_project_config(tomllib.loads(text))


def test_without_a_table_the_defaults_count() -> None:
    assert read("") == ProjectConfig()


def test_every_option_is_read() -> None:
    found = read(
        '[tool.pydocs]\nname = "n"\nversion = "1"\ninclude = ["/b/"]\nexclude = ["/a/"]\n'
        'suffixes = [".py"]\nmax-file-bytes = 10\ntime-limit = 60\n'
    )
    assert found == ProjectConfig("n", "1", ("/b/",), ("/a/",), (".py",), 10, 60)


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("excludes = []", "no option 'excludes'"),
        ("max_file_bytes = 1", "no option 'max_file_bytes'"),
        ('exclude = "a"', "must be a list of strings"),
        ("exclude = [1]", "must be a list of strings"),
        ("max-file-bytes = true", "must be a number"),
        ("name = 1", "must be a string"),
    ],
)
def test_a_wrong_option_gets_a_sentence(option: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read(f"[tool.pydocs]\n{option}\n")
