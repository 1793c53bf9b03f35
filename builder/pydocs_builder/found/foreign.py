"""Another platform or Python than the environment's: its markers, and pip's words for it."""

from __future__ import annotations

import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydocs_builder.found.interpreter import Interpreter
from pydocs_bundle.errors import UsageError

__all__ = ["pip_options", "retarget"]

_VERSION = re.compile(r"^3\.\d{1,2}(?:\.\d{1,2})?$")
_SYSTEMS = (
    ("win", {"os_name": "nt", "sys_platform": "win32", "platform_system": "Windows"}),
    ("macosx", {"os_name": "posix", "sys_platform": "darwin", "platform_system": "Darwin"}),
    ("manylinux", {"os_name": "posix", "sys_platform": "linux", "platform_system": "Linux"}),
    ("musllinux", {"os_name": "posix", "sys_platform": "linux", "platform_system": "Linux"}),
    ("linux", {"os_name": "posix", "sys_platform": "linux", "platform_system": "Linux"}),
)
_MACHINES = ("x86_64", "aarch64", "arm64", "i686", "ppc64le", "s390x", "armv7l", "riscv64")
_WINDOWS_MACHINES = {"win_amd64": "AMD64", "win32": "x86", "win_arm64": "ARM64"}


def retarget(
    interpreter: Interpreter, platforms: Sequence[str], python_version: str
) -> Interpreter:
    """The environment with the markers of another platform and Python, as far as they are given."""
    markers = dict(interpreter.markers)
    if python_version:
        if not _VERSION.match(python_version):
            raise UsageError(f"--python-version {python_version}: give it as 3.12 or 3.12.4.")
        minor = ".".join(python_version.split(".")[:2])
        full = python_version if python_version != minor else f"{minor}.0"
        markers |= {"python_version": minor, "python_full_version": full}
        markers["implementation_version"] = full
    if platforms:
        markers |= _platform_markers(platforms[0])
    return replace(interpreter, markers=markers)


def pip_options(
    interpreter: Interpreter, platforms: Sequence[str], python_version: str
) -> tuple[str, ...]:
    """What tells pip which wheels suit, empty where those of the running Python do."""
    options = [word for one in platforms for word in ("--platform", one)]
    stated = python_version or interpreter.markers["python_full_version"]
    running = platform.python_version()
    if python_version or stated.split(".")[:2] != running.split(".")[:2]:
        options += ["--python-version", stated]
    if interpreter.markers.get("platform_python_implementation") == "PyPy":
        options += ["--implementation", "pp"]
    return tuple(options)


def _platform_markers(tag: str) -> Mapping[str, str]:
    for prefix, markers in _SYSTEMS:
        if tag.startswith(prefix):
            machine = next((one for one in _MACHINES if tag.endswith(one)), "")
            machine = _WINDOWS_MACHINES.get(tag, machine)
            return {**markers, **({"platform_machine": machine} if machine else {})}
    raise UsageError(f"--platform {tag}: no such platform; give a tag such as win_amd64.")
