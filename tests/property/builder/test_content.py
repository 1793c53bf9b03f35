"""What holds of every content, whatever the files are."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping
from importlib import util
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pydocs_builder.content import build_content
from pydocs_builder.targets import Target
from pydocs_bundle.records import BundleContent, Entry, Flag, Kind, ReferenceKind

SAMPLE = Path(__file__).parents[2] / "inputs" / "sample"
SYMBOLS = (Kind.MODULE, Kind.CLASS, Kind.FUNCTION, Kind.METHOD, Kind.PROPERTY)

NAMES = st.sampled_from(["a", "b", "_c", "D", "é"])


@st.composite
def statements(draw: st.DrawFn, depth: int = 0) -> list[str]:
    """Lines of Python: definitions in one another, comments, strings, calls, imports."""
    lines: list[str] = []
    for _ in range(draw(st.integers(0 if depth else 1, 4))):
        kind = draw(st.integers(0, 9 if depth < 3 else 5))
        name = draw(NAMES)
        if kind == 0:
            lines += [f"{name} = {draw(NAMES)}()", '"""Says.', "    what", '"""']
        elif kind == 1:
            lines += [f"# WHY: the {name} was there first,", "# and stays."]
        elif kind == 2:
            lines += [f"from .{draw(NAMES)} import {name}", f"import {name}.x as {draw(NAMES)}"]
        elif kind == 3:
            lines += ["", "\f", f"{name}.b().c(", "    1,", ")"]
        elif kind == 4:
            lines += [f"from . import {name}", f"from .{name} import *"]
        elif kind == 5:
            lines += [f"__all__ = [{name!r}]"]
        else:
            inner = draw(statements(depth=depth + 1))
            head = [f"@{draw(NAMES)}.setter"] if draw(st.booleans()) else []
            if kind == 6:
                head += ["@overload"]
            head += [f"class {name}({draw(NAMES)}):" if kind > 7 else f"def {name}(self, a: D):"]
            lines += head + [f"    {line}" if line else line for line in (inner or ["pass"])]
    return lines


@st.composite
def documents(draw: st.DrawFn) -> str:
    pieces = [
        "# A",
        "## B",
        "A\n===",
        "B\n---",
        "```",
        "~~~",
        "text `a.D`",
        "",
        "    # c",
        "- item",
    ]
    pieces += ["- ```", "  # d", ":::{note}", "1. ~~~", "T\n=", "    ```", "## [1.0] - 2024-01-02"]
    pieces += ["Superseded by ADR-2", "# Changelog", "## Status", "## Why not", "| a | b |"]
    pieces += ["* `b` is new", "<!--", "-->", "---", "Decision\n--------", "Status: old"]
    return "\n".join(draw(st.lists(st.sampled_from(pieces), max_size=12)))


@st.composite
def projects(draw: st.DrawFn) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for path in draw(st.lists(st.sampled_from(SOURCES), unique=True, max_size=4)):
        end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
        files[path] = (end.join(draw(statements())) + draw(st.sampled_from(["", end]))).encode()
    for path in draw(st.lists(st.sampled_from(DOCUMENTS), unique=True, max_size=2)):
        files[path] = draw(documents()).encode()
    if draw(st.booleans()):
        files["noise.py"] = draw(st.binary(max_size=60))
        files["noise.md"] = draw(st.binary(max_size=60))
    return files


SOURCES = ["p/__init__.py", "p/a.py", "p/b.py", "p/a.pyi", "p/_c/__init__.py", "tests/test_a.py"]
DOCUMENTS = ["README.md", "docs/a.rst", "CHANGELOG.md", "docs/adr/1.md", "x.txt", "n.ipynb"]


@settings(max_examples=150, deadline=None)
@given(projects())
def test_every_content_keeps_its_promises(files: Mapping[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            place = Path(folder, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text)
        target = Target("project", "p", "1", folder, tuple(sorted(files)), ("p",))
        content, _ = build_content(target)
        again, _ = build_content(target)
    check(content)
    assert again == content


def test_the_sample_keeps_its_promises() -> None:
    paths = sorted(
        path.relative_to(SAMPLE).as_posix() for path in SAMPLE.rglob("*") if path.is_file()
    )
    check(build_content(Target("project", "shop", "1", str(SAMPLE), tuple(paths), ("shop",)))[0])


@pytest.mark.parametrize("package", ["rich", "packaging", "_pytest", "markdown_it"])
def test_installed_packages_keep_their_promises(package: str) -> None:
    spec = util.find_spec(package)
    if spec is None or spec.origin is None:
        pytest.skip(f"{package} is not installed")
    root = Path(spec.origin).parents[1]
    paths = sorted(path.relative_to(root).as_posix() for path in (root / package).rglob("*.py"))
    target = Target("dependency", package, "1", str(root), tuple(paths), (package,))
    content, _ = build_content(target)
    check(content)
    assert sum(one.kind in SYMBOLS for one in content.entries) > 100


def check(content: BundleContent) -> None:
    """Checks all that readers of a bundle rely on."""
    paths = [file.path for file in content.files]
    assert paths == sorted(paths, key=str.encode)
    searched = content.entries[: len(content.texts)]
    places = [(one.file, one.start, one.kind) for one in searched]
    assert places == sorted(places)
    named = content.entries[len(content.texts) :]
    names = [one.qualified_name for one in named]
    assert names == sorted(names)
    unwritten = {one.kind for one in named if not one.flags & Flag.GENERATED}
    assert unwritten <= {Kind.ATTRIBUTE, Kind.ALIAS}
    assert {one.kind for one in content.entries if one.flags & Flag.GENERATED} <= {Kind.METHOD}
    for number, one in enumerate(content.entries):
        check_place(content, one)
        assert one.parent != number
        assert one.parent < len(content.entries)
        assert list(one.aliases) == sorted(set(one.aliases) - {one.qualified_name})
    for text, one in zip(content.texts, searched, strict=True):
        assert text.qualified_name == one.qualified_name
    for file in range(len(content.files)):
        check_partition(content, file)
    check_edges(content)


def check_place(content: BundleContent, one: Entry) -> None:
    text = content.files[one.file].text
    assert 0 <= one.start <= one.end <= len(text)
    assert 1 <= one.start_line <= one.end_line
    if one.kind in SYMBOLS:
        lines = text[: one.start].splitlines() if text[: one.start] else []
        is_within = bool(text[: one.start]) and text[one.start - 1 : one.start] not in (
            b"\n",
            b"\r",
        )
        assert one.start_line == len(lines) + (0 if is_within else 1)


def check_partition(content: BundleContent, file: int) -> None:
    """Each line of a module is searched once; so is each line of a document."""
    bodies = [
        text.body.encode()
        for text, one in zip(content.texts, content.entries, strict=False)
        if one.file == file and one.kind in (*SYMBOLS, Kind.SECTION)
    ]
    source = content.files[file]
    is_whole = any(
        one.file == file and one.kind in (Kind.MODULE, Kind.SECTION) for one in content.entries
    )
    is_cut = any(note.startswith(f"{source.path}: of ") for note in content.notes)
    if is_whole and not is_cut:
        found = Counter(line for body in bodies for line in body.splitlines(keepends=True))
        assert found == Counter(source.text.splitlines(keepends=True))


def check_edges(content: BundleContent) -> None:
    known = {one.qualified_name for one in content.entries} | {one.path for one in content.files}
    for edge in content.references:
        assert 0 <= edge.source < len(content.entries)
        lines = content.files[edge.file].text.splitlines()
        assert 1 <= edge.line <= len(lines)
        assert 0 <= edge.column <= len(lines[edge.line - 1])
        assert edge.target
        if edge.kind in (ReferenceKind.MENTION, ReferenceKind.GOVERN, ReferenceKind.OVERRIDE):
            assert edge.target in known
    for decision in content.decisions:
        entry = content.entries[decision.entry]
        assert entry.kind is Kind.DECISION
        assert decision.quote.encode() in content.files[entry.file].text
        assert set(decision.governs) <= known
