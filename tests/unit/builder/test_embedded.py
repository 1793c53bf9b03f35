"""From what a bundle says to vectors: which texts, from which encoder, kept where."""

from __future__ import annotations

import shutil
import sqlite3
import struct
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

import pydocs_builder.embedded.choice as choosing
from pydocs_builder.embedded.cache import VectorCache, text_key
from pydocs_builder.embedded.choice import choose_encoder, keep_encoder, place_encoder
from pydocs_builder.embedded.chosen import ChosenEncoder
from pydocs_builder.embedded.embed import embed
from pydocs_builder.embedded.encoders import open_encoder
from pydocs_builder.embedded.sentence_transformers import library_versions
from pydocs_builder.embedded.texts import LONGEST_TEXT, vector_texts
from pydocs_bundle import Bundle, verify, write_bundle
from pydocs_bundle.errors import BundleError, PydocsError, UsageError
from pydocs_bundle.kinds import Flag, Kind
from pydocs_bundle.records import BundleContent, Entry, IndexText, SourceFile
from pydocs_native import IMPLEMENTATION, Vectors

Read = Callable[..., BundleContent]
SOURCE = '''"""A shop."""


class HTTPTill:
    """Takes money."""

    def take_all(self, money):
        """Takes

        all of it.
        """

    def count(self):
        return sum(self.coins)
'''


def chosen(bundle: Path) -> ChosenEncoder:
    encoder = choose_encoder(str(bundle), Path("none"), Path("none"), print).encoder
    assert encoder is not None
    return encoder


def entry(name: str, kind: Kind, docstring: str = "", flags: int = 0) -> tuple[Entry, IndexText]:
    text = IndexText(name.rpartition(".")[2], name, "", docstring, "def it(): pass", "m.py", "")
    made = Entry(name, kind, 0, 0, 0, 1, 1, docstring=docstring, flags=flags)
    return made, text


def texts_of(*made: tuple[Entry, IndexText], kind: str = "dependency") -> list[str]:
    entries, texts = zip(*made, strict=True)
    content = BundleContent(kind, "m", "1", (SourceFile("m.py", b""),), entries, texts)
    return [text for _, text in vector_texts(content)]


def test_a_symbol_is_its_name_in_words_and_what_it_says_of_itself(content_of: Read) -> None:
    content = content_of("shop", "1", {"shop.py": SOURCE})
    assert [text for _, text in vector_texts(content)] == [
        "shop: A shop.",
        "http till (shop): Takes money.",
        "take all (http till): Takes all of it.",
        "count (http till): def count(self): return sum(self.coins)",
    ]


def test_long_texts_end_after_a_word() -> None:
    (text,) = texts_of(entry("m.f", Kind.FUNCTION, "word " * 200))
    assert text.endswith("word word")
    assert len(text) < LONGEST_TEXT + 10


def test_a_section_is_its_heading_and_its_text() -> None:
    made = Entry("m#a.md:Use", Kind.SECTION, 0, 0, 0, 1, 1)
    text = IndexText("Use", "m#a.md:Use", "", "", "Turn\nit.", "a.md", "Guide > Use")
    assert texts_of((made, text)) == ["Use: Turn it."]


def test_tests_decisions_and_what_says_nothing_have_none() -> None:
    assert not texts_of(
        entry("m.test_f", Kind.FUNCTION, "Tests.", Flag.TEST),
        entry("m#decision:1", Kind.DECISION, "Why."),
        entry("m", Kind.MODULE),
        entry("m.C.__len__", Kind.METHOD),
        entry("m._f", Kind.FUNCTION, "", Flag.PRIVATE),
    )
    assert texts_of(
        entry("m._f", Kind.FUNCTION, "Says.", Flag.PRIVATE), entry("m.C.__len__", Kind.METHOD, "X.")
    ) == ["f (m): Says.", "len (c): X."]


def test_a_projects_private_code_has_them() -> None:
    private = entry("m._f", Kind.FUNCTION, "", Flag.PRIVATE)
    assert texts_of(private, kind="project") == ["f (m): def it(): pass"]


