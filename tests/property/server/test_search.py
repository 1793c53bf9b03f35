"""What every answer of a search keeps, whatever is asked."""

from __future__ import annotations

from typing import cast

from hypothesis import given, settings
from hypothesis import strategies as st

from pydocs_server.answered.search import search_codebase
from pydocs_server.mounted.catalog import SCOPES, Catalog
from pydocs_server.ranked.kinds import KIND_WORDS, kinds_of
from pydocs_server.rendered.answer import DEFAULT_TOKENS, count_tokens
from pydocs_server.rendered.rows import kind_label

SAID = (
    "client timeout httpq httpq.Client route flasq pydanteq==1.10 pydanteq 1.10 the a send "
    "tensorflow request Model dump safe_load app.route 2 @app.route() ? orders fetch"
)
WORDS = st.sampled_from(SAID.split())
QUERIES = st.lists(WORDS | st.text(max_size=12), min_size=1, max_size=8).map(" ".join)
TOKENS_PER_HIT = DEFAULT_TOKENS // 10


@settings(max_examples=150)
@given(
    QUERIES.filter(str.strip),
    st.sampled_from(sorted(KIND_WORDS)),
    st.sampled_from(SCOPES),
    st.integers(1, 60),
)
def test_limit_budget_kind_and_scope_are_kept(
    catalog: Catalog, query: str, kind: str, scope: str, limit: int
) -> None:
    answer = search_codebase(catalog, query, kind=kind, scope=scope, limit=limit)
    rows = cast("list[dict[str, object]]", answer.structured["results"])

    assert len(rows) <= limit
    assert count_tokens(answer.text) <= max(DEFAULT_TOKENS, limit * TOKENS_PER_HIT)
    kinds = {kind_label(each) for each in kinds_of(kind)}
    projects = {"shop"}
    for row in rows:
        assert row["kind"] in kinds
        if scope != "all":
            assert (row["package"] in projects) == (scope == "project")
    symbols = [(row["package"], row["public_name"], row["path"]) for row in rows]
    assert len(set(symbols)) == len(symbols)
    assert rows or cast("str", answer.structured["note"]) in answer.text


@settings(max_examples=60)
@given(QUERIES.filter(str.strip))
def test_text_has_what_structured_content_has_in_its_order(catalog: Catalog, query: str) -> None:
    answer = search_codebase(catalog, query)
    rows = cast("list[dict[str, object]]", answer.structured["results"])
    start = 0
    for row in rows:
        ending = f"{str(row['path']).rpartition('/')[2]}:{row['start_line']}"
        start = answer.text.index(ending, start) + 1
