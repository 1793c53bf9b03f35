"""Which version counts when several places name one."""

from __future__ import annotations

import pytest
from packaging.utils import canonicalize_name

from pydocs_builder.pinned.pins import choose_pins, is_pinned_version
from pydocs_builder.wanted.declared import Pin


def pin(version: str, origin: str, marker: str = "") -> Pin:
    return Pin(canonicalize_name("a"), version, marker, origin)


def test_the_first_pin_counts_and_a_disagreement_is_noted() -> None:
    chosen, notes = choose_pins([pin("1", "uv.lock"), pin("2", "requirements.txt:1")], {})
    assert [one.version for one in chosen.values()] == ["1"]
    assert notes == ("uv.lock and requirements.txt disagree, and uv.lock counts: a 1, not 2",)


def test_two_spellings_of_one_version_agree() -> None:
    assert choose_pins([pin("1.0", "a"), pin("1", "b")], {})[1] == ()


def test_a_pin_whose_marker_is_false_does_not_count() -> None:
    pins = [pin("1", "a", "python_version < '3'"), pin("2", "a", "python_version >= '3'")]
    chosen, notes = choose_pins(pins, {"python_version": "3.11"})
    assert [one.version for one in chosen.values()] == ["2"]
    assert notes == ()


@pytest.mark.parametrize(
    ("pinned", "installed", "is_it"),
    [
        ("1.0", "1.0", True),
        ("1.0", "1", True),
        ("1.0", "1.0.1", False),
        ("1.0", "1.0+cpu", True),
        ("1.0+cpu", "1.0", False),
        ("1.0rc1", "1.0rc1", True),
        ("not a version", "not a version", True),
        ("not a version", "1", False),
    ],
)
def test_an_installed_version_is_compared_as_a_version(
    pinned: str, installed: str, *, is_it: bool
) -> None:
    assert is_pinned_version(pin(pinned, "x"), installed) is is_it
