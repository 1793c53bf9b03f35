"""The questions that stand in the repository: what makes a figure over them mean something."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import sets

HERE = Path(sets.__file__).parent

PINS = {"own_questions.jsonl": "own_packages.txt", "fresh_questions.jsonl": "fresh_packages.txt"}
"""The packages that each file of questions is about."""

ASKED_ELSEWHERE = (
    "aiohttp attrs beautifulsoup4 boto3 botocore celery click cryptography dask django fastapi"
    " flask httpx jinja2 marshmallow matplotlib networkx numpy pandas paramiko pillow polars"
    " pydantic pytest pyyaml redis requests rich scikit-learn scrapy sqlalchemy starlette tqdm"
    " typer"
)
"""The packages of the questions that lie outside the repository, and of the six repositories."""


def rows(name: str) -> list[dict[str, Any]]:
    """The questions of a file, as they are written."""
    return [json.loads(line) for line in (HERE / name).read_text("utf-8").splitlines()]


def normal(name: str) -> str:
    """A distribution's name, spelled like the index spells it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(path: Path) -> dict[str, str]:
    """The versions that a file pins, by distribution."""
    pins = (line.partition("==") for line in path.read_text("utf-8").splitlines())
    return {normal(name): version for name, _, version in pins}


@pytest.mark.parametrize("name", PINS)
def test_every_question_has_an_id_of_its_own(name: str) -> None:
    ids = [row["id"] for row in rows(name)]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("name", PINS)
def test_nothing_is_asked_twice(name: str) -> None:
    asked = [(row["package"], row["query"].casefold()) for row in rows(name)]
    assert len(set(asked)) == len(asked)


@pytest.mark.parametrize("name", PINS)
def test_every_question_has_answers_and_classes_are_among_them(name: str) -> None:
    for case in sets.names(HERE / name):
        assert case.answers
        assert set(case.classes) <= set(case.answers)


@pytest.mark.parametrize("name", PINS)
def test_every_pinned_package_is_asked_about_and_no_other(name: str) -> None:
    asked = {normal(row["package"]) for row in rows(name)}
    assert asked == set(pinned(HERE / PINS[name]))


def test_fresh_questions_name_the_version_that_is_pinned() -> None:
    pins = pinned(HERE / "fresh_packages.txt")
    for row in rows("fresh_questions.jsonl"):
        assert row["version"] == pins[normal(row["package"])]


def test_fresh_packages_are_in_no_other_set() -> None:
    others = {*ASKED_ELSEWHERE.split(), *pinned(HERE / "own_packages.txt")}
    assert not set(pinned(HERE / "fresh_packages.txt")) & others


def test_fresh_parts_alternate_over_the_packages() -> None:
    parts: dict[str, set[str]] = {}
    for row in rows("fresh_questions.jsonl"):
        parts.setdefault(normal(row["package"]), set()).add(row["part"])
    halves = [parts[package] for package in sorted(parts)]
    assert halves == [{"tuned"}, {"kept"}] * (len(halves) // 2)


def test_most_fresh_questions_begin_with_a_public_thread() -> None:
    fresh = rows("fresh_questions.jsonl")
    assert sum(row["source"].startswith("https://") for row in fresh) >= 0.7 * len(fresh)
