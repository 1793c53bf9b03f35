"""What a project needs, and what that needs in turn."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement

from pydocs_builder.planned.closure import Closure, applies, close
from pydocs_builder.wanted.declared import Unreadable, want

MARKERS = {
    **{key: str(value) for key, value in default_environment().items()},
    "python_version": "3.11",
    "python_full_version": "3.11.7",
    "sys_platform": "linux",
}


def closure(
    wanted: Mapping[str, str], needs: Mapping[str, list[str]], *, direct: bool = False
) -> Closure:
    stated = []
    for text, group in wanted.items():
        one = want(text, group, "here")
        assert not isinstance(one, Unreadable)
        stated.append(one)

    def needs_of(key: str) -> list[Requirement]:
        return [Requirement(one) for one in needs.get(key, [])]

    return close(stated, MARKERS, needs_of, is_direct_only=direct)


def test_everything_behind_a_requirement_is_needed() -> None:
    found = closure({"a": ""}, {"a": ["B>=1"], "b": ["c"], "c": ["a"]})
    assert list(found.needs) == ["a", "b", "c"]
    assert [need.origins for need in found.needs.values()] == [["here"], ["a"], ["B"]]


def test_direct_only_follows_nothing() -> None:
    assert list(closure({"a": ""}, {"a": ["b"]}, direct=True).needs) == ["a"]


def test_an_extra_brings_what_it_needs_and_no_other_extra_does() -> None:
    needs = {"a": ["b ; extra == 'fast'", "c ; extra == 'slow'", "d"]}
    assert list(closure({"a[Fast]": ""}, needs).needs) == ["a", "b", "d"]


def test_an_extra_asked_for_later_counts_too() -> None:
    needs = {"a": ["b ; extra == 'x'"], "z": ["a[x]"]}
    assert list(closure({"a": "", "z": ""}, needs).needs) == ["a", "b", "z"]


def test_extras_of_extras_are_followed() -> None:
    needs = {"a": ["a[x,y] ; extra == 'all'", "b ; extra == 'x'", "c ; extra == 'y'"]}
    assert list(closure({"a[all]": ""}, needs).needs) == ["a", "b", "c"]


def test_what_core_and_a_group_need_is_core() -> None:
    found = closure({"a": "group test", "b": ""}, {"a": ["c"], "b": ["c"]})
    assert {key: need.is_core for key, need in found.needs.items()} == {
        "a": False,
        "b": True,
        "c": True,
    }


def test_what_the_environment_rules_out_is_told() -> None:
    found = closure(
        {"a": "", "old ; python_version < '3'": ""}, {"a": ["win ; sys_platform == 'win32'"]}
    )
    assert [(one.name, one.is_direct) for one in found.unsuited] == [("old", True), ("win", False)]
    assert list(found.needs) == ["a"]


def test_what_only_another_extra_needs_is_not_told() -> None:
    assert closure({"a": ""}, {"a": ["b ; extra == 'x'"]}).unsuited == ()


def test_a_name_under_opposite_markers_is_needed_once_and_told_once() -> None:
    found = closure({"a==1 ; python_version < '3'": "", "a==2 ; python_version >= '3'": ""}, {})
    assert found.needs["a"].specifiers == {"==2"}  # type: ignore[index]
    assert [(one.name, one.specifier) for one in found.unsuited] == [("a", "==1")]


@pytest.mark.parametrize(
    ("text", "extras", "verdict"),
    [
        ("a", (), True),
        ("a ; python_version >= '3'", (), True),
        ("a ; python_version < '3'", (), False),
        ("a ; extra == 'x'", (), None),
        ("a ; extra == 'x'", ("x",), True),
        ("a ; extra == 'X_y'", ("x-y",), True),
        ("a ; extra == 'x' and python_version < '3'", ("x",), False),
        ("a ; extra == 'x' or python_version >= '3'", (), True),
        ("a ; os_name ~= 'posix'", (), True),
    ],
)
def test_markers_and_extras_decide(
    text: str, extras: tuple[str, ...], *, verdict: bool | None
) -> None:
    assert applies(Requirement(text), extras, MARKERS) is verdict
