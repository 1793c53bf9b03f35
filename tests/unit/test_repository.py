"""The repository as a whole: one version, honest façades, nothing of one machine in it."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("native", "server", "builder")
PACKAGES = ("pydocs_native", "pydocs_bundle", "pydocs_server", "pydocs_builder")
REGISTRIES = re.compile(rb"pypi[.]org|python[h]osted|crates[.]io|registry[.]npmjs")


def toml(path: str) -> dict[str, object]:
    return tomllib.loads((ROOT / path).read_text("utf-8"))


def project(part: str) -> dict[str, object]:
    table = toml(f"{part}/pyproject.toml")["project"]
    assert isinstance(table, dict)
    return table


def version() -> str:
    return str(project("server")["version"])


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"],
        cwd=ROOT, capture_output=True, check=False,
    )  # fmt: skip
    if listed.returncode:
        pytest.skip("this is no git checkout")
    paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    return [path for path in paths if path.is_file()]


@pytest.mark.parametrize("part", PARTS)
def test_every_distribution_has_the_one_version(part: str) -> None:
    assert project(part)["version"] == version()


def test_the_rust_crate_has_the_one_version() -> None:
    workspace = toml("Cargo.toml")["workspace"]
    assert isinstance(workspace, dict)
    assert workspace["package"]["version"] == version()


def test_the_bundle_of_this_repository_has_the_one_version() -> None:
    tools = toml("pyproject.toml")["tool"]
    assert isinstance(tools, dict)
    assert tools["pydocs"]["version"] == version()


@pytest.mark.parametrize("part", PARTS)
def test_the_parts_require_each_other_at_the_one_version(part: str) -> None:
    dependencies = project(part).get("dependencies", [])
    assert isinstance(dependencies, list)
    own = [line for line in dependencies if line.startswith("pydocs-")]
    assert all(line.endswith(f"=={version()}") for line in own)


@pytest.mark.parametrize("part", ["server", "builder"])
def test_a_command_leads_to_a_function(part: str) -> None:
    scripts = project(part)["scripts"]
    assert isinstance(scripts, dict)
    for target in scripts.values():
        module, _, name = target.partition(":")
        assert callable(getattr(importlib.import_module(module), name))


def test_the_changelog_tells_of_this_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(rf"^## {re.escape(version())}\b", changelog, re.MULTILINE)


@pytest.mark.parametrize("name", PACKAGES)
def test_a_facade_exports_exactly_what_it_lists(name: str) -> None:
    package = importlib.import_module(name)
    listed = list(getattr(package, "__all__", ()))
    assert len(listed) == len(set(listed))
    assert package.__file__ is not None
    statements = ast.parse(Path(package.__file__).read_text("utf-8")).body
    imported = {
        alias.asname or alias.name
        for statement in statements
        if isinstance(statement, ast.ImportFrom) and f"{statement.module}.".startswith(f"{name}.")
        for alias in statement.names
    }
    public = {
        attribute
        for attribute, value in vars(package).items()
        if attribute in imported and not attribute.startswith("_")
    }
    assert public <= set(listed)
    assert all(hasattr(package, attribute) for attribute in listed)


def test_no_file_names_a_package_registry() -> None:
    # Cargo writes the name of its default registry into its lock file.
    searched = [path for path in tracked() if path.name != "Cargo.lock"]
    assert [str(path) for path in searched if REGISTRIES.search(path.read_bytes())] == []


def test_no_file_holds_a_path_of_this_machine() -> None:
    own = [f"{folder}/".encode() for folder in (ROOT, Path.home()) if len(folder.parts) > 1]
    found = [str(path) for path in tracked() if any(name in path.read_bytes() for name in own)]
    assert found == []
