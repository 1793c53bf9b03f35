"""Small environments and projects, written out file by file."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from pydocs_builder.content import build_content
from pydocs_builder.targets import Target
from pydocs_bundle.records import BundleContent

INPUTS = Path(__file__).parents[2] / "inputs"

Write = Callable[[Path, Mapping[str, str]], Path]
Install = Callable[..., Path]
Built = Callable[..., BundleContent]


@pytest.fixture(scope="session")
def write_files() -> Write:
    """Writes `{path: text}` below a folder; gives the folder."""

    def write(folder: Path, files: Mapping[str, str]) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8", newline="")
        return folder

    return write


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """An empty virtual environment that nobody could run: reading it is all that works."""
    prefix = tmp_path / "environment"
    (prefix / "lib" / "python3.12" / "site-packages").mkdir(parents=True)
    (prefix / "pyvenv.cfg").write_text("home = /nowhere/bin\nversion = 3.12.4\n")
    return prefix


@pytest.fixture
def site(environment: Path) -> Path:
    """The folder of the environment's distributions."""
    return environment / "lib" / "python3.12" / "site-packages"


@pytest.fixture
def install(site: Path, write_files: Write) -> Install:
    """Installs a distribution of some files and requirements, as an installer would leave it."""

    def install_one(
        name: str, version: str = "1.0", *requires: str, files: Mapping[str, str] | None = None
    ) -> Path:
        module = name.lower().replace("-", "_")
        files = {f"{module}.py": f'"""The module {module}."""\n'} if files is None else files
        place = f"{name.replace('-', '_')}-{version}.dist-info"
        fields = [f"Name: {name}", f"Version: {version}"]
        fields += [f"Requires-Dist: {one}" for one in requires]
        stated = {
            f"{place}/METADATA": "Metadata-Version: 2.4\n" + "\n".join(fields) + "\n",
            f"{place}/INSTALLER": "pip\n",
            **files,
        }
        record = "".join(f"{path},,\n" for path in (*stated, f"{place}/RECORD"))
        write_files(site, {f"{place}/RECORD": record, **stated})
        return site / place

    return install_one


@pytest.fixture
def input_copy(tmp_path: Path) -> Callable[[str], Path]:
    """Copies a folder of `tests/inputs`, so that a test may write beside it; gives the copy."""

    def copy(name: str) -> Path:
        return Path(shutil.copytree(INPUTS / name, tmp_path / name))

    return copy


@pytest.fixture
def built_folder() -> Callable[..., BundleContent]:
    """Builds the content of all files below a folder."""

    def build(folder: Path, **fields: object) -> BundleContent:
        paths = sorted(
            path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
        )
        tops = sorted({path.partition("/")[0].partition(".")[0] for path in paths})
        target = Target("project", "sample", "1.0", str(folder), tuple(paths), tuple(tops))
        return build_content(dataclasses.replace(target, **fields))[0]  # type: ignore[arg-type]

    return build


@pytest.fixture
def built(tmp_path: Path, built_folder: Built) -> Built:
    """Builds the content of `{path: text or bytes}`."""

    def build(texts: Mapping[str, str | bytes], **fields: object) -> BundleContent:
        for path, text in texts.items():
            place = tmp_path / "target" / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text if isinstance(text, bytes) else text.encode())
        return built_folder(tmp_path / "target", **fields)

    return build
