from __future__ import annotations

from collections.abc import Callable

import pytest

from pydocs_bundle.records import BundleContent, Decision

Built = Callable[..., BundleContent]


def changes(content: BundleContent) -> list[Decision]:
    return [one for one in content.decisions if one.origin == "changelog"]


KEEP = """\
# Changelog

## [Unreleased]

### Added

- A new thing.

## [1.2.0] - 2024-02-03

### Fixed

- A leak of `m.f`.

[1.2.0]: https://example.org/1.2.0
"""
HISTORY = """\
.. :changelog:

Release History
===============

2.31.0 (2023-05-22)
-------------------

**Security**

- No more leaks
  of headers.

**Bugfixes**

- A bug.

2.30.0 (2023-05-03)
-------------------

- Older.
"""
FLASK = """\
Version 3.1.2
-------------

Released 2025-08-19

-   One thing. :issue:`5774`
-   Another.

Version 3.1.1
-------------

Unreleased

-   Third.
"""
PLAIN = """\
Changes in 1.10 (2020-01-02)

 * One change
   goes on.
 * Another.

1.9:
  - Third.
"""
BOLD = "**2.0** (2024-01-02)\n\n- One.\n\n**1.0**\n\n- Two.\n"
GITHUB = """\
# Releases

## v0.5.1

## What's Changed

* Drop the old loader by @someone in https://example.org/pull/12
* @other made their first contribution in https://example.org/pull/9

**Full Changelog**: https://example.org/compare/v0.5.0...v0.5.1
"""
SPHINX = """\
1.4.1
=====
:Released: March 3, 2019

.. change::
    :tags: bug, orm
    :tickets: 4507

    Fixed the thing that broke.

.. change::
    :tags: usecase

    Added another thing.
"""


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        (
            "CHANGELOG.md",
            KEEP,
            [("A new thing", "Unreleased", ""), ("A leak of `m.f`", "1.2.0", "2024-02-03")],
        ),
        (
            "HISTORY.rst",
            HISTORY,
            [
                ("No more leaks of headers", "2.31.0", "2023-05-22"),
                ("A bug", "2.31.0", "2023-05-22"),
                ("Older", "2.30.0", "2023-05-03"),
            ],
        ),
        (
            "CHANGES.rst",
            FLASK,
            [
                ("One thing", "3.1.2", "2025-08-19"),
                ("Another", "3.1.2", "2025-08-19"),
                ("Third", "3.1.1", ""),
            ],
        ),
        (
            "CHANGES",
            PLAIN,
            [
                ("One change goes on", "1.10", "2020-01-02"),
                ("Another", "1.10", "2020-01-02"),
                ("Third", "1.9", ""),
            ],
        ),
        ("NEWS.md", BOLD, [("One", "2.0", "2024-01-02"), ("Two", "1.0", "")]),
        ("docs/releases.md", GITHUB, [("Drop the old loader", "0.5.1", "")]),
        (
            "docs/changelog/changelog_14.rst",
            SPHINX,
            [
                ("Fixed the thing that broke", "1.4.1", "March 3, 2019"),
                ("Added another thing", "1.4.1", "March 3, 2019"),
            ],
        ),
        ("newsfragments/123.feature.rst", "Support more.\n", [("Support more", "Unreleased", "")]),
        ("docs/releases/1.8.2.md", "# Notes\n\n- One.\n", [("One", "1.8.2", "")]),
        (
            "CHANGELOG.md",
            "# Changelog\n\n## 3.0 (2024-01-02)\n\nDropped Python 2.\n\nAnd the old API too.\n",
            [
                ("Dropped Python 2", "3.0", "2024-01-02"),
                ("And the old API too", "3.0", "2024-01-02"),
            ],
        ),
        (
            "CHANGELOG.md",
            "# Changelog\n\n## httpx 0.28.0 (28th November, 2024)\n\n* One.\n",
            [("One", "0.28.0", "28th November, 2024")],
        ),
    ],
)
def test_changelog_of_any_shape_gives_entries_with_version_and_date(
    built: Built, path: str, text: str, found: list[tuple[str, str, str]]
) -> None:
    content = built({path: text, "m.py": "def f(): ...\n"})
    assert [(one.title, one.label, one.date) for one in changes(content)] == found
    for one in changes(content):
        assert one.quote.encode() in content.files[content.entries[one.entry].file].text


@pytest.mark.parametrize("path", ["newsletter.md", "historical.md", "docs/changes_api.txt2.md"])
def test_files_that_only_begin_like_a_changelog_are_none(built: Built, path: str) -> None:
    assert changes(built({path: "# A\n\n- item\n- other\n"})) == []
