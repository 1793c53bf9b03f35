from __future__ import annotations

import importlib.util
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

NATIVE = Path(__file__).parents[3] / "native"


@pytest.fixture
def backend() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pydocs_backend", NATIVE / "backend.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def with_cargo(folder: Path) -> str:
    cargo = folder / "cargo"
    cargo.touch(0o755)
    return str(folder)


def test_cargo_on_the_path_asks_for_maturin(
    backend: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("PYDOCS_NATIVE", raising=False)
    monkeypatch.setenv("PATH", with_cargo(tmp_path))
    assert backend.get_requires_for_build_wheel() == ["maturin>=1.9.4,<2"]
    monkeypatch.setenv("PATH", str(tmp_path / "none"))
    assert backend.get_requires_for_build_wheel() == ["hatchling>=1.27,<2"]


def test_the_environment_takes_the_choice(
    backend: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", with_cargo(tmp_path))
    monkeypatch.setenv("PYDOCS_NATIVE", "python")
    assert backend.get_requires_for_build_editable() == ["hatchling>=1.27,<2"]
    monkeypatch.setenv("PYDOCS_NATIVE", "fortran")
    with pytest.raises(ValueError, match="'fortran'; set it to 'rust' or 'python'"):
        backend.get_requires_for_build_wheel()


def test_without_rust_the_wheel_holds_the_twins_alone_and_says_so(
    backend: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("hatchling")
    monkeypatch.chdir(NATIVE)
    monkeypatch.setenv("PYDOCS_NATIVE", "python")
    name = backend.build_wheel(str(tmp_path))
    assert name == "pydocs_native-0.1.0-py3-none-any.whl"
    assert "building without Rust" in capsys.readouterr().err
    with zipfile.ZipFile(tmp_path / name) as wheel:
        names = wheel.namelist()
    assert "pydocs_native/_twins/postings.py" in names
    assert not [name for name in names if name.endswith((".so", ".pyd", ".pyi"))]
