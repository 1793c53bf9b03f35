from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pydocs_bundle.errors import BundleError, ExitCode
from pydocs_bundle.records import BundleContent
from pydocs_server.mounted.mount import ClashError, NothingMountedError, mount

Write = Callable[[Path, BundleContent], Path]
ContentOf = Callable[..., BundleContent]


@pytest.fixture
def one(tmp_path: Path, write: Write, content_of: ContentOf) -> Path:
    return write(tmp_path, content_of("one", "1.0", {"one.py": "def f(): pass\n"}))


def _labels(*patterns: Path | str) -> list[str]:
    with mount([str(pattern) for pattern in patterns]) as catalog:
        return [catalog.label(index) for index in range(len(catalog.bundles))]


def test_a_folder_a_glob_and_a_file_mount_the_same(bundles: Path) -> None:
    everything = _labels(bundles)

    assert len(everything) == 7
    assert _labels(bundles / "*.pdx") == everything
    assert _labels(*sorted(bundles.glob("*.pdx"), reverse=True)) == everything


def test_the_same_bundle_twice_is_one(one: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    shutil.copy(one, copy / "renamed.pdx")
    (tmp_path / "link.pdx").symlink_to(one)

    with mount([str(one), str(copy), str(tmp_path)]) as catalog:
        assert len(catalog.bundles) == 1
        assert catalog.warnings == ()


def test_a_glob_leaves_other_files_alone(one: Path) -> None:
    (one.parent / "README.md").write_text("no bundle")

    with mount([str(one.parent / "*")]) as catalog:
        assert len(catalog.bundles) == 1
        assert catalog.warnings == ()


def test_a_name_with_brackets_is_a_file_first(one: Path) -> None:
    odd = one.rename(one.parent / "one[1].pdx")

    assert _labels(odd) == ["one@1.0"]


def test_a_bad_bundle_is_skipped_with_a_reason(one: Path) -> None:
    (one.parent / "bad.pdx").write_bytes(b"no bundle at all")

    with mount([str(one.parent)]) as catalog:
        assert [catalog.label(0)] == ["one@1.0"]
        assert len(catalog.warnings) == 1
        assert "bad.pdx" in catalog.warnings[0]


def test_strict_stops_at_a_bad_bundle(one: Path) -> None:
    (one.parent / "bad.pdx").write_bytes(b"no bundle at all")

    with pytest.raises(BundleError, match=r"bad\.pdx"):
        mount([str(one.parent)], strict=True)


def test_a_damaged_bundle_is_refused(one: Path) -> None:
    content = bytearray(one.read_bytes())
    content[140] ^= 1  # in the section table
    one.write_bytes(content)

    with pytest.raises(BundleError, match=r"one-1\.0\.pdx"):
        mount([str(one)], strict=True)


def test_two_contents_under_one_pin_are_both_refused(
    one: Path, tmp_path: Path, write: Write, content_of: ContentOf
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    write(other, content_of("One", "1.0", {"one.py": "def g(): pass\n"}))
    write(other, content_of("two", "1.0", {"two.py": ""}))

    with mount([str(other), str(one)]) as catalog:
        assert [catalog.label(0)] == ["two@1.0"]
        assert "neither is mounted" in catalog.warnings[0]
    with pytest.raises(ClashError, match="different content"):
        mount([str(one), str(other)], strict=True)


def test_two_versions_are_both_mounted(bundles: Path) -> None:
    assert _labels(bundles / "pydanteq*") == ["pydanteq@1.10.2", "pydanteq@2.0"]


def test_without_patterns_the_environment_says_where(
    bundles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYDOCS_BUNDLES", str(bundles))

    with mount() as catalog:
        assert len(catalog.bundles) == 7


def test_without_anything_the_artifacts_folder_is_mounted(
    one: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYDOCS_BUNDLES", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "artifacts").mkdir()
    one.rename(tmp_path / "artifacts" / one.name)

    with mount() as catalog:
        assert [catalog.label(0)] == ["one@1.0"]


def test_no_bundle_at_all_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYDOCS_BUNDLES", raising=False)
    monkeypatch.chdir(tmp_path)

    with pytest.raises(
        NothingMountedError, match="pydocs-build PROJECT --out artifacts/"
    ) as caught:
        mount()
    assert caught.value.exit_code == ExitCode.USAGE


def test_a_pattern_that_names_nothing_is_mentioned(one: Path) -> None:
    with mount([str(one), str(one.parent / "absent*.pdx")]) as catalog:
        assert "absent*.pdx names no .pdx file" in catalog.warnings[0]
