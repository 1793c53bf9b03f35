from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pydocs_bundle.errors import UsageError
from pydocs_bundle.records import BundleContent
from pydocs_server.answered import grep as grep_module
from pydocs_server.answered.grep import grep
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount
from pydocs_server.ranked import text_search as module
from pydocs_server.rendered.answer import (
    DEFAULT_TOKENS,
    MOST_TOKENS,
    Answer,
    NotFound,
    count_tokens,
)

WriteBundle = Callable[[Path, BundleContent], Path]
ContentOf = Callable[..., BundleContent]

BACKTRACKING = Path(__file__).parents[2] / "inputs" / "regex-backtracking"


def hits(answer: Answer, *, context: bool = False) -> list[tuple[str, int, str]]:
    rows: list[dict[str, Any]] = answer.structured["matches"]  # type: ignore[assignment]
    return [
        (row["address"], row["start_line"], row["text"])
        for row in rows
        if context or row["is_match"]
    ]


def test_a_match_has_its_file_line_and_text(catalog: Catalog) -> None:
    answer = grep(catalog, r"def send\(")

    assert hits(answer) == [
        (
            "httpq@0.28.1/httpq/_client.py",
            21,
            "    def send(self, method: str, url: str) -> str:",
        )
    ]
    assert answer.text.startswith(r"1 line in 1 file for def send\(, ")
    assert "```text httpq@0.28.1/httpq/_client.py\n21:    def send(self" in answer.text


def test_case_counts_unless_told_otherwise(catalog: Catalog) -> None:
    assert not hits(grep(catalog, "DEF SEND"))
    assert hits(grep(catalog, "DEF SEND", ignore_case=True))


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ({"before": 1}, [20, 21]),
        ({"after": 2}, [21, 22, 23]),
        ({"context": 1}, [20, 21, 22]),
        ({"context": 1, "after": 2}, [20, 21, 22, 23]),
    ],
)
def test_context_lines(catalog: Catalog, arguments: dict[str, Any], shown: list[int]) -> None:
    answer = grep(catalog, r"def send\(", **arguments)

    assert [line for _, line, _ in hits(answer, context=True)] == shown
    assert len(hits(answer)) == 1


def test_lines_of_context_that_meet_are_shown_once(catalog: Catalog) -> None:
    answer = grep(catalog, "class ", path="httpq/httpq/_client.py", context=3)
    numbers = [line for _, line, _ in hits(answer, context=True)]

    assert numbers == sorted(set(numbers))
    assert "\n--\n" in answer.text or numbers == list(range(numbers[0], numbers[-1] + 1))


def test_line_numbers_can_be_left_out(catalog: Catalog) -> None:
    text = grep(catalog, r"def send\(", line_numbers=False).text

    assert "\n    def send(self" in text


def test_files_and_counts(catalog: Catalog) -> None:
    files = grep(catalog, r"^class ", output_mode="files_with_matches", path="httpq")
    counts = grep(catalog, r"^class ", output_mode="count", path="httpq")

    assert [row["path"] for row in files.structured["files"]] == [  # type: ignore[attr-defined]
        "httpq/_client.py",
        "httpq/_config.py",
    ]
    assert [row["count"] for row in counts.structured["files"]] == [2, 1]  # type: ignore[attr-defined]
    assert "2\thttpq@0.28.1/httpq/_client.py" in counts.text
    assert counts.structured["total"] == 3


def test_scope_is_a_promise(catalog: Catalog) -> None:
    project = {address for address, _, _ in hits(grep(catalog, "def ", scope="project"))}
    deps = {address for address, _, _ in hits(grep(catalog, "def ", scope="deps"))}

    assert project
    assert all(address.startswith("shop@") for address in project)
    assert deps
    assert not any(address.startswith("shop@") for address in deps)


def test_the_project_is_searched_first(catalog: Catalog) -> None:
    assert hits(grep(catalog, "class "))[0][0].startswith("shop@1.0/")


@pytest.mark.parametrize(
    ("glob", "expected"),
    [
        ("*.md", {"httpq@0.28.1/README.md"}),
        ("tests/**", {"httpq@0.28.1/tests/test_client.py"}),
        ("*.{md,rst}", {"httpq@0.28.1/README.md"}),
    ],
)
def test_a_glob_narrows(catalog: Catalog, glob: str, expected: set[str]) -> None:
    answer = grep(catalog, "(?i)timeout", glob=glob, output_mode="files_with_matches")

    assert {row["address"] for row in answer.structured["files"]} == expected  # type: ignore[attr-defined]


def test_a_path_that_is_not_there_gets_the_closest(catalog: Catalog) -> None:
    with pytest.raises(NotFound, match=r"httpq@0\.28\.1/httpq/_client\.py"):
        grep(catalog, "x", path="httpq/_clients.py")


