"""Where a project's import packages are, and what they are called."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping

import pytest

from pydocs_builder.planned.layout import module_names, source_roots
from pydocs_builder.wanted.declared import Declared
from pydocs_builder.wanted.manifests import Manifests
from pydocs_builder.wanted.setup_cfg import parse_setup_cfg


def manifests(pyprojects: Mapping[str, str], setup_cfg: str = "") -> Manifests:
    tables = {path: tomllib.loads(text) for path, text in pyprojects.items()}
    configs = {"setup.cfg": parse_setup_cfg(setup_cfg)} if setup_cfg else {}
    return Manifests(Declared(), (), tables, configs)


def layout(paths: list[str], found: Manifests) -> tuple[tuple[str, ...], tuple[str, ...]]:
    roots = source_roots(paths, found)
    return roots, module_names(paths, roots)


def test_packages_beside_the_manifest() -> None:
    paths = [
        "pkg/__init__.py",
        "pkg/a.py",
        "single.py",
        "setup.py",
        "tests/test_a.py",
        "docs/conf.py",
    ]
    assert layout(paths, manifests({"pyproject.toml": ""})) == (("",), ("pkg", "single"))


def test_packages_below_src() -> None:
    paths = ["src/pkg/__init__.py", "src/space/sub/a.py", "tests/__init__.py", "noxfile.py"]
    found = layout(paths, manifests({"pyproject.toml": ""}))
    assert found == (("", "src/"), ("pkg", "space"))


def test_src_counts_without_any_manifest() -> None:
    assert layout(["src/pkg/__init__.py"], manifests({})) == (("", "src/"), ("pkg",))


def test_each_member_of_a_workspace_has_its_own_root() -> None:
    paths = ["a/pkg_a/__init__.py", "b/src/pkg_b/__init__.py", "tool.py"]
    found = layout(paths, manifests({"a/pyproject.toml": "", "b/pyproject.toml": ""}))
    assert found == (("", "a/", "b/src/"), ("pkg_a", "pkg_b", "tool"))


@pytest.mark.parametrize(
    "text",
    [
        '[tool.setuptools]\npackage-dir = {"" = "lib"}',
        '[tool.setuptools.packages.find]\nwhere = ["lib"]',
        '[tool.hatch.build.targets.wheel]\npackages = ["lib/pkg"]',
        '[tool.maturin]\npython-source = "lib"',
        '[[tool.poetry.packages]]\ninclude = "pkg"\nfrom = "lib"',
    ],
)
def test_the_source_folder_that_a_build_tool_is_told_of(text: str) -> None:
    found = layout(["lib/pkg/__init__.py"], manifests({"pyproject.toml": text}))
    assert found == (("", "lib/"), ("pkg",))


def test_the_source_folder_of_a_setup_cfg() -> None:
    config = "[options]\npackage_dir =\n    = lib\n"
    assert layout(["lib/pkg/__init__.py"], manifests({}, config)) == (("", "lib/"), ("pkg",))


def test_a_project_of_tests_alone_has_their_names() -> None:
    assert layout(["tests/__init__.py"], manifests({})) == (("",), ("tests",))


def test_modules_of_examples_are_not_the_projects() -> None:
    paths = ["src/shop/__init__.py", "examples/try/pyproject.toml", "examples/try/demo/__init__.py"]
    manifests = Manifests(
        Declared(), (), {"pyproject.toml": {}, "examples/try/pyproject.toml": {}}, {}
    )
    roots = source_roots(paths, manifests)
    assert roots == ("", "examples/try/", "src/")
    assert module_names(paths, roots) == ("shop",)
    assert module_names(paths[1:], roots) == ("demo",)
