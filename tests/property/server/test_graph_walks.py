"""Walks over the reference graph end, and find what a plain search finds, whatever the cycles."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pydocs_bundle.records import BundleContent, Reference, ReferenceKind
from pydocs_server.answered.call_graph import call_graph
from pydocs_server.answered.references import get_references
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.database import Value
from pydocs_server.mounted.edges import Graph
from pydocs_server.mounted.mount import mount
from tests.conftest import ContentOf, WriteBundle

COUNT = 8
CLASSES = 5

Pairs = frozenset[tuple[int, int]]
PAIRS = st.frozensets(st.tuples(st.integers(0, COUNT - 1), st.integers(0, COUNT - 1)), max_size=20)
BASES = st.frozensets(
    st.tuples(st.integers(0, CLASSES - 1), st.integers(0, CLASSES - 1)), max_size=10
)


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Databases of random graphs are not worth keeping."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def functions(content_of: ContentOf, calls: Pairs) -> BundleContent:
    """Functions `f.f0` to `f.f7` that call each other."""
    text = "".join(f"def f{number}() -> None:\n    pass\n" for number in range(COUNT))
    content = content_of("f", "1", {"f.py": text}, kind="project")
    numbers = {entry.qualified_name: number for number, entry in enumerate(content.entries)}
    references = [
        Reference(ReferenceKind.CALL, numbers[f"f.f{caller}"], f"f.f{callee}", 0, 2 * caller + 2, 0)
        for caller, callee in calls
    ]
    return content._replace(references=tuple(sorted(references)))


def classes(content_of: ContentOf, bases: Pairs) -> BundleContent:
    """Classes with a method each, of which some inherit from others, maybe from themselves."""
    text = "".join(
        f"class C{number}:\n    def run(self) -> None:\n        self.run()\n"
        for number in range(CLASSES)
    )
    named = {
        f"c.C{number}": [f"c.C{base}" for one, base in sorted(bases) if one == number]
        for number in range(CLASSES)
    }
    content = content_of("c", "1", {"c.py": text}, kind="project", bases=named)
    numbers = {entry.qualified_name: number for number, entry in enumerate(content.entries)}
    references = [
        Reference(ReferenceKind.INHERIT, numbers[f"c.C{one}"], f"c.C{base}", 0, 3 * one + 1, 0)
        for one, base in bases
    ]
    references += [
        Reference(
            ReferenceKind.CALL,
            numbers[f"c.C{number}.run"],
            f"c.C{number}.run",
            0,
            3 * number + 3,
            8,
        )
        for number in range(CLASSES)
    ]
    return content._replace(references=tuple(sorted(references)))


def distances(arrows: Mapping[int, Iterable[int]], start: int) -> dict[int, int]:
    """The shortest ways from a start to all that it reaches, itself left out."""
    found = {start: 0}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        for there in arrows.get(here, ()):
            if there not in found:
                found[there] = found[here] + 1
                waiting.append(there)
    del found[start]
    return found


def reverse(calls: Pairs) -> dict[int, set[int]]:
    """Who calls each."""
    callers: dict[int, set[int]] = {}
    for caller, callee in calls:
        callers.setdefault(callee, set()).add(caller)
    return callers


def rows(structured: Mapping[str, object], name: str) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", structured[name])


def mounted(write: WriteBundle, folder: str, content: BundleContent) -> Catalog:
    write(Path(folder), content)
    return mount([folder], strict=True)


@settings(max_examples=30, deadline=None)
@given(calls=PAIRS)
def test_impact_has_each_symbol_once_at_its_shortest_distance(
    content_of: ContentOf, write: WriteBundle, calls: Pairs
) -> None:
    wanted = {f"f.f{n}": d for n, d in distances(reverse(calls), 0).items() if d <= 6}

    with TemporaryDirectory() as folder, mounted(write, folder, functions(content_of, calls)) as c:
        edges = rows(get_references(c, "f.f0", "impact").structured, "edges")

    assert len(edges) == len(wanted)
    assert {edge["qualified_name"]: edge["depth"] for edge in edges} == wanted


@settings(max_examples=30, deadline=None)
@given(calls=PAIRS, depth=st.integers(1, 6), limit=st.integers(1, 12))
def test_a_call_graph_ends_and_shows_only_calls_that_there_are(
    content_of: ContentOf, write: WriteBundle, calls: Pairs, depth: int, limit: int
) -> None:
    with TemporaryDirectory() as folder, mounted(write, folder, functions(content_of, calls)) as c:
        answer = call_graph(c, "f.f0", depth=depth, limit=limit)

    shown = {(each["caller"], each["callee"]) for each in rows(answer.structured, "calls")}
    assert shown <= {(f"f.f{caller}", f"f.f{callee}") for caller, callee in calls}
    assert len(rows(answer.structured, "calls")) <= 2 * limit
    reached = {f"f.f{n}" for n, d in distances(reverse(calls), 0).items() if d <= depth}
    if answer.structured["is_whole"]:
        assert reached <= {caller for caller, _ in shown}


@settings(max_examples=30, deadline=None)
@given(bases=BASES)
def test_overrides_and_subclasses_end_in_any_hierarchy(
    content_of: ContentOf, write: WriteBundle, bases: Pairs
) -> None:
    with TemporaryDirectory() as folder, mounted(write, folder, classes(content_of, bases)) as c:
        for direction in ("callers", "callees", "inherits", "impact"):
            found = rows(get_references(c, "c.C0.run", direction).structured, "edges")
            assert len(found) <= 2 * CLASSES
        below = rows(get_references(c, "c.C0", "inherits").structured, "edges")

    subclasses = {each["qualified_name"] for each in below if each["label"] == "subclass"}
    assert subclasses == {f"c.C{n}" for n in distances(reverse(bases), 0)}


@settings(max_examples=20, deadline=None)
@given(
    odd=st.lists(
        st.tuples(st.integers(-(2**40), 2**40), st.integers(-5, 2**40), st.integers(-5, 2**40)),
        max_size=5,
    )
)
def test_edges_that_lead_out_of_their_bundle_are_none(
    content_of: ContentOf, write: WriteBundle, odd: list[tuple[int, int, int]]
) -> None:
    content = functions(content_of, frozenset({(1, 0)}))
    with TemporaryDirectory() as folder, mounted(write, folder, content) as c:
        graph = Graph(c)
        real = graph.rows

        def forged(
            bundle: int, question: str, values: Sequence[Value] = ()
        ) -> list[tuple[Value, ...]]:
            rows = real(bundle, question, values)
            if not question.startswith("SELECT reference.source"):
                return rows
            return rows + [(s, 1, "f.f0", f, line, 0, "exact", None) for s, f, line in odd]

        graph.rows = forged  # type: ignore[method-assign]
        target = graph.found(graph.resolve("f.f0", 0)[0])
        for edge in graph.arriving([target]).edges:
            assert graph.found(edge.source)
            assert graph.line(edge) is not None
