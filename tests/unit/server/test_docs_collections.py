"""Documentation collections beside a project: listed, shown, in scope all only, found once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pydocs_bundle.records import BundleContent
from pydocs_server.answered.docs_collections import list_docs, reindex
from pydocs_server.answered.grep import grep
from pydocs_server.answered.overview import get_overview
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.files import find_file
from pydocs_server.mounted.mount import mount
from pydocs_server.ranked.hits import search
from pydocs_server.rendered.answer import NotFound
from pydocs_server.wired.docs_tools import DOCS_TOOLS
from pydocs_server.wired.instructions import instructions
from pydocs_server.wired.tools import TOOLS, Tool

WriteBundle = Callable[[Path, BundleContent], Path]
ContentOf = Callable[..., BundleContent]


def test_collections_are_listed_with_layers_revision_and_counts(collections: Catalog) -> None:
    answer = list_docs(collections)

    handbook = {
        "id": "handbook",
        "revision": "abc123",
        "description": "The handbook",
        "files": 4,
        "parts": 12,
        "layers": [
            {"name": "empty", "description": "", "files": 0},
            {"name": "settings", "description": "What can be set", "files": 2},
        ],
    }
    docs = answer.structured["docs"]
    assert isinstance(docs, list)
    assert docs[0] == handbook
    assert "handbook @ abc123, 4 files, 12 parts: The handbook\n" in answer.text
    assert "\n  layer settings, 2 files: What can be set\n" in answer.text


def test_without_collections_the_answer_is_none(catalog: Catalog) -> None:
    answer = list_docs(catalog)

    assert answer.text.startswith("None: ")
    assert answer.structured["docs"] == []


def test_reindex_says_what_to_do_and_changes_nothing(collections: Catalog) -> None:
    answer = reindex(collections, docs="handbook")

    assert "pydocs-build PROJECT --out DIR" in answer.text
    assert "handbook @ abc123" in answer.text
    assert answer.structured["is_changed"] is False
    with pytest.raises(NotFound):
        reindex(collections, docs="nothing")


def test_collections_are_neither_the_projects_nor_dependencies(collections: Catalog) -> None:
    names = {
        scope: [collections.bundles[i].manifest.name for i in collections.select(scope=scope)]
        for scope in ("all", "project", "deps")
    }
    assert names == {"all": ["handbook", "recipes", "shop"], "project": ["shop"], "deps": []}


def test_search_finds_sections_of_collections(collections: Catalog) -> None:
    hit, *_ = search(collections, "bake bread")

    assert hit.record.qualified_name == "recipes#bread.md:Bread"


def test_what_project_and_collection_both_have_is_found_once(collections: Catalog) -> None:
    found = [
        (collections.bundles[hit.bundle], hit.record.file)
        for hit in search(collections, "backups every night")
    ]
    named = [(bundle.manifest.name, bundle.text.paths[file]) for bundle, file in found]
    assert [name for name, path in named if path == "docs/deploy.md"] == ["shop"]


def test_asked_alone_a_collection_has_all_that_is_its_own(collections: Catalog) -> None:
    named = [hit.record.signature for hit in search(collections, "backups", package="handbook")]

    assert "Deploying > Backups" in named


def test_grep_and_read_see_such_a_file_once(collections: Catalog) -> None:
    assert find_file(collections, "docs/deploy.md")[0].address == "shop@1.0/docs/deploy.md"
    assert grep(collections, "nginx").text.startswith("1 line in 1 file for nginx")
    assert find_file(collections, "handbook/docs/deploy.md")[0].package == "handbook"


def test_an_overview_counts_collections_apart(collections: Catalog) -> None:
    answer = get_overview(collections)

    assert answer.text.startswith(
        "3 mounted: 1 project, 0 packages, 2 documentation collections.\n"
    )
    assert "docs handbook abc123: The handbook" in answer.text


def test_the_overview_of_a_collection_is_its_table_of_contents(collections: Catalog) -> None:
    answer = get_overview(collections, "handbook")

    assert "docs/deploy.md: Deploying\n" in answer.text
    assert "docs/reference/api.rst: API\n" in answer.text
    assert 'ask_docs(question, docs="handbook")' in answer.text
    assert answer.structured["kind"] == "docs"


def test_a_distribution_goes_before_a_collection_of_its_name(
    content_of: ContentOf, write: WriteBundle, tmp_path: Path
) -> None:
    write(tmp_path, content_of("shop", "1.0", {"shop.py": "X = 1\n"}))
    # Read as a version, this revision would be the later one.
    write(tmp_path, content_of("shop", "99f0", {"a.md": "# A\n"}, kind="docs"))

    with mount([str(tmp_path)]) as catalog:
        labels = [catalog.label(index) for index in catalog.package("shop")]

    assert labels == ["shop@1.0", "shop@99f0"]


def test_clients_are_told_of_collections_apart(collections: Catalog) -> None:
    told = instructions(collections)

    assert "Project: shop 1.0." in told
    assert "Documentation (2): handbook abc123, recipes abc123." in told
    assert "Packages" not in told


def test_the_tools_of_collections_are_apart_from_the_nine() -> None:
    assert list(DOCS_TOOLS) == ["list_docs", "ask_docs", "reindex"]
    assert not DOCS_TOOLS.keys() & TOOLS.keys()


@pytest.mark.parametrize("tool", DOCS_TOOLS.values(), ids=DOCS_TOOLS)
def test_their_functions_take_what_they_declare(tool: Tool, collections: Catalog) -> None:
    given: dict[str, object] = {"question": "backups", "docs": "handbook", "max_chars": 500}
    taken = {one.name: given[one.name] for one in tool.parameters if one.name in given}

    assert tool.function()(collections, **taken).text
