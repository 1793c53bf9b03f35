from __future__ import annotations

import fnmatch
import time
from pathlib import PurePosixPath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pydocs_server.answered.glob import glob
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.ranked.pattern import PatternError, compile_pattern
from pydocs_server.rendered.answer import DEFAULT_TOKENS, NotFound, count_tokens


def paths(catalog: Catalog, pattern: str, **more: Any) -> list[str]:  # noqa: ANN401
    files: list[dict[str, str]] = glob(catalog, pattern, **more).structured["files"]  # type: ignore[assignment]
    return [each["address"] for each in files]


@pytest.mark.parametrize(
    ("pattern", "path", "is_match"),
    [
        ("*.py", "a.py", True),
        ("*.py", "deep/down/a.py", True),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/b/a.py", False),
        ("**/*.py", "a.py", True),
        ("**/*.py", "x/y/a.py", True),
        ("src/**/test_*.py", "src/test_a.py", True),
        ("src/**/test_*.py", "src/x/y/test_a.py", True),
        ("src/**/test_*.py", "other/test_a.py", False),
        ("src/**", "src/x/y", True),
        ("src/**", "src", False),
        ("**/x/**/y", "a/x/b/c/y", True),
        ("**/x/**/y", "x/y", True),
        ("**/x/**/y", "a/y", False),
        ("*.{py,pyi}", "a.pyi", True),
        ("{a,b/{c,d}}/e", "b/d/e", True),
        ("{a}", "{a}", True),
        ("a{b", "a{b", True),
        ("?.py", "a.py", True),
        ("?.py", "ab.py", False),
        ("[ab].py", "b.py", True),
        ("[!ab].py", "b.py", False),
        ("[!ab].py", "c.py", True),
        ("[]].py", "].py", True),
        ("[z-a].py", "m.py", False),
        ("[a.py", "[a.py", True),
        ("*", ".hidden", True),
        (".github/**/*.yml", ".github/workflows/ci.yml", True),
        ("./src/a.py", "src/a.py", True),
        ("/src/a.py", "src/a.py", True),
        ("a*b*c", "axxbxxc", True),
        ("a*b*c", "axxcxxb", False),
        ("**", "anything", True),
        ("a/**/b*c/d", "a/bc/d", True),
        ("new\nline", "new\nline", True),
        ("caf\u00e9", "caf\u00e9", True),
        ("a+(b).py", "a+(b).py", True),
    ],
)
def test_patterns_mean_what_people_expect(pattern: str, path: str, *, is_match: bool) -> None:
    assert compile_pattern(pattern).matches(path) is is_match


@given(
    st.text(alphabet="ab*?[]!/.", min_size=1, max_size=8).filter(lambda text: "**" not in text),
    st.text(alphabet="ab./", min_size=1, max_size=8),
)
def test_single_segments_match_as_fnmatch_does(pattern: str, path: str) -> None:
    if "/" in pattern or "/" in path or pattern.startswith("."):
        return
    expected = fnmatch.fnmatchcase(path, pattern)
    assert compile_pattern(pattern).matches(path) is expected


@given(
    st.lists(st.sampled_from(["a", "b", "*", "a*b", "**"]), min_size=2, max_size=6),
    st.lists(st.sampled_from(["a", "b", "ab", "axb"]), min_size=1, max_size=6),
)
def test_stars_over_folders_match_as_backtracking_would(
    pattern: list[str], path: list[str]
) -> None:
    def matches(p: list[str], s: list[str]) -> bool:
        if not p:
            return not s
        if p[0] == "**":
            rest = p[1:]
            if not rest:
                return bool(s)
            return any(matches(rest, s[k:]) for k in range(len(s) + 1))
        return bool(s) and fnmatch.fnmatchcase(s[0], p[0]) and matches(p[1:], s[1:])

    collapsed = [
        part for i, part in enumerate(pattern) if part != "**" or i == 0 or pattern[i - 1] != "**"
    ]
    compiled = compile_pattern("/".join(pattern))
    if collapsed == ["**"]:
        return
    assert compiled.matches("/".join(path)) is matches(collapsed, path)


@pytest.mark.parametrize("pattern", ["*a" * 200, "**/" * 200 + "b", "*/" * 300 + "b", "[a" * 300])
def test_no_pattern_runs_away(pattern: str) -> None:
    compiled = compile_pattern(pattern)
    started = time.perf_counter()

    assert not compiled.matches("/".join(["a" * 40] * 60))
    assert time.perf_counter() - started < 1


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [("", "empty"), ("a" * 1_001, "longer than"), ("{a,b}" * 9, "alternatives")],
)
def test_patterns_that_cannot_be_used_say_why(pattern: str, problem: str) -> None:
    with pytest.raises(PatternError, match=problem):
        compile_pattern(pattern)


