"""Fetching through a real pip, from a folder of archives instead of an index."""

from __future__ import annotations

import base64
import hashlib
import io
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from pydocs_builder.config import BuildConfig, ProjectConfig
from pydocs_builder.found.fetch import Fetched, Fetching, Order, fetch_all
from pydocs_builder.found.installed import find_distributions, read_dist_metadata
from pydocs_builder.found.pip import NoPipError, Pip, find_pip
from pydocs_builder.planned.dependencies import dependency_target
from pydocs_builder.planned.fingerprint import identify
from pydocs_builder.planned.plan import Plan, make_plan
from pydocs_builder.targets import Task

Write = Callable[[Path, Mapping[str, str]], Path]
Install = Callable[..., Path]
IN_TREE_BACKEND = '[build-system]\nrequires = []\nbuild-backend = "evil"\nbackend-path = ["."]\n'


@pytest.fixture
def links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that pip looks into, and nowhere else."""
    folder = tmp_path / "links"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return folder


def add_wheel(
    links: Path, name: str, version: str, *requires: str, tag: str = "py3-none-any",
    files: Mapping[str, str] | None = None,
) -> str:  # fmt: skip
    """A wheel of one module; gives its hash as a lock states it."""
    place = f"{name}-{version}.dist-info"
    lines = ["Metadata-Version: 2.4", f"Name: {name}", f"Version: {version}"]
    lines += [f"Requires-Dist: {one}" for one in requires]
    members = {
        **({f"{name}.py": f'"""The module {name}."""\n'} if files is None else files),
        f"{place}/METADATA": "\n".join(lines) + "\n",
        f"{place}/WHEEL": f"Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: {tag}\n",
    }
    record = []
    for path, text in members.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=")
        record.append(f"{path},sha256={digest.decode()},{len(text.encode())}\n")
    members[f"{place}/RECORD"] = "".join(record) + f"{place}/RECORD,,\n"
    wheel = links / f"{name}-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for member, text in members.items():
            archive.writestr(zipfile.ZipInfo(member), text)
    return f"sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}"


def add_sources(links: Path, name: str, version: str, files: Mapping[str, str]) -> None:
    top = f"{name}-{version}"
    with tarfile.open(links / f"{top}.tar.gz", "w:gz") as archive:
        for path, text in files.items():
            info = tarfile.TarInfo(f"{top}/{path}")
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))


def pips() -> list[Pip]:
    """Every pip there is: old ones and new ones must behave."""
    found = [find_pip(())]
    import ensurepip  # noqa: PLC0415 - some distributions leave it out

    bundled = sorted(Path(ensurepip.__file__).parent.glob("_bundled/pip-*.whl"))
    return [*found, *(Pip(str(wheel)) for wheel in bundled)]


def how(pip: Pip | None = None, *options: str) -> Fetching:
    return Fetching(pip or find_pip(()), options, ProjectConfig(), lambda _: None)


def order(name: str, specifier: str = "", *hashes: str, address: str = "") -> Order:
    is_exact = specifier.startswith("==")
    return Order(canonicalize_name(name), specifier, is_exact, hashes, address)


def fetch(*orders: Order, pip: Pip | None = None) -> dict[str, Fetched]:
    return {str(key): one for key, one in fetch_all(orders, how(pip)).items()}


def stated(fetched: Fetched) -> tuple[str, str]:
    assert fetched.distribution is not None, fetched.problem
    metadata = read_dist_metadata(fetched.distribution)
    assert metadata is not None
    return metadata.name, metadata.version


def test_a_wheel_is_fetched_and_unpacked(links: Path) -> None:
    digest = add_wheel(links, "alpha", "1.0")
    assert stated(fetch(order("alpha", "==1.0", digest))["alpha"]) == ("alpha", "1.0")


@pytest.mark.parametrize("pip", pips(), ids=lambda pip: Path(pip.place).name or "own")
def test_a_file_without_the_hash_of_the_lock_is_refused(links: Path, pip: Pip) -> None:
    add_wheel(links, "alpha", "1.0")
    found = fetch(order("alpha", "==1.0", "sha256:" + "0" * 64), pip=pip)["alpha"]
    assert found.distribution is None
    assert found.is_refused
    assert "hash" in found.problem


@pytest.mark.parametrize(
    ("pip", "pyproject"),
    [
        *((pip, IN_TREE_BACKEND) for pip in pips()),
        (find_pip(()), ""),
        (find_pip(()), '[build-system]\nrequires = ["setuptools"]\n'),
    ],
)
def test_sources_are_fetched_and_no_line_of_them_runs(
    links: Path, tmp_path: Path, pip: Pip, pyproject: str
) -> None:
    marker = tmp_path / "ran"
    evil = f"open({str(marker)!r}, 'w').close()\n"
    files = {
        "PKG-INFO": "Metadata-Version: 2.1\nName: Alpha\nVersion: 1.0\nRequires-Dist: beta\n",
        "setup.py": evil + "from setuptools import setup\nsetup(name='alpha')\n",
        "evil.py": evil,
        "alpha.py": '"""Plain."""\n',
        **({"pyproject.toml": pyproject} if pyproject else {}),
    }
    add_sources(links, "alpha", "1.0", files)
    found = fetch(order("alpha", "==1.0"), pip=pip)["alpha"]
    assert stated(found) == ("Alpha", "1.0")
    assert not marker.exists()
    assert found.distribution is not None
    metadata = read_dist_metadata(found.distribution)
    assert metadata is not None
    target = dependency_target(found.distribution, metadata, ProjectConfig())
    assert "alpha.py" in target.files
    assert target.source == (("sdist", "alpha"),)


def test_several_are_fetched_at_once_and_one_that_fails_holds_up_none(links: Path) -> None:
    for number in range(4):
        add_wheel(links, f"d{number}", "1")
    found = fetch(*(order(f"d{number}", "==1") for number in range(5)))
    assert {key for key, one in found.items() if one.distribution is None} == {"d4"}
    assert found["d4"].problem == "the index has no such version"
    assert not found["d4"].is_refused


def test_the_newest_version_that_suits_is_taken(links: Path) -> None:
    for version in ("1.0", "1.9", "2.0"):
        add_wheel(links, "alpha", version)
    assert stated(fetch(order("alpha", "<2"))["alpha"]) == ("alpha", "1.9")


def test_what_was_fetched_is_not_fetched_again(links: Path) -> None:
    add_wheel(links, "alpha", "1.0")
    first = fetch(order("alpha", "==1.0"))
    (links / "alpha-1.0-py3-none-any.whl").unlink()
    assert fetch(order("alpha", "==1.0")) == first
    assert fetch(order("alpha"))["alpha"].distribution is None


def test_an_unsafe_wheel_is_refused_and_leaves_nothing(links: Path, tmp_path: Path) -> None:
    add_wheel(links, "alpha", "1.0", files={"../evil.py": ""})
    found = fetch(order("alpha", "==1.0"))["alpha"]
    assert found.is_refused
    assert "'../evil.py'" in found.problem
    assert list((tmp_path / "cache" / "pydocs" / "distributions").iterdir()) == []


def test_version_control_is_not_asked(links: Path) -> None:
    assert links.is_dir()
    found = fetch(order("alpha", address="git+https://example.org/a.git"))
    assert "version control" in found["alpha"].problem


@pytest.mark.parametrize(
    ("specifier", "address"),
    [
        ("==1.0\n--index-url http://evil.example", ""),
        ("==1.0 --global-option=x", ""),
        ("", "https://example.org/a.whl --index-url http://evil.example"),
        ("", "https://example.org/a.whl\n-r /etc/passwd"),
        ("", "https://example.org/${SECRET}/a.whl"),
        ("", "../folder"),
        ("", "file:../folder"),
    ],
)
def test_no_lock_can_slip_an_option_to_pip(
    links: Path, monkeypatch: pytest.MonkeyPatch, specifier: str, address: str
) -> None:
    assert links.is_dir()
    asked: list[str] = []

    def download(_: object, requirements: str, *_others: object) -> str:
        asked.append(requirements)
        return ""

    monkeypatch.setattr("pydocs_builder.found.fetch.download", download)
    found = fetch(Order(canonicalize_name("alpha"), specifier, address=address))["alpha"]
    assert found.distribution is None
    assert found.problem
    assert asked == []


def test_a_wheel_by_its_address_is_fetched(links: Path, tmp_path: Path) -> None:
    add_wheel(tmp_path, "alpha", "1.0")
    wheel = (tmp_path / "alpha-1.0-py3-none-any.whl").as_uri()
    assert stated(fetch(order("alpha", address=wheel))["alpha"]) == ("alpha", "1.0")
    assert links.is_dir()


def test_another_platform_gets_its_own_wheel(links: Path) -> None:
    add_wheel(links, "alpha", "1.0", tag="cp312-cp312-win_amd64")
    options = ("--platform", "win_amd64", "--python-version", "3.12")
    found = fetch_all([order("alpha", "==1.0")], how(None, *options))
    assert stated(found[canonicalize_name("alpha")]) == ("alpha", "1.0")
    assert fetch(order("alpha", "==1.0"))["alpha"].distribution is None


def test_a_fetched_distribution_has_the_files_of_an_installed_one(
    links: Path, tmp_path: Path
) -> None:
    files = {
        "alpha/__init__.py": '"""Alpha."""\n',
        "alpha/py.typed": "",
        "alpha-1.0.dist-info/licenses/LICENSE": "MIT",
        "alpha-1.0.data/purelib/beta.py": "b = 1\n",
    }
    add_wheel(links, "alpha", "1.0", files=files)
    site = tmp_path / "site"
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(site)]
    if subprocess.run([*command, "alpha==1.0"], check=False).returncode:
        pytest.skip("this interpreter has no pip of its own to install with")
    installed = find_distributions([str(site)])[canonicalize_name("alpha")]
    fetched = fetch(order("alpha", "==1.0"))["alpha"].distribution
    assert fetched is not None
    metadata = read_dist_metadata(installed)
    assert metadata is not None
    one, other = (
        identify(Task(dependency_target(place, metadata, ProjectConfig()), ())).target
        for place in (installed, fetched)
    )
    assert one.files == other.files
    assert (one.modules, one.source[-1]) == (other.modules, other.source[-1])
    assert [key for key, _ in other.source] == ["wheel", "sha256", "tree"]


def test_an_index_that_cannot_be_reached_is_told_once(
    links: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert links.is_dir()
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "1")
    found = fetch(*(order(name, "==1") for name in "abcde"))
    assert {one.problem for one in found.values()} == {"the index cannot be reached"}


def test_without_any_pip_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pydocs_builder.found.pip.find_spec", lambda _: None)
    with pytest.raises(NoPipError, match="has no pip"):
        find_pip(())


class TestPlans:
    def plan(self, project: Path, environment: Path, **options: object) -> Plan:
        config = BuildConfig(project, project / "out", str(environment), is_fetching=True)
        for name, value in options.items():
            object.__setattr__(config, name, value)
        return make_plan(config)

    def test_what_is_behind_a_fetched_one_is_fetched_too(
        self, links: Path, tmp_path: Path, write_files: Write, environment: Path
    ) -> None:
        add_wheel(links, "alpha", "1.0", "beta>=2", "gamma ; extra == 'x'")
        add_wheel(links, "beta", "2.1", "delta")
        add_wheel(links, "delta", "1")
        project = write_files(tmp_path / "p", {"requirements.txt": "alpha"})
        found = self.plan(project, environment)
        built = [f"{one.target.name} {one.target.version}" for one in found.dependencies]
        assert built == ["alpha 1.0", "beta 2.1", "delta 1"]

    def test_what_is_installed_in_the_pinned_version_is_not_fetched(
        self, links: Path, tmp_path: Path, write_files: Write, environment: Path, install: Install
    ) -> None:
        install("alpha", "1.0")
        install("beta", "1.0")
        add_wheel(links, "beta", "2.0")
        project = write_files(tmp_path / "p", {"requirements.txt": "alpha==1.0\nbeta==2.0"})
        rows = {row.name: row for row in self.plan(project, environment).requirements}
        assert {name: row.version for name, row in rows.items()} == {"alpha": "1.0", "beta": "2.0"}
        assert {row.fate for row in rows.values()} == {"built"}

    def test_hashes_of_a_requirements_file_are_enforced(
        self, links: Path, tmp_path: Path, write_files: Write, environment: Path
    ) -> None:
        good = add_wheel(links, "alpha", "1.0")
        add_wheel(links, "beta", "1.0")
        text = f"alpha==1.0 --hash={good}\nbeta==1.0 \\\n  --hash=sha256:{'0' * 64}\n"
        project = write_files(tmp_path / "p", {"requirements.txt": text})
        rows = {row.name: row for row in self.plan(project, environment).requirements}
        assert (rows["alpha"].fate, rows["beta"].fate) == ("built", "failed")
        assert "hash" in rows["beta"].detail

    def test_constraints_limit_what_is_fetched(
        self, links: Path, tmp_path: Path, write_files: Write, environment: Path
    ) -> None:
        for version in ("1.0", "2.0", "3.0"):
            add_wheel(links, "alpha", version)
        files = {"requirements.txt": "-c limits.txt\nalpha>1", "limits.txt": "alpha<3\nbeta<1"}
        found = self.plan(write_files(tmp_path / "p", files), environment)
        assert [one.target.version for one in found.dependencies] == ["2.0"]

    def test_what_the_index_does_not_have_is_not_found(
        self, links: Path, tmp_path: Path, write_files: Write, environment: Path
    ) -> None:
        assert links.is_dir()
        project = write_files(tmp_path / "p", {"requirements.txt": "alpha==1.0"})
        (row,) = self.plan(project, environment).requirements
        assert row.fate == "not found"
        assert row.detail == "pinned in requirements.txt:1; the index has no such version"

    def test_markers_are_those_of_the_platform_that_is_fetched_for(
        self, links: Path, tmp_path: Path, write_files: Write, environment: Path
    ) -> None:
        add_wheel(links, "alpha", "1.0")
        add_wheel(links, "beta", "1.0")
        text = "alpha; sys_platform == 'win32'\nbeta; python_version < '3.10'\n"
        project = write_files(tmp_path / "p", {"requirements.txt": text})
        found = self.plan(project, environment, platforms=("win_amd64",), python_version="3.9")
        assert [one.target.name for one in found.dependencies] == ["alpha", "beta"]
