"""Another platform or Python than the environment's."""

from __future__ import annotations

import platform

import pytest

from pydocs_builder.found.foreign import pip_options, retarget
from pydocs_builder.found.interpreter import Interpreter
from pydocs_bundle.errors import UsageError

RUNNING = Interpreter(
    "x",
    (),
    {
        "python_version": ".".join(platform.python_version_tuple()[:2]),
        "python_full_version": platform.python_version(),
        "sys_platform": "linux",
        "platform_machine": "x86_64",
    },
)


@pytest.mark.parametrize(
    ("tag", "system", "machine"),
    [
        ("win_amd64", "Windows", "AMD64"),
        ("macosx_11_0_arm64", "Darwin", "arm64"),
        ("manylinux2014_aarch64", "Linux", "aarch64"),
        ("musllinux_1_2_x86_64", "Linux", "x86_64"),
        ("linux_armv7l", "Linux", "armv7l"),
    ],
)
def test_a_platform_has_its_markers(tag: str, system: str, machine: str) -> None:
    markers = retarget(RUNNING, [tag], "").markers
    assert (markers["platform_system"], markers["platform_machine"]) == (system, machine)


def test_a_version_of_python_has_its_markers() -> None:
    markers = retarget(RUNNING, [], "3.12").markers
    assert (markers["python_version"], markers["python_full_version"]) == ("3.12", "3.12.0")
    assert retarget(RUNNING, [], "3.9.4").markers["python_full_version"] == "3.9.4"


@pytest.mark.parametrize("version", ["3", "2.7", "cp312", "3.12.1.2", "--pre", ""])
def test_what_is_no_version_gets_a_sentence(version: str) -> None:
    if version:
        with pytest.raises(UsageError, match="give it as"):
            retarget(RUNNING, [], version)
    else:
        assert retarget(RUNNING, [], version) == RUNNING


def test_what_is_no_platform_gets_a_sentence() -> None:
    with pytest.raises(UsageError, match="no such platform"):
        retarget(RUNNING, ["amiga"], "")


def test_pip_is_told_what_differs_from_this_interpreter() -> None:
    assert pip_options(RUNNING, [], "") == ()
    other = retarget(RUNNING, [], "3.7")
    assert pip_options(other, [], "") == ("--python-version", "3.7.0")
    assert pip_options(RUNNING, ["a", "b"], "3.7") == (
        *("--platform", "a", "--platform", "b"),
        *("--python-version", "3.7"),
    )
