"""What stands before what, apart from how well the words fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pydocs_bundle.records import BundleContent
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount
from pydocs_server.ranked.hits import search
from pydocs_server.ranked.numbers import RANKING, Ranking

WriteBundle = Callable[[Path, BundleContent], Path]
ContentOf = Callable[..., BundleContent]

SHOP = {
    "shop/sessions.py": '''\
class Signer:
    """Signs the cookie of a session."""

    def sign(self) -> None:
        """Signs the cookie of a session."""

    def verify(self) -> None:
        """Verifies the cookie of a session."""


class Store:
    """Keeps the cookie of a session."""
''',
    "shop/views.py": '''\
class Page:
    """Reads the cookie of a session."""
''',
}
WEB = {
    "web/app.py": '''\
from web.base import Scaffold


class Web(Scaffold):
    """The application."""
''',
    "web/base.py": '''\
class Scaffold:
    """What applications share."""

    def route(self) -> None:
        """Registers a view."""
''',
    "web/tables.py": '''\
class Frame:
    """A table."""

    def groupby(self) -> None:
        """Groups rows."""
''',
    "web/paths.py": '''\
class Path:
    """One path."""

    def route(self) -> None:
        """Where it goes."""
''',
}


@pytest.fixture
def shop(tmp_path: Path, write: WriteBundle, content_of: ContentOf) -> Iterator[Catalog]:
    write(tmp_path, content_of("shop", "1.0", SHOP, kind="project"))
    bases = {"web.app.Web": ["web.base.Scaffold"]}
    write(tmp_path, content_of("web", "2.0", WEB, bases=bases))
    with mount([str(tmp_path)]) as catalog:
        yield catalog


def _files(catalog: Catalog, query: str, numbers: Ranking) -> list[str]:
    hits = search(catalog, query, numbers=numbers)
    return [catalog.bundles[hit.bundle].text.paths[hit.record.file] for hit in hits]


def test_another_file_stands_before_the_same_file_again(shop: Catalog) -> None:
    files = _files(shop, "cookie of a session", RANKING._replace(same_own_file=0.5, path=0.0))

    assert files.index("shop/views.py") == 1


def test_a_file_may_fill_the_list_where_repeats_cost_nothing(shop: Catalog) -> None:
    files = _files(shop, "cookie of a session", RANKING._replace(same_own_file=1.0))

    assert files[:2] == ["shop/sessions.py"] * 2


def test_a_file_with_more_of_it_gains_on_one_with_less(shop: Catalog) -> None:
    def lead(file_evidence: float) -> float:
        numbers = RANKING._replace(file_evidence=file_evidence, path=0.0, same_own_file=1.0)
        best: dict[int, float] = {}
        for hit in search(shop, "cookie of a session", numbers=numbers):
            best.setdefault(hit.record.file, hit.score)
        return best[0] / best[1]

    assert lead(0.0) < lead(0.4) < lead(1.0)


def test_a_file_called_what_is_asked_stands_first(shop: Catalog) -> None:
    assert (
        _files(shop, "views of a session", RANKING._replace(file_evidence=0.0, path=2.0))[0]
        == "shop/views.py"
    )


def _names(catalog: Catalog, query: str) -> list[str]:
    return [hit.record.qualified_name for hit in search(catalog, query)]


def test_a_method_of_a_variable_called_like_a_module_is_that_of_its_class(shop: Catalog) -> None:
    assert _names(shop, "@app.route('/')")[0] == "web.base.Scaffold.route"


def test_a_method_of_any_other_variable_is_found_by_its_name(shop: Catalog) -> None:
    assert _names(shop, "df.groupby")[0] == "web.tables.Frame.groupby"


def test_a_step_of_a_traceback_is_found(shop: Catalog) -> None:
    text = 'File "/lib/site-packages/web/base.py", line 5, in route\n    x()\nValueError: no view'

    assert _names(shop, text)[0] == "web.base.Scaffold.route"


def _first_of_globals(
    folder: Path, write: WriteBundle, content_of: ContentOf, packages: int
) -> str:
    for number in range(packages):
        name = f"web{number}"
        text = f'session = 1\n\n\ndef store_{number}():\n    """Stores a session."""\n'
        write(folder, content_of(name, "1", {f"{name}.py": text}))
    with mount([str(folder)], strict=True) as catalog:
        return search(catalog, "session")[0].record.qualified_name


def test_a_variable_that_a_package_offers_may_be_what_a_plain_word_means(
    tmp_path: Path, write: WriteBundle, content_of: ContentOf
) -> None:
    assert _first_of_globals(tmp_path, write, content_of, 1) == "web0.session"


def test_one_that_many_packages_offer_is_not(
    tmp_path: Path, write: WriteBundle, content_of: ContentOf
) -> None:
    assert ".store_" in _first_of_globals(tmp_path, write, content_of, 5)