def test_matches_over_lines_need_multiline(catalog: Catalog) -> None:
    pattern = r"class Client.*?connection pool"

    assert not hits(grep(catalog, pattern))
    found = hits(grep(catalog, pattern, multiline=True))
    assert [line for _, line, _ in found] == [12, 13]


def test_past_the_limit_the_rest_is_counted(catalog: Catalog) -> None:
    answer = grep(catalog, "def ", head_limit=3)
    total = len(hits(grep(catalog, "def ")))

    assert len(hits(answer)) == 3
    assert answer.structured["total"] == total
    assert f"{total - 3} more matching lines are not shown" in answer.text
    assert answer.structured["next"] in answer.text  # type: ignore[operator]


def test_no_match_is_an_answer(catalog: Catalog) -> None:
    answer = grep(catalog, "no such text anywhere")

    assert answer.structured["matches"] == []
    assert answer.text.startswith("0 lines in 0 files for no such text anywhere")


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        ("", "is empty"),
        ("(unclosed", "is no regular expression"),
        ("[z-a]", "is no regular expression"),
        ("(?P<n>a)(?P<n>b)", "is no regular expression"),
        ("a" * 10_001, "10,001 characters"),
    ],
)
def test_patterns_that_cannot_be_used_say_why(
    catalog: Catalog, pattern: str, sentence: str
) -> None:
    with pytest.raises(UsageError, match=sentence) as caught:
        grep(catalog, pattern)
    assert str(caught.value).count(sentence) == 1


@pytest.fixture(scope="module")
def hard(
    write: WriteBundle, content_of: ContentOf, tmp_path_factory: pytest.TempPathFactory
) -> Catalog:
    """Text that invites backtracking, many lines, a line of 10 MB, and no line end at the end."""
    folder = tmp_path_factory.mktemp("hard")
    files = {
        "hard/__init__.py": "",
        "hard/backtracking.md": "# B\n" + (BACKTRACKING / "text.txt").read_text("utf-8"),
        "hard/cr.md": "# R\rthree\r",
        "hard/crlf.md": "# C\r\none\r\ntwo\r\n",
        "hard/end.md": "# E\nlast",
        "hard/many.md": "# M\n" + "hit\n" * 10_000,
        "hard/wide.md": "# W\n" + "x" * 10_000_000 + "needle\n",
    }
    write(folder, content_of("hard", "1", files))
    return mount([str(folder)], strict=True)


@pytest.mark.parametrize(
    "pattern", [p for p in (BACKTRACKING / "patterns.txt").read_text("utf-8").split("\n") if p]
)
def test_patterns_that_backtrack_end_in_time(hard: Catalog, pattern: str) -> None:
    started = time.monotonic()
    try:
        answer = grep(hard, pattern, multiline=True)
    except UsageError as error:
        assert len(str(error)) < 600  # noqa: PT017 - either is an answer
    else:
        assert count_tokens(answer.text) <= DEFAULT_TOKENS
    assert time.monotonic() - started < 9


def test_a_pattern_that_takes_too_long_says_what_to_do(hard: Catalog) -> None:
    with pytest.raises(UsageError, match=r"took too long on hard@1/hard/.*path or glob"):
        grep(hard, r"(x+x+)+\1y")


def test_ten_thousand_hits_stay_in_the_budget(hard: Catalog) -> None:
    answer = grep(hard, "hit")
    assert answer.structured["total"] == 10_000
    assert count_tokens(answer.text) <= DEFAULT_TOKENS

    every = grep(hard, "hit", head_limit=10_000)
    assert count_tokens(every.text) <= MOST_TOKENS
    assert len(hits(every)) > len(hits(answer))


def test_a_line_of_ten_megabytes_is_cut(hard: Catalog) -> None:
    (found,) = hits(grep(hard, "needle"))

    assert found[1] == 2
    assert len(found[2]) <= 400


def test_line_ends_do_not_show(hard: Catalog) -> None:
    assert hits(grep(hard, "one|two", path="hard/hard/crlf.md")) == [
        ("hard@1/hard/crlf.md", 2, "one"),
        ("hard@1/hard/crlf.md", 3, "two"),
    ]


def test_a_lone_carriage_return_ends_a_line(hard: Catalog) -> None:
    assert hits(grep(hard, "^three$")) == [("hard@1/hard/cr.md", 2, "three")]


def test_a_last_line_without_an_end_is_a_line(hard: Catalog) -> None:
    assert hits(grep(hard, "last$")) == [("hard@1/hard/end.md", 2, "last")]


def test_the_deadline_keeps_what_was_found(hard: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1_000, 2))
    monkeypatch.setattr(module, "_WORKERS", 1)
    monkeypatch.setattr(module, "_BATCH_BYTES", 1)
    stopping = SimpleNamespace(monotonic=lambda: next(clock))
    monkeypatch.setattr(module, "time", stopping)
    monkeypatch.setattr(grep_module, "time", stopping)

    answer = grep(hard, "# ")

    assert "Stopped after 5 seconds with files left; narrow" in answer.text
    assert hits(answer)
