"""Edges that leave their bundle: through aliases, bases, third packages, and other versions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from pydocs_bundle.records import BundleContent, Entry, Kind, Reference, ReferenceKind, Requirement
from pydocs_server.answered.references import get_references
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount
from tests.unit.server.conftest import ContentOf, WriteBundle, with_edges

CALL, INHERIT = ReferenceKind.CALL, ReferenceKind.INHERIT
READ, WRITE, MENTION = ReferenceKind.READ, ReferenceKind.WRITE, ReferenceKind.MENTION

CORE = {
    "core/__init__.py": "from core._base import Worker, start\n",
    "core/_base.py": '''\
class Worker:
    """Works."""

    def __init__(self, name: str) -> None:
        self.name = name

    def loop(self) -> None:
        self.run()

    def run(self) -> None:
        """One turn."""

    def stop(self) -> None:
        """The end."""


def start() -> None:
    """Starts."""
''',
}
CORE_EDGES = [(CALL, "core._base.Worker.loop", "core._base.Worker.run", "self.run()", "")]
MIDDLE = {
    "middle/__init__.py": '''\
from core import Worker as Hand, start as begin


class Sub(Hand):
    """A worker of ours."""

    def run(self) -> None:
        super().run()


class Other(Hand):
    """Another one."""

    def run(self) -> None:
        """Its turn."""
''',
}
MIDDLE_EDGES = [
    (INHERIT, "middle.Sub", "core.Worker", "class Sub", ""),
    (INHERIT, "middle.Other", "core.Worker", "class Other", ""),
    (CALL, "middle.Sub.run", "core.Worker.run", "super()", ""),
]
OUTER = {
    "outer.py": """\
import middle


def work(other: middle.Other) -> None:
    sub = middle.Sub("x")
    sub.stop()
    sub.name = sub.name
    other.run()
    middle.begin()


def any_hand(hand: middle.Hand) -> None:
    hand.run()
""",
    "guide.md": "# Guide\n\nCall `core.start` first.\n",
}
OUTER_EDGES = [
    (CALL, "outer.work", "middle.Sub", "middle.Sub(", ""),
    (CALL, "outer.work", "middle.Sub.stop", "sub.stop", ""),
    (WRITE, "outer.work", "middle.Sub.name", "sub.name =", ""),
    (READ, "outer.work", "middle.Sub.name", "= sub.name", ""),
    (CALL, "outer.work", "middle.Other.run", "other.run", ""),
    (CALL, "outer.work", "middle.begin", "middle.begin", ""),
    (CALL, "outer.any_hand", "middle.Hand.run", "hand.run", ""),
]


@pytest.fixture(scope="module")
def contents(content_of: ContentOf) -> dict[str, BundleContent]:
    return joined_contents(content_of)


def joined_contents(content_of: ContentOf) -> dict[str, BundleContent]:
    """A library, one that builds on it, and a project that knows only the second."""
    core = content_of(
        "core",
        "2.0",
        CORE,
        aliases={"core.Worker": "core._base.Worker", "core.start": "core._base.start"},
    )
    name = Entry("core._base.Worker.name", Kind.ATTRIBUTE, 1, 77, 81, 5, 5, parent=parent_of(core))
    core = core._replace(entries=(*core.entries, name))
    middle = content_of(
        "middle",
        "1.0",
        MIDDLE,
        leads={"middle.Hand": "core.Worker", "middle.begin": "core.start"},
        bases={"middle.Sub": ["core.Worker"], "middle.Other": ["core.Worker"]},
    )
    outer = content_of("outer", "1.0", OUTER, kind="project")
    section = next(n for n, e in enumerate(outer.entries) if e.qualified_name.startswith("outer#"))
    mention = Reference(MENTION, section, "core.start", outer.entries[section].file, 3, 5)
    made = with_edges(outer, OUTER_EDGES)
    return {
        "core": with_edges(core, CORE_EDGES),
        "middle": with_edges(middle, MIDDLE_EDGES)._replace(imports=("core",)),
        "outer": made._replace(
            references=tuple(sorted([*made.references, mention])), imports=("core", "middle")
        ),
    }


def parent_of(core: BundleContent) -> int:
    """The number of the class `Worker`."""
    names = [entry.qualified_name for entry in core.entries]
    return names.index("core._base.Worker")


@pytest.fixture(scope="module")
def joined(
    contents: dict[str, BundleContent], write: WriteBundle, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Catalog]:
    """The three, mounted; the project imports `core` for a document's sake only."""
    folder = tmp_path_factory.mktemp("joined")
    for content in contents.values():
        write(folder, content)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        with mount([str(folder)], strict=True) as catalog:
            yield catalog


def ask(catalog: Catalog, target: str, direction: str = "callers") -> Any:  # noqa: ANN401
    return get_references(catalog, target, direction).structured


def rows(found: Any) -> list[tuple[str, str]]:  # noqa: ANN401
    edges = cast("Sequence[dict[str, str]]", found["edges"])
    return [(edge["qualified_name"], edge.get("tier", "")) for edge in edges]


def test_a_call_on_a_class_of_a_third_package_reaches_what_that_inherits(joined: Catalog) -> None:
    assert rows(ask(joined, "core.Worker.stop")) == [("outer.work", "syntactic")]


