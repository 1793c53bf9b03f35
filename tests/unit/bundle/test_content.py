"""A content that contradicts itself is not written."""

from __future__ import annotations

from pathlib import Path

import pytest

from pydocs_bundle import write_bundle
from pydocs_bundle.records import BundleContent, Score


def test_a_sound_content_has_no_problem(content: BundleContent, tmp_path: Path) -> None:
    write_bundle(tmp_path / "x.pdx", content, builder={})


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ({"file": 9}, "is in no file"),
        ({"file": -1}, "is in no file"),
        ({"end": 10_000}, "reaches over the end"),
        ({"start": 300, "end": 200}, "reaches over the end"),
        ({"parent": 99}, "has no such parent"),
        ({"parent": 2}, "has no such parent"),
        ({"qualified_name": ""}, "has no name"),
    ],
)
def test_an_impossible_entry_is_named(
    content: BundleContent, tmp_path: Path, entry: dict[str, int], problem: str
) -> None:
    entries = list(content.entries)
    entries[2] = type(entries[2])(**(entries[2]._asdict() | entry))
    with pytest.raises(ValueError, match=rf"Kitchen 1\.0\+local: .*{problem}"):
        write_bundle(tmp_path / "x.pdx", content._replace(entries=tuple(entries)), builder={})
    assert not list(tmp_path.iterdir())


def test_other_contradictions_are_named(content: BundleContent, tmp_path: Path) -> None:
    edge, decision, file = content.references[0], content.decisions[0], content.files[0]
    score = content.scores[0]
    impossible = [
        (content._replace(kind="other"), "the kind 'other' is none of"),
        (content._replace(name=""), "the name or version is empty"),
        (content._replace(version="a/b"), "the name or version has a slash"),
        (content._replace(texts=content.texts * 2), "12 texts for 7 entries"),
        (content._replace(files=content.files[::-1]), "not sorted"),
        (content._replace(files=(file._replace(text=b"\xff"), content.files[1])), "is not UTF-8"),
        (content._replace(files=(file._replace(layer="x"), content.files[1])), "in the layer 'x'"),
        (content._replace(references=(edge._replace(source=99),)), "has no source"),
        (content._replace(references=(edge._replace(target=""),)), "has no source, no file or no"),
        (content._replace(references=(edge._replace(tier="maybe"),)), "the tier 'maybe'"),
        (content._replace(decisions=(decision._replace(entry=99),)), "is no entry"),
        (content._replace(scores=(score._replace(entry=99),)), "has no entry, or says nothing"),
        (content._replace(scores=(score._replace(rank=-1),)), "has no entry, or says nothing"),
        (content._replace(scores=(Score(1, 0, 0, 0),)), "has no entry, or says nothing"),
        (content._replace(scores=content.scores[::-1]), "not in the order of their entries"),
    ]
    for wrong, problem in impossible:
        with pytest.raises(ValueError, match=problem):
            write_bundle(tmp_path / "x.pdx", wrong, builder={})
