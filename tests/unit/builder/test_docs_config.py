"""The tables `[tool.pydocs.docs.<id>]`: what they mean, and a sentence for what they cannot."""

from __future__ import annotations

import tomllib

import pytest

from pydocs_builder.config import read_project_config
from pydocs_builder.planned.docs_config import DocsConfig, Layer
from pydocs_bundle.errors import UsageError


def read(text: str) -> tuple[DocsConfig, ...]:
    return read_project_config(tomllib.loads(text)).docs


def test_without_a_table_there_are_no_collections() -> None:
    assert read("[tool.pydocs]\nname = 'x'\n") == ()


def test_every_option_is_read() -> None:
    (found,) = read(
        """
        [tool.pydocs]
        max-file-bytes = 7
        [tool.pydocs.docs.Product]
        source = "https://example.org/docs.git"
        ref = "v1"
        description = "Guides"
        include = ["*.md"]
        exclude = ["archive/"]
        chunk-size = 900
        [tool.pydocs.docs.Product.layers.API]
        description = "The reference"
        include = ["/api/"]
        [tool.pydocs.docs.Product.layers.Guides]
        include = ["/guides/", "*.md"]
        """
    )
    assert found == DocsConfig(
        id="Product",
        source="https://example.org/docs.git",
        ref="v1",
        description="Guides",
        include=("*.md",),
        exclude=("archive/",),
        layers=(
            Layer("api", "The reference", ("/api/",)),
            Layer("guides", "", ("/guides/", "*.md")),
        ),
        chunk_size=900,
        max_file_bytes=7,
    )


def test_collections_are_sorted_by_id() -> None:
    found = read('[tool.pydocs.docs.b]\nsource = "b"\n[tool.pydocs.docs.a]\nsource = "a"\n')
    assert [one.id for one in found] == ["a", "b"]


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("source = 1", "source must be a string"),
        ('source = "a\\nb"', "source must be a string on one line"),
        ("", "has no source"),
        ('source = "x"\nsources = "y"', "has no option 'sources'; it knows chunk-size"),
        ('source = "x"\ninclude = "y"', "include must be a list of strings"),
        ('source = "x"\ninclude = ["!"]', "include: "),
        ('source = "x"\nchunk-size = 1', "chunk-size must be a number from 200 to 20000"),
        ('source = "x"\nchunk-size = true', "chunk-size must be a number from 200 to 20000"),
        ('source = "x"\nlayers = 1', "layers must hold a table for each layer"),
        ('source = "x"\nlayers.a = 1', "layers.a must be a table"),
        ('source = "x"\nlayers.a = {}', "layers.a: has no include"),
        ('source = "x"\nlayers.ALL = {include = ["a"]}', "'all' means every layer"),
        ('source = "x"\nlayers.a = {includes = ["a"]}', "has no option 'includes'"),
        (
            'source = "x"\nlayers.a = {include = ["a"]}\nlayers.A = {include = ["b"]}',
            "there is a layer 'a' already",
        ),
        ('source = "x"\nlayers." " = {include = ["a"]}', "printable and not empty"),
    ],
)
def test_a_wrong_table_gets_a_sentence(table: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as raised:
        read(f"[tool.pydocs.docs.one]\n{table}\n")
    assert str(raised.value).startswith("pyproject.toml: [tool.pydocs.docs.one]")


@pytest.mark.parametrize("key", ['"a b"', '"a/b"', '""', '"-a"', '"."'])
def test_an_id_is_a_plain_name(key: str) -> None:
    with pytest.raises(UsageError, match="is no id"):
        read(f'[tool.pydocs.docs.{key}]\nsource = "x"\n')


def test_two_spellings_of_one_id_are_refused() -> None:
    with pytest.raises(UsageError, match="are one name"):
        read('[tool.pydocs.docs.a-b]\nsource = "x"\n[tool.pydocs.docs.A_B]\nsource = "y"\n')


def test_what_is_no_table_of_collections_is_refused() -> None:
    with pytest.raises(UsageError, match="must hold a table for each collection"):
        read('[tool.pydocs]\ndocs = "docs"\n')
    with pytest.raises(UsageError, match=r"\[tool.pydocs.docs.a\] must be a table"):
        read('[tool.pydocs.docs]\na = "docs"\n')
