"""What the first search needs is read before it comes."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pydocs_builder.embedded.choice import choose_encoder
from pydocs_builder.embedded.embed import embed
from pydocs_bundle import Bundle, file_name, write_bundle
from pydocs_bundle.records import BundleContent
from pydocs_server.answered.search import search_codebase
from pydocs_server.mounted.loading import load, load_beside
from pydocs_server.mounted.meaning import MountedMeaning
from pydocs_server.mounted.mount import mount
from pydocs_server.mounted.shelf import Shelf


@pytest.fixture
def folder(tmp_path: Path, tiny_encoder: Path, content_of: Callable[..., BundleContent]) -> Path:
    """Holds a bundle with vectors, and the encoder."""
    place = Path(shutil.copyfile(tiny_encoder, tmp_path / tiny_encoder.name))
    chosen = choose_encoder(str(place), tmp_path, tmp_path, print).encoder
    assert chosen is not None
    content = content_of("a", "1", {"a.py": 'def close():\n    """Ends it all."""\n'})
    about = {"name": "tiny", "identity": chosen.identity, "dimensions": "32"}
    path, vectors = tmp_path / file_name("a", "1"), embed(content, chosen)
    write_bundle(path, content, builder={}, vectors=vectors, encoder=about)
    return tmp_path


def spoil(bundle: Path, section: str) -> None:
    with Bundle.open(bundle) as opened:
        place = opened.layout.sections[section].offset
    image = bytearray(bundle.read_bytes())
    image[place] ^= 1
    bundle.write_bytes(image)


def test_afterwards_a_question_reads_no_file(folder: Path) -> None:
    with mount([str(folder)], strict=True) as catalog:
        assert load(catalog) == ()
        for path in folder.glob("*.pdx"):
            path.unlink()
        assert catalog.semantics.meaning is not None
        assert len(catalog.semantics.meaning.nearest("close", 1)) == 1


@pytest.mark.parametrize(("file", "section"), [("tiny-encoder.pdx", "ENC"), ("a-1.pdx", "TQ")])
def test_damage_is_told_in_a_sentence(folder: Path, file: str, section: str) -> None:
    spoil(folder / file, section)
    with mount([str(folder)]) as catalog:
        (problem,) = load(catalog)
    assert file in problem
    assert problem.endswith(".")


def test_a_ranking_by_words_alone_needs_no_model(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil(folder / "tiny-encoder.pdx", "ENC")
    monkeypatch.setenv("PYDOCS_RANKING", "lexical")
    with mount([str(folder)]) as catalog:
        assert load(catalog) == ()


def test_beside_the_first_calls_it_is_done_in_a_thread(folder: Path) -> None:
    spoil(folder / "a-1.pdx", "TQ")
    shelf = Shelf(mount([str(folder)]))
    told, done = [], threading.Event()

    def tell(problem: str) -> None:
        told.append((problem, threading.current_thread() is threading.main_thread()))
        done.set()

    load_beside(shelf, tell)
    assert done.wait(30)
    shelf.close()
    ((problem, is_in_main),) = told
    assert "a-1.pdx" in problem
    assert not is_in_main


def test_a_search_that_comes_before_the_model_is_answered_by_words(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()
    load_whole = MountedMeaning.load

    def load_slowly(meaning: MountedMeaning) -> None:
        assert go_on.wait(30)
        load_whole(meaning)

    monkeypatch.setattr(MountedMeaning, "load", load_slowly)
    shelf = Shelf(mount([str(folder)], strict=True))
    load_beside(shelf, pytest.fail)
    with shelf.lent() as catalog:
        text, found = search_codebase(catalog, "end it all")
        assert text.endswith("Searched by words alone: a@1 (the encoder is still being loaded).")
        assert found["searched_by"] == "words"
        assert catalog.meaning is not None
        go_on.set()
        while catalog.meaning.is_loading:
            time.sleep(0.01)
        text, found = search_codebase(catalog, "end it all")
        assert "by words" not in text
        assert found["searched_by"] == "words and meaning"
    shelf.close()


def test_a_damaged_model_is_no_longer_waited_for(folder: Path) -> None:
    spoil(folder / "tiny-encoder.pdx", "ENC")
    shelf = Shelf(mount([str(folder)]))
    told = threading.Event()
    load_beside(shelf, lambda _: told.set())
    assert told.wait(30)
    with shelf.lent() as catalog:
        assert catalog.meaning is not None
        while catalog.meaning.is_loading:
            time.sleep(0.01)
        text, found = search_codebase(catalog, "end it all")
        assert "damaged" in text
        assert found["searched_by"] == "words"
    shelf.close()


def test_without_a_sound_model_a_search_goes_by_words_and_says_so(folder: Path) -> None:
    spoil(folder / "tiny-encoder.pdx", "ENC")
    with mount([str(folder)]) as catalog:
        answer = search_codebase(catalog, "what ends it all")

    assert "a.close" in answer.text
    assert "Searched by words alone: a@1 (the encoder's bundle is damaged)." in answer.text
    assert answer.structured["searched_by"] == "words"
