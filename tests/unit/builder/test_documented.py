"""The page on pydocs-build tells of every command, option, fate and setting."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from pydocs_builder import outcomes
from pydocs_builder.cli import main
from pydocs_builder.config import ProjectConfig
from pydocs_builder.planned.docs_config import DocsConfig

PAGE = (Path(__file__).parents[3] / "docs" / "build.md").read_text("utf-8")


@pytest.mark.parametrize("command", ["", "build", "verify", "inspect", "unpack"])
def test_every_command_and_option_is_documented(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([*filter(None, [command]), "--help"])
    options = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", capsys.readouterr().out))
    assert f"pydocs-build {command}" in PAGE
    assert {option for option in options if not re.search(rf"{option}\b", PAGE)} == set()


def test_every_fate_is_documented() -> None:
    constants = [name for name in outcomes.__all__ if name.isupper()]
    assert all(f"| {getattr(outcomes, name)} |" in PAGE for name in constants)


def test_every_setting_is_documented() -> None:
    names = {field.name.replace("_", "-") for field in fields(ProjectConfig)} - {"docs"}
    # What the table of a collection takes from elsewhere: its key, the project's limit, its layers.
    names |= {field.name.replace("_", "-") for field in fields(DocsConfig)} - {"id", "layers"}
    assert {name for name in names if f"\n{name} = " not in PAGE} == set()
    assert "\n[tool.pydocs.docs." in PAGE
