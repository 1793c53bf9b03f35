"""The set-up script decides rightly what to use and says why."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def bootstrap() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bootstrap", ROOT / "bootstrap.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def with_pip() -> Path:
    """A Python that has pip; the environment of the tests may have none."""
    base = Path(sys.base_prefix) / ("python.exe" if os.name == "nt" else "bin/python3")
    if subprocess.run(
        [base, "-m", "pip", "--version"], check=False, capture_output=True
    ).returncode:
        pytest.skip("no Python with pip here")
    return base


def cargo(folder: Path, version: str) -> str:
    """A folder for PATH whose `cargo` says this version."""
    script = folder / "cargo"
    script.write_text(f"#!/bin/sh\necho 'cargo {version} (0000000 2026-01-01)'\n", "utf-8")
    script.chmod(0o755)
    return f"{folder}{os.pathsep}/bin{os.pathsep}/usr/bin"


@pytest.fixture
def path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[pytest.MonkeyPatch, Path]:
    monkeypatch.delenv("PYDOCS_NATIVE", raising=False)
    return monkeypatch, tmp_path


@pytest.mark.skipif(os.name == "nt", reason="the pretended cargo is a shell script")
@pytest.mark.parametrize(
    ("version", "problem"),
    [
        ("1.95.0", ""),
        ("1.100.0", ""),
        ("2.0.0-nightly", ""),
        ("1.9.0", "the Rust toolchain is 1.9.0, and 1.95 is needed"),
        ("1.94.1", "the Rust toolchain is 1.94.1, and 1.95 is needed"),
    ],
)
def test_a_toolchain_is_used_from_the_needed_version_on(
    bootstrap: ModuleType, path: tuple[pytest.MonkeyPatch, Path], version: str, problem: str
) -> None:
    monkeypatch, folder = path
    monkeypatch.setenv("PATH", cargo(folder, version))
    assert bootstrap.rust_problem() == problem


def test_a_missing_toolchain_is_named(
    bootstrap: ModuleType, path: tuple[pytest.MonkeyPatch, Path]
) -> None:
    monkeypatch, folder = path
    monkeypatch.setenv("PATH", str(folder))
    assert "no Rust toolchain" in bootstrap.rust_problem()


def test_the_twins_can_be_asked_for(bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYDOCS_NATIVE", "python")
    assert bootstrap.rust_problem() == "PYDOCS_NATIVE=python is set"


def test_what_follows_test_is_for_nox(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[list[str]] = []
    monkeypatch.setattr(bootstrap, "run_nox", heard.append)
    bootstrap.main(["test", "-s", "tests", "--", "-k", "x"])
    assert heard == [["-s", "tests", "--", "-k", "x"]]


def test_another_environment_does_not_leak_into_ours(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    monkeypatch.setenv("PIP_TARGET", "/elsewhere")
    assert not {"PYTHONPATH", "PIP_TARGET"} & set(bootstrap.clean_environment())


@pytest.mark.parametrize(
    ("variable", "value", "installer"),
    [("PIP_INDEX_URL", "https://mirror.example/simple", "venv"), ("PIP_TIMEOUT", "9", "uv")],
)
def test_only_an_index_that_pip_alone_knows_makes_pip_install(
    bootstrap: ModuleType,
    with_pip: Path,
    monkeypatch: pytest.MonkeyPatch,
    variable: str,
    value: str,
    installer: str,
) -> None:
    monkeypatch.delenv("PIP_INDEX_URL", raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv(variable, value)
    assert bootstrap.choose_installer(with_pip, {}) == installer


def test_uv_gets_the_certificates_of_pip(
    bootstrap: ModuleType, with_pip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.delenv("PIP_INDEX_URL", raising=False)
    monkeypatch.setenv("PIP_CERT", "/etc/company.pem")
    environment: dict[str, str] = {}
    bootstrap.choose_installer(with_pip, environment)
    assert environment == {"SSL_CERT_FILE": "/etc/company.pem"}


def test_a_changed_file_changes_the_digest(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    file = tmp_path / "lock.txt"
    file.write_text("a==1", "utf-8")
    before = bootstrap.digest(iter([file]))
    file.write_text("a==2", "utf-8")
    assert bootstrap.digest(iter([file])) != before
