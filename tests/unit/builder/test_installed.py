"""Which distributions an environment has."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from pydocs_builder.found.environment import Environment
from pydocs_builder.found.installed import find_distributions, project_folder, read_dist_metadata

Write = Callable[[Path, Mapping[str, str]], Path]
Install = Callable[..., Path]


def metadata(name: str, version: str) -> str:
    return f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"


def versions(*folders: Path) -> dict[str, str]:
    environment = Environment(map(str, folders))
    found = ((key, environment.metadata(key)) for key in find_distributions(map(str, folders)))
    return {key: one.version for key, one in found if one is not None}


def test_names_are_normalised(install: Install, site: Path) -> None:
    install("My.Soup")
    install("under_score")
    assert versions(site) == {"my-soup": "1.0", "under-score": "1.0"}


@pytest.mark.parametrize(
    "files",
    [
        {"old-1.0-py3.12.egg-info/PKG-INFO": metadata("old", "1.0")},
        {"old-1.0.egg-info": metadata("old", "1.0")},
        {"old.egg-info/PKG-INFO": metadata("old", "1.0")},
        {"old-1.0-py3.12.egg/EGG-INFO/PKG-INFO": metadata("old", "1.0")},
    ],
)
def test_older_kinds_of_metadata_are_found(
    tmp_path: Path, write_files: Write, files: Mapping[str, str]
) -> None:
    assert versions(write_files(tmp_path, files)) == {"old": "1.0"}


def test_the_first_folder_wins(tmp_path: Path, write_files: Write) -> None:
    first = write_files(tmp_path / "1", {"a-1.dist-info/METADATA": metadata("a", "1")})
    second = write_files(tmp_path / "2", {"a-2.dist-info/METADATA": metadata("a", "2")})
    assert versions(first, second) == {"a": "1"}
    assert versions(second, first) == {"a": "2"}


def test_in_one_folder_the_newer_format_wins_and_then_the_version(
    tmp_path: Path, write_files: Write
) -> None:
    folder = write_files(
        tmp_path,
        {
            "a-3.egg-info/PKG-INFO": metadata("a", "3"),
            "a-1.9.dist-info/METADATA": metadata("a", "1.9"),
            "a-1.10.dist-info/METADATA": metadata("a", "1.10"),
        },
    )
    assert versions(folder) == {"a": "1.10"}


def test_what_an_interrupted_installer_left_is_passed_over(
    tmp_path: Path, write_files: Write
) -> None:
    assert versions(write_files(tmp_path, {"~a-1.dist-info/METADATA": metadata("a", "1")})) == {}


def test_folders_that_pth_files_add_count_and_their_code_does_not_run(
    tmp_path: Path, write_files: Write
) -> None:
    more = write_files(tmp_path / "more", {"a-1.dist-info/METADATA": metadata("a", "1")})
    marker = tmp_path / "ran"
    lines = f"import os; open({str(marker)!r}, 'w')\n# comment\n{more}\nnowhere\n"
    folder = write_files(tmp_path / "site", {"x.pth": lines})
    assert versions(folder) == {"a": "1"}
    assert not marker.exists()


def test_metadata_without_a_name_is_none(tmp_path: Path, write_files: Write) -> None:
    folder = write_files(tmp_path, {"a-1.dist-info/METADATA": "nonsense\n"})
    (found,) = find_distributions([str(folder)]).values()
    assert read_dist_metadata(found) is None


def test_a_folder_that_is_not_there_has_nothing(tmp_path: Path) -> None:
    assert find_distributions([str(tmp_path / "nowhere")]) == {}


def test_an_editable_distribution_points_to_its_project(
    tmp_path: Path, install: Install, site: Path
) -> None:
    place = install("ed")
    url = (tmp_path / "a b").as_uri()
    (place / "direct_url.json").write_text(json.dumps({"url": url, "dir_info": {"editable": True}}))
    found = find_distributions([str(site)])[canonicalize_name("ed")]
    assert project_folder(found) == str(tmp_path / "a b")


@pytest.mark.parametrize("direct", ["{}", "[]", "nonsense", '{"url": "file:///x", "dir_info": {}}'])
def test_any_other_distribution_points_nowhere(install: Install, site: Path, direct: str) -> None:
    (install("a") / "direct_url.json").write_text(direct)
    assert project_folder(find_distributions([str(site)])[canonicalize_name("a")]) is None


def test_a_develop_install_points_to_the_folder_of_its_metadata(
    tmp_path: Path, write_files: Write
) -> None:
    project = write_files(
        tmp_path / "p",
        {"ed.egg-info/PKG-INFO": metadata("ed", "1"), "setup.py": "raise SystemExit"},
    )
    folder = write_files(tmp_path / "site", {"easy-install.pth": f"{project}\n"})
    (found,) = find_distributions([str(folder)]).values()
    assert project_folder(found) == str(project)


def test_an_address_without_name_is_known_by_what_was_installed_from_it(
    install: Install, site: Path
) -> None:
    place = install("from-git")
    stated = {"url": "https://example.org/x/repo.git", "vcs_info": {"vcs": "git"}}
    (place / "direct_url.json").write_text(json.dumps(stated))
    environment = Environment([str(site)])
    found = environment.installed_from("git+https://example.org/x/repo.git@v1#subdirectory=a")
    assert found is not None
    assert found.key == "from-git"
    assert environment.installed_from("git+https://example.org/x/other.git") is None


def test_case_of_folder_and_name_says_nothing(tmp_path: Path, write_files: Write) -> None:
    folder = write_files(tmp_path, {"Foo.Bar-1.0.DIST-INFO/METADATA": metadata("foo_bar", "1.0")})
    assert versions(folder) == {"foo-bar": "1.0"}


def test_requirements_of_older_metadata_are_in_a_file_of_their_own(
    tmp_path: Path, write_files: Write
) -> None:
    requires = (
        'alpha>=1\n\n[fast]\nbeta\n\n[:python_version < "3.8"]\ngamma\n\n[x:os_name == "nt"]\nd\n'
    )
    files = {"a.egg-info/PKG-INFO": metadata("a", "1"), "a.egg-info/requires.txt": requires}
    (found,) = find_distributions([str(write_files(tmp_path, files))]).values()
    stated = read_dist_metadata(found)
    assert stated is not None
    assert [str(one) for one in stated.requirements()] == [
        "alpha>=1",
        'beta; extra == "fast"',
        'gamma; python_version < "3.8"',
        'd; os_name == "nt" and extra == "x"',
    ]


@pytest.mark.parametrize("below", ["", "src"])
def test_a_path_file_alone_leads_to_the_project(
    tmp_path: Path, write_files: Write, below: str
) -> None:
    project = write_files(tmp_path / "p", {"pyproject.toml": "", "src/a.py": ""})
    files = {
        "a.pth": f"{project / below}\n",
        "a-1.dist-info/METADATA": metadata("a", "1"),
        "a-1.dist-info/RECORD": "a.pth,,\na-1.dist-info/METADATA,,\n../../../bin/a,,\n",
    }
    (found,) = find_distributions([str(write_files(tmp_path / "site", files))]).values()
    assert project_folder(found) == str(project)


def test_a_path_file_beside_sources_says_nothing(tmp_path: Path, write_files: Write) -> None:
    files = {
        "a.pth": f"{tmp_path}\n",
        "a.py": "",
        "a-1.dist-info/METADATA": metadata("a", "1"),
        "a-1.dist-info/RECORD": "a.pth,,\na.py,,\n",
    }
    (found,) = find_distributions([str(write_files(tmp_path / "site", files))]).values()
    assert project_folder(found) is None


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"url": 3}', '{"dir_info": {"editable": true}, "url": "https://x/a"}']
)
def test_a_direct_url_of_another_shape_leads_nowhere(
    install: Install, site: Path, text: str
) -> None:
    place = install("a")
    (place / "direct_url.json").write_text(text)
    (found,) = find_distributions([str(site)]).values()
    assert project_folder(found) is None
