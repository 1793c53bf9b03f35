"""The standard library as a target, and the stubs of what has no Python source."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from pydocs_builder.config import BuildConfig, ProjectConfig
from pydocs_builder.found import interpreter_stubs
from pydocs_builder.found.interpreter import Interpreter, find_interpreter
from pydocs_builder.found.stdlib import STDLIB, stdlib_target
from pydocs_builder.planned.plan import make_plan
from pydocs_builder.targets import Target
from pydocs_bundle.errors import UsageError


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Target:
    interpreter = find_interpreter(None, None)
    return stdlib_target(interpreter, ProjectConfig(), tmp_path_factory.mktemp("scratch"))


def stub(target: Target, name: str) -> dict[str, ast.stmt]:
    tree = ast.parse((Path(target.root) / f"{name}.pyi").read_text("utf-8"))
    return {one.name: one for one in tree.body if isinstance(one, (ast.ClassDef, ast.FunctionDef))}


def test_it_is_called_after_the_interpreter(target: Target) -> None:
    assert (target.kind, target.name) == ("stdlib", STDLIB)
    assert target.version == sys.version.split()[0]


def test_sources_are_there_and_tests_and_installed_distributions_are_not(target: Target) -> None:
    assert {"json/__init__.py", "asyncio/runners.py", "abc.py"} <= set(target.files)
    folders = {part for path in target.files for part in path.split("/")[:-1]}
    assert folders.isdisjoint({"test", "tests", "site-packages", "idle_test", "__pycache__"})
    assert not any("sysconfigdata" in path for path in target.files)


def test_every_module_with_source_or_stub_is_listed(target: Target) -> None:
    assert {"json", "asyncio", "abc", "builtins", "sys", "math", "_io"} <= set(target.modules)
    assert set(target.modules) <= sys.stdlib_module_names


def test_stubs_tell_signatures_and_docstrings(target: Target) -> None:
    sqrt = stub(target, "math")["sqrt"]
    assert isinstance(sqrt, ast.FunctionDef)
    assert ast.unparse(sqrt.args) == "x, /"
    assert ast.get_docstring(sqrt) == "Return the square root of x."
    assert {"print", "len", "int", "ValueError", "open"} <= stub(target, "builtins").keys()


def test_a_name_belongs_to_the_module_that_has_a_stub(target: Target) -> None:
    assert "deque" in stub(target, "_collections")
    assert "ReferenceType" in stub(target, "_weakref")


def test_every_stub_parses_and_names_no_address_and_no_path(target: Target) -> None:
    stubs = [path for path in target.files if path.endswith(".pyi")]
    assert len(stubs) > 50
    for path in stubs:
        text = (Path(target.root) / path).read_text("utf-8")
        ast.parse(text)
        assert " at 0x" not in text
        assert str(Path(sys.base_prefix)) not in text


def test_stubs_are_the_same_every_time(target: Target, tmp_path: Path) -> None:
    script = str(interpreter_stubs.__file__)
    command = [sys.executable, "-I", "-S", script, str(tmp_path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert json.loads(done.stdout)["version"] == target.version
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (Path(target.root) / path.name).read_bytes(), path.name


def test_a_folder_of_distributions_has_no_standard_library(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no standard library"):
        stdlib_target(Interpreter("a folder", (), {}), ProjectConfig(), tmp_path)


def test_an_interpreter_that_cannot_run_gets_a_sentence(tmp_path: Path) -> None:
    broken = Interpreter("x", (), {}, str(tmp_path / "python"))
    with pytest.raises(UsageError, match="does not describe its modules"):
        stdlib_target(broken, ProjectConfig(), tmp_path)


def test_the_plan_for_it_has_no_project(tmp_path: Path) -> None:
    found = make_plan(BuildConfig(None, tmp_path / "out", is_stdlib=True), tmp_path)
    assert found.project is None
    assert [one.target.name for one in found.dependencies] == [STDLIB]