def test_vectors_do_not_depend_on_the_cache(
    tmp_path: Path, tiny_encoder: Path, content_of: Read
) -> None:
    content = content_of("shop", "1", {"shop.py": SOURCE})
    encoder = chosen(tiny_encoder)
    told: list[tuple[int, int]] = []
    plain = embed(content, encoder)
    first = embed(content, encoder, tmp_path, lambda *counts: told.append(counts))
    again = embed(content, encoder, tmp_path, lambda *counts: told.append(counts))
    assert plain == first == again
    assert told == [(4, 0), (0, 4), (0, 0)]


def test_only_changed_texts_are_embedded(
    tmp_path: Path, tiny_encoder: Path, content_of: Read
) -> None:
    encoder = chosen(tiny_encoder)
    embed(content_of("shop", "1", {"shop.py": SOURCE}), encoder, tmp_path)
    told: list[tuple[int, int]] = []
    changed = SOURCE.replace("Takes money.", "Gives money.")
    embed(
        content_of("shop", "2", {"shop.py": changed}),
        encoder,
        tmp_path,
        lambda *counts: told.append(counts),
    )
    assert told == [(1, 0), (0, 1)]


def test_each_vector_is_that_of_its_text(tiny_encoder: Path, content_of: Read) -> None:
    content = content_of("shop", "1", {"shop.py": SOURCE})
    encoder = chosen(tiny_encoder)
    vectors = Vectors([embed(content, encoder)])
    for number, text in vector_texts(content):
        query = open_encoder(encoder).encode([text])
        (score,) = vectors.scores(query, [(0, number)])
        assert score == pytest.approx(1, abs=0.01)


def test_the_bundle_says_which_encoder_it_was(
    tmp_path: Path, tiny_encoder: Path, content_of: Read
) -> None:
    content = content_of("shop", "1", {"shop.py": SOURCE})
    encoder = chosen(tiny_encoder)
    about = {"name": encoder.name, "identity": encoder.identity, "dimensions": "32"}
    vectors = embed(content, encoder)
    write_bundle(tmp_path / "x.pdx", content, builder={}, vectors=vectors, encoder=about)
    verify(tmp_path / "x.pdx")
    with Bundle.open(tmp_path / "x.pdx") as bundle:
        assert bundle.manifest.encoder == about


def test_a_damaged_vector_is_none(tmp_path: Path) -> None:
    key = text_key("e", "text")
    VectorCache(tmp_path).keep({key: b"vector"}, ())
    assert VectorCache(tmp_path).known([key]) == {key: b"vector"}
    (file,) = tmp_path.glob("*.sqlite")
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE vector SET value = zeroblob(length(value))")
    connection.close()
    assert VectorCache(tmp_path).known([key]) == {}


def test_a_cache_that_is_none_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "vectors-1.sqlite").write_bytes(b"something else, " * 100)
    key = text_key("e", "text")
    VectorCache(tmp_path).keep({key: b"vector"}, ())
    assert VectorCache(tmp_path).known([key]) == {key: b"vector"}


def test_a_cache_that_cannot_be_written_knows_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    store = VectorCache(tmp_path / "file" / "folder")
    store.keep({b"key": b"vector"}, ())
    assert store.known([b"key"]) == {}


def test_the_oldest_vectors_make_room(tmp_path: Path) -> None:
    store = VectorCache(tmp_path, most_bytes=200_000)
    keys = [struct.pack("<Q", number) for number in range(400)]
    for at in range(0, 400, 50):
        store.keep({key: bytes(1000) for key in keys[at : at + 50]}, ())
    known = store.known(keys)
    assert keys[-1] in known
    assert keys[0] not in known
    assert 50 < len(known) < 200


def test_vectors_of_encoders_are_kept_apart() -> None:
    assert text_key("a", "text") != text_key("b", "text")


