"""Environments that the benches keep in their cache folder, made once and used again."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent


def environment(folder: Path, requirements: Path, *more: str) -> Path:
    """A virtual environment that holds the requirements; gives its Python."""
    python = folder / "bin" / "python"
    wanted = hashlib.sha256(
        requirements.read_bytes() + repr((sys.version, more)).encode()
    ).hexdigest()
    stamp = folder / "bench-stamp"
    if not stamp.is_file() or stamp.read_text("utf-8") != wanted:
        print(f"Installing {requirements.name} {' '.join(more)} into {folder} …", file=sys.stderr)
        venv.create(folder, clear=True, with_pip=True, symlinks=True)
        pip = [str(python), "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "-r", str(requirements), *more], check=True)
        stamp.write_text(wanted, "utf-8")
    return python


def project(folder: Path, requirements: Path) -> Path:
    """A project of one file that pins the requirements."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pyproject.toml").write_text('[project]\nname = "demo"\nversion = "1"\n', "utf-8")
    (folder / "requirements.txt").write_bytes(requirements.read_bytes())
    return folder


def ours(name: str) -> Path:
    """One of our commands, installed beside the Python that runs the bench."""
    command = Path(sys.executable).parent / name
    if not command.exists():
        sys.exit(f"{command} is not there: run this through `nox -s bench -- …`.")
    return command