def test_files_of_projects_come_first_and_newer_versions_before_older(catalog: Catalog) -> None:
    found = paths(catalog, "*.py")

    assert PurePosixPath(found[0]).parts[0] == "shop@1.0"
    assert found.index("pydanteq@2.0/pydanteq/__init__.py") < found.index(
        "pydanteq@1.10.2/pydanteq/__init__.py"
    )


@pytest.mark.parametrize(
    "path", ["httpq", "httpq@0.28.1", "httpq==0.28.1", "httpq/httpq", "httpq@0.28.1/httpq/"]
)
def test_a_path_narrows_by_package_version_and_folder(catalog: Catalog, path: str) -> None:
    found = paths(catalog, "_client.py", path=path)

    assert found == ["httpq@0.28.1/httpq/_client.py"]


def test_below_a_folder_the_pattern_starts_there(catalog: Catalog) -> None:
    assert paths(catalog, "test_*.py", path="httpq/tests") == ["httpq@0.28.1/tests/test_client.py"]


def test_below_a_package_the_pattern_starts_at_its_root(catalog: Catalog) -> None:
    assert paths(catalog, "flasq/app.py", path="flasq") == ["flasq@3.1/flasq/app.py"]
    assert paths(catalog, "app.py", path="flasq/flasq/app.py") == ["flasq@3.1/flasq/app.py"]


def test_a_whole_address_is_a_pattern_too(catalog: Catalog) -> None:
    assert paths(catalog, "httpq@*/**/_api.py") == ["httpq@0.28.1/httpq/_api.py"]


def test_more_than_the_limit_is_counted(catalog: Catalog) -> None:
    answer = glob(catalog, "**", head_limit=2)

    assert len(answer.structured["files"]) == 2  # type: ignore[arg-type]
    assert answer.structured["left"] == answer.structured["total"] - 2  # type: ignore[operator]
    assert answer.structured["next"] in answer.text  # type: ignore[operator]
    assert count_tokens(glob(catalog, "**").text) <= DEFAULT_TOKENS


def test_no_match_is_an_answer_with_a_way_on(catalog: Catalog) -> None:
    answer = glob(catalog, "_clients.py")

    assert answer.text.startswith("0 of ")
    assert "httpq@0.28.1/httpq/_client.py" in answer.text


@pytest.mark.parametrize("path", ["../..", "/etc", "httpq@0.28.1/..", "no/such/folder", "\0"])
def test_a_path_outside_of_what_is_mounted_is_not_there(catalog: Catalog, path: str) -> None:
    with pytest.raises(NotFound):
        glob(catalog, "**", path=path)


def test_a_file_that_lies_elsewhere_is_named(catalog: Catalog) -> None:
    answer = glob(catalog, "src/**/_client.py")

    assert answer.text.endswith("One elsewhere: httpq@0.28.1/httpq/_client.py.")
    assert answer.structured["closest"] == ["httpq@0.28.1/httpq/_client.py"]


@pytest.mark.parametrize(
    ("pattern", "near"),
    [("_clients.py", "_client.py"), ("README", "README.md"), ("httpq/_clint*.py", "_client.py")],
)
def test_a_name_that_is_nearly_one_is_corrected(catalog: Catalog, pattern: str, near: str) -> None:
    assert f"/{near}" in glob(catalog, pattern, path="httpq").text


def test_nothing_is_suggested_from_outside_the_folder(catalog: Catalog) -> None:
    answer = glob(catalog, "orders.py", path="httpq")

    assert answer.structured["closest"] == []
    assert "shop" not in answer.text


def test_an_ending_that_no_file_has_is_told(catalog: Catalog) -> None:
    text = glob(catalog, "**/*.tsx", path="httpq").text
    assert "No file here ends in .tsx; there are " in text
    assert ".py" in text


@pytest.mark.parametrize("pattern", ["x/{a/b,c}", "q/[z/]", "{q,w}/*", "zz/", "/", "é/*.É"])
def test_any_pattern_that_misses_is_survived(catalog: Catalog, pattern: str) -> None:
    answer = glob(catalog, pattern, path="yamp")

    assert answer.structured["total"] == 0
    assert answer.structured["next"]
