"""Search by meaning: what fits the mounted encoder is searched, and the rest is told of."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pydocs_builder.embedded.choice import choose_encoder
from pydocs_builder.embedded.embed import embed
from pydocs_bundle import Bundle, BundleError, file_name, write_bundle
from pydocs_bundle.records import BundleContent
from pydocs_server.answered.search import search_codebase
from pydocs_server.mounted.mount import mount

SOURCE = '''
def timeout():
    """Sets the time."""

def close():
    """Ends it all."""
'''
OTHER = {"name": "other", "identity": "00" * 32, "dimensions": "32"}


@pytest.fixture
def embedded(
    tmp_path: Path, tiny_encoder: Path, content_of: Callable[..., BundleContent]
) -> Callable[[str], Path]:
    """Writes a bundle with vectors of the tiny encoder."""
    chosen = choose_encoder(str(tiny_encoder), tmp_path, tmp_path, print).encoder
    assert chosen is not None

    def write(name: str) -> Path:
        content = content_of(name, "1", {f"{name}.py": SOURCE})
        path = tmp_path / file_name(name, "1")
        about = {"name": "tiny", "identity": chosen.identity, "dimensions": "32"}
        vectors = embed(content, chosen)
        write_bundle(path, content, builder={}, vectors=vectors, encoder=about)
        return path

    return write


def test_the_nearest_entry_is_found(
    tmp_path: Path, tiny_encoder: Path, embedded: Callable[[str], Path]
) -> None:
    embedded("a")
    embedded("b")
    with mount([str(tmp_path), str(tiny_encoder)], strict=True) as catalog:
        meaning, by_words, reason = catalog.semantics
        assert (by_words, reason) == ((), "")
        assert meaning is not None
        text = "close (a): Ends it all."
        ((cosine, bundle, record),) = meaning.nearest(text, 1)
        assert catalog.bundles[bundle].records[record].qualified_name.endswith(".close")
        assert cosine == pytest.approx(1, abs=0.01)
        assert meaning.cosines(text, [(bundle, record), (bundle, 0)]) == [cosine, None]
        assert {bundle for _, bundle, _ in meaning.nearest(text, 9, [1])} == {1}
        assert meaning.problems == ()


def test_a_bundle_without_vectors_is_searched_by_words(
    tmp_path: Path,
    tiny_encoder: Path,
    embedded: Callable[[str], Path],
    write: Callable[[Path, BundleContent], Path],
    content_of: Callable[..., BundleContent],
) -> None:
    embedded("b")
    write(tmp_path, content_of("a", "1", {"a.py": SOURCE}))
    with mount([str(tmp_path), str(tiny_encoder)]) as catalog:
        meaning, by_words, reason = catalog.semantics
        assert by_words == (0,)
        assert reason == "they have no vectors of tiny"
        assert meaning is not None
        assert {bundle for _, bundle, _ in meaning.nearest("time", 9)} == {1}


def test_of_two_copies_the_one_with_vectors_is_mounted(
    tmp_path: Path,
    tiny_encoder: Path,
    embedded: Callable[[str], Path],
    write: Callable[[Path, BundleContent], Path],
    content_of: Callable[..., BundleContent],
) -> None:
    (tmp_path / "0").mkdir()
    write(tmp_path / "0", content_of("a", "1", {"a.py": SOURCE}))
    embedded("a")
    with mount([str(tmp_path), str(tmp_path / "0"), str(tiny_encoder)], strict=True) as catalog:
        assert [bundle.vectors is not None for bundle in catalog.bundles] == [True]


def test_without_the_encoder_all_are_searched_by_words(
    tmp_path: Path, embedded: Callable[[str], Path]
) -> None:
    embedded("a")
    with mount([str(tmp_path)]) as catalog:
        reason = "no encoder is mounted, and tiny made the vectors"
        assert catalog.semantics == (None, (0,), reason)


def test_vectors_of_another_encoder_are_not_compared(
    tmp_path: Path, tiny_section: bytes, embedded: Callable[[str], Path]
) -> None:
    embedded("a")
    content = BundleContent("encoder", "other", "1", (), (), ())
    path = tmp_path / "other.pdx"
    write_bundle(path, content, builder={}, model=tiny_section, encoder=OTHER)
    with mount([str(tmp_path)]) as catalog:
        reason = "the mounted encoder is other, and the bundles have vectors of tiny"
        assert catalog.semantics == (None, (0,), reason)


def test_damaged_vectors_are_left_out_and_told_of(
    tmp_path: Path, tiny_encoder: Path, embedded: Callable[[str], Path]
) -> None:
    embedded("a")
    damaged = embedded("b")
    image = bytearray(damaged.read_bytes())
    image[-1] ^= 1
    damaged.write_bytes(image)
    with mount([str(tmp_path), str(tiny_encoder)]) as catalog:
        meaning = catalog.semantics.meaning
        assert meaning is not None
        assert {bundle for _, bundle, _ in meaning.nearest("time", 9)} == {0}
        (problem,) = meaning.problems
        assert "section TQ does not match its hash" in problem


def test_a_damaged_model_is_refused_when_it_is_needed(
    tmp_path: Path, tiny_encoder: Path, embedded: Callable[[str], Path]
) -> None:
    embedded("a")
    damaged = tmp_path / "tiny-encoder.pdx"
    shutil.copyfile(tiny_encoder, damaged)
    with Bundle.open(damaged) as bundle:
        place = bundle.layout.sections["ENC"].offset
    image = bytearray(damaged.read_bytes())
    image[place] ^= 1
    damaged.write_bytes(image)
    with mount([str(tmp_path)]) as catalog:
        meaning = catalog.semantics.meaning
        assert meaning is not None
        with pytest.raises(BundleError, match="section ENC does not match its hash"):
            meaning.load()


def test_a_search_takes_meaning_and_words(
    tmp_path: Path, tiny_encoder: Path, embedded: Callable[[str], Path]
) -> None:
    embedded("timing")

    with mount([str(tmp_path), str(tiny_encoder)]) as catalog:
        answer = search_codebase(catalog, "the timeout!")

    assert answer.structured["searched_by"] == "words and meaning"
    assert "by words alone" not in answer.text


def test_a_search_without_the_encoder_says_so(
    tmp_path: Path, embedded: Callable[[str], Path]
) -> None:
    embedded("timing")

    with mount([str(tmp_path)]) as catalog:
        answer = search_codebase(catalog, "timeout")

    assert answer.structured["searched_by"] == "words"
    assert "Searched by words alone: " in answer.text
    assert "(no encoder is mounted" in answer.text


def test_a_search_by_the_lexical_preset_needs_no_vectors(
    tmp_path: Path, embedded: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    embedded("timing")
    monkeypatch.setenv("PYDOCS_RANKING", "lexical")

    with mount([str(tmp_path)]) as catalog:
        assert "by words alone" not in search_codebase(catalog, "timeout").text
