"""Exchanging the catalog that calls are answered from."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.shelf import Shelf


class Watched(Catalog):
    """A catalog of nothing that tells when it was closed."""

    def __init__(self) -> None:
        super().__init__([])
        self.is_closed = False

    def close(self) -> None:
        super().close()
        self.is_closed = True


def test_a_call_keeps_the_catalog_that_it_began_with() -> None:
    first, second = Watched(), Watched()
    shelf = Shelf(first)
    with shelf.lent() as held:
        shelf.put(second)
        assert held is first
        assert not first.is_closed
        with shelf.lent() as later:
            assert later is second
    assert first.is_closed
    assert not second.is_closed


def test_a_catalog_that_nobody_holds_is_closed_at_once() -> None:
    first = Watched()
    Shelf(first).put(Watched())
    assert first.is_closed


def test_a_catalog_held_twice_is_closed_when_both_are_back() -> None:
    first = Watched()
    shelf = Shelf(first)
    with shelf.lent():
        with shelf.lent():
            shelf.put(Watched())
        assert not first.is_closed
    assert first.is_closed


def test_closing_waits_for_what_is_lent() -> None:
    first = Watched()
    shelf = Shelf(first)
    with shelf.lent():
        shelf.close()
        assert not first.is_closed
    assert first.is_closed


def test_a_call_waits_for_the_first_catalog() -> None:
    shelf = Shelf()
    catalog = Watched()
    timer = threading.Timer(0.05, shelf.put, [catalog])
    timer.start()
    with shelf.lent() as held:
        assert held is catalog
    timer.join()


def test_a_call_that_waits_in_vain_is_told_to_ask_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pydocs_server.mounted.shelf._PATIENCE_S", 0.01)
    with pytest.raises(Exception, match="ask again in a moment"), Shelf().lent():
        pass


def test_a_listing_names_only_files_of_its_own_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pydocs_server.live.projects import listed, projects, write_listing  # noqa: PLC0415

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    (tmp_path / "a").mkdir()
    (project,) = projects([str(tmp_path / "a"), str(tmp_path / "a" / ".")])
    project.folder.mkdir(parents=True)
    for name in ("one.pdx", "old.pdx"):
        (project.folder / name).touch()
    write_listing(project, ["one.pdx", "../../x.pdx", "/etc/passwd"])
    assert listed(project) == [project.folder / "one.pdx"]
    assert not (project.folder / "old.pdx").exists()
