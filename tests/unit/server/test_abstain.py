"""When nothing fits."""

from __future__ import annotations

from pydocs_server.answered.search import search
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.ranked.abstain import fits
from pydocs_server.ranked.numbers import RANKING, Ranking
from pydocs_server.ranked.query import understand


def _fits(catalog: Catalog, text: str, numbers: Ranking = RANKING) -> bool:
    return fits(catalog, understand(catalog, text), search(catalog, text), numbers)


def test_what_says_hardly_anything_of_a_query_does_not_fit(catalog: Catalog) -> None:
    assert _fits(catalog, "send a request with a timeout")
    assert not _fits(catalog, "a timeout for baking zygomorphic sourdough bread")


def test_the_numbers_decide(catalog: Catalog) -> None:
    query = "send a request with a timeout"

    assert not _fits(catalog, query, RANKING._replace(least_said_alone=2.0))
    assert _fits(catalog, "zygomorphic bread", RANKING._replace(least_said_alone=-2.0))


def test_the_more_is_mounted_the_more_is_asked(catalog: Catalog) -> None:
    # Far fewer than a thousand entries are mounted, so what grows with them shrinks here.
    query = "a timeout for baking zygomorphic sourdough bread"

    assert _fits(catalog, query, RANKING._replace(least_grows=2.0))


def test_a_name_is_taken_at_its_word(catalog: Catalog) -> None:
    assert _fits(catalog, "httpq.Client", RANKING._replace(least_said_alone=2.0))
