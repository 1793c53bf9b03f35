from __future__ import annotations

import pytest

from pydocs_bundle import Record
from pydocs_bundle.records import Flag, Kind
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.ranked.query import understand
from pydocs_server.ranked.rank import RANKING, factor, is_private, is_vendored, weights

PLAIN = Record(
    id=0,
    qualified_name="pkg.thing",
    public_name="",
    kind=Kind.FUNCTION,
    flags=0,
    signature="()",
    summary="Does what nobody asks for.",
    file=0,
    start=0,
    end=1,
    start_line=1,
    end_line=1,
    parent=-1,
    bases=(),
    aliases=(),
    children=(),
    docstring_start=0,
    docstring_end=0,
    docstring_text="Does what nobody asks for.",
)


@pytest.mark.parametrize(
    "lesser",
    [
        PLAIN._replace(flags=int(Flag.TEST)),
        PLAIN._replace(flags=int(Flag.PRIVATE)),
        PLAIN._replace(flags=int(Flag.DEPRECATED)),
        PLAIN._replace(flags=int(Flag.STUB)),
        PLAIN._replace(kind=Kind.MODULE),
        PLAIN._replace(kind=Kind.DECISION),
        PLAIN._replace(docstring_text=""),
        PLAIN._replace(qualified_name="pkg._inner.thing"),
        PLAIN._replace(qualified_name="pkg.vendored.thing"),
        PLAIN._replace(qualified_name="pkg.deep.down.there.thing"),
    ],
)
def test_what_users_rarely_want_counts_less(catalog: Catalog, lesser: Record) -> None:
    query = understand(catalog, "timeout of a connection")

    assert factor(query, 0, lesser) < factor(query, 0, PLAIN)


def test_a_copy_of_others_code_counts_less_than_what_is_only_private(catalog: Catalog) -> None:
    query = understand(catalog, "timeout of a connection")
    copied = PLAIN._replace(qualified_name="pip._vendor.thing")

    assert factor(query, 0, copied) < factor(
        query, 0, copied._replace(qualified_name="pip._inner.thing")
    )
    assert not is_vendored(PLAIN._replace(qualified_name="pkg.vendors.thing"))


def test_a_private_definition_with_a_public_name_counts_as_public(catalog: Catalog) -> None:
    query = understand(catalog, "timeout of a connection")
    offered = PLAIN._replace(qualified_name="pkg._inner.thing", public_name="pkg.thing")

    assert factor(query, 0, offered) == factor(query, 0, PLAIN)
    assert not is_private(offered)


def test_taking_what_is_asked_counts_more(catalog: Catalog) -> None:
    query = understand(catalog, "timeout of a connection")
    half = factor(query, 0, PLAIN._replace(signature="(timeout)"))
    whole = factor(query, 0, PLAIN._replace(signature="(connection, timeout=5)"))

    assert factor(query, 0, PLAIN) < half < whole


def test_the_package_that_is_named_counts_most(catalog: Catalog) -> None:
    query = understand(catalog, "httpq timeout")
    named = catalog.package("httpq")[0]
    other = catalog.package("yamp")[0]

    assert factor(query, named, PLAIN) == factor(query, other, PLAIN) * RANKING.package_named


def test_a_kind_of_query_has_its_weights(catalog: Catalog) -> None:
    assert weights(understand(catalog, "Client")) == RANKING.name_weights
    assert weights(understand(catalog, "ValueError: bad")) == RANKING.failure_weights
    assert weights(understand(catalog, "open a file")) == RANKING.sentence_weights


def test_what_much_leads_to_counts_more(catalog: Catalog) -> None:
    query = understand(catalog, "timeout of a connection")

    assert factor(query, 0, PLAIN._replace(popularity=48)) > factor(query, 0, PLAIN)


def test_standing_counts_for_nothing_in_a_project(catalog: Catalog) -> None:
    query = understand(catalog, "timeout of a connection")
    hidden = PLAIN._replace(flags=int(Flag.PRIVATE), docstring_text="")

    assert factor(query, 0, hidden, is_own=True) == factor(query, 0, PLAIN, is_own=True)


def test_parameters_that_say_what_is_asked_count(catalog: Catalog) -> None:
    query = understand(catalog, "timeout of a connection")

    assert factor(query, 0, PLAIN._replace(signature="(timeout=5)")) > factor(query, 0, PLAIN)
