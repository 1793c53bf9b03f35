"""What the lock files of Poetry, PDM, Pipenv and pip say, and which one goes first."""

from __future__ import annotations

from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from pydocs_builder.pinned.lock_files import is_lock, lock_rank, read_lock
from pydocs_builder.pinned.locks import Lock

INPUTS = Path(__file__).parents[2] / "inputs"
LOCKS = ["poetry/poetry.lock", "pdm/pdm.lock", "pipenv/Pipfile.lock", "pip/pylock.toml"]


def lock(path: str) -> Lock:
    name = path.rpartition("/")[2]
    return read_lock(name, (INPUTS / f"lock-of-{path}").read_text("utf-8"))


def needs(found: Lock, name: str) -> list[str]:
    return [str(one) for one in found.needs[canonicalize_name(name)]]


@pytest.mark.parametrize("path", LOCKS)
def test_every_lock_pins_with_the_hashes_of_its_files(path: str) -> None:
    found = lock(path)
    pins = {pin.key: pin for pin in found.pins}
    assert pins[canonicalize_name("requests")].version == "2.34.2"
    assert pins[canonicalize_name("PySocks")].version == "1.7.1"
    assert (
        "sha256:2a0d60c172f83ac6ab31e4554906c0f3b3588d37b5cb939b1c061f4907e278e0"
        in pins[canonicalize_name("requests")].hashes
    )
    assert all(pin.origin == path.rpartition("/")[2] for pin in found.pins)


def test_a_lock_of_poetry_tells_versions_apart_by_markers_and_groups() -> None:
    found = lock("poetry/poetry.lock")
    attrs = [(pin.version, pin.marker) for pin in found.pins if pin.key == "attrs"]
    assert attrs == [
        ("24.2.0", 'python_version == "3.11"'),
        ("25.4.0", 'python_version >= "3.12"'),
    ]
    groups = {pin.key: pin.group for pin in found.pins}
    assert (groups["iniconfig"], groups["requests"]) == ("", "group dev")  # type: ignore[index]


def test_a_lock_of_poetry_tells_what_is_behind_an_extra() -> None:
    found = needs(lock("poetry/poetry.lock"), "requests")
    assert {"certifi>=2023.5.7", "charset_normalizer<4,>=2"} < set(found)
    assert 'PySocks!=1.5.7,>=1.5.6; extra == "socks"' in found


def test_a_lock_of_pdm_joins_the_entries_of_one_distribution() -> None:
    found = needs(lock("pdm/pdm.lock"), "requests")
    assert "idna<4,>=2.5" in found
    assert any(one.startswith("PySocks") and 'extra == "socks"' in one for one in found)
    assert not any(one.startswith("requests") for one in found)


def test_a_lock_of_pipenv_has_groups_and_no_needs() -> None:
    found = lock("pipenv/Pipfile.lock")
    assert {pin.key: pin.group for pin in found.pins}["pluggy"] == "group dev"  # type: ignore[index]
    assert found.needs == {}


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ('[package.source]\ntype = "git"\nurl = "https://x/a.git"\nresolved_reference = "1f"',
         "git+https://x/a.git@1f"),
        ('[package.source]\ntype = "url"\nurl = "https://x/a.whl"', "https://x/a.whl"),
        ('[package.source]\ntype = "directory"\nurl = "../a"', "file:../a"),
        ('[package.source]\ntype = "legacy"\nurl = "https://x/simple"', ""),
    ],
)  # fmt: skip
def test_a_lock_of_poetry_tells_where_others_come_from(text: str, address: str) -> None:
    text = f'[[package]]\nname = "a"\nversion = "1"\ncategory = "main"\n{text}\n'
    (pin,) = read_lock("poetry.lock", text).pins
    assert (pin.address, pin.group) == (address, "")


def test_older_locks_of_poetry_keep_their_hashes_apart() -> None:
    text = (
        '[[package]]\nname = "A"\nversion = "1"\n'
        '[metadata.files]\nA = [{ file = "A-1.tar.gz", hash = "sha256:ab" }]\n'
    )
    assert read_lock("poetry.lock", text).pins[0].hashes == ("sha256:ab",)


def test_a_pylock_tells_groups_needs_and_sources() -> None:
    text = """
lock-version = "1.0"
created-by = "x"
dependency-groups = ["dev"]
[[packages]]
name = "alpha"
version = "1.0"
dependencies = [{ name = "beta" }]
sdist = { name = "alpha-1.0.tar.gz", url = "https://x/a-1.0.tar.gz", hashes = { sha256 = "ab" } }
[[packages]]
name = "beta"
version = "2"
marker = "'dev' in dependency_groups"
vcs = { type = "git", url = "https://x/b.git", commit-id = "1f" }
[[packages]]
name = "own"
directory = { path = ".", editable = true }
"""
    found = read_lock("pylock.dev.toml", text)
    alpha, beta = found.pins
    assert (alpha.hashes, alpha.group) == (("sha256:ab",), "")
    assert (beta.address, beta.group) == ("git+https://x/b.git@1f", "a group of the lock")
    assert needs(found, "alpha") == ["beta"]
    assert found.provided == ("own",)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("pylock.toml", 'lock-version = "9.0"\ncreated-by = "x"\npackages = []'),
        ("pylock.toml", "packages = 3"),
        ("Pipfile.lock", "[1"),
        ("Pipfile.lock", "[1]"),
        ("poetry.lock", "a ="),
    ],
)
def test_a_lock_that_cannot_be_read_is_an_error(path: str, text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        read_lock(path, text)


@pytest.mark.parametrize("path", ["poetry.lock", "pdm.lock", "uv.lock"])
@pytest.mark.parametrize(
    "text",
    ["package = 3", "[[package]]\nname = 1", "[[package]]\nname = 'a'\nfiles = 3\nsource = 1"],
)
def test_a_lock_of_another_shape_pins_nothing(path: str, text: str) -> None:
    assert [pin for pin in read_lock(path, text).pins if pin.version] == []


def test_locks_are_known_by_their_names() -> None:
    assert all(map(is_lock, ["uv.lock", "a/pylock.toml", "pylock.dev.toml", "Pipfile.lock"]))
    assert not any(map(is_lock, ["Cargo.lock", "pylock.a.b.toml", "xpylock.toml", "filelock"]))


def test_shallow_locks_go_first_and_a_tools_own_before_an_export() -> None:
    paths = ["sub/uv.lock", "pylock.x.toml", "pylock.toml", "Pipfile.lock", "pdm.lock",
             "poetry.lock", "uv.lock"]  # fmt: skip
    assert sorted(paths, key=lock_rank) == [*reversed(paths[1:]), "sub/uv.lock"]
