"""The environment that a build looks into: its folders of installed distributions and its markers.

A virtual environment is read, never run. Another interpreter is run once, isolated and without
its `site` start-up, only to print its folders and markers.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from packaging.markers import default_environment

from pydocs_bundle.errors import UsageError

__all__ = ["Interpreter", "find_interpreter"]

_VENV = "pyvenv.cfg"
_EXECUTABLES = ("bin/python3", "bin/python", "python.exe", "Scripts/python.exe")
_PROBE_SECONDS = 30
_PROBE = """
import json, os, platform, site, sys
implementation = sys.implementation
version = "{0.major}.{0.minor}.{0.micro}".format(implementation.version)
if implementation.version.releaselevel != "final":
    version += implementation.version.releaselevel[0] + str(implementation.version.serial)
print(json.dumps({"executable": sys.executable, "folders": [site.getusersitepackages()]
    + site.getsitepackages(), "markers": {
    "implementation_name": implementation.name, "implementation_version": version,
    "os_name": os.name, "platform_machine": platform.machine(),
    "platform_release": platform.release(), "platform_system": platform.system(),
    "platform_version": platform.version(), "python_full_version": platform.python_version(),
    "platform_python_implementation": platform.python_implementation(),
    "python_version": ".".join(platform.python_version_tuple()[:2]),
    "sys_platform": sys.platform}}))
"""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """One Python environment.

    Args:
        label: what to call it in talk.
        folders: where its distributions are, in the order of its search path.
        markers: the values that environment markers have in it.
        executable: what runs it; empty for a mere folder of distributions.
    """

    label: str
    folders: tuple[str, ...]
    markers: Mapping[str, str]
    executable: str = ""


def find_interpreter(project: Path | None, python: str | None) -> Interpreter:
    """The environment that `python` names: an executable, an environment's folder, a command.

    Without it the project's `.venv` counts, and without that the interpreter that runs the build.
    """
    if python is None:
        if project is not None and (project / ".venv" / _VENV).is_file():
            return _environment(project / ".venv", "the project's .venv")
        return _running()
    path = Path(python)
    if path.is_dir():
        return _folder(path)
    executable = shutil.which(python)
    if executable is None:
        raise UsageError(
            f"{python}: no such interpreter; give --python an executable or an environment."
        )
    return _executable(Path(executable))


def _folder(path: Path) -> Interpreter:
    """A virtual environment, another installation's prefix, or a folder of distributions."""
    if (path / _VENV).is_file():
        return _environment(path, str(path))
    for name in _EXECUTABLES:
        if (path / name).is_file():
            return _executable(path / name)
    if any(path.glob("*.dist-info")):
        return Interpreter(str(path), (str(path),), _running_markers())
    raise UsageError(
        f"{path}: holds no Python environment; give --python an executable or such a folder."
    )


def _executable(path: Path) -> Interpreter:
    # The link itself tells the environment; what it leads to is the interpreter below it.
    prefix = path.absolute().parent.parent
    if (prefix / _VENV).is_file():
        return _environment(prefix, str(path))
    found = _probe(path)
    actual = Path(str(found["executable"] or path)).absolute().parent.parent
    if (actual / _VENV).is_file():
        return _environment(actual, str(path))
    return _interpreter(str(path), found)


def _running() -> Interpreter:
    """The interpreter that runs the build, with the very folders it searches."""
    markers = _running_markers()
    label = f"the running Python {markers['python_full_version']}"
    folders = tuple(path for path in sys.path if Path(path).is_dir())
    return Interpreter(label, folders, markers, sys.executable)


def _running_markers() -> dict[str, str]:
    return {key: str(value) for key, value in default_environment().items()}


def _environment(prefix: Path, label: str) -> Interpreter:
    """A virtual environment, from its configuration and its folders alone."""
    config = _read_config(prefix / _VENV)
    folders = _site_folders(prefix)
    if not folders:
        raise UsageError(f"{prefix}: the environment has no site-packages folder; make it again.")
    markers = _running_markers()
    version = config.get("version_info", config.get("version", ""))
    parts = version.split(".")
    if len(parts) >= 2:  # noqa: PLR2004 - major and minor
        markers["python_version"] = ".".join(parts[:2])
        # virtualenv writes `3.11.7.final.0`.
        markers["python_full_version"] = ".".join(parts[:3])
        markers["implementation_version"] = markers["python_full_version"]
    if any("pypy" in folder.lower() for folder in folders):
        markers["implementation_name"] = "pypy"
        markers["platform_python_implementation"] = "PyPy"
    if config.get("include-system-site-packages", "").lower() == "true":
        folders = (*folders, *_system_folders(Path(config.get("home", ""))))
    label = f"{label} (Python {markers['python_full_version']})"
    return Interpreter(label, folders, markers, _executable_in(prefix))


def _executable_in(prefix: Path) -> str:
    found = (prefix / name for name in _EXECUTABLES)
    return next((str(path) for path in found if path.is_file()), "")


def _read_config(path: Path) -> dict[str, str]:
    pairs = (line.partition("=") for line in path.read_text("utf-8", "replace").splitlines())
    return {key.strip().lower(): value.strip() for key, _, value in pairs}


def _site_folders(prefix: Path) -> tuple[str, ...]:
    """The site-packages folders below a prefix; `lib64` is often a link to `lib`."""
    found: dict[str, str] = {}
    for pattern in ("lib/python*/site-packages", "lib/pypy*/site-packages", "Lib/site-packages",
                    "lib64/python*/site-packages", "site-packages"):  # fmt: skip
        for folder in sorted(prefix.glob(pattern)):
            found.setdefault(str(folder.resolve()), str(folder))
    return tuple(found.values())


def _system_folders(home: Path) -> tuple[str, ...]:
    """The folders of the interpreter that an environment was made from and shares."""
    for name in ("python3", "python", "python.exe"):
        if (home / name).is_file():
            return _interpreter("", _probe(home / name)).folders
    return ()


def _interpreter(label: str, found: Mapping[str, object]) -> Interpreter:
    markers, folders = found["markers"], found["folders"]
    if not isinstance(markers, dict) or not isinstance(folders, list):
        raise UsageError(f"{label}: printed no folders; give --python another interpreter.")
    values = {**_running_markers(), **{str(key): str(one) for key, one in markers.items()}}
    existing = dict.fromkeys(str(folder) for folder in folders if Path(str(folder)).is_dir())
    label = f"{label} (Python {values['python_full_version']})"
    return Interpreter(label, tuple(existing), values, str(found["executable"] or ""))


def _probe(executable: Path) -> dict[str, object]:
    """What an interpreter prints about itself, isolated and without its `site` start-up."""
    command = [str(executable), "-I", "-S", "-c", _PROBE]
    try:
        done = subprocess.run(  # noqa: S603 - the user names the interpreter
            command, capture_output=True, text=True, check=True, timeout=_PROBE_SECONDS
        )
        found = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        said = error.stderr if isinstance(error, subprocess.CalledProcessError) else str(error)
        last = (said or "it printed nothing useful").strip().splitlines()[-1]
        raise UsageError(
            f"{executable}: cannot be asked for its folders ({last}); "
            "give --python another interpreter."
        ) from error
    if not isinstance(found, dict) or not {"executable", "folders", "markers"} <= found.keys():
        raise UsageError(f"{executable}: is no Python interpreter; give --python another one.")
    return found
