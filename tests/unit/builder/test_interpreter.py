"""Which environment a build looks into."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pydocs_builder.found.interpreter import find_interpreter
from pydocs_bundle.errors import UsageError


def test_an_environment_is_read_without_running_it(
    environment: Path, site: Path, tmp_path: Path
) -> None:
    found = find_interpreter(tmp_path, str(environment))
    assert found.folders == (str(site),)
    assert found.markers["python_version"] == "3.12"
    assert found.markers["python_full_version"] == "3.12.4"


def test_its_interpreter_stands_for_an_environment(
    environment: Path, site: Path, tmp_path: Path
) -> None:
    executable = environment / "bin" / "python"
    executable.parent.mkdir()
    executable.write_text("#!/bin/sh\nexit 1\n")
    executable.chmod(0o755)
    assert find_interpreter(tmp_path, str(executable)).folders == (str(site),)


def test_the_projects_own_environment_comes_first(environment: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    environment.rename(project / ".venv")
    found = find_interpreter(project, None)
    assert found.folders == (str(project / ".venv" / "lib" / "python3.12" / "site-packages"),)


def test_without_one_the_running_interpreter_counts(tmp_path: Path) -> None:
    found = find_interpreter(tmp_path, None)
    assert set(found.folders) <= set(sys.path)
    assert found.markers["python_version"] == f"{sys.version_info[0]}.{sys.version_info[1]}"


def test_an_environment_of_pypy_has_its_markers(environment: Path, tmp_path: Path) -> None:
    (environment / "lib" / "python3.12").rename(environment / "lib" / "pypy3.12")
    found = find_interpreter(tmp_path, str(environment))
    assert found.markers["platform_python_implementation"] == "PyPy"


def test_another_interpreter_is_asked_in_isolation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = tmp_path / "ran"
    (tmp_path / "sitecustomize.py").write_text(f"open({str(marker)!r}, 'w')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    real = Path(sys.executable).resolve()
    found = find_interpreter(tmp_path, str(real))
    assert str(tmp_path) not in found.folders
    assert any(real.parent.parent.samefile(Path(one).parents[2]) for one in found.folders)
    assert not marker.exists()


def test_an_environment_that_shares_the_systems_packages_has_both(
    environment: Path, site: Path, tmp_path: Path
) -> None:
    home = Path(sys.executable).resolve().parent
    config = f"home = {home}\nversion = 3.12.4\ninclude-system-site-packages = true\n"
    (environment / "pyvenv.cfg").write_text(config)
    found = find_interpreter(tmp_path, str(environment))
    assert found.folders[0] == str(site)
    assert len(found.folders) > 1


def test_a_folder_of_distributions_is_enough(tmp_path: Path) -> None:
    (tmp_path / "a-1.dist-info").mkdir()
    assert find_interpreter(tmp_path, str(tmp_path)).folders == (str(tmp_path),)


@pytest.mark.parametrize("content", ["#!/bin/sh\nexit 3\n", "#!/bin/sh\necho '{}'\n", "no program"])
def test_what_is_no_interpreter_gets_a_sentence(tmp_path: Path, content: str) -> None:
    program = tmp_path / "bin" / "python"
    program.parent.mkdir()
    program.write_text(content)
    program.chmod(0o755)
    with pytest.raises(UsageError, match="give --python another"):
        find_interpreter(tmp_path, str(program))


@pytest.mark.parametrize("name", ["nowhere/python", "no-such-command"])
def test_an_interpreter_that_is_not_there_gets_a_sentence(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="no such interpreter"):
        find_interpreter(tmp_path, name)


def test_a_folder_without_environment_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no Python environment"):
        find_interpreter(tmp_path, str(tmp_path))
