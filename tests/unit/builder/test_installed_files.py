"""The files of an installed distribution, and the names that they can be imported by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from pydocs_builder.found.installed import find_distributions
from pydocs_builder.found.installed_files import InstalledFiles, list_installed_files

Write = Callable[[Path, Mapping[str, str]], Path]


def listed(folder: Path) -> InstalledFiles:
    (distribution,) = find_distributions([str(folder)]).values()
    return list_installed_files(distribution)


def recorded(write_files: Write, folder: Path, *paths: str) -> InstalledFiles:
    record = "".join(f"{path},sha256=x,1\n" for path in paths)
    return listed(write_files(folder, {"a-1.dist-info/RECORD": record}))


def test_top_level_names_come_from_the_record(tmp_path: Path, write_files: Write) -> None:
    found = recorded(
        write_files,
        tmp_path,
        "pkg/__init__.py",
        "pkg/data.txt",
        "space/deep/module.py",
        "single.py",
        "_fast.cpython-312-x86_64-linux-gnu.so",
        "typed.pyi",
        "stubbed-stubs/__init__.pyi",
        "only_data/table.csv",
        "a-1.dist-info/METADATA",
        "a-1.data/scripts/x.py",
        "__editable___a_finder.py",
    )
    assert found.modules == ("_fast", "pkg", "single", "space", "stubbed", "typed")


def test_what_lies_outside_or_says_nothing_is_left_out(tmp_path: Path, write_files: Write) -> None:
    found = recorded(
        write_files,
        tmp_path,
        "pkg/a.py",
        "pkg/__pycache__/a.cpython-312.pyc",
        "../../../bin/tool",
        "pkg/../../x.py",
        "/etc/passwd",
        "C:/x.py",
    )
    assert found.paths == ("pkg/a.py",)


def test_a_quoted_path_is_one_path(tmp_path: Path, write_files: Write) -> None:
    assert recorded(write_files, tmp_path, '"pkg/a,b.txt"').paths == ("pkg/a,b.txt",)


def test_the_list_of_an_older_installer_is_relative_to_its_metadata(
    tmp_path: Path, write_files: Write
) -> None:
    files = {
        "a-1.egg-info/PKG-INFO": "",
        "a-1.egg-info/installed-files.txt": "../pkg/a.py\nPKG-INFO\n",
    }
    assert listed(write_files(tmp_path, files)).paths == ("a-1.egg-info/PKG-INFO", "pkg/a.py")


def test_without_a_list_the_modules_are_walked(tmp_path: Path, write_files: Write) -> None:
    files = {
        "a-1.egg-info/PKG-INFO": "",
        "a-1.egg-info/top_level.txt": "pkg\nsingle\n../evil\n",
        "pkg/__init__.py": "",
        "pkg/sub/b.py": "",
        "single.py": "",
        "other.py": "",
    }
    found = listed(write_files(tmp_path, files))
    assert found.modules == ("pkg", "single")
    assert "pkg/sub/b.py" in found.paths
    assert "other.py" not in found.paths
    assert "no record" in found.note


def test_without_a_record_a_namespace_is_not_taken_whole(
    tmp_path: Path, write_files: Write
) -> None:
    place = "space_one-1.egg-info"
    files = {
        f"{place}/PKG-INFO": "Name: space-one\nVersion: 1\n",
        f"{place}/top_level.txt": "space\n",
        f"{place}/namespace_packages.txt": "space\n",
        "space/one/__init__.py": "",
        "space/two/__init__.py": "",
    }
    found = listed(write_files(tmp_path, files))
    assert [path for path in found.paths if path.endswith(".py")] == ["space/one/__init__.py"]
    assert found.modules == ("space",)


def test_distributions_of_one_namespace_have_their_own_files(
    tmp_path: Path, write_files: Write
) -> None:
    files = {f"space/{name}/__init__.py": "" for name in ("one", "two")}
    for name in ("one", "two"):
        place = f"space_{name}-1.dist-info"
        files |= {f"{place}/RECORD": f"space/{name}/__init__.py,,\n{place}/RECORD,,\n"}
    found = find_distributions([str(write_files(tmp_path, files))])
    listed_files = [list_installed_files(one) for one in found.values()]
    assert [one.paths[0] for one in listed_files] == [
        "space/one/__init__.py",
        "space/two/__init__.py",
    ]
    assert {one.modules for one in listed_files} == {("space",)}
