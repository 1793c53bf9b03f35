"""What a `setup.cfg` declares, as setuptools reads it."""

from __future__ import annotations

from configparser import ConfigParser, Error
from typing import NamedTuple

from packaging.utils import canonicalize_name

from pydocs_builder.wanted.declared import Declared, combine, sort_out, want
from pydocs_builder.wanted.pyproject import FileReader

__all__ = ["SetupCfg", "parse_setup_cfg", "read_setup_cfg"]


class SetupCfg(NamedTuple):
    """The parts of a `setup.cfg` that say what a project is and wants."""

    name: str
    version: str
    install: str
    extras: dict[str, str]
    tests: str
    source_folders: tuple[str, ...]


def parse_setup_cfg(text: str) -> SetupCfg:
    """The parts of a `setup.cfg` that matter; `ValueError` with a clause if it is none."""
    parser = ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except Error as error:
        raise ValueError(str(error).partition("\n")[0]) from error
    extras = "options.extras_require"
    package_folders = _mapping(parser.get("options", "package_dir", fallback=""))
    where = parser.get("options.packages.find", "where", fallback="")
    folders = (package_folders.get("", ""), *where.split())
    return SetupCfg(
        name=parser.get("metadata", "name", fallback="").strip(),
        version=parser.get("metadata", "version", fallback="").strip(),
        install=parser.get("options", "install_requires", fallback=""),
        extras=dict(parser.items(extras)) if parser.has_section(extras) else {},
        tests=parser.get("options", "tests_require", fallback=""),
        source_folders=tuple(folder for folder in folders if folder),
    )


def read_setup_cfg(path: str, config: SetupCfg, read_files: FileReader) -> Declared:
    """What a parsed `setup.cfg` declares."""
    provided = (canonicalize_name(config.name),) if config.name else ()
    parts = [
        Declared(provided=provided),
        _requirements(config.install, "", f"{path} install_requires", read_files),
    ]
    parts.append(_requirements(config.tests, "group tests", f"{path} tests_require", read_files))
    for extra, value in sorted(config.extras.items()):
        origin = f"{path} extras_require {extra}"
        parts.append(_requirements(value, f"extra {extra}", origin, read_files))
    return combine(parts)


def _requirements(value: str, group: str, origin: str, read_files: FileReader) -> Declared:
    if value.strip().startswith("file:"):
        files = value.strip().removeprefix("file:").replace(",", " ").split()
        return read_files(tuple(files), group)
    # One line may hold several, as setuptools has it; a blank and a number sign end one.
    lines = value.splitlines() if "\n" in value.strip() else value.split(";")
    texts = (f" {line}".partition(" #")[0].strip() for line in lines)
    return sort_out(want(text, group, origin) for text in texts if text)


def _mapping(value: str) -> dict[str, str]:
    pairs = (
        entry.partition("=") for entry in value.replace(",", "\n").splitlines() if "=" in entry
    )
    return {key.strip(): folder.strip() for key, _, folder in pairs}
