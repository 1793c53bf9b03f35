from __future__ import annotations

from collections.abc import Callable

import pytest

from pydocs_bundle.records import BundleContent, Decision, Kind, ReferenceKind

Built = Callable[..., BundleContent]

NYGARD = """\
# 3. Use SQLite for the index

Date: 2024-03-01

## Status

Accepted

## Context

We need one file. See `shop.store.Store`.

## Decision

We will keep the index in SQLite, in `shop/store.py`.

## Consequences

None.
"""

MADR = """\
---
status: superseded
date: 2023-11-20
---
# Talk JSON

## Context and Problem Statement

How do we talk?

## Decision Outcome

Chosen option: JSON, because `Store.save` is simple.
"""

STORE = """\
class Store:
    def save(self):
        # WHY: the lock file must be older than the data file,
        # or readers see half a write.
        return 1

    def load(self):
        return 2  # an ordinary comment

# HACK: x
"""


def decisions(content: BundleContent, origin: str) -> list[Decision]:
    return [one for one in content.decisions if one.origin == origin]


def test_decision_records_of_both_shapes_are_read(built: Built) -> None:
    content = built(
        {
            "docs/adr/0003-sqlite.md": NYGARD,
            "docs/decisions/0004-json.md": MADR,
            "docs/adr/README.md": "# Records\n\n## Decision\n",
            "shop/__init__.py": "",
            "shop/store.py": STORE,
        }
    )
    first, second = decisions(content, "adr")
    assert first[1:] == (
        "adr",
        "Use SQLite for the index",
        "## Decision\n\nWe will keep the index in SQLite, in `shop/store.py`.",
        "Accepted",
        "2024-03-01",
        ("shop.store.Store", "shop/store.py"),
        "ADR-0003",
        1,
        -1,
    )
    assert (second.title, second.status, second.date) == ("Talk JSON", "superseded", "2023-11-20")
    assert second.governs == ("shop.store.Store.save",)
    entry = content.entries[first.entry]
    assert entry.kind is Kind.DECISION
    assert entry.qualified_name == "sample#decision:docs/adr/0003-sqlite.md:1"
    assert (entry.start_line, entry.end_line) == (1, 19)


def test_decision_comments_govern_the_symbol_around_them(built: Built) -> None:
    content = built({"shop/__init__.py": "", "shop/store.py": STORE})
    (one,) = decisions(content, "comment")
    assert one.title == (
        "the lock file must be older than the data file, or readers see half a write"
    )
    assert one.quote.encode() in content.files[1].text
    assert one.governs == ("shop.store.Store.save",)
    entry = content.entries[one.entry]
    assert (entry.start_line, entry.end_line) == (3, 4)
    assert content.entries[entry.parent].qualified_name == "shop.store.Store.save"
    (edge,) = (edge for edge in content.references if edge.kind is ReferenceKind.GOVERN)
    assert (edge.source, edge.target, edge.line) == (one.entry, "shop.store.Store.save", 3)


def test_changelog_is_split_into_its_entries(built: Built) -> None:
    content = built(
        {
            "CHANGELOG.md": (
                "# Changelog\n\nAll changes.\n\n## 0.28.0 (28th November, 2024)\n\n"
                "* Drop `proxies`. It was old.\n  Second line.\n  * nested\n\n* Add `m.f`.\n\n"
                "## 0.27 - 2024-02-21\n\n### Fixed\n\n- A leak\n"
            ),
            "m.py": "def f(): ...\n",
        }
    )
    first, second, third = decisions(content, "changelog")
    assert first.quote == "* Drop `proxies`. It was old.\n  Second line.\n  * nested"
    assert (first.title, first.date) == ("Drop `proxies`", "28th November, 2024")
    assert second.governs == ("m.f",)
    assert (third.title, third.date) == ("A leak", "2024-02-21")
    assert [content.entries[one.entry].start_line for one in (first, second, third)] == [7, 11, 17]


def test_restructured_changelog_is_split_too(built: Built) -> None:
    content = built(
        {
            "CHANGES.rst": (
                "Version 2.1\n-----------\n\nReleased 2024-01-02\n\n-   One thing\n    goes on\n"
                "-   Another\n\nVersion 2.0\n-----------\n\n-   Third\n"
            )
        }
    )
    assert [one.quote for one in decisions(content, "changelog")] == [
        "-   One thing\n    goes on",
        "-   Another",
        "-   Third",
    ]


def test_sections_that_promise_a_reason_are_decisions(built: Built) -> None:
    content = built(
        {
            "README.md": (
                "# Shop\n\n## Why another shop?\n\nBecause the others need the cloud.\n\n"
                "## Usage\n\nCall it.\n\n## Rationale\n\nShort.\n"
            )
        }
    )
    (one,) = decisions(content, "section")
    assert one.title == "Why another shop?"
    assert "others need the cloud" in one.quote
    entry = content.entries[one.entry]
    assert content.entries[entry.parent].qualified_name == "sample#readme:Why another shop?"