def test_no_encoder_may_be_wanted(tmp_path: Path) -> None:
    assert choose_encoder("", tmp_path, tmp_path, print) == (None, "")


def test_a_bundle_of_something_else_is_no_encoder(
    tmp_path: Path, write: Callable[[Path, BundleContent], Path], content_of: Read
) -> None:
    bundle = write(tmp_path, content_of("shop", "1", {"shop.py": SOURCE}))
    with pytest.raises(UsageError, match="a bundle, but of no encoder"):
        choose_encoder(str(bundle), tmp_path, tmp_path, print)
    with pytest.raises(UsageError, match="there is no such encoder"):
        choose_encoder("none.pdx", tmp_path, tmp_path, print)
    (tmp_path / "bad.pdx").write_bytes(b"x")
    with pytest.raises(BundleError):
        choose_encoder(str(tmp_path / "bad.pdx"), tmp_path, tmp_path, print)


def test_another_model_needs_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(UsageError, match=r"pydocs-builder\[sentence-transformers\]"):
        choose_encoder("no-such-org/no-such-model", tmp_path, tmp_path, print)


def test_the_versions_of_its_libraries_are_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        if name == "tokenizers":
            raise PackageNotFoundError(name)
        return "3"

    monkeypatch.setattr("pydocs_builder.embedded.sentence_transformers.version", version)
    assert library_versions() == {"sentence-transformers": "3", "torch": "3", "transformers": "3"}


@pytest.mark.skipif(IMPLEMENTATION == "python", reason="embeds with the compiled part only")
def test_the_default_one_is_looked_for_and_else_made(
    tmp_path: Path, tiny_encoder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, caches = tmp_path / "out", tmp_path / "caches"
    caches.mkdir()
    out.mkdir()
    shutil.copyfile(tiny_encoder, caches / "all-MiniLM-L6-v2-encoder.pdx")
    found = choose_encoder("all-MiniLM-L6-v2", out, caches, print).encoder
    assert found is not None
    assert found.place == str((caches / "all-MiniLM-L6-v2-encoder.pdx").resolve())
    place_encoder(found, out)
    found = choose_encoder("all-MiniLM-L6-v2", out, caches, print).encoder
    assert found is not None
    assert found.place == str((out / "all-MiniLM-L6-v2-encoder.pdx").resolve())
    assert place_encoder(found, out) == "all-MiniLM-L6-v2-encoder.pdx"
    assert [path.name for path in out.iterdir()] == ["all-MiniLM-L6-v2-encoder.pdx"]

    def refuse(*_: object) -> ChosenEncoder:
        raise PydocsError("There is no network.")

    monkeypatch.setattr(choosing, "_obtained", refuse)
    missing = choose_encoder("all-MiniLM-L6-v2", tmp_path / "a", tmp_path / "b", print)
    assert missing.encoder is None
    assert "searched by words alone: There is no network" in missing.note
    again = choose_encoder("all-MiniLM-L6-v2", tmp_path / "a", tmp_path / "b", print)
    assert again == (None, "")


def test_the_packed_one_is_kept_for_builds_into_other_folders(
    tmp_path: Path, tiny_encoder: Path
) -> None:
    made, caches = tmp_path / "all-MiniLM-L6-v2-encoder.pdx", tmp_path / "new" / "caches"
    shutil.copyfile(tiny_encoder, made)
    assert keep_encoder(made, caches)
    assert (caches / made.name).read_bytes() == made.read_bytes()
    assert not keep_encoder(tiny_encoder, caches)
    assert not keep_encoder(made, made / "no-folder")


def test_of_a_projects_own_code_the_source_is_embedded(content_of: Read) -> None:
    source = {"shop.py": 'def pay(sum):\n    """Pays."""\n    return charge(sum)\n'}

    own = dict(vector_texts(content_of("shop", "1", source, kind="project")))
    others = dict(vector_texts(content_of("shop", "1", source)))

    assert any("return charge(sum)" in text for text in own.values())
    assert not any("charge" in text for text in others.values())
