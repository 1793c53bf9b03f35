"""The type checker's run: what it is given, and what becomes of a target that it fails on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from pydocs_builder.checked.checker import Checker, Limits, find_checker
from pydocs_builder.checked.reports import open_reports
from pydocs_builder.content import build_content
from pydocs_builder.planned.sight import parts_of
from pydocs_builder.targets import Checking, Target, Viewed
from pydocs_bundle.records import BundleContent, Reference

Write = Callable[[Path, Mapping[str, str]], Path]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="stands in with a shell script")


def one(root: Path, key: str = "", sees: tuple[str, ...] = ()) -> tuple[Target, Viewed]:
    files = tuple(sorted(path.relative_to(root).as_posix() for path in root.rglob("*.py")))
    target = Target("dependency", key or "shop", "1", str(root), files, (), python="3.12")
    view = Viewed(key, str(root), ("",), parts_of(files, ("",)), sees, "1")
    return replace(target, checking=Checking(key)), view


def checked(
    targets: list[tuple[Target, Viewed]],
    others: list[Viewed],
    scratch: Path,
    checker: Checker | None = None,
) -> list[BundleContent]:
    views = [view for _, view in targets] + others
    asked = [(target, 1) for target, _ in targets]
    with open_reports(
        asked, views, checker or find_checker(), Limits(seconds=60), scratch
    ) as reports:
        return [build_content(target, (), reports[view.key])[0] for target, view in targets]


def exact(content: BundleContent) -> list[str]:
    return [edge.target for edge in content.references if edge.tier == "exact"]


def script(folder: Path, body: str) -> Checker:
    path = folder / "pyrefly"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return Checker("1.0", str(path))


@pytest.fixture
def shop(tmp_path: Path, write_files: Write) -> Path:
    """A project that calls itself and a dependency."""
    files = {"shop.py": "import till\n\ndef f(): till.Till().ring()\n\nf()\n"}
    return write_files(tmp_path / "shop", files)


@pytest.fixture
def till(tmp_path: Path, write_files: Write) -> Path:
    """A dependency that imports something which it does not require, if it is there."""
    source = (
        "try:\n    import shop\nexcept ImportError:\n    shop = None\n\n"
        "class Till:\n    def ring(self): shop.f()\n"
    )
    return write_files(tmp_path / "till", {"till/__init__.py": source})


def test_calls_of_what_is_required_are_exact(tmp_path: Path, shop: Path, till: Path) -> None:
    (content,) = checked([one(shop, "", ("till",))], [one(till, "till")[1]], tmp_path)
    assert sorted(exact(content)) == ["shop.f", "till.Till", "till.Till.ring"]


def test_nothing_is_seen_that_is_not_required(tmp_path: Path, shop: Path, till: Path) -> None:
    together = checked([one(shop, "", ("till",)), one(till, "till")], [], tmp_path)
    assert exact(together[1]) == []
    (alone,) = checked([one(till, "till")], [], tmp_path)
    assert alone == together[1]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("exit 101", "pyrefly panicked"),
        ("echo no config >&2; exit 2", "pyrefly ended with status 2 (no config)"),
        ("exit 0", "pyrefly ended with status 0"),
        ("kill -9 $$", "pyrefly ended with status -9"),
    ],
)
def test_a_target_that_the_checker_fails_on_is_syntactic(
    tmp_path: Path, shop: Path, body: str, said: str
) -> None:
    (content,) = checked([one(shop)], [], tmp_path, script(tmp_path, body))
    assert content.notes == (f"no exact edges ({said})",)
    assert {edge.tier for edge in content.references} == {"syntactic"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pyrefly", "shop"]


def test_one_bad_target_does_not_take_the_exact_edges_of_others(
    tmp_path: Path, shop: Path, till: Path
) -> None:
    real = find_checker()
    assert real is not None
    # Fails whenever it is to check the first target.
    stand_in = script(
        tmp_path, f'grep -q "0/shop.py" */pyrefly.toml && exit 101; exec {real.executable} "$@"'
    )
    first, second = checked([one(shop), one(till, "till")], [], tmp_path, stand_in)
    assert first.notes == ("no exact edges (pyrefly panicked)",)
    assert second.notes == ()


def test_without_the_checker_there_is_a_note(tmp_path: Path, shop: Path) -> None:
    target, view = one(shop)
    with open_reports([(target, 1)], [view], None, Limits(), tmp_path) as reports:
        content, _ = build_content(target, (), reports[""])
    assert content.notes == ("no exact edges, as pyrefly is not installed",)


def test_a_run_that_takes_too_long_is_ended(tmp_path: Path, shop: Path) -> None:
    target, view = one(shop)
    slow = script(tmp_path, "exec sleep 60")
    with open_reports([(target, 1)], [view], slow, Limits(seconds=0.2), tmp_path) as reports:
        assert reports[""].problem == "no exact edges (pyrefly took longer than 0 seconds)"


@pytest.mark.parametrize(
    "graph", ["[]", "{", '{"format_version": 2}', '{"format_version": 1, "call_graphs": []}']
)
def test_a_report_of_another_shape_is_no_report(tmp_path: Path, shop: Path, graph: str) -> None:
    path = "$PWD/0/0/shop.py"
    definitions = (
        f'{{"format_version": 1, "module_name": "shop", "source_path": {{"FileSystem": "{path}"}}}}'
    )
    body = (
        "cd report; mkdir definitions call_graphs; cd ..\n"
        f"cat > report/definitions/shop:1.json <<END\n{definitions}\nEND\n"
        f"cat > report/call_graphs/shop:1.json <<END\n{graph}\nEND\n"
        "touch report/pyrefly.pysa.json"
    )
    (content,) = checked([one(shop)], [], tmp_path, script(tmp_path, body))
    (note,) = content.notes
    assert note.startswith("no exact edges (pyrefly's report ")


def test_edges_do_not_depend_on_the_folder_or_the_threads(tmp_path: Path, shop: Path) -> None:
    target, view = one(shop)
    found: list[tuple[Reference, ...]] = []
    for threads in (1, 4):
        scratch = tmp_path / f"scratch {threads}"
        scratch.mkdir()
        limits = Limits(threads)
        with open_reports([(target, 1)], [view], find_checker(), limits, scratch) as reports:
            found.append(build_content(target, (), reports[""])[0].references)
    assert found[0] == found[1]
    assert any(edge.tier == "exact" for edge in found[0])
