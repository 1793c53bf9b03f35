from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pydocs_builder.config import BuildConfig
from pydocs_builder.content import build_content
from pydocs_builder.planned.plan import make_plan
from pydocs_builder.planned.stub_only import merge_stubs, tell_merged
from pydocs_builder.targets import Target, Task
from pydocs_bundle.records import Kind, Requirement

Write = Callable[..., Path]


def task(name: str, root: str, *files: str, modules: tuple[str, ...]) -> Task:
    return Task(Target("dependency", name, "1.0", root, files, modules), ())


def test_stubs_go_to_what_they_describe_and_make_one_symbol(
    tmp_path: Path, write_files: Write
) -> None:
    write_files(
        tmp_path,
        {
            "yaml/__init__.py": "from .load import load\n",
            "yaml/load.py": 'def load(text, loader):\n    """Load it."""\n',
            "yaml-stubs/__init__.pyi": "from .load import load as load\n",
            "yaml-stubs/load.pyi": "def load(text: str, loader: object) -> object: ...\n",
        },
    )
    root = str(tmp_path)
    real = task("PyYAML", root, "yaml/__init__.py", "yaml/load.py", modules=("yaml",))
    stubs = ("yaml-stubs/__init__.pyi", "yaml-stubs/load.pyi")
    tasks, merged = merge_stubs([task("types-PyYAML", root, *stubs, modules=("yaml",)), real])
    (one,) = tasks
    assert merged == {"types-pyyaml": "PyYAML"}
    assert one.target.source == (("stubs of yaml-stubs", "types-PyYAML 1.0"),)
    content, notes = build_content(one.target)
    (load,) = (each for each in content.entries if each.kind is Kind.FUNCTION)
    assert load.qualified_name == "yaml.load.load"
    assert load.signature == "(text: str, loader: object) -> object"
    assert load.docstring == "Load it."
    assert notes == ()


def test_stubs_of_what_is_not_there_have_a_bundle_that_answers_for_the_name(
    tmp_path: Path, write_files: Write
) -> None:
    write_files(tmp_path, {"yaml-stubs/load.pyi": "def load(text: str) -> object: ...\n"})
    alone = task("types-PyYAML", str(tmp_path), "yaml-stubs/load.pyi", modules=("yaml",))
    elsewhere = task("PyYAML", "/elsewhere", "yaml/load.py", modules=("yaml",))
    assert merge_stubs([alone]) == ([alone], {})
    assert merge_stubs([alone, elsewhere]) == ([alone, elsewhere], {})
    content, _ = build_content(alone.target)
    assert content.modules == ("yaml",)
    assert [each.qualified_name for each in content.entries] == ["yaml.load", "yaml.load.load"]


def test_distributions_with_sources_of_their_own_stay(tmp_path: Path) -> None:
    mixed = task("a", str(tmp_path), "a-stubs/x.pyi", "a/x.py", modules=("a",))
    other = task("b", str(tmp_path), "b/x.py", modules=("b",))
    assert merge_stubs([mixed, other]) == ([mixed, other], {})


def test_the_requirement_says_where_its_stubs_are() -> None:
    rows = [Requirement("types-PyYAML", "", "built", "1.0"), Requirement("x", "", "built", "1.0")]
    first, second = tell_merged(rows, {"types-pyyaml": "PyYAML"})
    assert first.detail == "its stubs are in the bundle of PyYAML"
    assert second.detail == ""


def test_a_plan_merges_stubs_that_are_installed_beside_what_they_describe(
    tmp_path: Path, environment: Path, install: Callable[..., Path], write_files: Write
) -> None:
    install("PyYAML", files={"yaml/__init__.py": "def load(text): ...\n"})
    install("types-PyYAML", files={"yaml-stubs/__init__.pyi": "def load(text: str) -> int: ...\n"})
    head = '[project]\nname = "p"\nversion = "1"\n'
    manifest = f'{head}dependencies = ["PyYAML", "types-PyYAML"]\n'
    project = write_files(tmp_path / "project", {"pyproject.toml": manifest})
    plan = make_plan(BuildConfig(project, tmp_path / "out", str(environment)))
    (one,) = plan.dependencies
    assert one.target.files == ("yaml-stubs/__init__.pyi", "yaml/__init__.py")
    assert one.target.python == "3.12"
    assert plan.project is not None
    for rows in (plan.requirements, plan.project.requirements):
        assert [(row.name, row.fate, row.detail) for row in rows] == [
            ("PyYAML", "built", ""),
            ("types-PyYAML", "built", "its stubs are in the bundle of PyYAML"),
        ]
