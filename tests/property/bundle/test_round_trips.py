"""Whatever is written is what is read, for any content."""

from __future__ import annotations

import inspect
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from pydocs_bundle import Bundle, Kind, Manifest, ReferenceKind, verify, write_bundle
from pydocs_bundle.docstrings import clean_docstring, locate_docstring
from pydocs_bundle.frames import Framed, compress, inflate, write_framed
from pydocs_bundle.manifest import content_id, parse_manifest, write_manifest
from pydocs_bundle.names import file_name, name_problem, path_problem, paths_problem
from pydocs_bundle.popularity import popularity
from pydocs_bundle.records import (
    BundleContent,
    Entry,
    IndexText,
    Reference,
    Requirement,
    Score,
    SourceFile,
)
from pydocs_bundle.symbols import Records, write_records
from pydocs_bundle.text import Text, write_text

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
sizes = st.integers(0, 1 << 31)
names = st.text("abc.#:_é", min_size=1, max_size=8)
digests = st.text("0123456789abcdef", min_size=64, max_size=64)
plain_names = st.text(min_size=1, max_size=20).filter(lambda name: not name_problem(name))
segments = st.text("aB.-_ é𐀀", min_size=1, max_size=4)
paths = (
    st.lists(segments, min_size=1, max_size=3).map("/".join).filter(lambda p: not path_problem(p))
)
texts = words.map(str.encode) | st.integers(0, 400_000).map(
    lambda size: b"0123456789" * (size // 10)
)


@st.composite
def file_lists(draw: st.DrawFn, least: int = 0) -> tuple[SourceFile, ...]:
    found = draw(st.sets(paths, min_size=least, max_size=5))
    while paths_problem(sorted(found, key=str.encode)):
        found.pop()
    return tuple(
        SourceFile(path, draw(texts), draw(words), draw(words), draw(st.booleans()))
        for path in sorted(found, key=str.encode)
    )


@st.composite
def contents(draw: st.DrawFn) -> BundleContent:
    layers = draw(st.dictionaries(words.filter(bool), words, max_size=2))
    files = tuple(
        file._replace(layer=draw(st.sampled_from(["", *layers])))
        for file in draw(file_lists(least=1).filter(bool))
    )
    entries: list[Entry] = []
    for number in range(draw(st.integers(0, 12))):
        file = draw(st.integers(0, len(files) - 1))
        start, end = sorted(draw(st.tuples(*[st.integers(0, len(files[file].text))] * 2)))
        first, last = sorted(draw(st.tuples(*[st.integers(1, 99)] * 2)))
        entries.append(
            Entry(
                draw(names),
                draw(st.sampled_from(Kind)),
                file,
                start,
                end,
                first,
                last,
                draw(words),
                draw(words),
                draw(words),
                draw(names | st.just("")),
                draw(st.integers(-1, number - 1)),
                draw(st.integers(0, 127)),
                tuple(draw(st.lists(names, max_size=2))),
                tuple(draw(st.lists(names, max_size=2))),
                tuple(draw(st.lists(names, max_size=2))),
            )
        )
    docs = draw(st.integers(0, len(entries)))
    edges = st.builds(
        Reference,
        st.sampled_from(ReferenceKind),
        st.integers(0, max(0, len(entries) - 1)),
        names,
        st.integers(0, len(files) - 1),
        st.integers(1, 99),
        st.integers(0, 99),
        st.sampled_from(["exact", "syntactic"]),
        words,
    )
    return BundleContent(
        draw(st.sampled_from(["project", "dependency", "docs"])),
        draw(plain_names),
        draw(plain_names),
        files,
        tuple(entries),
        tuple(IndexText(draw(words), "", "", "", draw(words), "", "") for _ in range(docs)),
        tuple(draw(st.lists(edges, max_size=5))) if entries else (),
        requirements=tuple(
            draw(st.lists(st.builds(Requirement, words, words, words, words, words), max_size=3))
        ),
        summary=draw(words),
        layers=tuple(layers.items()),
        scores=tuple(
            Score(number, draw(sizes), draw(sizes), draw(st.integers(1, 9)))
            for number in sorted(draw(st.sets(st.integers(0, max(0, len(entries) - 1)))))
            if entries
        ),
    )


@settings(max_examples=40, deadline=None)  # each writes a file and two databases
@given(contents())
def test_a_whole_bundle_comes_back(content: BundleContent) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / file_name(content.name, content.version)
        written = write_bundle(path, content, builder={})
        assert verify(path) == written
        with Bundle.open(path, verify="all") as bundle:
            assert bundle.manifest.name == content.name
            assert [bundle.text.read(n) for n in range(len(bundle.text))] == [
                file.text for file in content.files
            ]
            assert [bundle.text.layer(n) for n in range(len(bundle.text))] == [
                file.layer for file in content.files
            ]
            assert bundle.manifest.layers == dict(content.layers)
            for number, entry in enumerate(content.entries):
                assert bundle.docstring(number) == entry.docstring
                assert number in bundle.records.find(entry.qualified_name)
                expected = content.files[entry.file].text[entry.start : entry.end]
                assert bundle.source(number) == expected
            edges = bundle.database().execute(
                'SELECT reference.kind, source, name.text, file, line, "column", tier,'
                " coalesce(reason.text, '') FROM reference JOIN name ON name.id = target"
                " LEFT JOIN reason ON reason.id = reason"
            )
            assert sorted(edges) == sorted(map(tuple, content.references))
            rows = bundle.database().execute("SELECT * FROM score ORDER BY entry")
            assert list(rows) == list(map(tuple, content.scores))
            ranks = {score.entry: score.rank for score in content.scores}
            assert [record.popularity for record in bundle.records] == [
                popularity(ranks.get(number, 0)) for number in range(len(content.entries))
            ]


@settings(deadline=None)
@given(file_lists(), st.integers(1, 19))
def test_text_comes_back(files: tuple[SourceFile, ...], level: int) -> None:
    stored, raw = write_text(files, level)
    text = Text(memoryview(stored), len(raw), "x.pdx")
    assert [
        SourceFile(path, text.read(n), text.encoding(n), text.module(n), text.is_lossy(n))
        for n, path in enumerate(text.paths)
    ] == list(files)


@settings(deadline=None)
@given(file_lists(least=1).filter(bool), st.data())
def test_any_slice_of_text_is_the_slice_of_the_file(
    files: tuple[SourceFile, ...], data: st.DataObject
) -> None:
    stored, raw = write_text(files, 1)
    text = Text(memoryview(stored), len(raw), "x.pdx")
    number = data.draw(st.integers(0, len(files) - 1))
    whole = files[number].text
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(whole))] * 2)))
    assert text.slice(number, start, end) == whole[start:end]