def test_near_duplicates_are_one_decision_that_governs_for_all(built: Built) -> None:
    comment = "# NOTE: keep this list in step with the other one, please and thank you always\n"
    content = built(
        {
            "a.py": f"def f():\n    {comment}    x = 1\n",
            "b.py": f"def g():\n    {comment}    y = 1\n",
        }
    )
    (one,) = decisions(content, "comment")
    assert one.governs == ("a.f", "b.g")


def test_quotes_are_cut_at_a_line_end(built: Built) -> None:
    content = built({"README.md": "# Rationale\n\n" + "Because it is long.\n" * 400})
    (one,) = decisions(content, "section")
    assert len(one.quote) <= 2_000
    assert one.quote.endswith("Because it is long.")


def test_sections_mention_what_they_name_once(built: Built) -> None:
    content = built(
        {
            "docs/use.md": (
                "# Use\n\nText `shop.Store`, then ``Store.save()``\nand `Store` and `unknown`.\n"
                "```\n`shop.Store`\n```\n"
            ),
            "shop/__init__.py": "from .store import Store\n",
            "shop/store.py": STORE,
        }
    )
    edges = [edge for edge in content.references if edge.kind is ReferenceKind.MENTION]
    assert [(edge.target, edge.line, edge.column) for edge in edges] == [
        ("shop.store.Store", 3, 6),
        ("shop.store.Store.save", 3, 26),
    ]


def test_ambiguous_names_mean_nothing(built: Built) -> None:
    content = built(
        {
            "a.md": "# A\n`Thing` `run` `a.py` `nowhere/x.py` `one/x.py`\n",
            "one/x.py": "class Thing:\n    def run(self): ...\n",
            "two/x.py": "class Thing: ...\n",
        }
    )
    targets = [edge.target for edge in content.references if edge.kind is ReferenceKind.MENTION]
    assert targets == ["one/x.py"]


def test_members_of_a_class_are_meant_by_its_name_where_a_base_defines_them(built: Built) -> None:
    content = built(
        {
            "a.md": "# A\n`Client.limit` `Client.send` `x.Client.send` `Client.nothing`\n",
            "x.py": (
                "class Base:\n    limit = 1\n    def send(self): ...\nclass Client(Base): ...\n"
            ),
        }
    )
    targets = [edge.target for edge in content.references if edge.kind is ReferenceKind.MENTION]
    assert targets == ["x.Base.limit", "x.Base.send"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_reasons_in_docstrings_govern_what_they_document(built: Built, end: str) -> None:
    source = (
        "class Till:\n"
        '    """Counts.\n'
        "\n"
        "    Rationale:\n"
        "        Floats lose cents, see `Till.add`.\n"
        "\n"
        "    Args:\n"
        "        x: y\n"
        '    """\n'
        "    def add(self):\n"
        '        """Adds.\n'
        "\n"
        "        Notes\n"
        "        -----\n"
        '        - It is slow on purpose, please."""\n'
        "    def note(self):\n"
        '        """Note: nothing of this is a heading, as it goes on."""\n'
    )
    content = built({"m.py": source.replace("\n", end).encode()})
    first, second = decisions(content, "section")
    assert (first.title, first.governs) == (
        "Floats lose cents, see `Till.add`",
        ("m.Till", "m.Till.add"),
    )
    assert first.quote == f"    Rationale:{end}        Floats lose cents, see `Till.add`."
    assert (second.title, second.governs) == ("It is slow on purpose, please", ("m.Till.add",))
    assert second.quote.endswith("- It is slow on purpose, please.")
    places = [content.entries[one.entry] for one in (first, second)]
    assert [(one.start_line, one.end_line) for one in places] == [(4, 5), (13, 15)]


def test_the_same_words_in_several_places_are_counted(built: Built) -> None:
    text = "# Shop\n\n## Why integers\n\nBecause floats lose cents, all too often.\n"
    content = built({"README.md": text, "docs/index.md": text})
    (one,) = decisions(content, "section")
    assert one.places == 2


def test_every_section_of_a_design_document_is_a_decision(built: Built) -> None:
    content = built(
        {
            "docs/design.rst": (
                "Design decisions\n================\n\nStorage\n-------\n\nIt is all one file.\n\n"
                "Speed\n-----\n\nIt is fast enough for us.\n"
            ),
            "docs/use.rst": "Use\n===\n\nStorage\n-------\n\nGive it one file.\n",
        }
    )
    assert [one.title for one in decisions(content, "section")] == ["Storage", "Speed"]
