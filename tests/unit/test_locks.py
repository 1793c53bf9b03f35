"""requirements/*.txt hold what the dependency groups and the distributions ask for, with hashes."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from typing import TypeAlias

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

Groups: TypeAlias = dict[str, list[str | dict[str, str]]]

ROOT = Path(__file__).resolve().parents[2]
PINNED = re.compile(r"^([\w.-]+)==([^\s;\\]+)", re.MULTILINE)


def locks() -> dict[str, tuple[bool, tuple[str, ...]]]:
    """`LOCKS` of the noxfile, which cannot be imported where nox is not installed."""
    for statement in ast.parse((ROOT / "noxfile.py").read_text("utf-8")).body:
        if isinstance(statement, ast.AnnAssign) and ast.unparse(statement.target) == "LOCKS":
            assert statement.value is not None
            found = ast.literal_eval(statement.value)
            assert isinstance(found, dict)
            return found
    raise AssertionError("noxfile.py has no LOCKS")


def group(name: str) -> list[str]:
    groups: Groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))[
        "dependency-groups"
    ]
    lines: list[str] = []
    for line in groups[name]:
        lines += [line] if isinstance(line, str) else group(line["include-group"])
    return lines


def distributions() -> list[str]:
    lines: list[str] = []
    for part in ("native", "server", "builder"):
        lines += tomllib.loads((ROOT / part / "pyproject.toml").read_text("utf-8"))["project"].get(
            "dependencies", []
        )
    return [line for line in lines if not line.startswith("pydocs-")]


def lock(name: str) -> str:
    return (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")


def test_there_is_a_lock_for_each_name_and_no_other() -> None:
    assert {path.stem for path in (ROOT / "requirements").glob("*.txt")} == set(locks())


@pytest.mark.parametrize("name", sorted(locks()))
def test_a_lock_satisfies_what_it_was_made_from(name: str) -> None:
    has_own, groups = locks()[name]
    pinned = {canonicalize_name(found[1]): found[2] for found in PINNED.finditer(lock(name))}
    wanted = [line for each in groups for line in group(each)] + (
        distributions() if has_own else []
    )
    for requirement in map(Requirement, wanted):
        assert requirement.specifier.contains(pinned[canonicalize_name(requirement.name)])


@pytest.mark.parametrize("name", sorted(locks()))
def test_every_pin_of_a_lock_has_hashes(name: str) -> None:
    pins = re.split(r"^(?=[\w.-]+==)", lock(name), flags=re.MULTILINE)[1:]
    assert pins
    assert all("--hash=sha256:" in pin for pin in pins)


def test_groups_pin_every_tool() -> None:
    for _, groups in locks().values():
        for name in groups:
            assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in group(name))
