"""Metadata files of all ages."""

from __future__ import annotations

import pytest

from pydocs_builder.found.metadata import parse_metadata


def test_fields_and_body_are_read() -> None:
    found = parse_metadata(
        b"Metadata-Version: 2.4\nName: My.Dist\nVersion: 1.0\nSummary: Does it.\n"
        b"License-Expression: MIT\nLicense-File: LICENSE\nRequires-Dist: alpha>=1\n"
        b"Requires-Dist: beta ; extra == 'x'\n"
        b"Description-Content-Type: text/markdown; variant=GFM\n"
        b"\n# Title\n\nName: not a field\n"
    )
    assert (found.name, found.version, found.summary) == ("My.Dist", "1.0", "Does it.")
    assert (found.licence, found.licence_files) == ("MIT", ("LICENSE",))
    assert [one.name for one in found.requirements()] == ["alpha", "beta"]
    assert found.readme == "# Title\n\nName: not a field\n"
    assert found.readme_type == "text/markdown"


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_folded_description_is_the_readme(line_end: str) -> None:
    lines = [
        "Name: a",
        "Version: 1",
        "Description: Title",
        "        =====",
        "        |",
        "        Text",
        "",
    ]
    assert parse_metadata(line_end.join(lines).encode()).readme == "Title\n=====\n\nText"


@pytest.mark.parametrize(
    ("fields", "licence"),
    [
        ("License: BSD\n", "BSD"),
        ("License: UNKNOWN\nClassifier: License :: OSI Approved :: MIT License\n", "MIT License"),
        ("License: Copyright me\n        All rights\n", ""),
        ("Classifier: License :: OSI Approved\n", ""),
        ("", ""),
    ],
)
def test_a_licence_is_a_name_and_never_a_text(fields: str, licence: str) -> None:
    assert parse_metadata(f"Name: a\nVersion: 1\n{fields}".encode()).licence == licence


def test_a_requirement_that_is_none_is_passed_over() -> None:
    found = parse_metadata(b"Name: a\nVersion: 1\nRequires-Dist: ???\nRequires-Dist: beta\n")
    assert [one.name for one in found.requirements()] == ["beta"]


def test_bytes_that_are_no_text_are_no_obstacle() -> None:
    assert parse_metadata(b"Name: a\xff\nVersion: 1\n").version == "1"
