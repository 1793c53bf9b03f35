"""Unpacking wheels: laid out as installed, and nothing hostile gets anywhere."""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from pydocs_builder.found import wheels
from pydocs_builder.found.wheels import UnsafeWheelError, unpack_wheel

METADATA = {"a-1.dist-info/METADATA": "Name: a\nVersion: 1\n", "a-1.dist-info/RECORD": "x,,\n"}


def make(folder: Path, files: Mapping[str, str], *, mode: int = 0) -> Path:
    path = folder / "a-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in {**files, **METADATA}.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = (mode if name in files else 0o644) << 16
            archive.writestr(info, text)
    return path


def unpack(tmp_path: Path, wheel: Path) -> list[str]:
    folder = tmp_path / "out"
    folder.mkdir()
    unpack_wheel(wheel, folder, lambda path: not path.endswith(".so"))
    return sorted(path.relative_to(tmp_path).as_posix() for path in folder.rglob("*.*"))


def test_files_lie_where_an_installer_puts_them(tmp_path: Path) -> None:
    files = {
        "a/__init__.py": "",
        "a/big.so": "",
        "a-1.data/purelib/b.py": "",
        "a-1.data/platlib/c/d.py": "",
        "a-1.data/scripts/run.py": "",
        "a-1.data/data/share/x.txt": "",
    }
    found = unpack(tmp_path, make(tmp_path, files))
    assert [path.removeprefix("out/") for path in found if "dist-info" not in path] == [
        "a/__init__.py",
        "b.py",
        "c/d.py",
    ]
    record = (tmp_path / "out" / "a-1.dist-info" / "RECORD").read_text("utf-8")
    assert [line.split('"')[1] for line in record.splitlines()] == [
        "a-1.dist-info/METADATA",
        "a-1.dist-info/RECORD",
        "a/__init__.py",
        "a/big.so",
        "b.py",
        "c/d.py",
    ]


@pytest.mark.parametrize(
    "name",
    ["../evil.py", "/evil.py", "a/../../evil.py", "a\\..\\evil.py", "C:/evil.py", "a//b.py",
     "./a.py", "a-1.data/purelib/../../evil.py", "a/\x01.py"],
)  # fmt: skip
def test_no_path_leaves_the_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnsafeWheelError, match="its member"):
        unpack(tmp_path, make(tmp_path, {name: "evil"}))
    assert list((tmp_path / "out").rglob("*.py")) == []
    assert not (tmp_path / "evil.py").exists()


def test_no_link_is_made(tmp_path: Path) -> None:
    wheel = make(tmp_path, {"a/link.py": "/etc/passwd"}, mode=stat.S_IFLNK | 0o777)
    with pytest.raises(UnsafeWheelError, match="is a link"):
        unpack(tmp_path, wheel)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_no_name_comes_twice(tmp_path: Path) -> None:
    wheel = make(tmp_path, {"a.py": "good"})
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr("a.py", "evil")
    with pytest.raises(UnsafeWheelError, match=r"holds 'a\.py' twice"):
        unpack(tmp_path, wheel)


def test_two_members_may_not_share_a_place(tmp_path: Path) -> None:
    wheel = make(tmp_path, {"a.py": "good", "a-1.data/purelib/a.py": "evil"})
    with pytest.raises(UnsafeWheelError, match="twice"):
        unpack(tmp_path, wheel)


def test_sizes_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wheels, "_LARGEST_WHEEL", 3_000_000)
    wheel = make(tmp_path, {f"a/{number}.py": "x" * 1_000_000 for number in range(5)})
    with pytest.raises(UnsafeWheelError, match="more than 3000000 bytes"):
        unpack(tmp_path, wheel)


def test_a_file_that_is_too_large_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wheels, "_LARGEST_FILE", 10)
    found = unpack(tmp_path, make(tmp_path, {"a.py": "x" * 11, "b.py": ""}))
    assert [path for path in found if path.endswith(".py")] == ["out/b.py"]


@pytest.mark.parametrize("raw", [b"", b"PK\x03\x04 nothing", b"\0" * 100])
def test_what_is_no_archive_is_refused(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "a.whl").write_bytes(raw)
    with pytest.raises(UnsafeWheelError, match="cannot be unpacked"):
        unpack(tmp_path, tmp_path / "a.whl")


def test_a_damaged_member_is_refused(tmp_path: Path) -> None:
    wheel = make(tmp_path, {"a.py": "value = 1\n" * 1000})
    raw = bytearray(wheel.read_bytes())
    raw[40:60] = bytes(20)
    wheel.write_bytes(raw)
    with pytest.raises(UnsafeWheelError, match="cannot be unpacked"):
        unpack(tmp_path, wheel)


def test_a_wheel_has_one_metadata_folder(tmp_path: Path) -> None:
    with pytest.raises(UnsafeWheelError, match="2 metadata folders"):
        unpack(tmp_path, make(tmp_path, {"b-1.dist-info/METADATA": ""}))
