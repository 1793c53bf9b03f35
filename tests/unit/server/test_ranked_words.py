"""Whether a word is a package's name or a plain word, by who says it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pydocs_bundle.records import BundleContent, Entry, IndexText, Kind, SourceFile
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount
from pydocs_server.ranked.ordinary import is_ordinary
from pydocs_server.ranked.query import understand

WriteBundle = Callable[[Path, BundleContent], Path]


def _package(name: str, docstring: str, imports: tuple[str, ...] = ()) -> BundleContent:
    text = f"# {docstring}\n".encode()
    entry = Entry(name, Kind.MODULE, 0, 0, len(text), 1, 1, summary=docstring, docstring=docstring)
    texts = (IndexText(name, name, "", docstring, docstring, f"{name}.py", ""),)
    files = (SourceFile(f"{name}.py", text, module=name),)
    return BundleContent(
        "dependency", name, "1.0", files, (entry,), texts, modules=(name,), imports=imports
    )


@pytest.fixture
def words(tmp_path: Path, write: WriteBundle) -> Iterator[Catalog]:
    packages = [
        _package("clique", "Makes command lines."),
        _package("numq", "Makes arrays."),
        _package("button", "What follows a clique of the mouse."),
        _package("page", "Counts each clique."),
        _package("frame", "Tables over numq arrays.", ("numq",)),
        _package("plot", "Draws numq arrays.", ("numq",)),
    ]
    for package in packages:
        write(tmp_path, package)
    with mount([str(tmp_path)]) as catalog:
        yield catalog


def test_what_strangers_say_is_a_plain_word(words: Catalog) -> None:
    assert is_ordinary(words, "clique", words.package("clique"))


def test_what_only_users_say_is_a_name(words: Catalog) -> None:
    assert not is_ordinary(words, "numq", words.package("numq"))


def test_a_plain_word_names_its_package_only_perhaps(words: Catalog) -> None:
    asked = understand(words, "handle a clique")

    assert not asked.packages
    assert asked.perhaps == frozenset(words.package("clique"))


def test_a_plain_word_behind_a_preposition_names_its_package(words: Catalog) -> None:
    assert understand(words, "subcommands with clique").packages


def test_a_name_of_several_words_is_no_plain_word(words: Catalog) -> None:
    assert not is_ordinary(words, "clique_extras", words.package("clique"))