@settings(max_examples=60, deadline=None)
@given(contents())
def test_names_lead_to_exactly_the_records_that_have_them(content: BundleContent) -> None:
    stored, raw = write_records(content.entries, content.files, len(content.texts), 3)
    records = Records(memoryview(stored), len(raw), "x.pdx")
    known = [
        {entry.qualified_name, entry.public_name, *entry.aliases} - {""}
        for entry in content.entries
    ]
    for name in set().union(*known):
        assert records.find(name) == [n for n, own in enumerate(known) if name in own]
        tail = name.rpartition(".")[2].casefold()
        assert records.find_tail(tail.upper()) == [
            n
            for n, own in enumerate(known)
            if content.entries[n].kind < Kind.SECTION
            and tail in {each.rpartition(".")[2].casefold() for each in own}
        ]


mappings = st.dictionaries(words, words, max_size=3)
tuples = st.lists(words, max_size=3).map(tuple)
fated = st.builds(Requirement, words, words, words.filter(bool), words, words)


@given(
    st.builds(
        Manifest,
        st.sampled_from(["project", "dependency", "docs"]),
        plain_names,
        plain_names,
        st.just(""),
        words,
        words,
        tuples,
        tuples,
        tuples,
        mappings,
        st.dictionaries(words, st.integers(), max_size=3),
        tuples,
        mappings,
        words,
        st.dictionaries(st.sampled_from(["CHK", "DB", "PXI", "TEXT", "TQ"]), digests),
        digests,
        mappings,
        st.lists(fated, max_size=3).map(tuple),
    )
)
def test_a_manifest_comes_back(manifest: Manifest) -> None:
    signed = manifest._replace(content_id=content_id(manifest))
    assert parse_manifest(write_manifest(signed), "x.pdx") == signed


@settings(deadline=None)
@given(st.binary(max_size=300), st.lists(st.binary(min_size=1, max_size=300), max_size=5))
def test_a_framed_section_comes_back(head: bytes, parts: list[bytes]) -> None:
    stored = write_framed(head, parts, 3)
    raw = b"".join((head, *parts))
    framed = Framed(memoryview(stored), len(raw), "x.pdx", "CHK", keep=1)
    framed.check_table()
    assert b"".join(framed.raw()) == raw


@settings(deadline=None)
@given(st.binary(max_size=5000), st.integers(1, 19))
def test_a_frame_comes_back(raw: bytes, level: int) -> None:
    assert inflate(memoryview(compress(raw, level)), len(raw), "x.pdx", "frame") == raw


indented = st.lists(st.text(" \tab", max_size=8), min_size=1, max_size=6).map("\n".join)


@given(indented)
def test_docstrings_are_cleaned_as_inspect_does(text: str) -> None:
    assert clean_docstring(text) == inspect.cleandoc(text)


@given(words, indented, words)
def test_a_located_docstring_is_the_docstring(before: str, literal: str, after: str) -> None:
    docstring = clean_docstring(literal)
    text = f"{before}{literal}{after}".encode()
    span = locate_docstring(text, 0, len(text), docstring)
    if span:
        assert clean_docstring(text[slice(*span)].decode()) == docstring


@given(st.text(max_size=10), st.text(max_size=10))
def test_file_names_stay_in_their_folder(name: str, version: str) -> None:
    made = file_name(name, version)
    assert made == Path(made).name
    assert made.endswith(".pdx")
    assert not made.startswith(("-", "."))
