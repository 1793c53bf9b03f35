"""What the first search needs is read before it comes."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from pydocs_builder.embedded.choice import choose_encoder
from pydocs_builder.embedded.embed import embed
from pydocs_bundle import Bundle, file_name, write_bundle
from pydocs_bundle.records import BundleContent
from pydocs_server.mounted.loading import load, load_beside
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