def test_a_package_is_asked_that_imports_only_what_carries_the_target(
    contents: dict[str, BundleContent],
    write: WriteBundle,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("core", "middle"):
        write(tmp_path, contents[name])
    write(tmp_path, contents["outer"]._replace(imports=("middle",)))
    with mount([str(tmp_path)], strict=True) as catalog:
        assert rows(ask(catalog, "core.Worker.stop")) == [("outer.work", "syntactic")]
        assert rows(ask(catalog, "core.start")) == [("outer.work", "syntactic")]


def test_a_renamed_export_of_another_package_is_the_same_symbol(joined: Catalog) -> None:
    assert rows(ask(joined, "core._base.start")) == [("outer.work", "syntactic")]


def test_a_method_may_be_run_by_calls_of_what_it_overrides(joined: Catalog) -> None:
    found = rows(ask(joined, "middle.Sub.run"))

    assert found == [("outer.any_hand", "may"), ("core._base.Worker.loop", "may")]


def test_a_call_through_super_runs_no_override(joined: Catalog) -> None:
    assert ("middle.Sub.run", "may") not in rows(ask(joined, "middle.Other.run"))
    called = rows(ask(joined, "middle.Sub.run", "callees"))
    assert called == [("core._base.Worker.run", "syntactic")]


def test_a_call_on_a_sibling_does_not_run_a_method(joined: Catalog) -> None:
    assert "outer.work" not in dict(rows(ask(joined, "middle.Sub.run")))


def test_callees_show_the_overrides_that_may_run(joined: Catalog) -> None:
    found = ask(joined, "outer.any_hand", "callees")

    assert rows(found) == [
        ("core._base.Worker.run", "syntactic"),
        ("middle.Sub.run", "may"),
        ("middle.Other.run", "may"),
    ]
    assert found["edges"][1]["label"] == "overrides core.Worker.run"


def test_making_a_subclass_calls_the_constructor_it_inherits(joined: Catalog) -> None:
    assert rows(ask(joined, "core.Worker.__init__")) == [("outer.work", "syntactic")]


def test_users_of_an_attribute_read_or_write_it(joined: Catalog) -> None:
    found = ask(joined, "core.Worker.name")

    assert [(edge["qualified_name"], edge["label"]) for edge in found["edges"]] == [
        ("outer.work", "writes"),
        ("outer.work", "reads"),
    ]


def test_users_of_an_attribute_are_unresolved_where_no_bundle_records_any(
    contents: dict[str, BundleContent],
    write: WriteBundle,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    write(tmp_path, contents["core"])
    with mount([str(tmp_path)], strict=True) as catalog:
        answer = get_references(catalog, "core.Worker.name")

    assert answer.structured["status"] == "unresolved"
    assert answer.text.startswith("unresolved: these bundles do not record what reads")
    assert 'grep(pattern="[.]name"' in answer.text


def test_documents_that_mention_the_target_stand_apart(joined: Catalog) -> None:
    answer = get_references(joined, "core.start")

    assert answer.structured["total"] == 1
    assert "Documents that mention it: outer@1.0/guide.md:3." in answer.text
    (mention,) = cast("list[dict[str, str]]", answer.structured["mentions"])
    assert mention["kind"] == "section"


def versions(
    contents: dict[str, BundleContent], write: WriteBundle, folder: Path, *, also_seen: bool
) -> Catalog:
    """The bundles, `middle` and `outer` having been built with `core` 1.0 instead of 2.0."""
    write(folder, contents["core"])
    if also_seen:
        write(folder, contents["core"]._replace(version="1.0"))
    write(folder, contents["middle"]._replace(resolved_with=(("Core", "1.0"),)))
    wanted = (Requirement("core", "<2", "built", "1.0"), Requirement("middle", "", "built", "1.0"))
    write(folder, contents["outer"]._replace(requirements=wanted))
    return mount([str(folder)], strict=True)


def test_an_edge_made_with_another_version_is_marked(
    contents: dict[str, BundleContent],
    write: WriteBundle,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with versions(contents, write, tmp_path, also_seen=False) as catalog:
        answer = get_references(catalog, "core.Worker.run")
        marks = {edge["qualified_name"]: edge.get("built_against") for edge in rows_of(answer)}

        assert marks == {
            "outer.any_hand": "core 1.0",
            "middle.Sub.run": "core 1.0",
            "core._base.Worker.loop": None,
        }
        assert "[syntactic, built against core 1.0]" in answer.text


def test_an_edge_leads_to_the_version_it_was_made_with_where_that_is_mounted(
    contents: dict[str, BundleContent],
    write: WriteBundle,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with versions(contents, write, tmp_path, also_seen=True) as catalog:
        assert rows(ask(catalog, "core@2.0/core.start")) == []
        assert rows(ask(catalog, "core@1.0/core.start")) == [("outer.work", "syntactic")]


def rows_of(answer: Any) -> list[dict[str, str]]:  # noqa: ANN401
    return cast("list[dict[str, str]]", answer.structured["edges"])


def test_reading_a_plain_attribute_calls_nothing(joined: Catalog) -> None:
    called = [name for name, _ in rows(ask(joined, "outer.work", "callees"))]

    assert "core._base.Worker.name" not in called
